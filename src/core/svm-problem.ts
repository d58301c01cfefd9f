// What the one-class support vector machine asks of a backend: sums of kernel values over support vectors,
// and the solution of the dual problem  min ½ αᵀKα,  0 ≤ α_i ≤ 1,  Σα = νn.
import type { Kernel } from './kernel.js';
import type { RowSource } from './matrix.js';

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
  readonly kernel: Kernel;
  /** Where to start, and where the solution is left. */
  readonly alphas: Float64Array;
  /** (Kα)_i at the start. */
  readonly gradient: Float64Array;
  /** The largest gradient among α > 0 may exceed the smallest among α < 1 by this. */
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Memory for kernel rows, in bytes. */
  readonly cacheSize: number;
}

/** How an algorithm of the machine is run by a backend. Results do not depend on which. */
export interface SvmBackend {
  hold(rows: Float64Array, columns: number, coefficients: Float64Array, kernel: Kernel): SupportVectors;
  /** Improves α until the gap is below the tolerance or nothing more can be gained; returns the steps taken. */
  solve(problem: Problem): number;
}

/**
 * Up to this γ‖x‖² the squared distance of rbf is taken as ‖x‖² + ‖y‖² − 2x·y, which is faster; its error
 * then changes no kernel value by more than about 10⁻¹⁰ of it. Beyond, differences are squared.
 */
const LARGEST_EXPONENT = 1e5;

/** Whether distances must be summed from differences. */
export function isByDifferences(kernel: Kernel, squares: Float64Array): boolean {
  return kernel.name === 'rbf' && squares.some((square) => kernel.gamma * square > LARGEST_EXPONENT);
}

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

/**
 * The power of two that brings kernel values to at most 1: the solver keeps them as f32, and those of a
 * polynomial may be far outside its range.
 */
export function unitOf(kernel: Kernel, squares: Float64Array): number {
  const bound = kernelBound(kernel, squares);
  return bound > 0 && bound !== 1 ? 2 ** -Math.ceil(Math.log2(bound)) : 1;
}
