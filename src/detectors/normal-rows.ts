// The training rows labelled normal, held once more on their own: what paths and landscapes of the second type
// find neighbours among. Made when first asked for, and freed with the fit they belong to.
import type { PointSet } from '../core/backend.js';
import { RowReader } from '../core/matrix.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import type { HeldRows } from './held-rows.js';

export interface NormalRows {
  /** Undefined where no row is normal. */
  readonly points: PointSet | undefined;
  /** The training rows they are. */
  readonly indices: Uint32Array;
}

const known = new WeakMap<HeldRows, NormalRows>();

export function normalRowsOf(held: HeldRows, labels: Uint8Array, backend: BackendChoice): NormalRows {
  let normal = known.get(held);
  if (normal === undefined) {
    normal = select(held.points, labels, backend);
    known.set(held, normal);
  }
  return normal;
}

export function releaseNormalRows(held: HeldRows): void {
  known.get(held)?.points?.release();
  known.delete(held);
}

function select(all: PointSet, labels: Uint8Array, backend: BackendChoice): NormalRows {
  const { columns, precision, kernel } = all;
  const indices = Uint32Array.from(labels.keys()).filter((row) => labels[row] === 0);
  if (indices.length === 0) return { points: undefined, indices };
  const data = new Float64Array(indices.length * columns);
  all.gather(indices, 0, indices.length, data, 0);
  const rows = new RowReader().attach({ data, rows: indices.length, columns });
  return { points: selectBackend(backend).hold(rows, precision, kernel), indices };
}
