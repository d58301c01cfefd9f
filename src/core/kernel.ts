// Kernels: names, parameters, and how neighbours are searched in their feature space.

/** The kernels of the paper; linear is plain CAD. */
export type KernelName = 'linear' | 'rbf' | 'laplacian' | 'polynomial' | 'sigmoid' | 'cosine';

/** A kernel with its parameters. */
export interface Kernel {
  readonly name: KernelName;
  readonly gamma: number;
  readonly coef0: number;
  readonly degree: number;
}

export const KERNEL_NAMES: readonly KernelName[] = ['linear', 'rbf', 'laplacian', 'polynomial', 'sigmoid', 'cosine'];

/**
 * The distance used to compare: the squared L2 distance, the L1 distance, or D² = k(x,x) − 2k(x,y) + k(y,y).
 * For rbf (laplacian) D² grows with the L2 (L1) distance, so that order is used: on unscaled data the
 * exponential underflows and all D² would be equal.
 */
export type Distance = 'squared' | 'absolute' | 'kernel';

export function distanceOf(kernel: KernelName): Distance {
  if (kernel === 'linear' || kernel === 'rbf') return 'squared';
  return kernel === 'laplacian' ? 'absolute' : 'kernel';
}

/** The distance between rows: L2 or L1. */
export type Metric = 'euclidean' | 'manhattan';

export const METRICS: readonly Metric[] = ['euclidean', 'manhattan'];

/** The kernel whose distances search by a metric. Nothing else turns a metric into a search. */
export function kernelOfMetric(metric: Metric): Kernel {
  return { name: metric === 'euclidean' ? 'linear' : 'laplacian', gamma: 1, coef0: 0, degree: 1 };
}

/** Whether the score is invariant to translating all points and the query. */
export function isTranslationInvariant(kernel: KernelName): boolean {
  return distanceOf(kernel) !== 'kernel';
}
