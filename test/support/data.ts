// What the tests are fed with and compared to: fixtures, real data sets, seeded random numbers, and the
// paper's equations written out with plain loops. Nothing here comes from src/, so that agreement means
// something.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const WASM_BACKENDS = ['wasm-simd'] as const;
export const BACKENDS = ['js', ...WASM_BACKENDS] as const;
export const PRECISIONS = ['single', 'double'] as const;
export const KERNELS = ['linear', 'rbf', 'laplacian', 'polynomial', 'sigmoid', 'cosine'] as const;

export type Rows = readonly ArrayLike<number>[];

/** A kernel as the options of a detector name it; gamma is 1/d where it is left out. */
export interface KernelOptions {
  kernel: (typeof KERNELS)[number];
  gamma?: number;
  degree?: number;
  coef0?: number;
}

// --- fixtures and data sets ---------------------------------------------------------------

/** A file of test/fixtures, made by make.py. */
export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8')) as T;
}

export interface DataSet {
  name: string;
  /** Row after row. */
  X: Float64Array;
  rows: number;
  columns: number;
  /** 1 for anomalies; empty where a set has no labels. */
  labels: readonly number[];
}

/** Where the real data sets are, or undefined: then the tests that need them are skipped. */
export function dataDirectory(): string | undefined {
  const directory = process.env['CURVAD_DATA'];
  return directory !== undefined && existsSync(directory) ? directory : undefined;
}

/** Whether the real data sets are missing; says so once for each file of tests that asks. */
export function isDataMissing(what: string): boolean {
  if (dataDirectory() !== undefined) return false;
  console.warn(`skipped: ${what} (set CURVAD_DATA to the directory of the real data sets)`);
  return true;
}

export function loadData(name: string): DataSet {
  const directory = dataDirectory();
  if (directory === undefined) throw new Error('CURVAD_DATA is not set');
  const meta = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as {
    n: number;
    d: number;
    dtype: 'uint8' | 'float32' | 'float64';
    labels?: number[];
  };
  const file = readFileSync(join(directory, `${name}.bin`));
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
  const Values = { uint8: Uint8Array, float32: Float32Array, float64: Float64Array }[meta.dtype];
  return {
    name,
    X: Float64Array.from(new Values(bytes)),
    rows: meta.n,
    columns: meta.d,
    labels: meta.labels ?? [],
  };
}

/** The rows of a flat array. */
export function rowsOf({ X, columns }: Pick<DataSet, 'X' | 'columns'>): Float64Array[] {
  return Array.from({ length: X.length / columns }, (_, i) => X.subarray(i * columns, (i + 1) * columns));
}

// --- random numbers -----------------------------------------------------------------------

/** mulberry32: the same numbers for the same seed, everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number in [0, end). */
  integer(end: number): number {
    return Math.floor(this.uniform() * end);
  }

  /** From the standard normal distribution (Box and Muller). */
  gaussian(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Rows of independent numbers; standard normal unless told otherwise. */
  rows(count: number, columns: number, value: () => number = () => this.gaussian()): Float64Array[] {
    return Array.from({ length: count }, () => Float64Array.from({ length: columns }, value));
  }

  /** The indices 0 … count − 1 in random order. */
  permutation(count: number): number[] {
    const order = Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    return order;
  }
}

// --- the paper, literally -----------------------------------------------------------------

function sum(count: number, term: (j: number) => number): number {
  let total = 0;
  for (let j = 0; j < count; j++) total += term(j);
  return total;
}

export function squaredDistance(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return sum(x.length, (j) => ((x[j] as number) - (y[j] as number)) ** 2);
}

export function manhattanDistance(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return sum(x.length, (j) => Math.abs((x[j] as number) - (y[j] as number)));
}

function product(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return sum(x.length, (j) => (x[j] as number) * (y[j] as number));
}

/** k(x, y). */
export function kernelOf(options: KernelOptions, x: ArrayLike<number>, y: ArrayLike<number>): number {
  const { kernel, gamma = 1 / x.length, degree = 3, coef0 = 1 } = options;
  switch (kernel) {
    case 'linear':
      return product(x, y);
    case 'rbf':
      return Math.exp(-gamma * squaredDistance(x, y));
    case 'laplacian':
      return Math.exp(-gamma * manhattanDistance(x, y));
    case 'polynomial':
      return (gamma * product(x, y) + coef0) ** degree;
    case 'sigmoid':
      return Math.tanh(gamma * product(x, y) + coef0);
    case 'cosine': {
      const norms = Math.sqrt(product(x, x) * product(y, y));
      return norms === 0 ? 0 : product(x, y) / norms;
    }
  }
}

export interface PaperScores {
  scores: Float64Array;
  /** Neighbours of each row, nearest first. */
  neighbors: number[][];
  /** Rows for which rounding decides who is the last neighbour: their scores say nothing. */
  ambiguous: Set<number>;
}

/** Scores of the training rows, or of other rows, by D, K and K' as the paper writes them. */
export function paperScores(X: Rows, k: number, options: KernelOptions, queries?: Rows): PaperScores {
  const ambiguous = new Set<number>();
  const neighbors: number[][] = [];
  const scores = Float64Array.from(queries ?? X, (x, i) => {
    const sorted = X.map((y, index) => {
      const [xx, xy, yy] = [kernelOf(options, x, x), kernelOf(options, x, y), kernelOf(options, y, y)];
      const square = Math.max(0, xx - 2 * xy + yy);
      return { index, square, magnitude: Math.abs(xx) + Math.abs(yy) };
    })
      .filter(({ index }) => queries !== undefined || index !== i)
      .sort((a, b) => a.square - b.square || a.index - b.index);
    const last = sorted[k - 1];
    const next = sorted[k];
    if (last && next && next.square - last.square <= 1e-12 * (last.magnitude + next.magnitude)) ambiguous.add(i);
    neighbors.push(sorted.slice(0, k).map(({ index }) => index));
    return edgeScore(
      sorted.slice(0, k).map(({ index }) => difference(X[index] as ArrayLike<number>, x)),
      options,
    );
  });
  return { scores, neighbors, ambiguous };
}

/** s = Σ_{a<b} K_ab / √(K_aa K_bb); an edge whose K_aa is not positive and finite counts nothing. */
function edgeScore(edges: Float64Array[], options: KernelOptions): number {
  const K = edges.map((a) => edges.map((b) => kernelOf(options, a, b)));
  const at = (a: number, b: number) => (K[a] as number[])[b] as number;
  let score = 0;
  for (let a = 0; a < edges.length; a++) {
    for (let b = a + 1; b < edges.length; b++) {
      const scale = Math.sqrt(at(a, a) * at(b, b));
      if (at(a, a) > 0 && at(b, b) > 0 && Number.isFinite(scale)) score += at(a, b) / scale;
    }
  }
  return score;
}

function difference(x: ArrayLike<number>, y: ArrayLike<number>): Float64Array {
  return Float64Array.from(x, (value, j) => value - (y[j] as number));
}
