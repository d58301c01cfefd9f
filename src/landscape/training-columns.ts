// The columns of the training rows, in the units of the input: what a landscape shows by default, and what a
// change is measured against. Worked out when first asked for, once for each fit.

import { sortValues } from '../core/math/sorting.js';
import { inBlocks, type Steps } from '../core/steps.js';
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
  *medians(): Steps<Float64Array> {
    this.#medians ??= Float64Array.from(
      yield* this.#each(function* (values) {
        const sorted = yield* sortValues(values);
        const half = (sorted.length - 1) / 2;
        return ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
      }),
    );
    return this.#medians;
  }

  /** The range of every column and a twentieth of it on each side. */
  *spans(): Steps<ReadonlyArray<[low: number, high: number]>> {
    this.#spans ??= yield* this.#each<[number, number]>(function* (values) {
      yield;
      const low = values.reduce((least, value) => Math.min(least, value));
      const high = values.reduce((most, value) => Math.max(most, value));
      const margin = high > low ? (high - low) / 20 : Math.max(1, Math.abs(low) / 20);
      return [low - margin, high + margin];
    });
    return this.#spans;
  }

  /** The (population) standard deviation of every column. */
  *deviations(): Steps<Float64Array> {
    this.#deviations ??= Float64Array.from(
      yield* this.#each(function* (values) {
        yield;
        const mean = values.reduce((sum, value) => sum + value / values.length, 0);
        return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
      }),
    );
    return this.#deviations;
  }

  *#each<Result>(work: (values: Float64Array) => Steps<Result>): Steps<Result[]> {
    const { points, scaling } = this.#held;
    const { count, columns } = points;
    const rows = new (points.precision === 'single' ? Float32Array : Float64Array)(count * columns);
    yield* inBlocks(count, columns, (from, to) => points.copyRows(from, to, rows));
    const values = new Float64Array(count);
    const results: Result[] = [];
    for (let column = 0; column < columns; column++) {
      for (let i = 0; i < count; i++) values[i] = scaling.restore(rows[i * columns + column] as number, column);
      results.push(yield* work(values));
    }
    return results;
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
