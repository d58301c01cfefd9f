// How many rows are flagged by default: few of clean data, for every detector but CAD, whose two-means flags the rim of
// every cloud as in the paper, and OneClassSVM, whose ν says how many.
import { describe, expect, it } from 'vitest';
import {
  type AnyDetector,
  EllipticEnvelope,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  OneClassSVM,
} from '../../src/index.js';
import { CLOUDS } from '../support/clouds.js';

const share = ({ labels }: AnyDetector): number => labels.reduce((sum, label) => sum + label, 0) / labels.length;

describe.each(Object.entries(CLOUDS))('of a clean cloud (%s)', (_, cloud) => {
  it.each([
    ['LandmarkCAD', () => new LandmarkCAD()],
    ['KNN', () => new KNN()],
    ['LOF', () => new LOF()],
    ['IsolationForest', () => new IsolationForest()],
    ['EllipticEnvelope', () => new EllipticEnvelope()],
  ])('%s flags at most 6 %%', (_, make: () => AnyDetector) => {
    using detector = make();
    expect(share(detector.fit(cloud))).toBeLessThanOrEqual(0.06);
  });

  it('OneClassSVM with ν = 0.05 flags at most 5.5 %', () => {
    using detector = new OneClassSVM({ nu: 0.05, standardize: true });
    expect(share(detector.fit(cloud))).toBeLessThanOrEqual(0.055);
  });
});
