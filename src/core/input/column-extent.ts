// Ranges, digits and approximate means of columns: all that is needed to choose an offset for rows that are moved but not
// divided.

import type { Precision } from '../backend.js';
import { CurvadError, describe } from '../errors.js';
import { inBlocks, type Steps } from '../steps.js';
import { ColumnDigits, type Digits } from './digits.js';
import type { RowSource } from './matrix.js';

type Values = Float32Array | Float64Array;
type Three = [number, number, number];

/** Values processed while they are in the cache. */
const CACHED = 2 ** 11;

export class ColumnExtent {
  readonly columns: number;
  protected readonly smallest: Float64Array;
  protected readonly largest: Float64Array;
  protected readonly digits: ColumnDigits;
  readonly #sums: Float64Array;
  protected count = 0;

  /** @param asked The only precision of interest: see ColumnDigits. */
  constructor(columns: number, asked?: Precision) {
    if (!Number.isInteger(columns) || columns < 1) {
      throw new CurvadError(
        'COLUMNS_INVALID',
        `columns must be a whole number of at least 1, got ${describe(columns)}`,
      );
    }
    this.columns = columns;
    this.smallest = new Float64Array(columns).fill(Infinity);
    this.largest = new Float64Array(columns).fill(-Infinity);
    this.digits = new ColumnDigits(columns, asked);
    this.#sums = new Float64Array(columns);
  }

  /** Number of rows added. */
  get rows(): number {
    return this.count;
  }

  /** Smallest value of each column. */
  get min(): Float64Array {
    return this.known(this.smallest).map((value) => value + 0); // −0 and 0 are one value
  }

  /** Largest value of each column. */
  get max(): Float64Array {
    return this.known(this.largest).map((value) => value + 0);
  }

  /** @internal The digits of a column. */
  digitsOf(column: number): Digits & { readonly isSingle: boolean } {
    const { units, areSingle } = this.known(this.digits);
    const [unit, min, max] = [units, this.smallest, this.largest].map((values) => values[column] as number) as Three;
    return { unit, min, max, isSingle: areSingle[column] === 1 };
  }

  /** @internal Bounds of the mean of a column, including the rounding errors of sums in double precision. */
  meanWithin(column: number): readonly [low: number, high: number] {
    const { min, max } = this.digitsOf(column);
    const mean = (this.#sums[column] as number) / this.count;
    const margin = 2 * Number.EPSILON * (this.count + 2) * Math.max(Math.abs(min), Math.abs(max));
    return [mean - margin, mean + margin];
  }

  /** @internal Adds rows, in steps. */
  *addInSteps(source: RowSource): Steps<this> {
    const { columns, flat } = source;
    this.checkColumns(columns);
    const together = Math.max(1, Math.floor(CACHED / columns));
    const values = new Float64Array(together * columns);
    yield* inBlocks(source.rows, columns, (from, to) => {
      for (let first = from; first < to; first += together) {
        const end = Math.min(first + together, to);
        if (flat !== undefined) {
          this.take(flat, first * columns, end * columns);
          continue;
        }
        for (let i = first; i < end; i++) source.read(i, values, (i - first) * columns);
        this.take(values, 0, (end - first) * columns);
      }
    });
    this.count += source.rows;
    return this;
  }

  /** Adds whole rows, from index `start` to `end` − 1 of the array. */
  protected take(values: Values, start: number, end: number): void {
    const { columns, smallest, largest, digits } = this;
    const sums = this.#sums;
    const both = 2 * columns;
    for (let j = 0; j < columns; j++) {
      // Two rows in turns: neither has to wait for the other, which takes a third of the time.
      let [low, high, sum] = [smallest[j] as number, largest[j] as number, sums[j] as number];
      let [otherLow, otherHigh, otherSum] = [low, high, 0];
      let at = start + j;
      for (; at + columns < end; at += both) {
        const value = values[at] as number;
        const other = values[at + columns] as number;
        if (value < low) low = value;
        if (value > high) high = value;
        if (other < otherLow) otherLow = other;
        if (other > otherHigh) otherHigh = other;
        sum += value;
        otherSum += other;
      }
      if (at < end) {
        otherLow = Math.min(otherLow, values[at] as number);
        otherHigh = Math.max(otherHigh, values[at] as number);
        otherSum += values[at] as number;
      }
      low = Math.min(low, otherLow);
      high = Math.max(high, otherHigh);
      smallest[j] = low;
      largest[j] = high;
      sums[j] = sum + otherSum;
      digits.take(values, start, end, j);
      digits.giveUp(j, low, high);
    }
  }

  protected widen(min: ArrayLike<number>, max: ArrayLike<number>): void {
    for (let j = 0; j < this.columns; j++) {
      this.smallest[j] = Math.min(this.smallest[j] as number, min[j] as number);
      this.largest[j] = Math.max(this.largest[j] as number, max[j] as number);
    }
  }

  protected known<Value>(value: Value): Value {
    if (this.count === 0) throw new CurvadError('EMPTY_INPUT', 'the statistics have no rows: add some first');
    return value;
  }

  protected checkColumns(columns: number): void {
    if (columns !== this.columns) {
      throw new CurvadError('WRONG_WIDTH', `rows have ${columns} columns, the statistics have ${this.columns}`);
    }
  }
}
