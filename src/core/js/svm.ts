// The one-class support vector machine in plain TypeScript: sums over support vectors, and sequential
// minimal optimisation with second-order choice of the pair (Fan, Chen and Lin 2005). assembly/smo.ts and
// assembly/kernel-panels.ts take the same steps.

import { released } from '../errors.js';
import { RowReader, type RowSource } from '../input/matrix.js';
import type { Steps } from '../steps.js';
import {
  type Problem,
  patienceFor,
  reachableTolerance,
  rowsAt,
  type Solution,
  type SupportVectors,
  type SvmBackend,
  type SvmKernel,
  squaresOf,
  supportOf,
} from '../svm/problem.js';
import { KernelRows } from './svm-kernel.js';

/** Support vectors summed together, as they lie in one panel in assembly/. */
const PANEL = 8;
/** What stands for a pairCurvature that is not positive. */
const LEAST_CURVATURE = 1e-12;
const NONE = -1;

export const jsSvm: SvmBackend = {
  hold: (rows, columns, coefficients, kernel) => new JsSupportVectors(rows, columns, coefficients, kernel),
  solve: (problem) => new Solver(problem).solve(),
};

class JsSupportVectors implements SupportVectors {
  readonly count: number;
  readonly columns: number;
  readonly coefficients: Float64Array;
  readonly #rows: Float64Array;
  readonly #unit: number;
  #points: KernelRows | undefined;

  constructor(rows: Float64Array, columns: number, coefficients: Float64Array, kernel: SvmKernel) {
    this.count = coefficients.length;
    this.columns = columns;
    this.coefficients = coefficients;
    this.#rows = rows.slice();
    this.#unit = kernel.unit;
    this.#points = new KernelRows(this.#rows, columns, kernel);
  }

  rows(): Float64Array {
    return this.#rows.slice();
  }

  sum(queries: RowSource, from: number, to: number, sums: Float64Array): void {
    const points = this.#points;
    if (points === undefined) throw released();
    const query = new Float64Array(this.columns);
    for (let i = from; i < to; i++) {
      queries.read(i, query, 0);
      sums[i - from] = this.#weighted(points, query) / this.#unit;
    }
  }

  release(): void {
    this.#points = undefined;
  }

  /** Σ α_p k(x_p, q): even and odd points apart, four of each panel at a time. */
  #weighted(points: KernelRows, query: Float64Array): number {
    const [square] = squaresOf(query, query.length) as unknown as [number];
    const term = (p: number): number =>
      p < this.count ? (this.coefficients[p] as number) * points.value(query, square, p) : 0;
    let even = 0;
    let odd = 0;
    for (let p = 0; p < this.count; p += PANEL) {
      even += term(p) + term(p + 2) + (term(p + 4) + term(p + 6));
      odd += term(p + 1) + term(p + 3) + (term(p + 5) + term(p + 7));
    }
    return even + odd;
  }
}

/** Σ_j α_j k(x_i, x_j) of every row. */
function sumsOf({ rows: data, columns, kernel, alphas }: Problem): Float64Array {
  const support = supportOf(alphas);
  const coefficients = Float64Array.from(support, (index) => alphas[index] as number);
  const vectors = new JsSupportVectors(rowsAt(data, columns, support), columns, coefficients, kernel);
  const rows = alphas.length;
  const sums = new Float64Array(rows);
  vectors.sum(new RowReader().attach({ data, rows, columns }), 0, rows, sums);
  return sums;
}

class Solver {
  readonly #problem: Problem;
  readonly #points: KernelRows;
  /** Sums of every row, times the unit. */
  readonly #gradient: Float64Array;
  readonly #tolerance: number;
  /** k(x_i, x_i), times the unit. */
  readonly #diagonal: Float64Array;
  /** Rows of the kernel matrix by index, the least recently used first. */
  readonly #rows = new Map<number, Float32Array>();
  readonly #mostRows: number;
  #growing = NONE;
  #shrinking = NONE;
  #gap = 0;

  constructor(problem: Problem) {
    const { rows, columns, kernel, alphas, tolerance, cacheSize } = problem;
    this.#problem = problem;
    this.#points = new KernelRows(rows, columns, kernel);
    const sums = sumsOf(problem);
    this.#tolerance = reachableTolerance(tolerance, sums) * kernel.unit;
    this.#gradient = sums.map((sum) => sum * kernel.unit);
    this.#diagonal = alphas.map((_, i) => this.#points.between(i, i));
    this.#mostRows = Math.max(4, Math.floor(cacheSize / (4 * alphas.length)));
  }

