// Every detector with its defaults; those that depend on the units of columns are standardized.
import type { AnyDetector } from 'curvad';

const { CAD, EllipticEnvelope, IsolationForest, KNN, LandmarkCAD, LOF, OneClassSVM } = await import('curvad');

const standardize = true;

export const DETECTORS: Readonly<Record<string, (seed?: number) => AnyDetector>> = {
  LandmarkCAD: (seed = 0) => new LandmarkCAD({ seed }),
  CAD: () => new CAD({ standardize }),
  'K-CAD rbf': () => new CAD({ standardize, kernel: 'rbf' }),
  KNN: () => new KNN({ standardize }),
  LOF: () => new LOF({ standardize }),
  IsolationForest: (seed = 0) => new IsolationForest({ seed }),
  OneClassSVM: () => new OneClassSVM({ standardize }),
  EllipticEnvelope: (seed = 0) => new EllipticEnvelope({ seed }),
};

/** The default detector with other weights of curvature. */
export const WEIGHTED: Readonly<Record<string, (seed?: number) => AnyDetector>> = Object.fromEntries(
  [0, 0.5, 1].map((curvature) => [`LandmarkCAD, λ = ${curvature}`, (seed = 0) => new LandmarkCAD({ seed, curvature })]),
);

/** Those that draw at random. */
export const SEEDED: readonly string[] = ['LandmarkCAD', 'IsolationForest', 'EllipticEnvelope'];
