// Points held by a build, asked about themselves, and what a naive sort says of them.

import { POINTS, type PointSet, type SearchKind } from '../../../src/core/backend.js';
import type { RowSource } from '../../../src/core/input/matrix.js';
import { finish } from '../../../src/core/steps.js';
import { wasmBackend } from '../../../src/core/wasm/backend.js';
import type { Build } from '../../../src/core/wasm/build.js';
import { manhattanDistance, type Rows, squaredDistance } from '../../support/data.js';

export const METRICS = { linear: squaredDistance, laplacian: manhattanDistance } as const;
export type Name = keyof typeof METRICS;

export function hold(
  rows: Rows,
  build: Build,
  name: Name,
  precision: 'single' | 'double' = 'double',
  kind?: SearchKind,
  epsilon?: number,
): PointSet {
  return finish(wasmBackend(build).hold(sourceOf(rows), precision, kernelOf(name), { kind, epsilon }));
}

export function kernelOf(name: Name) {
  return { name, gamma: 1, coef0: 0, degree: 1 } as const;
}

export function sourceOf(rows: Rows): RowSource {
  const read = (row: number, into: Float64Array, at: number): void => into.set(rows[row] as ArrayLike<number>, at);
  return { rows: rows.length, columns: rows[0]?.length as number, read };
}

export function neighborsOf(points: PointSet, from: number, to: number, k: number) {
  const indices = new Uint32Array((to - from) * k);
  const distances = new Float64Array((to - from) * k);
  points.neighbors(POINTS, from, to, k, { indices, distances });
  return { indices, distances };
}

/** The k nearest other rows of some rows, by sorting. Values are whole numbers: no sum rounds, and ties are true. */
export function sorted(rows: Rows, of: readonly number[], k: number, name: Name): number[] {
  return of.flatMap((self) =>
    rows
      .map((row, index) => ({ index, distance: METRICS[name](rows[self] as ArrayLike<number>, row) }))
      .filter(({ index }) => index !== self)
      .sort((a, b) => a.distance - b.distance || a.index - b.index)
      .slice(0, k)
      .map(({ index }) => index),
  );
}
