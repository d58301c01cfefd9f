// The kernel of the one-class support vector machine, as assembly/kernel-panels.ts computes it: sums in column
// order and in f64, times the unit, then rounded to f32.
import { type SvmKernel, squaresOf } from '../svm/problem.js';
import { kernelExponential } from './elementary.js';
import { kernelOfProduct } from './kernels.js';

/** Beyond it a kernel value counts as this large: f32 holds no more. */
const LARGEST = 3e38;

/** Rows whose kernel values with any row can be asked for. */
export class KernelRows {
  readonly count: number;
  readonly #rows: Float64Array;
  readonly #squares: Float64Array;
  readonly #columns: number;
  readonly #kernel: SvmKernel;

  constructor(rows: Float64Array, columns: number, kernel: SvmKernel) {
    this.#rows = rows;
    this.#columns = columns;
    this.#kernel = kernel;
    this.#squares = squaresOf(rows, columns);
    this.count = this.#squares.length;
  }

  row(i: number): Float64Array {
    return this.#rows.subarray(i * this.#columns, (i + 1) * this.#columns);
  }

  /** k(q, x_i) times the unit, where `square` is q·q. */
  value(query: Float64Array, square: number, i: number): number {
    const kernel = this.#kernel;
    if (kernel.name !== 'rbf') {
      const value = kernelOfProduct(kernel, this.#product(query, i)) * kernel.unit;
      return Math.fround(Math.min(Math.max(value, -LARGEST), LARGEST));
    }
    return Math.fround(kernelExponential(-kernel.gamma * this.#squaredDistance(query, square, i)));
  }

  /** k(x_i, x_j). */
  between(i: number, j: number): number {
    return this.value(this.row(i), this.#squares[i] as number, j);
  }

  /** k(x_i, x_t) of every t. */
  among(i: number): Float32Array {
    const values = new Float32Array(this.count);
    const [row, square] = [this.row(i), this.#squares[i] as number];
    for (let t = 0; t < values.length; t++) values[t] = this.value(row, square, t);
    return values;
  }

  #product(query: Float64Array, i: number): number {
    const at = i * this.#columns;
    let sum = 0;
    for (let j = 0; j < query.length; j++) sum += (query[j] as number) * (this.#rows[at + j] as number);
    return sum;
  }

  #squaredDistance(query: Float64Array, square: number, i: number): number {
    if (!this.#kernel.isByDifferences) {
      return Math.max(square + (this.#squares[i] as number) - 2 * this.#product(query, i), 0);
    }
    const at = i * this.#columns;
    let sum = 0;
    for (let j = 0; j < query.length; j++) {
      const difference = (query[j] as number) - (this.#rows[at + j] as number);
      sum += difference * difference;
    }
    return sum;
  }
}
