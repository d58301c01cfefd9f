// The arithmetic of the released program: distances in a kernel's feature space from inner products, and
// the normalised Gram matrix of the edges from a row to its neighbours, entry by entry as NumPy has it.
import type { DataSet } from './data.js';

/** k × k, row after row. */
export type Gram = Float64Array;

export interface Kernel {
  /** Makes a function that turns the products of a row with all rows into its distances to them, in place. */
  distances(norms: Float64Array, gamma: number): (products: Float64Array, row: number) => void;
  /** The kernel between edges, divided by the roots of its diagonal. */
  gram(edges: readonly Float64Array[], gamma: number): Gram;
}

/** A kernel from the inner product of x and y, and their squared norms. */
type KernelFunction = (xy: number, xx: number, yy: number, gamma: number) => number;

const squaredDistance: KernelFunction = (xy, xx, yy) => Math.max(0, xx - 2 * xy + yy);

function kernelOf(k: KernelFunction): Kernel {
  return {
    distances(norms, gamma) {
      const selves = norms.map((xx) => k(xx, xx, xx, gamma));
      return (products, row) => {
        const [xx, self] = [norms[row] as number, selves[row] as number];
        for (let i = 0; i < products.length; i++) {
          const between = k(products[i] as number, xx, norms[i] as number, gamma);
          products[i] = Math.sqrt(Math.max(0, self - 2 * between + (selves[i] as number)));
        }
      };
    },
    gram(edges, gamma) {
      const inner = innerProducts(edges);
      const k0 = edges.length;
      const at = (a: number, b: number): number => inner[a * k0 + b] as number;
      const scales = edges.map((_, a) => 1 / Math.sqrt(k(at(a, a), at(a, a), at(a, a), gamma)));
      return inner.map((product, i) => {
        const [a, b] = [Math.floor(i / k0), i % k0];
        return k(product, at(a, a), at(b, b), gamma) * ((scales[a] as number) * (scales[b] as number));
      });
    },
  };
}

const cube = (x: number): number => x * x * x;

export const KERNELS: Readonly<Record<'linear' | 'rbf' | 'polynomial', Kernel>> = {
  linear: { ...kernelOf((xy) => xy), gram: (edges) => cosinesOf(innerProducts(edges), edges) },
  rbf: kernelOf((xy, xx, yy, gamma) => Math.exp(-gamma * squaredDistance(xy, xx, yy, gamma))),
  polynomial: kernelOf((xy, _xx, _yy, gamma) => cube(gamma * xy + 1)),
};

/** CAD on bytes: the inner products wrap as well, the norms do not. */
export const wrappedCosines: Kernel['gram'] = (edges) =>
  cosinesOf(
    innerProducts(edges).map((product) => product % 256),
    edges,
  );

/** Products over norms; 0 where an edge has no length, and at most 1. */
function cosinesOf(inner: Gram, edges: readonly Float64Array[]): Gram {
  const lengths = edges.map((edge) => Math.sqrt(dot(edge, 0, edge, 0, edge.length)));
  return inner.map((product, i) => {
    const norm = (lengths[Math.floor(i / edges.length)] as number) * (lengths[i % edges.length] as number);
    return norm === 0 ? 0 : Math.min(1, product / norm);
  });
}

function innerProducts(edges: readonly Float64Array[]): Gram {
  const k = edges.length;
  const gram = new Float64Array(k * k);
  edges.forEach((x, a) => {
    for (let b = a; b < k; b++) gram[a * k + b] = gram[b * k + a] = dot(x, 0, edges[b] as Float64Array, 0, x.length);
  });
  return gram;
}

/** Σ over a < k and b ≥ a: the program pairs each neighbour but the last with itself, too. */
export function pairSum(gram: Gram, k: number): number {
  let sum = 0;
  for (let a = 0; a < k - 1; a++) for (let b = a; b < k; b++) sum += gram[a * k + b] as number;
  return sum;
}

/** The differences of neighbours from a row; of bytes, modulo 256. */
export function edgesOf(set: DataSet, row: number, neighbors: Uint32Array, isBytes: boolean): Float64Array[] {
  const { data, columns } = set;
  return Array.from(neighbors, (neighbor) => {
    const edge = new Float64Array(columns);
    for (let j = 0; j < columns; j++) {
      const difference = (data[neighbor * columns + j] as number) - (data[row * columns + j] as number);
      edge[j] = isBytes ? difference & 255 : difference;
    }
    return edge;
  });
}

export function squaredNorms({ data, rows, columns }: DataSet): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => dot(data, i * columns, data, i * columns, columns));
}

/** The inner products of a row with all rows. */
export function products({ data, rows, columns }: DataSet, row: number, into: Float64Array): Float64Array {
  for (let i = 0; i < rows; i++) into[i] = dot(data, row * columns, data, i * columns, columns);
  return into;
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
