// Mean and standard deviation of each column of a window, kept up row by row: what a fit that standardizes would move
// and divide it by, to the last bit. They change with nearly every row.
import { scaleOf } from '../core/input/scaling.js';
import { SlidingMoments } from '../core/math/sliding-moments.js';
import type { ColumnMoves } from './column-moves.js';
import { ColumnRanges } from './column-ranges.js';

export class ColumnScales implements ColumnMoves {
  readonly offsets: Float64Array;
  readonly scales: Float64Array;
  readonly #ranges: ColumnRanges;
  readonly #moments: readonly SlidingMoments[];
  readonly #values: Float64Array;
  readonly #columns: number;
  readonly #isClipped: boolean;

  /**
   * @param values The rows of the window by slot, slots of rows to come being NaN.
   * @param isClipped Whether constant columns are left out.
   */
  constructor(values: Float64Array, columns: number, isClipped: boolean) {
    this.offsets = new Float64Array(columns);
    this.scales = new Float64Array(columns).fill(1);
    this.#ranges = new ColumnRanges(values, columns);
    this.#moments = Array.from({ length: columns }, () => new SlidingMoments());
    this.#values = values;
    this.#columns = columns;
    this.#isClipped = isClipped;
  }

  get smallest(): Float64Array {
    return this.#ranges.smallest;
  }

  get largest(): Float64Array {
    return this.#ranges.largest;
  }

  replace(slot: number, before: Float64Array | undefined): void {
    for (const [j, moments] of this.#moments.entries()) {
      const value = this.#values[slot * this.#columns + j] as number;
      if (before?.[j] === value) continue;
      if (before !== undefined) moments.remove(before[j] as number);
      moments.add(value);
      this.#ranges.replace(slot, j, before?.[j]);
    }
  }

  update(count: number): boolean {
    let isChanged = false;
    for (const [j, moments] of this.#moments.entries()) {
      const offset = moments.mean(count);
      const scale = scaleOf(moments.deviation(count), this.smallest[j] === this.largest[j], this.#isClipped);
      isChanged ||= offset !== this.offsets[j] || scale !== this.scales[j];
      this.offsets[j] = offset;
      this.scales[j] = scale;
    }
    return isChanged;
  }
}
