// The columns of the training rows, in the units of the input: what a landscape shows by default, and what a
// change is measured against. Worked out when first asked for, once for each fit.
import type { HeldRows } from '../detectors/held-rows.js';

export class TrainingColumns {
  readonly columns: number;
  readonly #held: HeldRows;
  #medians: Float64Array | undefined;
  #spans: ReadonlyArray<[low: number, high: number]> | undefined;
  #deviations: Float64Array | undefined;

  constructor(held: HeldRows) {
    this.columns = held.points.columns;
    this.#held = held;
  }

  /** The median of every column. */
  get medians(): Float64Array {
    this.#medians ??= Float64Array.from(
      this.#each((values) => {
        const sorted = values.sort();
        const half = (sorted.length - 1) / 2;
        return ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
      }),
    );
    return this.#medians;
  }

  /** The range of every column and a twentieth of it on each side. */
  get spans(): ReadonlyArray<[low: number, high: number]> {
    this.#spans ??= this.#each((values) => {
      const low = values.reduce((least, value) => Math.min(least, value));
      const high = values.reduce((most, value) => Math.max(most, value));
      const margin = high > low ? (high - low) / 20 : Math.max(1, Math.abs(low) / 20);
      return [low - margin, high + margin];
    });
    return this.#spans;
  }

  /** The (population) standard deviation of every column. */
  get deviations(): Float64Array {
    this.#deviations ??= Float64Array.from(
      this.#each((values) => {
        const mean = values.reduce((sum, value) => sum + value / values.length, 0);
        return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
      }),
    );
    return this.#deviations;
  }

  #each<Result>(work: (values: Float64Array) => Result): Result[] {
    const { points, scaling } = this.#held;
    const rows = points.rows();
    const values = new Float64Array(points.count);
    return Array.from({ length: this.columns }, (_, column) => {
      const scale = scaling.scale[column] as number;
      const offset = scaling.offset[column] as number;
      for (let i = 0; i < values.length; i++) {
        values[i] = (rows[i * this.columns + column] as number) * scale + offset;
      }
      return work(values);
    });
  }
}

const known = new WeakMap<HeldRows, TrainingColumns>();

/** The columns of held rows. */
export function trainingColumns(held: HeldRows): TrainingColumns {
  let columns = known.get(held);
  if (columns === undefined) {
    columns = new TrainingColumns(held);
    known.set(held, columns);
  }
  return columns;
}
