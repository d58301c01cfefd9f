// What a fit on the rows of a window would move each column by, kept up row by row. A fit rounds the mean to a few bits
// (scaling.ts). Here the sum is kept with twice the digits of a number; only where the mean is too near a border of
// rounding for that, it is taken exactly, as a fit does.

import type { Precision } from '../core/backend.js';
import { ColumnStatistics } from '../core/input/column-statistics.js';
import { isExact } from '../core/input/digits.js';
import { offsetOf } from '../core/input/scaling.js';
import type { ColumnMoves } from './column-moves.js';
import { ColumnRanges } from './column-ranges.js';
import { ColumnUnits } from './column-units.js';

/** Bound on the error of a mean, relative to the largest value, for the square of the number of additions. */
const DRIFT = 2 ** -105;

export class ColumnCentres implements ColumnMoves {
  readonly offsets: Float64Array;
  readonly scales: Float64Array;
  readonly #ranges: ColumnRanges;
  /** Where columns are moved only by what takes nothing away from them. */
  readonly #units: ColumnUnits | undefined;
  readonly #sums: Float64Array;
  readonly #rests: Float64Array;
  /** Additions to each sum since it was made anew, and the largest magnitude among them. */
  readonly #additions: Float64Array;
  readonly #peaks: Float64Array;
  readonly #values: Float64Array;
  readonly #columns: number;
  readonly #capacity: number;

  /** @param values The rows of the window by slot, slots of rows to come being NaN. */
  constructor(values: Float64Array, columns: number, precision: Precision) {
    this.#values = values;
    this.#columns = columns;
    this.#capacity = values.length / columns;
    this.#ranges = new ColumnRanges(values, columns);
    this.#units = precision === 'double' ? new ColumnUnits(columns) : undefined;
    this.#sums = new Float64Array(columns);
    this.#rests = new Float64Array(columns);
    this.#additions = new Float64Array(columns);
    this.#peaks = new Float64Array(columns);
    this.offsets = new Float64Array(columns);
    this.scales = new Float64Array(columns).fill(1);
  }

  get smallest(): Float64Array {
    return this.#ranges.smallest;
  }

  get largest(): Float64Array {
    return this.#ranges.largest;
  }

  replace(slot: number, before: Float64Array | undefined): void {
    for (let j = 0; j < this.#columns; j++) {
      if (before !== undefined) this.#add(j, -(before[j] as number));
      this.#add(j, this.#valueAt(slot, j));
      this.#ranges.replace(slot, j, before?.[j]);
      this.#units?.replace(j, this.#valueAt(slot, j), before?.[j]);
    }
  }

  update(count: number): boolean {
    let isChanged = false;
    for (let j = 0; j < this.#columns; j++) {
      const centre = this.#centreOf(j, count);
      const offset = this.#isExact(centre, j) ? centre : 0;
      if (offset === this.offsets[j]) continue;
      this.offsets[j] = offset;
      isChanged = true;
    }
    return isChanged;
  }

  #isExact(offset: number, column: number): boolean {
    if (this.#units === undefined) return true;
    const [min, max] = [this.smallest[column] as number, this.largest[column] as number];
    return isExact(offset, { unit: this.#units.of(column), min, max }, 'double');
  }

  #centreOf(column: number, count: number): number {
    const smallest = this.smallest[column] as number;
    const largest = this.largest[column] as number;
    const magnitude = Math.max(Math.abs(smallest), Math.abs(largest));
    const error = 4 * Number.EPSILON * magnitude;
    if (this.#driftOf(column) > error) this.#addUpAnew(column, magnitude);
    const mean = ((this.#sums[column] as number) + (this.#rests[column] as number)) / count;
    const margin = error + this.#driftOf(column);
    const low = offsetOf(mean - margin, smallest, largest);
    if (low === offsetOf(mean + margin, smallest, largest)) return low;
    return offsetOf(this.#exactMean(column, count), smallest, largest);
  }

  #driftOf(column: number): number {
    return (this.#additions[column] as number) ** 2 * (this.#peaks[column] as number) * DRIFT;
  }

  #addUpAnew(column: number, magnitude: number): void {
    this.#sums[column] = this.#rests[column] = this.#additions[column] = 0;
    for (let slot = 0; slot < this.#capacity; slot++) {
      const value = this.#valueAt(slot, column);
      if (!Number.isNaN(value)) this.#add(column, value);
    }
    this.#peaks[column] = magnitude;
  }

  #exactMean(column: number, count: number): number {
    const values = Float64Array.from({ length: count }, (_, slot) => this.#valueAt(slot, column));
    return new ColumnStatistics(1, false).add({ data: values, rows: count, columns: 1 }).mean[0] as number;
  }

  #valueAt(slot: number, column: number): number {
    return this.#values[slot * this.#columns + column] as number;
  }

  /** Adds to the sum of a column: what rounding takes away goes to the rest. */
  #add(column: number, value: number): void {
    this.#additions[column] = (this.#additions[column] as number) + 1;
    this.#peaks[column] = Math.max(this.#peaks[column] as number, Math.abs(value));
    const sum = this.#sums[column] as number;
    const next = sum + value;
    const part = next - sum;
    this.#rests[column] = (this.#rests[column] as number) + (sum - (next - part) + (value - part));
    this.#sums[column] = next;
  }
}
