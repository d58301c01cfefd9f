// Statistics of the training columns in input units, for the default area of a landscape and for measuring changes.
// Computed on first use, once per fit.

import { sortValues } from '../core/math/sorting.js';
import { inBlocks, type Steps } from '../core/steps.js';
import type { AnyDetector } from '../detectors/detector.js';
import type { HeldRows } from '../detectors/held-rows.js';
import type { TrainingSample } from '../detectors/training-sample.js';

export class TrainingColumns {
  readonly columns: number;
  readonly #source: Source;
  #medians: Float64Array | undefined;
  #spans: ReadonlyArray<[low: number, high: number]> | undefined;
  #deviations: Float64Array | undefined;

  constructor(source: Source) {
    this.columns = source.columns;
    this.#source = source;
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
    }, true);
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

  *#each<Result>(work: (values: Float64Array) => Steps<Result>, withExtremes = false): Steps<Result[]> {
    const { columns, drawn } = this.#source;
    const rows = yield* this.#source.rows();
    const count = withExtremes ? rows.length / columns : drawn;
    const values = new Float64Array(count);
    const results: Result[] = [];
    for (let column = 0; column < columns; column++) {
      for (let i = 0; i < count; i++) values[i] = this.#source.restore(rows[i * columns + column] as number, column);
      results.push(yield* work(values));
    }
    return results;
  }
}

/** Rows, as they are kept. */
interface Source {
  readonly columns: number;
  /** Number of rows at the start that are all rows, or drawn from all; the others are included for their high scores. */
  readonly drawn: number;
  rows(): Steps<Float32Array | Float64Array>;
  /** The value of a column in the units of the input. */
  restore(value: number, column: number): number;
}

function sourceOf({ points, scaling }: HeldRows): Source {
  const { count, columns, precision } = points;
  return {
    columns,
    drawn: count,
    *rows() {
      const rows = new (precision === 'single' ? Float32Array : Float64Array)(count * columns);
      yield* inBlocks(count, columns, (from, to) => points.copyRows(from, to, rows));
      return rows;
    },
    restore: (value, column) => scaling.restore(value, column),
  };
}

function sourceOfSample({ rows, indices, drawn }: TrainingSample): Source {
  return {
    columns: rows.length / indices.length,
    drawn,
    // biome-ignore lint/correctness/useYield: there is nothing to wait for
    *rows() {
      return rows;
    },
    restore: (value) => value,
  };
}

const known = new WeakMap<HeldRows | TrainingSample, TrainingColumns>();

/** The columns of the training rows of a detector, or of the sample it keeps of them. */
export function trainingColumns({ heldRows, sample }: AnyDetector): TrainingColumns | undefined {
  const rows = heldRows ?? sample;
  if (rows === undefined) return undefined;
  let columns = known.get(rows);
  if (columns === undefined) {
    columns = new TrainingColumns('points' in rows ? sourceOf(rows) : sourceOfSample(rows));
    known.set(rows, columns);
  }
  return columns;
}
