// What is to be known of columns to scale them: ranges, means and deviations. Statistics of parts of the rows can
// be merged, in any order: sums are exact, so the result is that of all rows to the last bit.

import { CurvadError, describe } from '../errors.js';
import { ExactSums, roundedRatio, SUM_SCALE, timesPowerOfTwo } from '../math/exact-sum.js';
import { finish, inBlocks, type Steps } from '../steps.js';
import { ColumnDigits, type Digits } from './digits.js';
import { type MatrixInput, RowReader, type RowSource } from './matrix.js';

type Three = [number, number, number];

/** Values looked at while they are in the cache. */
const CACHED = 2 ** 11;

/** Statistics as plain data, which JSON keeps: sums are hexadecimal whole numbers. */
export interface ColumnStatisticsData {
  readonly rows: number;
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly sums: readonly string[];
  readonly squares: readonly string[];
  /** Exponents of the largest powers of two that the values of columns are multiples of. */
  readonly units: readonly number[];
  /** 1 where single precision holds all values of a column as they are. */
  readonly areSingle: readonly number[];
}

/**
 * Smallest and largest value, mean and standard deviation of columns. `add` rows, and `merge` what was learned
 * elsewhere: neither the order nor the parts change a bit of the result.
 */
export class ColumnStatistics {
  readonly columns: number;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #sums: ExactSums;
  readonly #digits: ColumnDigits;
  #rows = 0;

  /** @param withSquares False where no deviation is asked for; for the library itself. */
  constructor(columns: number, withSquares = true) {
    if (!Number.isInteger(columns) || columns < 1) {
      throw new CurvadError(
        'COLUMNS_INVALID',
        `columns must be a whole number of at least 1, got ${describe(columns)}`,
      );
    }
    this.columns = columns;
    this.#min = new Float64Array(columns).fill(Infinity);
    this.#max = new Float64Array(columns).fill(-Infinity);
    this.#sums = new ExactSums(columns, withSquares);
    this.#digits = new ColumnDigits(columns);
  }

  /** Rows that were taken in. */
  get rows(): number {
    return this.#rows;
  }

  /** Takes rows in. */
  add(rows: MatrixInput): this {
    return finish(this.addInSteps(new RowReader().attach(rows)));
  }

  /** Adds what other statistics know. */
  merge(other: ColumnStatistics): this {
    this.#checkColumns(other.columns);
    this.#sums.include(other.#sums.moments());
    this.#widen(other.#min, other.#max);
    this.#digits.include(other.#digits.units, other.#digits.areSingle);
    this.#rows += other.#rows;
    return this;
  }

  /** Smallest value of each column. */
  get min(): Float64Array {
    return this.#known(this.#min).map((value) => value + 0); // −0 and 0 are one value
  }

  /** Largest value of each column. */
  get max(): Float64Array {
    return this.#known(this.#max).map((value) => value + 0);
  }

  /** Mean of each column, correctly rounded. */
  get mean(): Float64Array {
    const rows = BigInt(this.#known(this.#rows));
    return Float64Array.from(this.#sums.moments(), ({ sum }) => {
      const { mantissa, exponent } = roundedRatio(sum, rows);
      return timesPowerOfTwo(mantissa, exponent - SUM_SCALE);
    });
  }

  /** Population standard deviation of each column: the root of the correctly rounded variance; 0 if it is constant. */
  get deviation(): Float64Array {
    const rows = BigInt(this.#known(this.#rows));
    return Float64Array.from(this.#sums.moments(), ({ sum, squares }) => {
      const { mantissa, exponent } = roundedRatio(rows * squares - sum * sum, rows * rows);
      return Math.min(timesPowerOfTwo(Math.sqrt(mantissa), exponent / 2 - SUM_SCALE), Number.MAX_VALUE);
    });
  }

  /** What is known of the digits of a column. */
  digitsOf(column: number): Digits & { readonly isSingle: boolean } {
    const { units, areSingle } = this.#known(this.#digits);
    const [unit, min, max] = [units, this.#min, this.#max].map((values) => values[column] as number) as Three;
    return { unit, min, max, isSingle: areSingle[column] === 1 };
  }

  /** For JSON.stringify; `ColumnStatistics.from` reads it. */
  toJSON(): ColumnStatisticsData {
    const moments = this.#sums.moments();
    return {
      rows: this.#rows,
      min: this.#rows === 0 ? [] : [...this.min],
      max: this.#rows === 0 ? [] : [...this.max],
      sums: moments.map(({ sum }) => sum.toString(16)),
      squares: moments.map(({ squares }) => squares.toString(16)),
      units: [...this.#digits.units],
      areSingle: [...this.#digits.areSingle],
    };
  }

  /** Statistics that were learned elsewhere. */
  static from(data: ColumnStatisticsData): ColumnStatistics {
    const { rows, min, max, sums, squares, units, areSingle } = checkedData(data);
    const statistics = new ColumnStatistics(sums.length);
    if (rows === 0) return statistics;
    statistics.#rows = rows;
    statistics.#widen(Float64Array.from(min), Float64Array.from(max));
    statistics.#digits.include(units, areSingle);
    statistics.#sums.include(sums.map((sum, j) => ({ sum: readHex(sum), squares: readHex(squares[j] as string) })));
    return statistics;
  }

  /** @internal As `add`, with moments to pause. */
  *addInSteps(source: RowSource): Steps<this> {
    const { columns, flat } = source;
    this.#checkColumns(columns);
    const together = Math.max(1, Math.floor(CACHED / columns));
    const values = new Float64Array(together * columns);
    yield* inBlocks(source.rows, columns, (from, to) => {
      for (let first = from; first < to; first += together) {
        const end = Math.min(first + together, to);
        if (flat !== undefined) {
          this.#take(flat, first * columns, end * columns);
          continue;
        }
        for (let i = first; i < end; i++) source.read(i, values, (i - first) * columns);
        this.#take(values, 0, (end - first) * columns);
      }
    });
    this.#rows += source.rows;
    return this;
  }

  #take(values: Float32Array | Float64Array, start: number, end: number): void {
    const { columns } = this;
    for (let j = 0; j < columns; j++) {
      let low = this.#min[j] as number;
      let high = this.#max[j] as number;
      for (let at = start + j; at < end; at += columns) {
        const value = values[at] as number;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.#min[j] = low;
      this.#max[j] = high;
    }
    for (let j = 0; j < columns; j++) this.#digits.take(values, start, end, j);
    this.#sums.add(values, start, end);
  }

  #widen(min: Float64Array, max: Float64Array): void {
    for (let j = 0; j < this.columns; j++) {
      this.#min[j] = Math.min(this.#min[j] as number, min[j] as number);
      this.#max[j] = Math.max(this.#max[j] as number, max[j] as number);
    }
  }

  #known<Value>(value: Value): Value {
    if (this.#rows === 0) throw new CurvadError('EMPTY_INPUT', 'there are no rows to tell anything of: add some first');
    return value;
  }

  #checkColumns(columns: number): void {
    if (columns !== this.columns) {
      throw new CurvadError('WRONG_WIDTH', `rows have ${columns} columns, the statistics are of ${this.columns}`);
    }
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
