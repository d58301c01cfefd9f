// Along what a tree looks at points: the directions in which a sample of them is widest, for L2; for L1 the columns in
// which they are. Any orthogonal axes give the same neighbours; these let most points be left out unseen.
import type { TreePlan } from '../../backend.js';
import { dot } from '../../math/orthogonal.js';
import { symmetricEigen } from '../../math/symmetric-eigen.js';
import { axisCount } from './tree.js';

/** Up to so many columns all directions are computed; of more, the leading ones only. */
const NARROW = 24;
/** Rounds in which the leading directions are improved. */
const ROUNDS = 2;
/** How far from orthogonal axes may be, at most: SKEW of assembly/tree.ts is four times as much. */
const SKEW = 2 ** -45;

/** The axes of rows that are a sample. */
export function planTree(sample: readonly Float64Array[], isAbsolute: boolean): TreePlan {
  const columns = (sample[0] as Float64Array).length;
  const centre = Float64Array.from({ length: columns }, (_, j) => middleOf(sample.map((row) => row[j] as number)));
  // Relative to the largest, so that no square overflows.
  let largest = 0;
  for (const row of sample) for (let j = 0; j < columns; j++) largest = Math.max(largest, away(row, centre, j));
  const scale = largest > 0 ? largest : 1;
  const moved = sample.map((row) => row.map((value, j) => (value - (centre[j] as number)) / scale));
  const count = axisCount(columns);
  const axes = isAbsolute ? widestColumns(moved, count) : directions(moved, count);
  const flat = new Float64Array(count * columns);
  for (const [i, axis] of axes.entries()) flat.set(axis, i * columns);
  return { centre, axes: flat, effort: 0, share: 1 };
}

/** How much of the squares of rows lies along the axes, from 0 to 1. */
export function shareAlong(sample: readonly Float64Array[], { centre, axes }: TreePlan): number {
  const columns = centre.length;
  let all = 0;
  let along = 0;
  for (const row of sample) {
    const moved = row.map((value, j) => value - (centre[j] as number));
    all += dot(moved, moved, 0);
    for (let at = 0; at < axes.length; at += columns) along += dot(moved, axes.subarray(at, at + columns), 0) ** 2;
  }
  return along / all;
}

function away(row: Float64Array, centre: Float64Array, column: number): number {
  return Math.abs((row[column] as number) - (centre[column] as number));
}

function middleOf(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] as number;
}

/** Unit vectors of the columns in which rows are widest. */
function widestColumns(rows: readonly Float64Array[], count: number): Float64Array[] {
  const columns = (rows[0] as Float64Array).length;
  const widths = Array.from({ length: columns }, (_, j) => rows.reduce((sum, row) => sum + (row[j] as number) ** 2, 0));
  const order = widths.map((_, j) => j).sort((a, b) => (widths[b] as number) - (widths[a] as number) || a - b);
  return order.slice(0, count).map((column) => unitVector(column, columns));
}

function unitVector(column: number, columns: number): Float64Array {
  const vector = new Float64Array(columns);
  vector[column] = 1;
  return vector;
}

/** Orthogonal directions, those in which rows are widest first; the widest columns where they are not orthogonal enough. */
function directions(rows: readonly Float64Array[], count: number): Float64Array[] {
  const columns = (rows[0] as Float64Array).length;
  const found = columns <= NARROW ? principal(rows, columns) : leading(rows, count);
  const axes = found.slice(0, count);
  return isOrthogonal(axes) ? axes : widestColumns(rows, count);
}

function principal(rows: readonly Float64Array[], columns: number): Float64Array[] {
  const means = Float64Array.from(
    { length: columns },
    (_, j) => rows.reduce((sum, row) => sum + (row[j] as number), 0) / rows.length,
  );
  const scatter = new Float64Array(columns * columns);
  for (const row of rows) {
    const moved = row.map((value, j) => value - (means[j] as number));
    for (let i = 0; i < columns; i++) {
      const value = moved[i] as number;
      for (let j = 0; j <= i; j++)
        scatter[i * columns + j] = (scatter[i * columns + j] as number) + value * (moved[j] as number);
    }
  }
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < i; j++) scatter[j * columns + i] = scatter[i * columns + j] as number;
  const { values, vectors } = symmetricEigen(scatter, columns);
  const order = Array.from(values, (_, i) => i).sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  return orthogonalize(order.map((i) => vectors[i] as Float64Array));
}

/** About the leading directions: powers of the scatter matrix turn the widest columns to them. */
function leading(rows: readonly Float64Array[], count: number): Float64Array[] {
  const columns = (rows[0] as Float64Array).length;
  let axes = widestColumns(rows, count);
  for (let round = 0; round < ROUNDS; round++) {
    const next = axes.map(() => new Float64Array(columns));
    for (const row of rows) {
      for (const [i, axis] of axes.entries()) {
        const along = dot(row, axis, 0);
        const sum = next[i] as Float64Array;
        for (let j = 0; j < columns; j++) sum[j] = (sum[j] as number) + along * (row[j] as number);
      }
    }
    axes = orthogonalize(next);
  }
  return axes;
}

/** Makes vectors orthogonal and of length 1 (Gram and Schmidt, twice, as once is not enough). */
function orthogonalize(vectors: readonly Float64Array[]): Float64Array[] {
  const axes: Float64Array[] = [];
  const columns = (vectors[0] as Float64Array).length;
  let spare = 0;
  for (const vector of vectors) {
    let axis = freeOf(vector, axes);
    // Of what lies within the others nothing remains: another direction takes its place.
    while (axis === undefined) axis = freeOf(unitVector(spare++ % columns, columns), axes);
    axes.push(axis);
  }
  return axes;
}

function freeOf(vector: Float64Array, axes: readonly Float64Array[]): Float64Array | undefined {
  let rest = normalized(vector);
  for (let twice = 0; twice < 2 && rest !== undefined; twice++) {
    const before = rest;
    for (const axis of axes) {
      const along = dot(before, axis, 0);
      for (let j = 0; j < before.length; j++) before[j] = (before[j] as number) - along * (axis[j] as number);
    }
    if (!(dot(before, before, 0) > 1e-12)) return undefined;
    rest = normalized(before);
  }
  return rest;
}

function normalized(vector: Float64Array): Float64Array | undefined {
  const length = Math.sqrt(dot(vector, vector, 0));
  return length > 1e-150 ? vector.map((value) => value / length) : undefined;
}

/** Whether A Aᵀ is the identity, but for rounding: by the sum of the squares of what it differs in. */
function isOrthogonal(axes: readonly Float64Array[]): boolean {
  let sum = 0;
  for (const [i, a] of axes.entries()) {
    for (const [j, b] of axes.entries()) sum += (dot(a, b, 0) - (i === j ? 1 : 0)) ** 2;
  }
  return sum <= SKEW * SKEW;
}
