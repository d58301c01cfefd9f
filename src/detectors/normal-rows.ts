// A point set of the training rows labelled normal, among which paths and landscapes of type 2 find neighbours. Created on
// first use, and freed with its fit.

import type { PointSet } from '../core/backend.js';
import { RowReader } from '../core/input/matrix.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { inBlocks, type Steps } from '../core/steps.js';
import type { HeldRows } from './held-rows.js';

export interface NormalRows {
  /** Undefined if no row is normal. */
  readonly points: PointSet | undefined;
  /** Their indices among the training rows. */
  readonly indices: Uint32Array;
}

const known = new WeakMap<HeldRows, NormalRows>();

export function* normalRowsOf(held: HeldRows, labels: Uint8Array, backend: BackendChoice): Steps<NormalRows> {
  const before = known.get(held);
  if (before !== undefined) return before;
  const normal = yield* select(held.points, labels, backend);
  const meanwhile = known.get(held);
  if (meanwhile !== undefined) {
    normal.points?.release(); // another call was faster during a pause
    return meanwhile;
  }
  known.set(held, normal);
  return normal;
}

export function releaseNormalRows(held: HeldRows): void {
  known.get(held)?.points?.release();
  known.delete(held);
}

function* select(all: PointSet, labels: Uint8Array, backend: BackendChoice): Steps<NormalRows> {
  const { columns, precision, kernel } = all;
  const indices = Uint32Array.from(labels.keys()).filter((row) => labels[row] === 0);
  if (indices.length === 0) return { points: undefined, indices };
  const data = new Float64Array(indices.length * columns);
  yield* inBlocks(indices.length, columns, (from, to) => all.gather(indices, from, to, data, from * columns));
  const rows = yield* new RowReader().attachInSteps({ data, rows: indices.length, columns });
  return { points: yield* selectBackend(backend).hold(rows, precision, kernel), indices };
}
