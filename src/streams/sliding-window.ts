// A detector over the last rows of a stream: every score is the one that the detector, fitted on the rows of the window,
// would give, bit for bit. Whether a row is an alarm is decided by its rank among the last scores.
import { CurvadError, describe } from '../core/errors.js';
import { type MatrixInput, RowReader } from '../core/input/matrix.js';
import { checkCount, checkValue, isLine } from '../core/input/row-checks.js';
import { checkRoom, type LoadOptions, readLoadOptions } from '../core/model-file/limits.js';
import { corrupt, type Model, writeModel } from '../core/model-file/model-file.js';
import { checkOptionNames, flag, wholeNumber } from '../core/options.js';
import { CAD } from '../detectors/cad.js';
import { checkWidth } from '../detectors/fitted-state.js';
import { KNN } from '../detectors/knn.js';
import { LandmarkCAD } from '../detectors/landmark-cad.js';
import { LOF } from '../detectors/lof.js';
import { checkedCount, checkedSection, readModelOf, requireFields } from '../detectors/model-parts.js';
import type { Windowed } from '../detectors/windowed.js';
import { inRoom } from './room.js';
import { ScoreRanks } from './score-ranks.js';
import { WindowRows } from './window-rows.js';
import { type WindowScore, windowScore } from './window-score.js';
import { windowedOf } from './windowed-of.js';

/** Detectors that a window can score by. */
export type WindowDetector = LandmarkCAD | CAD | KNN | LOF;

export interface SlidingWindowOptions {
  /** Rows of the window: W. Default 1000. */
  window?: number;
  /** Scores that a new score is ranked among: S. Default 5000. */
  memory?: number;
  /** A row among the so many highest of the last S scores is an alarm: R. Default 12. */
  alarmRank?: number;
  /** Rows at the start that are no alarms, whatever their scores. Default 100. */
  warmup?: number;
  /**
   * Whether rows that are alarms become part of the window. Default true: a new normal is learned. With false the
   * window stays clean, and what changes for good is an alarm for as long as its scores are among the highest.
   */
  learnAnomalies?: boolean;
}

const OPTION_NAMES = ['window', 'memory', 'alarmRank', 'warmup', 'learnAnomalies'] as const;
const DETECTORS = { LandmarkCAD, CAD, KNN, LOF } as const;
/** Squares of larger values may overflow. */
const LARGEST = 1e150;

interface Parts {
  readonly rows: WindowRows;
  readonly score: WindowScore;
  readonly row: Float64Array;
}

/**
 * Scores rows by a detector as if it were fitted anew on the last W rows. `update` scores a row, decides whether it is
 * an alarm, and learns it; `learn` and `score` do only one of these.
 *
 * Rows count in the order of the calls: a late row counts when it comes. A row with missing values (NaN, null or
 * undefined) has the score NaN in `update`, and changes nothing; `learn` and `score` refuse it.
 */
export class SlidingWindow {
  readonly #windowed: Windowed;
  readonly #options: Required<SlidingWindowOptions>;
  readonly #scores: ScoreRanks;
  #parts: Parts | undefined;
  #updates = 0;
  #isAlarm = false;

