// Training of the one-class support vector machine:  min ½ αᵀKα,  0 ≤ α_i ≤ 1,  Σα = νn. A backend's solver
// takes the steps; what is here chooses where it starts, and reads ρ off its result.

import type { RowSource } from '../core/input/matrix.js';
import type { Kernel } from '../core/kernel.js';
import type { Steps } from '../core/steps.js';
import {
  rowsAt,
  type SupportVectors,
  type SvmBackend,
  type SvmKernel,
  squaresOf,
  sumOfRows,
  supportOf,
  svmKernel,
} from '../core/svm/problem.js';

export interface Training {
  /** Row after row. */
  readonly rows: Float64Array;
  readonly columns: number;
  readonly kernel: Kernel;
  readonly nu: number;
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Bytes for kernel rows. */
  readonly cacheSize: number;
}

export interface TrainedMachine {
  readonly vectors: SupportVectors;
  /** Which rows the vectors are, ascending. */
  readonly indices: Uint32Array;
  readonly kernel: SvmKernel;
  /** Σ_j α_j k(x_i, x_j) of every row. */
  readonly sums: Float64Array;
  /** ρ. */
  readonly offset: number;
  /**
   * 0, or what the tolerance leaves above it: the highest score of a row that is not outside, α < 1. Rows above are
   * outside, and no more than νn.
   */
  readonly border: number;
  readonly gap: number;
  readonly iterations: number;
}

/** Up to this many rows the solver starts from the first ones; beyond, from what a sample suggests. */
const SMALL = 2000;
/** One row of so many is in the sample. */
const STRIDE = 8;

export function* trainOneClass(training: Training, svm: SvmBackend): Steps<TrainedMachine> {
  const { rows, columns } = training;
  const alphas = yield* startingPoint(training, svm);
  const kernel = svmKernel(training.kernel, squaresOf(rows, columns));
  const { sums, iterations } = yield* svm.solve({ ...training, kernel, alphas });
  const indices = supportOf(alphas);
  const coefficients = Float64Array.from(indices, (index) => alphas[index] as number);
  const vectors = svm.hold(rowsAt(rows, columns, indices), columns, coefficients, kernel);
  const offset = offsetOf(alphas, sums);
  const border = borderOf(alphas, sums, offset);
  return { vectors, indices, kernel, sums, offset, border, gap: gapOf(alphas, sums), iterations };
}

function borderOf(alphas: Float64Array, sums: Float64Array, offset: number): number {
  let border = 0;
  for (let i = 0; i < alphas.length; i++) {
    if ((alphas[i] as number) < 1) border = Math.max(border, offset - (sums[i] as number));
  }
  return border;
}

/** How much the largest sum among α > 0 exceeds the smallest among α < 1; not positive in an exact solution. */
function gapOf(alphas: Float64Array, sums: Float64Array): number {
  let lowest = Infinity;
  let highest = -Infinity;
  alphas.forEach((alpha, i) => {
    const sum = sums[i] as number;
    if (alpha < 1) lowest = Math.min(lowest, sum);
    if (alpha > 0) highest = Math.max(highest, sum);
  });
  return Math.max(highest - lowest, 0); // 0 as well where all α are 1
}

/**
 * ρ: the mean sum of the rows with 0 < α < 1, which lie on the boundary. Where there is none, the middle
 * between the rows inside (α = 0) and outside (α = 1), or, where all are outside, the highest of them.
 */
function offsetOf(alphas: Float64Array, sums: Float64Array): number {
  let inside = Infinity;
  let outside = -Infinity;
  let total = 0;
  let free = 0;
  alphas.forEach((alpha, i) => {
    const sum = sums[i] as number;
    if (alpha === 0) inside = Math.min(inside, sum);
    else if (alpha === 1) outside = Math.max(outside, sum);
    else {
      total += sum;
      free++;
    }
  });
  if (free > 0) return total / free;
  return inside === Infinity ? outside : (inside + outside) / 2;
}

/**
 * Where the solver starts. In the solution about νn rows have α = 1, those with the lowest sums, and only
 * few lie between 0 and 1. A machine trained on a sample tells almost which: most of the exchanges that a
 * start from the first νn rows would need, each with two new kernel rows, are saved.
 */
function* startingPoint(training: Training, svm: SvmBackend): Steps<Float64Array> {
  const { rows, columns, nu } = training;
  const count = rows.length / columns;
  if (count <= SMALL)
    return weighted(
      Uint32Array.from({ length: count }, (_, i) => i),
      nu,
    );
  const sampled = Uint32Array.from({ length: Math.ceil(count / STRIDE) }, (_, i) => i * STRIDE);
  const sample = rowsAt(rows, columns, sampled);
  const { vectors } = yield* trainOneClass({ ...training, rows: sample }, svm);
  const sums = new Float64Array(count);
  try {
    yield* sumOfRows(vectors, rows, sums);
  } finally {
    vectors.release();
  }
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (sums[a] as number) - (sums[b] as number) || a - b);
  return weighted(order, nu);
}

/** α = 1 for the first of an order, and what is left of νn for the next. */
function weighted(order: Uint32Array, nu: number): Float64Array {
  const alphas = new Float64Array(order.length);
  const whole = Math.floor(nu * order.length);
  for (let i = 0; i < whole; i++) alphas[order[i] as number] = 1;
  if (whole < order.length) alphas[order[whole] as number] = nu * order.length - whole;
  return alphas;
}

/** All values, row after row. */
export function valuesOf(rows: RowSource): Float64Array {
  const values = new Float64Array(rows.rows * rows.columns);
  for (let i = 0; i < rows.rows; i++) rows.read(i, values, i * rows.columns);
  return values;
}

export function varianceOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0);
}