  *solve(): Steps<Solution> {
    const { maxIterations } = this.#problem;
    const zeros = new Float32Array(this.#gradient.length);
    this.#moveGradient(zeros, zeros, 0, 0);
    let iterations = 0;
    const patience = patienceFor(this.#gradient.length);
    let bestGap = Infinity;
    let gainedAt = 0;
    while (iterations < maxIterations && this.#gap > 0 && this.#gap >= this.#tolerance) {
      if (this.#gap < 0.9 * bestGap) {
        bestGap = this.#gap;
        gainedAt = iterations;
      }
      if (iterations - gainedAt > patience || !this.#step()) break;
      iterations++;
      yield;
    }
    return { sums: sumsOf(this.#problem), iterations };
  }

  /** One exchange of weight; false where rounding leaves nothing to exchange. */
  #step(): boolean {
    const { alphas } = this.#problem;
    const i = this.#growing;
    const rowI = this.#row(i);
    const j = this.#bestPartner(i, rowI);
    if (j === NONE) return false;
    const rowJ = this.#row(j);
    const [alphaI, alphaJ] = [alphas[i] as number, alphas[j] as number];
    const sum = alphaI + alphaJ;
    let nextJ = alphaJ - this.#slope(i, j) / this.#pairCurvature(i, j, rowI);
    // Within the bounds, and the sum of both stays what it is.
    if (nextJ < 0) nextJ = 0;
    let nextI = sum - nextJ;
    if (nextI > 1) {
      nextI = 1;
      nextJ = sum - 1;
    }
    if (nextI === alphaI && nextJ === alphaJ) return false;
    alphas[i] = nextI;
    alphas[j] = nextJ;
    this.#moveGradient(rowI, rowJ, nextI - alphaI, nextJ - alphaJ);
    return true;
  }

  /** The point that can shrink whose exchange with i gains the most: b²/a. */
  #bestPartner(i: number, rowI: Float32Array): number {
    const { alphas } = this.#problem;
    let most = 0;
    let partner = NONE;
    for (let t = 0; t < alphas.length; t++) {
      const b = this.#slope(i, t);
      if (!(b > 0 && (alphas[t] as number) > 0)) continue;
      const gain = (b * b) / this.#pairCurvature(i, t, rowI);
      if (gain > most) {
        most = gain;
        partner = t;
      }
    }
    return partner;
  }

  #slope(i: number, j: number): number {
    return (this.#gradient[j] as number) - (this.#gradient[i] as number);
  }

  #pairCurvature(i: number, j: number, rowI: Float32Array): number {
    const a = (this.#diagonal[i] as number) + (this.#diagonal[j] as number) - 2 * (rowI[j] as number);
    return a > 0 ? a : LEAST_CURVATURE;
  }

  /** Moves the gradient and notes who can grow with the lowest, and who can shrink with the highest. */
  #moveGradient(rowI: Float32Array, rowJ: Float32Array, byI: number, byJ: number): void {
    let lowest = Infinity;
    let highest = -Infinity;
    this.#growing = this.#shrinking = NONE;
    const { alphas } = this.#problem;
    const gradient = this.#gradient;
    for (let t = 0; t < alphas.length; t++) {
      const alpha = alphas[t] as number;
      const value = (gradient[t] as number) + ((rowI[t] as number) * byI + (rowJ[t] as number) * byJ);
      gradient[t] = value;
      if (alpha < 1 && value < lowest) {
        lowest = value;
        this.#growing = t;
      }
      if (alpha > 0 && value > highest) {
        highest = value;
        this.#shrinking = t;
      }
    }
    this.#gap = this.#growing === NONE || this.#shrinking === NONE ? 0 : highest - lowest;
  }

  #row(i: number): Float32Array {
    const row = this.#rows.get(i) ?? this.#computedRow(i);
    this.#rows.delete(i);
    this.#rows.set(i, row);
    return row;
  }

  #computedRow(i: number): Float32Array {
    const [oldest] = this.#rows.keys();
    if (this.#rows.size >= this.#mostRows && oldest !== undefined) this.#rows.delete(oldest);
    return this.#points.among(i);
  }
}
