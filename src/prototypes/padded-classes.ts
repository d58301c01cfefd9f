// Classes for principal sample analysis, which needs at least as many rows as columns. A smaller class is padded with
// Gaussian rows of its mean and covariance, which are removed at the end.

import type { Random } from '../core/random/random.js';
import type { Steps } from '../core/steps.js';
import type { Problem } from './classes.js';
import type { Ranking } from './ranking.js';
import { allOf, meanOf, rowsOf, type Table } from './table.js';

export class PaddedClass {
  /** The rows of the class, then the padding. */
  readonly table: Table;
  readonly targets: Table | undefined;
  readonly #rows: Uint32Array;

  constructor(table: Table, targets: Table | undefined, rows: Uint32Array) {
    this.table = table;
    this.targets = targets;
    this.#rows = rows;
  }

  /** Rankings of rows of this table, one after the other, as one ranking of the user's rows. */
  withoutPadding(parts: readonly Ranking[]): Ranking {
    const indices: number[] = [];
    const scores: number[] = [];
    for (const part of parts) {
      for (const [i, index] of part.indices.entries()) {
        if (index >= this.#rows.length) continue;
        indices.push(this.#rows[index] as number);
        scores.push(part.scores[i] as number);
      }
    }
    return { indices: Uint32Array.from(indices), scores: Float64Array.from(scores) };
  }
}

export function* classesWithPadding({ table, classes, targets }: Problem, random: Random): Steps<PaddedClass[]> {
  const all: PaddedClass[] = [];
  for (const { rows } of classes) {
    const own = yield* rowsOf(table, rows);
    const least = table.columns;
    if (targets === undefined || rows.length >= least) {
      all.push(new PaddedClass(yield* padded(own, least, random), targets, rows));
      continue;
    }
    // Rows and their targets are padded together, to keep their covariance.
    const both = yield* padded(beside(own, targets), least, random);
    const features = columnsOf(both, 0, table.columns);
    all.push(new PaddedClass(features, columnsOf(both, table.columns, both.columns), rows));
  }
  return all;
}

/** The columns of two tables as one. */
function beside(left: Table, right: Table): Table {
  const columns = left.columns + right.columns;
  const data = new Float64Array(left.rows * columns);
  for (let i = 0; i < left.rows; i++) {
    data.set(left.data.subarray(i * left.columns, (i + 1) * left.columns), i * columns);
    data.set(right.data.subarray(i * right.columns, (i + 1) * right.columns), i * columns + left.columns);
  }
  return { data, rows: left.rows, columns };
}

function columnsOf({ data, rows, columns }: Table, from: number, to: number): Table {
  const chosen = data.filter((_, i) => i % columns >= from && i % columns < to);
  return { data: chosen, rows, columns: to - from };
}

/** With at least this many rows. */
function* padded(own: Table, least: number, random: Random): Steps<Table> {
  const { rows, columns } = own;
  if (rows >= least) return own;
  const data = new Float64Array(least * columns);
  data.set(own.data);
  const members = allOf(own);
  const mean = yield* meanOf(own, members);
  for (let i = rows; i < least; i++) {
    yield;
    data.set(mean, i * columns);
    // μ + Σ_r z_r (x_r − μ)/√(n − 1), z_r standard normal, has the covariance of the class.
    for (const row of members) {
      const z = random.gaussian() / Math.sqrt(Math.max(1, rows - 1));
      for (let j = 0; j < columns; j++) {
        const difference = (own.data[row * columns + j] as number) - (mean[j] as number);
        data[i * columns + j] = (data[i * columns + j] as number) + z * difference;
      }
    }
  }
  return { data, rows: least, columns };
}
