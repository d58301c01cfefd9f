// How many rows are flagged by default: few of clean data, for every detector but CAD, whose two-means flags the rim of
// every cloud as in the paper, and OneClassSVM, whose ν says how many.
import { describe, expect, it } from 'vitest';
import { type AnyDetector, IsolationForest, KNN, LandmarkCAD, LOF, OneClassSVM } from '../../src/index.js';
import { Random } from '../support/data.js';

const random = new Random(5);
const normal = (): number => random.gaussian();
const uniform = (): number => random.uniform();
const rows = (columns: number, value: (column: number) => number): number[][] =>
  Array.from({ length: 400 }, () => Array.from({ length: columns }, (_, j) => value(j)));

/** Clean clouds: nobody put an anomaly in. */
const CLOUDS: Readonly<Record<string, number[][]>> = {
  'Gaussian, 2 columns': rows(2, normal),
  'Gaussian, 10 columns': rows(10, normal),
  'Gaussian, 60 columns': rows(60, normal),
  'uniform, 2 columns': rows(2, uniform),
  'uniform, 8 columns': rows(8, uniform),
  'exponential, 3 columns': rows(3, () => -Math.log(1 - uniform())),
  'lognormal, 3 columns': rows(3, () => Math.exp(normal())),
  'columns in different units': rows(4, (j) => normal() * 1000 ** j),
  'two equal clusters': rows(3, normal).map((row, i) => row.map((value) => value + (i % 2) * 8)),
  'a ring': rows(1, uniform).map(([t = 0]) => [Math.cos(7 * t) + normal() / 20, Math.sin(7 * t) + normal() / 20]),
  'whole numbers from 0 to 9': rows(5, () => Math.floor(10 * uniform())),
  'a line with noise': rows(1, normal).map(([t = 0]) => [t, 2 * t + normal() / 10, -t + normal() / 10]),
};

const share = ({ labels }: AnyDetector): number => labels.reduce((sum, label) => sum + label, 0) / labels.length;

describe.each(Object.entries(CLOUDS))('of a clean cloud (%s)', (_, cloud) => {
  it.each([
    ['LandmarkCAD', () => new LandmarkCAD()],
    ['KNN', () => new KNN()],
    ['LOF', () => new LOF()],
    ['IsolationForest', () => new IsolationForest()],
  ])('%s flags at most 6 %%', (_, make: () => AnyDetector) => {
    using detector = make();
    expect(share(detector.fit(cloud))).toBeLessThanOrEqual(0.06);
  });

  it('OneClassSVM with ν = 0.05 flags at most 5.5 %', () => {
    using detector = new OneClassSVM({ nu: 0.05, standardize: true });
    expect(share(detector.fit(cloud))).toBeLessThanOrEqual(0.055);
  });
});
