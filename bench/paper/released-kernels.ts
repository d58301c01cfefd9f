// The arithmetic of the released program: distances in a kernel's feature space from inner products, and
// the score of a row from its edges, the differences of its neighbours from it.
import type { DataSet } from './data.js';

/** Everything follows from inner products: of x and y, of x with itself, of y with itself. */
export interface Kernel {
  /** k(x, y). */
  between(xy: number, xx: number, yy: number, gamma: number): number;
  /** What an edge brings into the normalisation. */
  size(xx: number, gamma: number): number;
  /** The entry of two edges in the normalised matrix; `sizes` is the product of theirs. */
  entry(xy: number, xx: number, yy: number, sizes: number, gamma: number): number;
}

type KernelFunction = Kernel['between'];

/** Divided by the roots of the diagonal. */
function normalized(between: KernelFunction): Kernel {
  return {
    between,
    size: (xx, gamma) => 1 / Math.sqrt(between(xx, xx, xx, gamma)),
    entry: (xy, xx, yy, sizes, gamma) => between(xy, xx, yy, gamma) * sizes,
  };
}

const cube = (x: number): number => x * x * x;
/** 0 where an edge has no length, and at most 1. */
const cosine = (product: number, lengths: number): number => (lengths === 0 ? 0 : Math.min(1, product / lengths));
const linear: Kernel = {
  between: (xy) => xy,
  size: Math.sqrt,
  entry: (xy, _xx, _yy, sizes) => cosine(xy, sizes),
};

export const KERNELS = {
  linear,
  /** CAD on bytes: inner products of edges wrap, their lengths do not. */
  linearOfBytes: { ...linear, entry: (xy, _xx, _yy, sizes) => cosine(xy % 256, sizes) },
  rbf: normalized((xy, xx, yy, gamma) => Math.exp(-gamma * Math.max(0, xx - 2 * xy + yy))),
  polynomial: normalized((xy, _xx, _yy, gamma) => cube(gamma * xy + 1)),
} as const satisfies Record<string, Kernel>;

/** Makes a function that writes the distances of a row to all rows, in the feature space of a kernel. */
export function distancesIn(kernel: Kernel, set: DataSet, gamma: number): (row: number, into: Float64Array) => void {
  const { data, rows, columns } = set;
  const between = kernel.between;
  const norms = new Float64Array(rows).map((_, i) => dot(data, i * columns, data, i * columns, columns));
  const selves = norms.map((xx) => between(xx, xx, xx, gamma));
  return (row, into) => {
    const [xx, self] = [norms[row] as number, selves[row] as number];
    for (let i = 0; i < rows; i++) {
      const xy = dot(data, row * columns, data, i * columns, columns);
      const square = self - 2 * between(xy, xx, norms[i] as number, gamma) + (selves[i] as number);
      into[i] = Math.sqrt(Math.max(0, square));
    }
  };
}

/** Lengths of differences in which −1 is 255. */
export function wrappedDistances({ data, rows, columns }: DataSet, row: number, into: Float64Array): void {
  for (let other = 0; other < rows; other++) {
    let square = 0;
    for (let j = 0; j < columns; j++) {
      const difference = ((data[row * columns + j] as number) - (data[other * columns + j] as number)) & 255;
      square += difference * difference;
    }
    into[other] = Math.sqrt(square);
  }
}

/** Makes a function that scores a row by its neighbours. Differences of bytes are taken modulo 256. */
export function scoreWith(
  kernel: Kernel,
  { data, columns }: DataSet,
  gamma: number,
  isBytes: boolean,
): (row: number, neighbors: Uint32Array) => number {
  return (row, neighbors) => {
    const k = neighbors.length;
    const edges = new Float64Array(k * columns);
    for (let a = 0; a < k; a++) {
      const from = (neighbors[a] as number) * columns;
      for (let j = 0; j < columns; j++) {
        const difference = (data[from + j] as number) - (data[row * columns + j] as number);
        edges[a * columns + j] = isBytes ? difference & 255 : difference;
      }
    }
    const product = (a: number, b: number): number => dot(edges, a * columns, edges, b * columns, columns);
    const norms = new Float64Array(k).map((_, a) => product(a, a));
    const sizes = norms.map((xx) => kernel.size(xx, gamma));
    let sum = 0;
    // The program pairs each neighbour but the last with itself, too.
    for (let a = 0; a < k - 1; a++) {
      for (let b = a; b < k; b++) {
        const size = (sizes[a] as number) * (sizes[b] as number);
        sum += kernel.entry(product(a, b), norms[a] as number, norms[b] as number, size, gamma);
      }
    }
    return sum;
  };
}

function dot(x: Float64Array, fromX: number, y: Float64Array, fromY: number, length: number): number {
  // Four sums, as one would wait for itself.
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let j = 0;
  for (; j + 3 < length; j += 4) {
    s0 += (x[fromX + j] as number) * (y[fromY + j] as number);
    s1 += (x[fromX + j + 1] as number) * (y[fromY + j + 1] as number);
    s2 += (x[fromX + j + 2] as number) * (y[fromY + j + 2] as number);
    s3 += (x[fromX + j + 3] as number) * (y[fromY + j + 3] as number);
  }
  for (; j < length; j++) s0 += (x[fromX + j] as number) * (y[fromY + j] as number);
  return s0 + s1 + (s2 + s3);
}
