// The window against the definition: a fresh detector, fitted on the rows of the window, bit for bit.
import { describe, expect, it } from 'vitest';
import { CAD, KNN, LandmarkCAD, LOF } from '../../src/index.js';
import { SlidingWindow, type WindowDetector } from '../../src/streams/index.js';
import { compareWithFits, type WindowCase } from '../support/windows.js';

const CASES: WindowCase<WindowDetector>[] = [
  {
    name: 'CAD',
    window: 300,
    columns: 3,
    updates: 2000,
    make: (backend) => new CAD({ precision: 'single', ...(backend && { backend }) }),
  },
  {
    name: 'CAD of rbf',
    window: 100,
    columns: 5,
    updates: 700,
    make: () => new CAD({ precision: 'single', kernel: 'rbf', gamma: 0.1 }),
  },
  {
    name: 'CAD of laplacian',
    window: 64,
    columns: 2,
    updates: 700,
    make: () => new CAD({ precision: 'single', kernel: 'laplacian' }),
  },
  { name: 'CAD, double', window: 200, columns: 7, updates: 700, make: () => new CAD({ precision: 'double' }) },
  { name: 'KNN', window: 10, columns: 1, updates: 2000, make: () => new KNN({ precision: 'single', neighbors: 3 }) },
  {
    name: 'KNN, wide',
    window: 150,
    columns: 64,
    updates: 400,
    make: () => new KNN({ precision: 'double', aggregate: 'mean' }),
  },
  {
    name: 'KNN in L1',
    window: 500,
    columns: 4,
    updates: 1500,
    make: () => new KNN({ precision: 'double', metric: 'manhattan' }),
  },
  {
    name: 'LOF',
    window: 300,
    columns: 3,
    updates: 2000,
    make: (backend) => new LOF({ precision: 'double', ...(backend && { backend }) }),
  },
  {
    name: 'LOF in L1',
    window: 40,
    columns: 6,
    updates: 1500,
    make: () => new LOF({ precision: 'single', metric: 'manhattan' }),
  },
  {
    name: 'LOF, small',
    window: 10,
    columns: 1,
    updates: 1500,
    make: () => new LOF({ precision: 'double', neighbors: 4 }),
  },
  {
    name: 'LOF, large',
    window: 500,
    columns: 10,
    updates: 900,
    make: () => new LOF({ precision: 'single', neighbors: 20 }),
  },
  {
    name: 'LandmarkCAD',
    window: 120,
    columns: 4,
    updates: 1500,
    make: (backend) => new LandmarkCAD(backend && { backend }),
  },
  {
    name: 'LandmarkCAD, few landmarks',
    window: 300,
    columns: 3,
    updates: 1200,
    make: () => new LandmarkCAD({ landmarks: 40, seed: 7, precision: 'single', curvature: 2, neighbors: 5 }),
  },
  {
    name: 'LandmarkCAD, distance alone',
    window: 1100,
    columns: 2,
    updates: 1250,
    make: () => new LandmarkCAD({ curvature: 0 }),
  },
  {
    name: 'LandmarkCAD of levels',
    window: 250,
    columns: 2,
    updates: 1200,
    make: () => new LandmarkCAD(),
    rows: (random) => [Math.floor(3 * random.uniform()), Math.floor(2 * random.uniform())],
  },
  {
    name: 'LandmarkCAD with columns that are constant for a while',
    window: 80,
    columns: 3,
    updates: 1200,
    make: () => new LandmarkCAD({ curvature: 1 }),
    rows: (random, t) => [random.gaussian(), Math.floor(t / 150) % 2, Math.floor(t / 90) % 3 ? 5 : random.gaussian()],
  },
  {
    name: 'LandmarkCAD of heavy tails',
    window: 200,
    columns: 4,
    updates: 1200,
    make: () => new LandmarkCAD(),
    rows: (random) => Array.from({ length: 4 }, () => random.gaussian() / random.gaussian()),
  },
  {
    name: 'CAD of rbf, standardized',
    window: 150,
    columns: 3,
    updates: 900,
    make: () => new CAD({ precision: 'double', standardize: true, kernel: 'rbf', gamma: 0.1 }),
  },
  {
    name: 'KNN in L1, standardized',
    window: 300,
    columns: 4,
    updates: 900,
    make: () => new KNN({ precision: 'single', metric: 'manhattan', standardize: true, aggregate: 'mean' }),
  },
  {
    name: 'CAD, standardized',
    window: 90,
    columns: 3,
    updates: 1500,
    make: () => new CAD({ precision: 'single', standardize: true }),
  },
  {
    name: 'KNN, standardized',
    window: 50,
    columns: 8,
    updates: 1500,
    make: () => new KNN({ precision: 'double', standardize: true }),
  },
  {
    name: 'LOF, standardized',
    window: 200,
    columns: 2,
    updates: 1500,
    make: () => new LOF({ precision: 'double', standardize: true }),
  },
  { name: 'LOF, double', window: 150, columns: 2, updates: 900, make: () => new LOF({ precision: 'double' }) },
];

describe('a sliding window', () => {
  it.each(CASES)('scores as a fit on its rows would: $name, $window × $columns', (given) => {
    expect(compareWithFits(SlidingWindow, given)).toBeGreaterThan(20);
  });

  it.each(CASES.filter(({ name }) => ['CAD', 'LOF', 'LandmarkCAD'].includes(name)))(
    'does so in plain TypeScript: $name',
    (given) => {
      expect(compareWithFits(SlidingWindow, { ...given, window: 60, updates: 500 }, { backend: 'js' })).toBeGreaterThan(
        20,
      );
    },
  );
});
