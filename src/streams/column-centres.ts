// What a fit on the rows of a window would move each column by, kept up row by row. A fit rounds the mean to a few bits
// (scaling.ts). Here the sum is kept with twice the digits of a number; only where the mean is too near a border of
// rounding for that, it is taken exactly, as a fit does.
import { ColumnStatistics } from '../core/input/column-statistics.js';
import { offsetOf } from '../core/input/scaling.js';

interface Range {
  smallest: Float64Array;
  largest: Float64Array;
}

/** Bound on the error of a mean, relative to the largest value, for the square of the number of additions. */
const DRIFT = 2 ** -105;

export class ColumnCentres {
  readonly offsets: Float64Array;
  /** By column. */
  readonly #all: Range;
  /** By block of slots and column, so that few rows are looked through when an extreme leaves. */
  readonly #blocks: Range;
  readonly #block: number;
  readonly #sums: Float64Array;
  readonly #rests: Float64Array;
  /** Additions to each sum since it was made anew, and the largest magnitude among them. */
  readonly #additions: Float64Array;
  readonly #peaks: Float64Array;
  readonly #values: Float64Array;
  readonly #columns: number;
  readonly #capacity: number;

  /** @param values The rows of the window by slot, slots of rows to come being NaN. */
  constructor(values: Float64Array, columns: number) {
    this.#values = values;
    this.#columns = columns;
    this.#capacity = values.length / columns;
    this.#block = Math.ceil(Math.sqrt(this.#capacity));
    this.#all = emptyRange(columns);
    this.#blocks = emptyRange(Math.ceil(this.#capacity / this.#block) * columns);
    this.#sums = new Float64Array(columns);
    this.#rests = new Float64Array(columns);
    this.#additions = new Float64Array(columns);
    this.#peaks = new Float64Array(columns);
    this.offsets = new Float64Array(columns);
  }

  get smallest(): Float64Array {
    return this.#all.smallest;
  }

  get largest(): Float64Array {
    return this.#all.largest;
  }

  /** Takes note that a slot has a row that was not there before; `before` is what the slot had, where it had one. */
  replace(slot: number, before: Float64Array | undefined): void {
    const columns = this.#columns;
    const block = Math.floor(slot / this.#block) * columns;
    for (let j = 0; j < columns; j++) {
      const value = this.#values[slot * columns + j] as number;
      if (before !== undefined) {
        const old = before[j] as number;
        this.#add(j, -old);
        if (isEdge(this.#blocks, block + j, old)) this.#lookThroughBlock(slot, j);
        if (isEdge(this.#all, j, old)) this.#lookThroughBlocks(j);
      }
      this.#add(j, value);
      extend(this.#blocks, block + j, value);
      extend(this.#all, j, value);
    }
  }

  /** Brings the offsets of `count` rows up to date; returns whether any has changed. */
  update(count: number): boolean {
    let isChanged = false;
    for (let j = 0; j < this.#columns; j++) {
      const offset = this.#offsetOf(j, count);
      if (offset === this.offsets[j]) continue;
      this.offsets[j] = offset;
      isChanged = true;
    }
    return isChanged;
  }

  #offsetOf(column: number, count: number): number {
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

  #lookThroughBlock(slot: number, column: number): void {
    const from = slot - (slot % this.#block);
    const at = Math.floor(slot / this.#block) * this.#columns + column;
    clear(this.#blocks, at);
    const to = Math.min(from + this.#block, this.#capacity);
    for (let i = from; i < to; i++) extend(this.#blocks, at, this.#valueAt(i, column));
  }

  #lookThroughBlocks(column: number): void {
    clear(this.#all, column);
    for (let at = column; at < this.#blocks.smallest.length; at += this.#columns) {
      this.#all.smallest[column] = Math.min(this.smallest[column] as number, this.#blocks.smallest[at] as number);
      this.#all.largest[column] = Math.max(this.largest[column] as number, this.#blocks.largest[at] as number);
    }
  }
}

function emptyRange(length: number): Range {
  return { smallest: new Float64Array(length).fill(Infinity), largest: new Float64Array(length).fill(-Infinity) };
}

function clear({ smallest, largest }: Range, at: number): void {
  smallest[at] = Infinity;
  largest[at] = -Infinity;
}

/** NaN extends nothing. */
function extend({ smallest, largest }: Range, at: number, value: number): void {
  if (value < (smallest[at] as number)) smallest[at] = value;
  if (value > (largest[at] as number)) largest[at] = value;
}

function isEdge({ smallest, largest }: Range, at: number, value: number): boolean {
  return value === smallest[at] || value === largest[at];
}
