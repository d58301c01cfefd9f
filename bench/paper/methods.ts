// The columns of the tables: how curvad makes each detector. A new one is a line here.
import { CAD, EllipticEnvelope, type FittableDetector, IsolationForest, LOF, OneClassSVM } from 'curvad';
import type { ReleasedKernel } from './as-published.js';
import type { MethodName } from './published.js';

export interface Method {
  readonly name: MethodName;
  /** An unfitted detector; k is the number of neighbours, for those that have them. */
  make(k: number): FittableDetector;
  /** Where the released program departs from the paper, the kernel by which it is imitated. */
  readonly released?: ReleasedKernel;
}

export const METHODS: readonly Method[] = [
  { name: 'CAD', make: (k) => cad(k, 'linear'), released: 'linear' },
  { name: 'K-CAD rbf', make: (k) => cad(k, 'rbf'), released: 'rbf' },
  { name: 'K-CAD poly', make: (k) => cad(k, 'polynomial'), released: 'polynomial' },
  { name: 'IForest', make: () => new IsolationForest({ seed: 42 }) },
  { name: 'LOF', make: () => new LOF({ neighbors: 10 }) },
  { name: 'SVM', make: () => new OneClassSVM({ nu: 0.5, gamma: 'auto' }) },
  { name: 'EE', make: () => new EllipticEnvelope({ seed: 42 }) },
];

function cad(neighbors: number, kernel: ReleasedKernel): CAD {
  return new CAD({ neighbors, kernel, precision: 'double' });
}
