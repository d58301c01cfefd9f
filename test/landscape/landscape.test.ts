// Landscapes: bit for bit the detector's own scores, and of the second type, what plain loops over the normal
// rows give.
import { describe, expect, it } from 'vitest';
import type { RowSource } from '../../src/core/input/matrix.js';
import { Detector } from '../../src/detectors/detector.js';
import { COMMON_OPTIONS } from '../../src/detectors/detector-options.js';
import {
  type AnyDetector,
  CAD,
  type CADOptions,
  IsolationForest,
  KNN,
  LandmarkCAD,
  type Landscape,
  landscape,
} from '../../src/index.js';
import { BACKENDS, KERNELS, paperScores, Random, type Rows } from '../support/data.js';
import { fitted, syntheticSet } from './support.js';

const cellsOf = ({ xs, ys }: Landscape): number[][] => Array.from(ys).flatMap((y) => Array.from(xs, (x) => [x, y]));

const bytesOf = ({ buffer }: Float64Array): Buffer => Buffer.from(buffer);

/** A detector of the plainest kind. */
class SumOfColumns extends Detector<number> {
  static readonly kind = 'SumOfColumns';
  static readonly options = COMMON_OPTIONS;
  constructor() {
    super({ backend: 'js' });
  }
  protected threadSource = async () => ({ source: '' });
  protected scoringCost = () => 1;
  protected *training(rows: RowSource) {
    yield;
    return { fitted: rows.columns, scores: this.#sums(rows, new Float64Array(rows.rows)) };
  }
  protected scoreRows(_: number, rows: RowSource, scores: Float64Array): void {
    this.#sums(rows, scores);
  }
  protected columnsOf = (columns: number): number => columns;
  protected release(): void {}
  protected describeFitted = () => ({ fields: {}, sections: {} });
  protected restore = () => 0;
  #sums(rows: RowSource, scores: Float64Array): Float64Array {
    const row = new Float64Array(rows.columns);
    for (let i = 0; i < rows.rows; i++) {
      rows.read(i, row, 0);
      scores[i] = row.reduce((sum, value) => sum + value, 0);
    }
    return scores;
  }
}

