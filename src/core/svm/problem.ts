// What the one-class support vector machine asks of a backend: sums of kernel values over support vectors,
// and the solution of the dual problem  min ½ αᵀKα,  0 ≤ α_i ≤ 1,  Σα = νn.

import { RowReader, type RowSource } from '../input/matrix.js';
import type { Kernel } from '../kernel.js';
import type { Steps } from '../steps.js';

/**
 * A kernel as the machine computes it: in f64, times the unit, and rounded to f32 once. The solver can so keep
 * rows of the kernel matrix, and a score sees the same kernel as the solver did.
 */
export interface SvmKernel extends Kernel {
  /** A power of two that brings kernel values among the training rows to at most 1. */
  readonly unit: number;
  /** Whether distances are summed from differences; otherwise they come from inner products. */
  readonly isByDifferences: boolean;
}

/** Rows with a coefficient each, held by a backend. */
export interface SupportVectors {
  readonly count: number;
  readonly columns: number;
  readonly coefficients: Float64Array;
  /** A copy of the rows, row after row. */
  rows(): Float64Array;
  /** Σ_i α_i k(x_i, q) for queries from … to − 1, from index 0 of `sums`. */
  sum(queries: RowSource, from: number, to: number, sums: Float64Array): void;
  /** Frees the memory. They cannot be used after that. */
  release(): void;
}

export interface Problem {
  /** Row after row. */
  readonly rows: Float64Array;
  readonly columns: number;
  readonly kernel: SvmKernel;
  /** Where to start, and where the solution is left. */
  readonly alphas: Float64Array;
  /** The largest gradient among α > 0 may exceed the smallest among α < 1 by this. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Memory for kernel rows, in bytes. */
  readonly cacheSize: number;
}

export interface Solution {
  /** Σ_j α_j k(x_i, x_j) of every row, over all α_j > 0 in order: the bits that `SupportVectors.sum` gives. */
  readonly sums: Float64Array;
  /** Steps taken. */
  readonly iterations: number;
}

/** How an algorithm of the machine is run by a backend. Results do not depend on which. */
export interface SvmBackend {
  hold(rows: Float64Array, columns: number, coefficients: Float64Array, kernel: SvmKernel): SupportVectors;
  /** Improves α until the gap is below the tolerance or nothing more can be gained. Yields every few milliseconds. */
  solve(problem: Problem): Steps<Solution>;
}

/**
 * Up to this γ‖x‖² the squared distance of rbf is taken as ‖x‖² + ‖y‖² − 2x·y, which is faster; its error
 * then changes no kernel value by more than about 10⁻¹⁰ of it. Beyond, differences are squared.
 */
const LARGEST_EXPONENT = 1e5;

/** x·x of every row, in column order. */
export function squaresOf(rows: Float64Array, columns: number): Float64Array {
  const squares = new Float64Array(rows.length / columns);
  for (let i = 0; i < squares.length; i++) {
    let square = 0;
    for (let at = i * columns; at < (i + 1) * columns; at++) square += (rows[at] as number) * (rows[at] as number);
    squares[i] = square;
  }
  return squares;
}

/** The largest |k(x, y)| among rows, or a bound of it. */
export function kernelBound({ name, gamma, coef0, degree }: Kernel, squares: Float64Array): number {
  if (name === 'rbf' || name === 'sigmoid') return 1;
  const largest = squares.reduce((a, b) => Math.max(a, b), 0);
  return name === 'linear' ? largest : (gamma * largest + Math.abs(coef0)) ** degree;
}

/** The kernel for training rows of which x·x is given. */
export function svmKernel(kernel: Kernel, squares: Float64Array): SvmKernel {
  const bound = kernelBound(kernel, squares);
  // Within what f64 holds, for kernels that are almost nothing.
  const unit = bound > 0 && bound !== 1 ? 2 ** Math.min(-Math.ceil(Math.log2(bound)), 1000) : 1;
  const isByDifferences = kernel.name === 'rbf' && squares.some((square) => kernel.gamma * square > LARGEST_EXPONENT);
  return { ...kernel, unit, isByDifferences };
}

/** Sums are known to about this share of the largest: no smaller gap can be asked for. */
const ROUNDING = 1e-13;

/** What the solver aims at: the tolerance, as far as rounding allows. */
export function reachableTolerance(tolerance: number, sums: Float64Array): number {
  return sums.reduce((largest, sum) => Math.max(largest, ROUNDING * Math.abs(sum)), tolerance);
}

/** Steps without a clear gain after which the solver gives up: rounded kernel values may allow no smaller gap. */
export function patienceFor(rows: number): number {
  return Math.max(20_000, 20 * rows);
}

/** The rows with α > 0. */
export function supportOf(alphas: Float64Array): Uint32Array {
  return Uint32Array.from(alphas.keys()).filter((i) => (alphas[i] as number) > 0);
}

/** Chosen rows, one after the other. */
export function rowsAt(rows: Float64Array, columns: number, indices: Uint32Array): Float64Array {
  const chosen = new Float64Array(indices.length * columns);
  indices.forEach((index, at) => {
    chosen.set(rows.subarray(index * columns, (index + 1) * columns), at * columns);
  });
  return chosen;
}

/** Multiplications between two yields: a few milliseconds. */
const STEP = 3e7;

/** Σ α_j k(x_j, x) of rows in one array, yielding every few milliseconds. */
export function* sumOfRows(vectors: SupportVectors, data: Float64Array, sums: Float64Array): Steps<void> {
  const { count, columns } = vectors;
  const rows = new RowReader().attach({ data, rows: sums.length, columns });
  const part = Math.max(1, Math.floor(STEP / (count * (columns + 30))));
  for (let from = 0; from < sums.length; from += part) {
    const to = Math.min(from + part, sums.length);
    vectors.sum(rows, from, to, sums.subarray(from, to));
    yield;
  }
}
