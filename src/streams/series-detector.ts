// Anomalies in one value or several over time, found row by row. A value is embedded as three running means of different
// length; the raw score of a row is the distance to the nearest recent embedding, times 1 + curvature of the k nearest.
// The score is the rank among recent raw scores, so the alarm threshold follows the stream.
import { CurvadError, describe } from '../core/errors.js';
import { allocate } from '../core/input/matrix.js';
import { checkCount, isLine } from '../core/input/row-checks.js';
import { checkRoom, type LoadOptions, readLoadOptions } from '../core/model-file/limits.js';
import { corrupt, type Model, writeModel } from '../core/model-file/model-file.js';
import { checkOptionNames, wholeNumber } from '../core/options.js';
import { checkedCount, checkedSection, readModelOf, requireFields } from '../detectors/model-parts.js';
import { inRoom } from './room.js';
import { ScoreRanks } from './score-ranks.js';
import { embeddedLength, SeriesRows } from './series-rows.js';

export interface SeriesDetectorOptions {
  /** Rows that a new row is compared with: W. Default 2000. */
  window?: number;
  /** Raw scores that a new raw score is ranked among: S. Default 5000. */
  memory?: number;
  /** Neighbours of the curvature: k. Default 10. */
  neighbors?: number;
  /** A row among the so many highest raw scores is an alarm: R. Default 12. */
  alarmRank?: number;
  /** Rows at the start that are learned and get score 0. Default 100. */
  warmup?: number;
}

const OPTION_NAMES = ['window', 'memory', 'neighbors', 'alarmRank', 'warmup'] as const;
const STATE_NAMES = ['seen', 'resting'] as const;
/** After an alarm no row is scored for this many rows, or for a share of the rows seen if that is more. */
const SHORTEST_REST = 20;
const REST_SHARE = 30;
/** Squares of larger values may overflow. */
const LARGEST = 1e150;

/**
 * Scores one row after the other, a value or a list of values: `update` scores it, decides whether it is an alarm, and
 * learns it. Of several values each is compared in units of its spread in the window.
 *
 * Rows are taken in the order of the calls: a late one counts where it arrives. A row with a missing value (NaN, null
 * or undefined) gets the score NaN and changes nothing. Infinite values are refused.
 */
export class SeriesDetector {
  readonly #options: Required<SeriesDetectorOptions>;
  #rawScores: ScoreRanks;
  /** From the first row on, which tells how many values there are. */
  #rows: SeriesRows | undefined;
  #row: Float64Array = new Float64Array(1);
  #seen = 0;
  #resting = 0;
  #isAlarm = false;

