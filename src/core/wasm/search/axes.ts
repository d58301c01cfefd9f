// Along what a tree looks at points: the directions in which a sample of them is widest, for L2; for L1 the columns in
// which they are. Any orthogonal axes give the same neighbours; these let most points be left out unseen.
import type { TreePlan } from '../../backend.js';
import { dot } from '../../math/orthogonal.js';
import { symmetricEigen } from '../../math/symmetric-eigen.js';
import { axisCount } from './tree.js';

/** Up to so many columns all directions are computed; of more, the leading ones only. */
const NARROW = 24;
/** Up to so many columns their products with each other are added up; of more, rows are gone through every time. */
const MIDDLING = 128;
/** Rounds in which the leading directions are improved. */
const ROUNDS = 2;
/** Values of a column that its middle is found from, about. */
const FOR_MIDDLE = 64;
/** How far from orthogonal axes may be, at most: SKEW of assembly/tree.ts is four times as much. */
const SKEW = 2 ** -45;

/** Rows, one after the other. */
export interface Sample {
  readonly flat: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** Axes, and how much of the squares of the rows lies along them, from 0 to 1. */
export interface Axes extends Pick<TreePlan, 'centre' | 'axes'> {
  /** @param leading How many of the axes are meant. */
  readonly along: (leading: number) => number;
}

/** The axes of rows that are a sample. */
export function axesOf(sample: Sample, isAbsolute: boolean): Axes {
  const { columns } = sample;
  const centre = Float64Array.from({ length: columns }, (_, j) => middleOf(sample, j));
  const moved = around(sample, centre);
  const spread = spreadOf(moved);
  const widths = widthsOf(moved);
  const count = axisCount(columns);
  const axes = isAbsolute ? widestColumns(widths, count) : directions(spread, widths, count);
  const flat = new Float64Array(count * columns);
  for (const [i, axis] of axes.entries()) flat.set(axis, i * columns);
  const all = widths.reduce((sum, width) => sum + width, 0);
  const along = (leading: number): number => {
    if (leading >= columns) return 1;
    return axes.slice(0, leading).reduce((sum, axis) => sum + dot(axis, spread(axis), 0), 0) / all;
  };
  return { centre, axes: flat, along };
}

/** Rows from the centre, relative to the largest value, so that no square overflows. */
function around({ flat, rows, columns }: Sample, centre: Float64Array): Sample {
  const moved = new Float64Array(flat.length);
  let largest = 0;
  for (let i = 0, j = 0; i < flat.length; i++) {
    const value = (flat[i] as number) - (centre[j] as number);
    moved[i] = value;
    largest = Math.max(largest, Math.abs(value));
    if (++j === columns) j = 0;
  }
  if (largest > 0) for (let i = 0; i < moved.length; i++) moved[i] = (moved[i] as number) / largest;
  return { flat: moved, rows, columns };
}

function middleOf({ flat, rows, columns }: Sample, column: number): number {
  const step = columns * Math.ceil(rows / FOR_MIDDLE);
  const values: number[] = [];
  for (let at = column; at < flat.length; at += step) values.push(flat[at] as number);
  return values.sort((a, b) => a - b)[values.length >> 1] as number;
}

/** The sum of squares of each column. */
function widthsOf({ flat, columns }: Sample): Float64Array {
  const widths = new Float64Array(columns);
  for (let at = 0; at < flat.length; at += columns)
    for (let j = 0; j < columns; j++) widths[j] = (widths[j] as number) + (flat[at + j] as number) ** 2;
  return widths;
}

/** Unit vectors of the widest columns. */
function widestColumns(widths: Float64Array, count: number): Float64Array[] {
  const order = Array.from(widths, (_, j) => j);
  order.sort((a, b) => (widths[b] as number) - (widths[a] as number) || a - b);
  return order.slice(0, count).map((column) => unitVector(column, widths.length));
}

function unitVector(column: number, columns: number): Float64Array {
  const vector = new Float64Array(columns);
  vector[column] = 1;
  return vector;
}

/** A vector times the matrix of products of columns with each other. */
type Spread = (vector: Float64Array) => Float64Array;

function spreadOf(rows: Sample): Spread {
  const { columns } = rows;
  if (columns > MIDDLING) return (vector) => combine(rows, (row) => dot(row, vector, 0));
  const scatter = { flat: scatterOf(rows), rows: columns, columns };
  return (vector) => combine(scatter, (_, i) => vector[i] as number);
}

/** The sum of rows, each times a weight. */
function combine({ flat, rows, columns }: Sample, weightOf: (row: Float64Array, i: number) => number): Float64Array {
  const sum = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    const row = flat.subarray(i * columns, (i + 1) * columns);
    const weight = weightOf(row, i);
    for (let j = 0; j < columns; j++) sum[j] = (sum[j] as number) + weight * (row[j] as number);
  }
  return sum;
}

/** Sums of products of columns with each other. */
function scatterOf({ flat, columns }: Sample): Float64Array {
  const scatter = new Float64Array(columns * columns);
  for (let at = 0; at < flat.length; at += columns) {
    for (let i = 0; i < columns; i++) {
      const value = flat[at + i] as number;
      const to = i * columns;
      for (let j = 0; j <= i; j++) scatter[to + j] = (scatter[to + j] as number) + value * (flat[at + j] as number);
    }
  }
  for (let i = 0; i < columns; i++)
    for (let j = 0; j < i; j++) scatter[j * columns + i] = scatter[i * columns + j] as number;
  return scatter;
}

/** Orthogonal directions, those in which rows are widest first; the widest columns where they are not orthogonal enough. */
function directions(spread: Spread, widths: Float64Array, count: number): Float64Array[] {
  const columns = widths.length;
  const found = columns <= NARROW ? principal(spread, columns) : leading(spread, widestColumns(widths, count));
  const axes = found.slice(0, count);
  return isOrthogonal(axes) ? axes : widestColumns(widths, count);
}

function principal(spread: Spread, columns: number): Float64Array[] {
  const scatter = new Float64Array(columns * columns);
  for (let j = 0; j < columns; j++) scatter.set(spread(unitVector(j, columns)), j * columns);
  const { values, vectors } = symmetricEigen(scatter, columns);
  const order = Array.from(values, (_, i) => i).sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  return orthogonalize(order.map((i) => vectors[i] as Float64Array));
}

/** About the leading directions: powers of the matrix turn the widest columns to them. */
function leading(spread: Spread, widest: Float64Array[]): Float64Array[] {
  let axes = widest;
  for (let round = 0; round < ROUNDS; round++) axes = orthogonalize(axes.map(spread));
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
