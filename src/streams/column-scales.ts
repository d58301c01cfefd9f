// Mean and standard deviation of each column of a window, kept up row by row: what a fit that standardizes would move
// and divide it by, to the last bit. They change with nearly every row.
import { ColumnStatistics } from '../core/input/column-statistics.js';
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
    for (let j = 0; j < this.#columns; j++) {
      const moments = this.#moments[j] as SlidingMoments;
      const value = this.#values[slot * this.#columns + j] as number;
      if (before?.[j] === value) continue;
      if (before !== undefined) moments.remove(before[j] as number);
      moments.add(value);
      this.#ranges.replace(slot, j, before?.[j]);
    }
  }

  update(count: number): boolean {
    let isChanged = false;
    for (let j = 0; j < this.#columns; j++) {
      const [low, high] = [this.smallest[j] as number, this.largest[j] as number];
      const offset = low === high ? low : this.#meanOf(j, count);
      const scale = scaleOf(low === high ? 0 : this.#deviationOf(j, count), low === high, this.#isClipped);
      isChanged ||= offset !== this.offsets[j] || scale !== this.scales[j];
      this.offsets[j] = offset;
      this.scales[j] = scale;
    }
    return isChanged;
  }

  #meanOf(column: number, count: number): number {
    const moments = this.#moments[column] as SlidingMoments;
    const mean = moments.mean(count);
    if (mean !== undefined) return mean;
    this.#addUpAnew(column, count);
    return moments.mean(count) ?? (this.#statisticsOf(column, count).mean[0] as number);
  }

  #deviationOf(column: number, count: number): number {
    const moments = this.#moments[column] as SlidingMoments;
    const deviation = moments.deviation(count);
    if (deviation !== undefined) return deviation;
    this.#addUpAnew(column, count);
    return moments.deviation(count) ?? (this.#statisticsOf(column, count).deviation[0] as number);
  }

  /** Forgets what sums have lost, and moves their centre to where the values are now. */
  #addUpAnew(column: number, count: number): void {
    const moments = this.#moments[column] as SlidingMoments;
    moments.clear(this.#statisticsOf(column, count).mean[0] as number);
    for (let slot = 0; slot < count; slot++) moments.add(this.#values[slot * this.#columns + column] as number);
  }

  #statisticsOf(column: number, count: number): ColumnStatistics {
    const values = Float64Array.from(
      { length: count },
      (_, slot) => this.#values[slot * this.#columns + column] as number,
    );
    return new ColumnStatistics(1).add({ data: values, rows: count, columns: 1 });
  }
}