  /** @param detector Says how rows are scored; it need not be fitted, and is not changed. */
  constructor(detector: WindowDetector, options?: SlidingWindowOptions) {
    this.#windowed = windowedOf(detector);
    const given = checkOptionNames(options, OPTION_NAMES, 'SlidingWindow');
    const count = (name: 'window' | 'memory' | 'alarmRank' | 'warmup', least: number, initial: number): number =>
      wholeNumber(given[name], name, least, initial, 'COUNT_INVALID');
    const { neighbors } = this.#windowed;
    this.#options = {
      window: count('window', neighbors + 1, Math.max(1000, neighbors + 1)),
      memory: count('memory', 2, 5000),
      alarmRank: count('alarmRank', 1, 12),
      warmup: count('warmup', 0, 100),
      learnAnomalies: flag(given['learnAnomalies'], 'learnAnomalies', true, 'LEARN_ANOMALIES_INVALID'),
    };
    this.#scores = inRoom(`a memory of ${this.#options.memory} scores`, () => new ScoreRanks(this.#options.memory));
  }

  /** Reads what `toBytes` wrote; the stream goes on with the same scores. */
  static load(bytes: Uint8Array | ArrayBuffer, options?: LoadOptions): SlidingWindow {
    const { backend, limits } = readLoadOptions(options, 'SlidingWindow.load');
    const model = readModelOf(bytes, 'SlidingWindow', limits);
    requireFields(model, [...OPTION_NAMES, 'kind', 'options', 'columns', 'updates']);
    try {
      const { kind, options: detectorOptions } = model.fields;
      if (typeof kind !== 'string' || !Object.hasOwn(DETECTORS, kind))
        throw corrupt(`it has no detector ${describe(kind)}`);
      const Detector = DETECTORS[kind as keyof typeof DETECTORS];
      const detector = new Detector({ ...(detectorOptions as object), ...(backend && { backend }) });
      const window = new SlidingWindow(
        detector,
        Object.fromEntries(OPTION_NAMES.map((name) => [name, model.fields[name]])),
      );
      // Its rows, also as they are held, and the lists of their neighbours.
      const width = 2 * Number(model.fields['columns']) + window.#windowed.neighbors;
      checkRoom(width * window.#options.window + 2 * window.#options.memory, limits);
      window.#restore(model);
      return window;
    } catch (cause) {
      if (cause instanceof CurvadError && !/^(MODEL|BACKEND)/.test(cause.code)) throw corrupt(cause.message, cause);
      throw cause;
    }
  }

  /** Rows in the window now. */
  get count(): number {
    return this.#parts?.rows.count ?? 0;
  }

  /** Columns of the rows; undefined before the first. */
  get columns(): number | undefined {
    return this.#parts?.rows.columns;
  }

  /** Rows of `update` that had a score. */
  get scored(): number {
    return this.#updates;
  }

  /** Whether there are rows enough to score by. */
  get isReady(): boolean {
    return this.count > this.#windowed.neighbors;
  }

  /** Whether the last row of `update` was an alarm. */
  get isAlarm(): boolean {
    return this.#isAlarm;
  }

  /** A score above it is an alarm: the R-th largest of the last S scores; −Infinity while there are fewer. */
  get threshold(): number {
    const { alarmRank } = this.#options;
    return this.#scores.count < alarmRank ? -Infinity : this.#scores.largest(alarmRank);
  }

  /** Takes rows into the window, each in place of the oldest. */
  learn(rows: MatrixInput): this {
    const reader = new RowReader().attach(rows);
    if (this.#parts !== undefined) checkWidth(reader, this.#parts.rows.columns);
    const checked = new Float64Array(reader.rows * reader.columns);
    for (let i = 0; i < reader.rows; i++) reader.read(i, checked, i * reader.columns);
    for (const [i, value] of checked.entries())
      checkMagnitude(value, Math.floor(i / reader.columns), i % reader.columns);
    const parts = this.#partsFor(reader.columns);
    const areMany = reader.rows > this.#options.window / 8;
    if (areMany) parts.score.clear();
    for (let i = 0; i < reader.rows; i++) {
      const row = checked.subarray(i * reader.columns, (i + 1) * reader.columns);
      parts.rows.push(row);
      if (!areMany) parts.score.learned(row, false);
    }
    return this;
  }

  /** Scores of rows against the window, which they do not enter. */
  score(rows: MatrixInput): Float64Array {
    const reader = new RowReader().attach(rows);
    const { neighbors } = this.#windowed;
    if (this.#parts === undefined || !this.isReady) {
      const needed = `${neighbors} neighbors need at least ${neighbors + 1} rows in the window`;
      throw new CurvadError('TOO_FEW_ROWS', `${needed}, it has ${this.count}`);
    }
    const { rows: held, score, row } = this.#parts;
    checkWidth(reader, held.columns);
    const scores = new Float64Array(reader.rows);
    for (let i = 0; i < scores.length; i++) {
      reader.read(i, row, 0);
      scores[i] = score.of(row);
    }
    return scores;
  }

  /**
   * Scores a row, says in `isAlarm` whether it is an alarm, and learns it. NaN where a value is missing, and while the
   * window has no more rows than neighbours are needed.
   */
  update(row: ArrayLike<number | null | undefined>): number {
    this.#isAlarm = false;
    if (!isLine(row)) throw new CurvadError('ROW_TYPE', `a row must be an array of numbers, got ${describe(row)}`);
    if (row.length === 0) throw new CurvadError('NO_COLUMNS', 'the row has no columns');
    if (!this.#takeOrForget(row, checkCount(row.length, 'columns'))) return Number.NaN;
    const parts = this.#partsFor(row.length);
    const isReady = this.isReady;
    const score = isReady ? parts.score.of(parts.row) : Number.NaN;
    if (isReady) this.#decide(score);
    if (this.#isAlarm && !this.#options.learnAnomalies) return score;
    parts.rows.push(parts.row);
    parts.score.learned(parts.row, isReady);
    return score;
  }

  /** The rows of the window, oldest first, one after the other in one array. */
  rows(): Float64Array {
    return this.#parts?.rows.rows() ?? new Float64Array(0);
  }

  /** The window in the middle of its stream, as one file. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { kind, options } = this.#windowed;
    const fields = { ...this.#options, kind, options, columns: this.columns ?? 0, updates: this.#updates };
    return writeModel({
      detector: 'SlidingWindow',
      fields,
      sections: { rows: this.rows(), scores: this.#scores.scores() },
    });
  }

  /** Frees the memory now instead of at the next garbage collection. */
  dispose(): void {
    this.#parts?.rows.release();
  }

  #partsFor(columns: number): Parts {
    if (this.#parts === undefined) {
      const holding = this.#windowed.holding(columns);
      const { window } = this.#options;
      const rows = inRoom(`a window of ${window} rows`, () => new WindowRows(window, columns, holding));
      const score = windowScore(rows, this.#windowed, holding.kernel);
      this.#parts = { rows, score, row: new Float64Array(columns) };
    }
    return this.#parts;
  }

  /** A first row that is refused, or lacks values, does not say how many columns there are. */
  #takeOrForget(row: ArrayLike<unknown>, columns: number): boolean {
    const isFirst = this.#parts === undefined;
    let isTaken = false;
    try {
      isTaken = this.#take(row, this.#partsFor(columns));
    } finally {
      if (isFirst && !isTaken) {
        this.dispose();
        this.#parts = undefined;
      }
    }
    return isTaken;
  }

  /** Takes a row over; false where a value is missing. */
  #take(row: ArrayLike<unknown>, { rows: { columns }, row: into }: Parts): boolean {
    if (row.length !== columns)
      throw new CurvadError('WRONG_WIDTH', `the row has ${row.length} columns, those before it have ${columns}`);
    let isWhole = true;
    for (let j = 0; j < columns; j++) {
      const value = row[j];
      if (value === null || value === undefined || Number.isNaN(value)) {
        isWhole = false;
        continue;
      }
      checkValue(value, 0, j);
      checkMagnitude(value as number, 0, j);
      into[j] = value as number;
    }
    return isWhole;
  }

  #decide(score: number): void {
    const { alarmRank, warmup } = this.#options;
    this.#isAlarm = this.#updates >= warmup && this.#scores.countAtLeast(score) < alarmRank;
    this.#scores.push(score);
    this.#updates++;
  }

  #restore(model: Model): void {
    this.#updates = wholeNumber(model.fields['updates'], 'updates', 0, 0, 'COUNT_INVALID');
    const scores = checkedSection(model, 'scores', 'f64', Math.min(this.#updates, this.#options.memory));
    for (const score of scores) this.#scores.push(score);
    const values = checkedSection(model, 'rows', 'f64');
    if (values.length === 0) return;
    const columns = checkedCount(model, 'columns');
    if (values.length % columns !== 0 || values.length > this.#options.window * columns)
      throw corrupt(`section rows has ${values.length} values, which are no rows of ${columns} columns`);
    this.learn({ data: values, rows: values.length / columns, columns });
  }
}

function checkMagnitude(value: number, row: number, column: number): void {
  if (Math.abs(value) <= LARGEST) return;
  const where = `row ${row}, column ${column} is ${value}`;
  throw new CurvadError('VALUE_TOO_LARGE', `${where}, beyond ${LARGEST}: scale the column`, { row, column });
}