describe('a landscape', () => {
  const random = new Random(21);
  const clustered = [...random.rows(60, 2), ...random.rows(240, 2, () => 3 + 0.05 * random.gaussian())];
  const lattice = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20)]);
  const sets: Array<[string, Rows, CADOptions]> = [
    ['moons', syntheticSet('moons'), {}],
    ['clusters denser than the cells', clustered, {}],
    ['a lattice full of ties', lattice, { neighbors: 8 }],
    ['duplicates', syntheticSet('equal').flatMap((row) => [row, row, row]), { neighbors: 4 }],
    ['fewer rows than a list holds', syntheticSet('equal').slice(0, 30), { neighbors: 29 - 1 }],
    ['k = n − 1', syntheticSet('equal').slice(0, 30), { neighbors: 29 }],
    ['standardized', syntheticSet('moons').map(([x, y]) => [1e3 * (x as number), y as number]), { standardize: true }],
    ['f64', syntheticSet('moons'), { precision: 'double' }],
    ['tiny units', syntheticSet('moons').map((row) => row.map((value) => value * 1e-160)), {}],
  ];
  it.each(sets)('is bit for bit the score of its cells: %s', (_, X, options) => {
    for (const backend of BACKENDS) {
      const { cad } = fitted(X, { ...options, backend });
      const map = landscape(cad, { resolution: backend === 'js' ? [13, 9] : [61, 45] });
      expect(bytesOf(map.values).equals(bytesOf(cad.score(cellsOf(map))))).toBe(true);
      expect(map.threshold).toBe(cad.threshold);
    }
  });

  const others: Array<[string, (backend: (typeof BACKENDS)[number]) => AnyDetector]> = [
    ['LandmarkCAD', (backend) => new LandmarkCAD({ backend })],
    [
      'LandmarkCAD with few landmarks, without curvature',
      (backend) => new LandmarkCAD({ backend, landmarks: 40, curvature: 0 }),
    ],
    ['KNN', (backend) => new KNN({ backend, neighbors: 9, standardize: true })],
    ['KNN by the mean', (backend) => new KNN({ backend, neighbors: 4, aggregate: 'mean' })],
    ['KNN by the L1 distance', (backend) => new KNN({ backend, neighbors: 4, metric: 'manhattan' })],
    ['an approximate CAD', (backend) => new CAD({ backend, approximate: { epsilon: 0.5 } })],
  ];
  it.each(others)('is bit for bit the score of its cells: %s', (_, make) => {
    const wide = new Random(31).rows(257, 5, () => random.gaussian());
    const tied = Array.from({ length: 300 }, (_, i) => [i % 7, (i * 5) % 3, i % 2]);
    const far = [...random.rows(80, 2), [1e7, 1e7], [-3e6, 2e6]].map((row) => Float64Array.from(row));
    for (const X of [...sets.map(([, rows]) => rows), wide, tied, far]) {
      const rows = Array.from(X, (row) => Array.from(row));
      for (const backend of BACKENDS) {
        const detector = make(backend).fit(rows);
        const features = rows[0]?.length === 2 ? ([1, 0] as const) : ([2, 0] as const);
        const resolution = backend === 'js' ? ([7, 9] as const) : ([75, 41] as const);
        const at = rows[3] as number[];
        const map = landscape(detector, { features, resolution, at });
        const cells = Array.from(map.ys).flatMap((y) =>
          Array.from(map.xs, (x) => at.map((value, j) => (j === features[0] ? x : j === features[1] ? y : value))),
        );
        expect(bytesOf(map.values).equals(bytesOf(detector.score(cells)))).toBe(true);
        detector.dispose();
      }
    }
  });

  it.each(KERNELS)('of the second type scores among the normal rows only: %s', (kernel) => {
    const { cad, normal } = fitted(syntheticSet('different'), { kernel, precision: 'double', orientation: 'higher' });
    const map = landscape(cad, { neighbors: 'normal', resolution: 12, bounds: { x: [-7, 7], y: [-7, 7] } });
    const expected = paperScores(normal, 10, { kernel }, cellsOf(map));
    map.values.forEach((value, i) => {
      if (!expected.ambiguous.has(i)) expect(value).toBeCloseTo(expected.scores[i] as number, 6);
    });
    expect(landscape(cad, { resolution: 12, bounds: map.bounds }).values).not.toEqual(map.values);
  });

  it('covers the training rows and a margin unless told otherwise', () => {
    const cad = new CAD({ precision: 'double' }).fit(syntheticSet('moons'));
    const { bounds, xs, ys, width, height, features } = landscape(cad);
    expect([width, height, features]).toEqual([150, 150, [0, 1]]);
    const column = syntheticSet('moons').map(([x]) => x as number);
    const [low, high] = [Math.min(...column), Math.max(...column)];
    expect(bounds.x[0]).toBeCloseTo(low - (high - low) / 20, 9);
    expect(bounds.x[1]).toBeCloseTo(high + (high - low) / 20, 9);
    expect([xs[0], xs.at(-1), ys[0], ys.at(-1)]).toEqual([...bounds.x, ...bounds.y]);
  });

  it('is a slice through the medians, or a given row, where there are more features', () => {
    const X = new Random(4).rows(101, 5);
    const cad = new CAD({ precision: 'double' }).fit(X);
    const medians = X[0]?.map((_, j) => X.map((row) => row[j] as number).sort((a, b) => a - b)[50] as number) ?? [];
    for (const at of [undefined, [9, 8, 7, 6, 5]]) {
      const map = landscape(cad, { features: [3, 1], resolution: [20, 10], ...(at ? { at } : {}) });
      const rows = cellsOf(map).map(([x, y]) =>
        Array.from(at ?? medians, (v, j) => (j === 3 ? x : j === 1 ? y : v) as number),
      );
      cad.score(rows).forEach((score, i) => {
        expect(map.values[i]).toBeCloseTo(score, 9);
      });
    }
  });

  it('takes its bounds and the row to cut through from the sample of detectors that keep no training rows', () => {
    const X = new Random(6).rows(101, 4);
    const forest = new IsolationForest({ trees: 10 }).fit(X);
    const cad = new CAD({ precision: 'double' }).fit(X);
    const [map, other] = [landscape(forest, { resolution: 9 }), landscape(cad, { resolution: 9 })];
    for (const [i, x] of map.xs.entries()) expect(x).toBeCloseTo(other.xs[i] as number, 9);
    for (const [i, y] of map.ys.entries()) expect(y).toBeCloseTo(other.ys[i] as number, 9);
    const medians = [2, 3].map((j) => X.map((row) => row[j] as number).sort((a, b) => a - b)[50] as number);
    const rows = cellsOf(map).map(([x, y]) => [x as number, y as number, ...medians]);
    expect(map.values).toEqual(forest.score(rows));
    const two = new IsolationForest({ trees: 10 }).fit(X.map((row) => row.subarray(0, 2)));
    expect(landscape(two, { resolution: 9 }).xs).toEqual(map.xs);
  });

  it('is drawn of any detector, which need not keep its training rows', () => {
    const sum = new SumOfColumns().fit([
      [0, 0, 0],
      [1, 2, 3],
    ]);
    const bounds = { x: [0, 1], y: [5, 6] } as const;
    const map = landscape(sum, { features: [2, 0], at: [0, 7, 0], bounds, resolution: [80, 70] });
    expect(map.values.length).toBe(5600);
    map.values.forEach((value, i) => {
      expect(value).toBe((map.ys[Math.floor(i / 80)] as number) + 7 + (map.xs[i % 80] as number));
    });
    const failing: Array<[string, object]> = [
      ['DETECTOR_UNSUPPORTED', { at: [0, 0, 0], bounds, neighbors: 'normal' }],
      ['AT_INVALID', { at: [0, 0], bounds }],
    ];
    for (const [code, options] of failing) {
      expect(() => landscape(sum, options)).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
    }
  });

  const moons = () => new CAD().fit(syntheticSet('moons'));
  it.each<[string, object]>([
    ['UNKNOWN_OPTION', { size: 4 }],
    ['NEIGHBORHOOD_UNKNOWN', { neighbors: 'some' }],
    ['RESOLUTION_INVALID', { resolution: 1 }],
    ['RESOLUTION_INVALID', { resolution: [4, 2.5] }],
    ['RESOLUTION_INVALID', { resolution: [4] }],
    ['FEATURES_INVALID', { features: [0, 0] }],
    ['FEATURES_INVALID', { features: [0, 2] }],
    ['AT_INVALID', { at: [1] }],
    ['AT_INVALID', { at: [1, Number.NaN] }],
    ['BOUNDS_INVALID', { bounds: { x: [0, 1] } }],
    ['BOUNDS_INVALID', { bounds: { x: [1, 0], y: [0, 1] } }],
    ['BOUNDS_INVALID', { bounds: { x: [0, Infinity], y: [0, 1] } }],
    ['VALUE_TOO_LARGE', { bounds: { x: [0, 1e160], y: [0, 1] } }],
  ])('fails with %s for %j', (code, options) => {
    expect(() => landscape(moons(), options)).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });

  it('fails before fit, for one column, for what is no detector, and for too few normal rows', () => {
    const failing: Array<[string, () => unknown]> = [
      ['NOT_FITTED', () => landscape(new CAD())],
      ['FEATURES_INVALID', () => landscape(new CAD({ neighbors: 2 }).fit([[1], [2], [3], [9]]))],
      ['DETECTOR_UNSUPPORTED', () => landscape({} as never)],
      [
        'TOO_FEW_NORMAL_ROWS',
        () =>
          landscape(fitted(new Random(8).rows(12, 2), { neighbors: 7, contamination: 0.5 }).cad, {
            neighbors: 'normal',
          }),
      ],
    ];
    for (const [code, work] of failing) expect(work).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });
});
