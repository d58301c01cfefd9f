// The scores behind the published tables: what the released program computes where it departs from the paper.
// New rows lose their nearest neighbour, as if it were the row itself; equal distances are in NumPy's order;
// a neighbour is also paired with itself, but the last; and the letter file is subtracted in 8 bits.
import { type Fold, NearestNeighbors, rocAuc } from 'curvad';
import type { DataSet } from './data.js';
import { argsortBeginning } from './numpy-sort.js';
import { distancesIn, KERNELS, scoreWith, wrappedDistances } from './released-kernels.js';

/** 'linear' is CAD, the others kernel CAD. */
export type ReleasedKernel = 'linear' | 'rbf' | 'polynomial';

export interface ReleasedOptions {
  readonly k: number;
  readonly kernel: ReleasedKernel;
  /** Differences, and the products of CAD, are taken modulo 256: the file holds bytes. */
  readonly isBytes: boolean;
}

/** The linear kernel has no γ. */
const NO_GAMMA = 1;

/** AUC in percent, per fold. */
export interface Areas {
  readonly train: number[];
  readonly test: number[];
}

/**
 * The AUC of each fold as the tables give it. CAD is inverted there: lower scores count as anomalous; kernel
 * CAD is not, although the paper says that lower scores are anomalous.
 */
export function releasedAreas(set: DataSet, folds: readonly Fold[], options: ReleasedOptions): Areas {
  const sign = options.kernel === 'linear' ? -1 : 1;
  const scores = options.kernel === 'linear' ? linearScores(set, folds, options) : kernelScores(set, folds, options);
  const area = (rows: Uint32Array, ofFold: Float64Array): number =>
    100 *
    rocAuc(
      Array.from(rows, (row) => set.labels[row] as number),
      Array.from(rows, (row) => sign * (ofFold[row] as number)),
    );
  return {
    train: folds.map(({ train }, fold) => area(train, scores[fold] as Float64Array)),
    test: folds.map(({ test }, fold) => area(test, scores[fold] as Float64Array)),
  };
}

/** CAD: training rows by a proper search, test rows by a sorted list of distances without its first entry. */
function linearScores(set: DataSet, folds: readonly Fold[], { k, isBytes }: ReleasedOptions): Float64Array[] {
  const score = scoreWith(isBytes ? KERNELS.linearOfBytes : KERNELS.linear, set, NO_GAMMA, isBytes);
  const plainDistances = distancesIn(KERNELS.linear, set, NO_GAMMA);
  const toAll = new Float64Array(set.rows);
  return folds.map(({ train, test }) => {
    const scores = new Float64Array(set.rows);
    const found = neighborsWithin(set, train, k).map((i) => train[i] as number);
    train.forEach((row, i) => {
      // The program reads neighbours off a matrix, so that they come in ascending order.
      scores[row] = score(row, found.subarray(i * k, (i + 1) * k).sort());
    });
    const nearest = nearestIn(train, k);
    for (const row of test) {
      if (isBytes) wrappedDistances(set, row, toAll);
      else plainDistances(row, toAll);
      scores[row] = score(row, nearest(toAll));
    }
    return scores;
  });
}

/** Kernel CAD: for training and test rows alike, a sorted list of distances without its first entry. */
function kernelScores(set: DataSet, folds: readonly Fold[], { k, kernel, isBytes }: ReleasedOptions): Float64Array[] {
  const gamma = 1 / set.columns;
  const score = scoreWith(KERNELS[kernel], set, gamma, isBytes);
  const distances = distancesIn(KERNELS[kernel], set, gamma);
  const scores = folds.map(() => new Float64Array(set.rows));
  const searches = folds.map(({ train }) => nearestIn(train, k));
  const toAll = new Float64Array(set.rows);
  // Row by row, as the distances to all others serve every fold.
  for (let row = 0; row < set.rows; row++) {
    distances(row, toAll);
    searches.forEach((nearest, fold) => {
      (scores[fold] as Float64Array)[row] = score(row, nearest(toAll));
    });
  }
  return scores;
}

/** Finds, by distances to all rows, the training rows of ranks 2 … k + 1. */
function nearestIn(train: Uint32Array, k: number): (distances: Float64Array) => Uint32Array {
  const values = new Float64Array(train.length);
  const order = new Uint32Array(train.length);
  return (distances) => {
    for (let i = 0; i < train.length; i++) values[i] = distances[train[i] as number] as number;
    return argsortBeginning(values, k + 1, order)
      .subarray(1)
      .map((i) => train[i] as number);
  };
}

/** The k nearest of each training row, as positions in the list of training rows, without itself. */
function neighborsWithin({ data, columns }: DataSet, train: Uint32Array, k: number): Uint32Array {
  const rows = Array.from(train, (row) => data.subarray(row * columns, (row + 1) * columns));
  using search = new NearestNeighbors(rows, { precision: 'double' });
  return search.ofEachRow(k).indices;
}
