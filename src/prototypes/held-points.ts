// Points stored in the core, identified by their row numbers in a table, and searches among them that threads can share.

import { type Backend, POINTS, type PointSet } from '../core/backend.js';
import type { RowSource } from '../core/input/matrix.js';
import { fitScaling } from '../core/input/scaling.js';
import { kernelOfMetric } from '../core/kernel.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { neighborsOfPoints, neighborsWork } from '../parallel/work.js';
import { sourceOf, type Table, tableOf } from './table.js';

/** No result depends on which others are stored. */
export class HeldPoints {
  /** Their numbers, ascending. */
  readonly points: Uint32Array;
  readonly #held: PointSet;

  private constructor(points: Uint32Array, held: PointSet) {
    this.points = points;
    this.#held = held;
  }

  static *hold(table: Table, points: Uint32Array, backend: Backend): Steps<HeldPoints> {
    return new HeldPoints(points, yield* backend.hold(sourceOf(table, points), 'double', kernelOfMetric('euclidean')));
  }

  /** The k nearest of the points to each row, nearest first, equal distances by number. */
  nearestTo(rows: RowSource, k: number): Steps<Uint32Array> {
    return this.#nearest(rows, rows.rows, k);
  }

  /** The k nearest of the others to each of the points. */
  nearestToEach(k: number): Steps<Uint32Array> {
    return this.#nearest(POINTS, this.points.length, k);
  }

  release(): void {
    this.#held.release();
  }

  *#nearest(queries: RowSource | typeof POINTS, rows: number, k: number): Steps<Uint32Array> {
    const indices = new Uint32Array(rows * k);
    const distances = new Float64Array(indices.length);
    if (queries === POINTS) yield* neighborsOfPoints(this.#held, k, indices, distances, [0, 1]);
    else yield neighborsWork({ points: this.#held, queries, k }, indices, distances, [0, 1]);
    yield* inBlocks(rows, k, (from, to) => {
      for (let a = from * k; a < to * k; a++) indices[a] = this.points[indices[a] as number] as number;
    });
    return indices;
  }
}

/** Moves rows to a mean of about 0, which the core searches fastest; distances do not change. */
export function* centred(table: Table): Steps<Table> {
  const options = { standardize: false, center: true, precision: 'double', isExplicit: true } as const;
  const { scaling } = yield* fitScaling(sourceOf(table), options);
  return yield* tableOf(scaling.apply(sourceOf(table), 'double'));
}