  constructor(options?: SeriesDetectorOptions) {
    const given = checkOptionNames(options, OPTION_NAMES, 'SeriesDetector');
    const count = (name: (typeof OPTION_NAMES)[number], least: number, initial: number): number =>
      wholeNumber(given[name], name, least, initial, 'COUNT_INVALID');
    this.#options = {
      window: count('window', 2, 2000),
      memory: count('memory', 2, 5000),
      neighbors: wholeNumber(given['neighbors'], 'neighbors', 1, 10, 'NEIGHBORS_INVALID'),
      alarmRank: count('alarmRank', 1, 12),
      warmup: count('warmup', 0, 100),
    };
    this.#rawScores = inRoom(`a memory of ${this.#options.memory} scores`, () => new ScoreRanks(this.#options.memory));
  }

  /** Reads what `toBytes` wrote; the stream goes on with the same scores. */
  static load(bytes: Uint8Array | ArrayBuffer, limits?: Omit<LoadOptions, 'backend'>): SeriesDetector {
    const { limits: checked } = readLoadOptions(limits, 'SeriesDetector.load');
    const model = readModelOf(bytes, 'SeriesDetector', checked);
    requireFields(model, [...OPTION_NAMES, ...STATE_NAMES]);
    try {
      const options = Object.fromEntries(OPTION_NAMES.map((name) => [name, model.fields[name]]));
      const width = 2 * embeddedLength(Number(model.fields['columns'] ?? 1));
      checkRoom(width * Number(options['window']) + 2 * Number(options['memory']), checked);
      const detector = new SeriesDetector(options);
      detector.#restore(model);
      return detector;
    } catch (cause) {
      if (cause instanceof CurvadError && !cause.code.startsWith('MODEL')) throw corrupt(cause.message, cause);
      throw cause;
    }
  }

  /** Values of a row; undefined before the first. */
  get columns(): number | undefined {
    return this.#rows?.columns;
  }

  /** Rows learned so far. */
  get seen(): number {
    return this.#seen;
  }

  /** Whether the warm-up is over. */
  get isReady(): boolean {
    return this.#seen >= this.#options.warmup;
  }

  /** Whether the last row was an alarm. */
  get isAlarm(): boolean {
    return this.#isAlarm;
  }

  /** The raw score that is an alarm now: the R-th largest of the last S. */
  get threshold(): number {
    return this.#rawScores.count === 0 ? 0 : this.#rawScores.largest(this.#options.alarmRank);
  }

  /**
   * Scores a row and learns it. The score is 1 for the highest raw score of the last S rows and falls with the
   * logarithm of the rank; it is 0 in the warm-up and in the rest after an alarm, NaN where a value is missing.
   */
  update(row: number | null | undefined | ArrayLike<number | null | undefined>): number {
    this.#isAlarm = false;
    if (!this.#take(row)) return Number.NaN;
    this.#rows ??= this.#rowsOf(this.#row.length);
    const rows = this.#rows;
    rows.embed(this.#row);
    // Before there are rows enough to know spreads, no difference of several values has a size.
    if (rows.columns > 1 && this.#seen === this.#options.warmup) this.#scoreWarmup(rows);
    const raw = rows.columns > 1 && !this.isReady ? 0 : rows.rawScore();
    const rank = 1 + this.#rawScores.countAtLeast(raw);
    const score = this.#decide(rank);
    rows.push();
    this.#rawScores.push(raw);
    this.#seen++;
    return score;
  }

  /** The detector in the middle of its stream, as one file. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { rows, means } = this.#rows
      ? { rows: this.#rows.rows(), means: this.#rows.means }
      : { rows: new Float64Array(0), means: new Float64Array(embeddedLength(1)) };
    return writeModel({
      detector: 'SeriesDetector',
      fields: { ...this.#options, seen: this.#seen, resting: this.#resting, columns: this.columns ?? 1 },
      sections: { rows, rawScores: this.#rawScores.scores(), means },
    });
  }

  /** Gives the rows of the warm-up the raw scores that they have by the spread of now. */
  #scoreWarmup(rows: SeriesRows): void {
    const scores = rows.rawScores();
    this.#rawScores = new ScoreRanks(this.#options.memory);
    for (let row = scores.length; row < this.#seen; row++) this.#rawScores.push(0); // that have left the window
    for (const score of scores) this.#rawScores.push(score);
  }

  #rowsOf(columns: number): SeriesRows {
    const { window, neighbors } = this.#options;
    return inRoom(`a window of ${window} rows`, () => new SeriesRows(window, neighbors, columns));
  }

  /** Takes a row over; false where a value is missing. */
  #take(row: unknown): boolean {
    const isList = isLine(row);
    const columns = isList ? (row as ArrayLike<unknown>).length : 1;
    if (columns === 0) throw new CurvadError('NO_COLUMNS', 'the row has no values');
    const known = this.columns ?? columns;
    if (columns !== known)
      throw new CurvadError('WRONG_WIDTH', `the row has ${columns} values, those before it have ${known}`);
    if (this.#row.length !== columns) this.#row = allocate(checkCount(columns, 'columns'));
    let isWhole = true;
    for (let j = 0; j < columns; j++) {
      const value = isList ? (row as ArrayLike<unknown>)[j] : row;
      if (value === null || value === undefined || Number.isNaN(value)) {
        isWhole = false;
        continue;
      }
      checkValue(value, this.#seen, isList ? j : undefined);
      this.#row[j] = value as number;
    }
    return isWhole;
  }

  /** The score of a rank, and whether it is an alarm, after which the detector rests. */
  #decide(rank: number): number {
    const { warmup, memory, alarmRank } = this.#options;
    if (this.#seen < warmup) return 0;
    if (this.#resting > 0) {
      this.#resting--;
      return 0;
    }
    this.#isAlarm = rank <= alarmRank;
    if (this.#isAlarm) this.#resting = Math.floor(Math.max(SHORTEST_REST, Math.min(this.#seen, memory) / REST_SHARE));
    return 1 - Math.log(rank) / Math.log(memory + 1);
  }

  #restore(model: Model): void {
    this.#seen = wholeNumber(model.fields['seen'], 'seen', 0, 0, 'COUNT_INVALID');
    this.#resting = wholeNumber(model.fields['resting'], 'resting', 0, 0, 'COUNT_INVALID');
    const { window, memory } = this.#options;
    // Files of earlier versions are of one value, and do not say so.
    const columns = Object.hasOwn(model.fields, 'columns') ? checkedCount(model, 'columns') : 1;
    const length = embeddedLength(columns);
    const rows = withinReach(checkedSection(model, 'rows', 'f64', Math.min(this.#seen, window) * length));
    const means = withinReach(checkedSection(model, 'means', 'f64', length));
    for (const raw of checkedSection(model, 'rawScores', 'f64', Math.min(this.#seen, memory))) {
      if (raw < 0) throw corrupt(`a raw score is ${raw}`);
      this.#rawScores.push(raw);
    }
    if (this.#seen === 0) return;
    this.#rows = this.#rowsOf(columns);
    this.#rows.restore(rows, means);
  }
}

/** Means of values are no larger than values. */
function withinReach(means: Float64Array): Float64Array {
  const far = means.find((mean) => Math.abs(mean) > LARGEST);
  if (far !== undefined) throw corrupt(`it has a mean of ${far}, beyond ${LARGEST}`);
  return means;
}

function checkValue(value: unknown, row: number, column: number | undefined): void {
  const where = column === undefined ? `value ${row} of the series` : `row ${row} of the series, column ${column}`;
  const place = { row, ...(column !== undefined && { column }) };
  if (typeof value !== 'number')
    throw new CurvadError('NOT_A_NUMBER', `${where} must be a number, got ${describe(value)}`, place);
  if (!Number.isFinite(value))
    throw new CurvadError('INFINITE_VALUE', `${where} is ${value}: values must be finite`, place);
  if (Math.abs(value) > LARGEST)
    throw new CurvadError('VALUE_TOO_LARGE', `${where} is ${value}, beyond ${LARGEST}: scale the values`, place);
}
