// Anomalies in one value over time, found row by row. A value is embedded as three running means of different
// length; its raw score is the distance to the nearest recent embedding, times 1 + curvature of the k nearest. The
// score is the rank among recent raw scores, so the alarm threshold follows the stream.
import { CurvadError, describe } from '../core/errors.js';
import { corrupt, type Model, writeModel } from '../core/model-file/model-file.js';
import { checkOptionNames, wholeNumber } from '../core/options.js';
import { checkedSection, readModelOf, requireFields } from '../detectors/model-parts.js';
import { Ring } from './ring.js';
import { ScoreRanks } from './score-ranks.js';

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
/** Lengths of the running means. */
const SPANS = [1, 8, 64] as const;
/** After an alarm no row is scored for this many rows, or for a share of the rows seen if that is more. */
const SHORTEST_REST = 20;
const REST_SHARE = 30;
/** Squares of larger values may overflow. */
const LARGEST = 1e150;

/**
 * Scores one value after the other: `update` scores it, decides whether it is an alarm, and learns it.
 *
 * Values are taken in the order of the calls: a late value counts where it arrives. A missing value (NaN, null or
 * undefined) gets the score NaN and changes nothing. Infinite values are refused.
 */
export class SeriesDetector {
  readonly #options: Required<SeriesDetectorOptions>;
  readonly #rows: Ring;
  readonly #rawScores: ScoreRanks;
  readonly #means = new Float64Array(SPANS.length);
  readonly #slots: Uint32Array;
  readonly #squares: Float64Array;
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
    this.#rows = new Ring(this.#options.window, SPANS.length);
    this.#rawScores = new ScoreRanks(this.#options.memory);
    const k = Math.min(this.#options.neighbors, this.#options.window);
    this.#slots = new Uint32Array(k);
    this.#squares = new Float64Array(k);
  }

  /** Reads what `toBytes` wrote; the stream goes on with the same scores. */
  static load(bytes: Uint8Array | ArrayBuffer): SeriesDetector {
    const model = readModelOf(bytes, 'SeriesDetector');
    requireFields(model, [...OPTION_NAMES, ...STATE_NAMES]);
    try {
      const options = Object.fromEntries(OPTION_NAMES.map((name) => [name, model.fields[name]]));
      const detector = new SeriesDetector(options);
      detector.#restore(model);
      return detector;
    } catch (cause) {
      if (cause instanceof CurvadError && !cause.code.startsWith('MODEL')) throw corrupt(cause.message, cause);
      throw cause;
    }
  }

  /** Values learned so far. */
  get seen(): number {
    return this.#seen;
  }

  /** Whether the warm-up is over. */
  get isReady(): boolean {
    return this.#seen >= this.#options.warmup;
  }

  /** Whether the last value was an alarm. */
  get isAlarm(): boolean {
    return this.#isAlarm;
  }

  /** The raw score that is an alarm now: the R-th largest of the last S. */
  get threshold(): number {
    return this.#rawScores.count === 0 ? 0 : this.#rawScores.largest(this.#options.alarmRank);
  }

  /**
   * Scores a value and learns it. The score is 1 for the highest raw score of the last S rows and falls with the
   * logarithm of the rank; it is 0 in the warm-up and in the rest after an alarm, NaN for a missing value.
   */
  update(value: number | null | undefined): number {
    this.#isAlarm = false;
    if (value === null || value === undefined || Number.isNaN(value)) return Number.NaN;
    checkValue(value, this.#seen);
    this.#embed(value);
    const raw = this.#rawScoreOf();
    const rank = 1 + this.#rawScores.countAtLeast(raw);
    const score = this.#decide(rank);
    this.#rows.push(this.#means);
    this.#rawScores.push(raw);
    this.#seen++;
    return score;
  }

  /** The detector in the middle of its stream, as one file. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return writeModel({
      detector: 'SeriesDetector',
      fields: { ...this.#options, seen: this.#seen, resting: this.#resting },
      sections: { rows: this.#rows.rows(), rawScores: this.#rawScores.scores(), means: this.#means },
    });
  }

  #embed(value: number): void {
    for (const [i, span] of SPANS.entries()) {
      const mean = this.#means[i] as number;
      this.#means[i] = this.#seen === 0 ? value : mean + (2 / (span + 1)) * (value - mean);
    }
  }

  /** r = d₁·(1 + ‖Σ u_a‖/k) over the k nearest rows; edges of length zero add nothing. */
  #rawScoreOf(): number {
    const found = this.#rows.nearest(this.#means, this.#slots, this.#squares);
    if (found === 0) return 0;
    let square = 0;
    for (let j = 0; j < SPANS.length; j++) {
      let sum = 0;
      for (let a = 0; a < found; a++) {
        const length = Math.sqrt(this.#squares[a] as number);
        const edge = this.#rows.valueAt(this.#slots[a] as number, j) - (this.#means[j] as number);
        if (length > 0) sum += edge / length;
      }
      square += sum * sum;
    }
    return Math.sqrt(this.#squares[0] as number) * (1 + Math.sqrt(square) / found);
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
    fill(this.#rows, checkedSection(model, 'rows', 'f64', Math.min(this.#seen, window) * SPANS.length));
    for (const raw of checkedSection(model, 'rawScores', 'f64', Math.min(this.#seen, memory)))
      this.#rawScores.push(raw);
    this.#means.set(checkedSection(model, 'means', 'f64', SPANS.length));
  }
}

function fill(ring: Ring, rows: Float64Array): void {
  for (let at = 0; at < rows.length; at += ring.columns) ring.push(rows.subarray(at, at + ring.columns));
}

function checkValue(value: unknown, row: number): void {
  const where = `value ${row} of the series`;
  if (typeof value !== 'number')
    throw new CurvadError('NOT_A_NUMBER', `${where} must be a number, got ${describe(value)}`, { row });
  if (!Number.isFinite(value))
    throw new CurvadError('INFINITE_VALUE', `${where} is ${value}: values must be finite`, { row });
  if (Math.abs(value) > LARGEST)
    throw new CurvadError('VALUE_TOO_LARGE', `${where} is ${value}, beyond ${LARGEST}: scale the values`, { row });
}
