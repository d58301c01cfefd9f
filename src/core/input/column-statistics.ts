// Statistics for scaling columns: ranges, means and deviations. Statistics of parts of the rows can be merged in any
// order: sums are exact, so the result equals that of all rows to the last bit.

import { CurvadError } from '../errors.js';
import { ExactSums, roundedRatio, SUM_SCALE, timesPowerOfTwo } from '../math/exact-sum.js';
import { finish } from '../steps.js';
import { ColumnExtent } from './column-extent.js';
import { type MatrixInput, RowReader } from './matrix.js';

/** Statistics as plain data for JSON: sums are hexadecimal integers. */
export interface ColumnStatisticsData {
  readonly rows: number;
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly sums: readonly string[];
  readonly squares: readonly string[];
  /** For each column, the exponent of the largest power of two that divides all values. */
  readonly units: readonly number[];
  /** 1 if single precision represents all values of a column exactly. */
  readonly areSingle: readonly number[];
}

/**
 * Smallest and largest value, mean and standard deviation of columns. `add` rows and `merge` statistics computed
 * elsewhere: neither order nor partition changes a bit of the result.
 */
export class ColumnStatistics extends ColumnExtent {
  readonly #sums: ExactSums;

  /** @param withSquares False if no deviation is needed; for internal use. */
  constructor(columns: number, withSquares = true) {
    super(columns);
    this.#sums = new ExactSums(columns, withSquares);
  }

  /** Adds rows. */
  add(rows: MatrixInput): this {
    return finish(this.addInSteps(new RowReader().attach(rows)));
  }

  /** Adds other statistics. */
  merge(other: ColumnStatistics): this {
    this.checkColumns(other.columns);
    this.#sums.include(other.#sums.moments());
    this.widen(other.smallest, other.largest);
    this.digits.include(other.digits.units, other.digits.areSingle);
    this.count += other.count;
    return this;
  }

  /** Mean of each column, correctly rounded. */
  get mean(): Float64Array {
    const rows = BigInt(this.known(this.count));
    return Float64Array.from(this.#sums.moments(), ({ sum }) => {
      const { mantissa, exponent } = roundedRatio(sum, rows);
      return timesPowerOfTwo(mantissa, exponent - SUM_SCALE);
    });
  }

  /** Population standard deviation of each column: the root of the correctly rounded variance; 0 if it is constant. */
  get deviation(): Float64Array {
    const rows = BigInt(this.known(this.count));
    return Float64Array.from(this.#sums.moments(), ({ sum, squares }) => {
      const { mantissa, exponent } = roundedRatio(rows * squares - sum * sum, rows * rows);
      return Math.min(timesPowerOfTwo(Math.sqrt(mantissa), exponent / 2 - SUM_SCALE), Number.MAX_VALUE);
    });
  }

  /** @internal */
  override meanWithin(column: number): readonly [low: number, high: number] {
    const mean = this.mean[column] as number;
    return [mean, mean];
  }

  /** For JSON.stringify; `ColumnStatistics.from` reads it. */
  toJSON(): ColumnStatisticsData {
    const moments = this.#sums.moments();
    return {
      rows: this.count,
      min: this.count === 0 ? [] : [...this.min],
      max: this.count === 0 ? [] : [...this.max],
      sums: moments.map(({ sum }) => sum.toString(16)),
      squares: moments.map(({ squares }) => squares.toString(16)),
      units: [...this.digits.units],
      areSingle: [...this.digits.areSingle],
    };
  }

  /** Statistics computed elsewhere. */
  static from(data: ColumnStatisticsData): ColumnStatistics {
    const { rows, min, max, sums, squares, units, areSingle } = checkedData(data);
    const statistics = new ColumnStatistics(sums.length);
    if (rows === 0) return statistics;
    statistics.count = rows;
    statistics.widen(min, max);
    statistics.digits.include(units, areSingle);
    statistics.#sums.include(sums.map((sum, j) => ({ sum: readHex(sum), squares: readHex(squares[j] as string) })));
    return statistics;
  }

  protected override take(values: Float32Array | Float64Array, start: number, end: number): void {
    super.take(values, start, end);
    this.#sums.add(values, start, end);
  }
}

function checkedData(data: ColumnStatisticsData): ColumnStatisticsData {
  const { rows, min, max, sums, squares, units, areSingle } = data ?? {};
  const columns = Array.isArray(sums) ? sums.length : 0;
  const areNumbers = (list: unknown): boolean =>
    Array.isArray(list) && list.length === (rows === 0 ? 0 : columns) && list.every(Number.isFinite);
  const areWhole = (list: unknown, least: number, most: number): boolean =>
    Array.isArray(list) && list.length === columns && list.every((x) => Number.isInteger(x) && x >= least && x <= most);
  const isRight =
    Number.isSafeInteger(rows) &&
    rows >= 0 &&
    columns > 0 &&
    areNumbers(min) &&
    areNumbers(max) &&
    areWhole(units, -1074, 1024) &&
    areWhole(areSingle, 0, 1) &&
    [sums, squares].every((list) => list?.length === columns && list.every((sum) => /^-?[0-9a-f]+$/.test(sum)));
  if (!isRight)
    throw new CurvadError(
      'STATISTICS_INVALID',
      'these are not column statistics as ColumnStatistics.toJSON gives them',
    );
  return data;
}

function readHex(text: string): bigint {
  return text.startsWith('-') ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
}
