// KNN and LOF against independent truth: scores that test/fixtures/make_detectors.py took from
// scikit-learn on real data, the definitions written out with plain loops, and cases done by hand.
import { describe, expect, it } from 'vitest';
import { KNN, LOF, type Metric, type NeighborDetectorOptions } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import {
  BACKENDS,
  fixture,
  isDataMissing,
  loadData,
  manhattanDistance,
  PRECISIONS,
  Random,
  type Rows,
  rowsOf,
  squaredDistance,
} from '../support/data.js';

interface Truth {
  rows: number[];
  largest: number[];
  mean: number[];
  lof: number[];
}

interface Case {
  set: string;
  k: number;
  metric: Metric;
  standardize: boolean;
  train: Truth;
  new: Truth;
}

type Scores = Omit<Truth, 'rows'>;

/** Scores of the training rows, then of new rows, by each detector. */
function scoresOf(X: Rows, Y: Rows, options: NeighborDetectorOptions): [train: Scores, new_: Scores] {
  using largest = new KNN(options).fit(X);
  using mean = new KNN({ ...options, aggregate: 'mean' }).fit(X);
  using lof = new LOF(options).fit(X);
  const all = { largest, mean, lof };
  const by = (take: (detector: KNN | LOF) => Float64Array): Scores => ({
    largest: [...take(all.largest)],
    mean: [...take(all.mean)],
    lof: [...take(all.lof)],
  });
  return [by(({ scores }) => scores), by((detector) => detector.score(Y))];
}

function expectTruth(got: Scores, { rows, ...truth }: Truth, tolerance: number): void {
  for (const name of ['largest', 'mean', 'lof'] as const) {
    expectAllClose(
      rows.map((row) => got[name][row] as number),
      truth[name],
      { relative: tolerance },
    );
  }
}

const isMissing = isDataMissing('KNN and LOF against scikit-learn on wine, letter, arrhythmia, musk and optdigits');
describe.skipIf(isMissing)('on real data, KNN and LOF give the scores of scikit-learn', () => {
  const { cases } = fixture<{ cases: Case[] }>('detectors');
  const ways = cases.flatMap((truth) =>
    PRECISIONS.flatMap((precision) =>
      (truth.set === 'wine' ? (['js', 'wasm-simd'] as const) : (['wasm-simd'] as const)).map((backend) => ({
        ...truth,
        precision,
        backend,
      })),
    ),
  );
  it.each(ways)('$set, k = $k, $metric, standardize: $standardize, $precision, $backend', (way) => {
    const { k: neighbors, metric, standardize, precision, backend } = way;
    const options = { neighbors, metric, standardize, precision, backend };
    const X = rowsOf(loadData(way.set));
    const even = X.filter((_, i) => i % 2 === 0);
    const odd = X.filter((_, i) => i % 2 === 1);
    const [train] = scoresOf(X, [X[0] as Float64Array], options);
    const [, fresh] = scoresOf(even, odd, options);
    expectTruth(train, way.train, 1e-6);
    expectTruth(fresh, way.new, 1e-6);
  });
});

/** The definitions, literally. */
function definitions(X: Rows, Y: Rows, k: number, metric: Metric): [train: Scores, new_: Scores] {
  const d = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    metric === 'euclidean' ? Math.sqrt(squaredDistance(x, y)) : manhattanDistance(x, y);
  const nearest = (x: ArrayLike<number>, self = -1) =>
    X.map((y, index) => ({ index, distance: d(x, y) }))
      .filter(({ index }) => index !== self)
      .sort((a, b) => a.distance - b.distance || a.index - b.index)
      .slice(0, k);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const lists = X.map((x, i) => nearest(x, i));
  type List = ReturnType<typeof nearest>;
  const kDistance = lists.map((list) => (list[k - 1] as List[0]).distance);
  const lrd = (list: List) =>
    1 / (mean(list.map(({ index, distance }) => Math.max(kDistance[index] as number, distance))) + 1e-10);
  const densities = lists.map(lrd);
  const scored = (all: List[]): Scores => ({
    largest: all.map((list) => (list[k - 1] as List[0]).distance),
    mean: all.map((list) => mean(list.map(({ distance }) => distance))),
    lof: all.map((list) => mean(list.map(({ index }) => (densities[index] as number) / lrd(list)))),
  });
  return [scored(lists), scored(Y.map((y) => nearest(y)))];
}

describe.each(BACKENDS)('on random data, KNN and LOF follow their definitions in %s', (backend) => {
  const random = new Random(31);
  const shapes = [
    { count: 2, columns: 1, k: 1 },
    { count: 12, columns: 3, k: 11 },
    { count: 80, columns: 2, k: 1 },
    { count: 90, columns: 9, k: 10 },
    { count: 150, columns: 40, k: 60 },
  ];
  const draws = {
    'Gaussian rows': () => random.gaussian(),
    'whole numbers, with ties and duplicates': () => random.integer(3),
    'rows far from the origin': () => 1000 + Math.round(random.gaussian() * 64) / 64,
  };
  it.each(Object.entries(draws))('for %s, at any k and number of columns', (_, draw) => {
    for (const { count, columns, k } of shapes)
      for (const metric of ['euclidean', 'manhattan'] as const) {
        const X = random.rows(count, columns, draw);
        const Y = [...random.rows(15, columns, draw), ...X.slice(0, 3)];
        const truth = definitions(X, Y, k, metric);
        scoresOf(X, Y, { neighbors: k, metric, precision: 'double', backend }).forEach((got, i) => {
          for (const name of ['largest', 'mean', 'lof'] as const)
            expectAllClose(got[name], truth[i]?.[name] ?? [], { relative: 1e-9 });
        });
      }
  });
});

describe.each(BACKENDS)('by hand, in %s', (backend) => {
  const line = [[0], [1], [3], [7], [15]];

  it('KNN gives distances on a line', () => {
    const two = (aggregate: 'largest' | 'mean') => new KNN({ neighbors: 2, aggregate, backend }).fit(line);
    expect([...two('largest').scores]).toEqual([3, 2, 3, 6, 12]);
    expect([...two('mean').scores]).toEqual([2, 1.5, 2.5, 5, 10]);
    expect([...two('largest').score([[1], [2], [-4]])]).toEqual([1, 1, 5]);
  });

  it('KNN adds up columns in the Manhattan metric', () => {
    const corners = [
      [0, 0],
      [0, 3],
      [4, 0],
      [4, 3],
    ];
    expect([...new KNN({ neighbors: 3, metric: 'manhattan', backend }).fit(corners).scores]).toEqual([7, 7, 7, 7]);
    expect([...new KNN({ neighbors: 3, backend }).fit(corners).scores]).toEqual([5, 5, 5, 5]);
  });

  it('LOF gives ratios of densities on a line', () => {
    // k = 1. Neighbours: 1, 0, 1, 2, 3. k-distances: 1, 1, 2, 4, 8. Reach: 1, 1, 2, 4, 8. LOF = reach / that of the neighbour.
    const lof = new LOF({ neighbors: 1, backend }).fit(line);
    expectAllClose(lof.scores, [1, 1, 2, 2, 2], { relative: 1e-9 });
    // Near 3: reach max(2, 1) = 2 beside 2. At 0 itself: reach max(1, 0) = 1 beside 1. At 31: max(8, 16) beside 8.
    expectAllClose(lof.score([[4], [0], [31]]), [1, 1, 2], { relative: 1e-9 });
  });

  it('more than k duplicates have density 10¹⁰, as in scikit-learn', () => {
    const rows = [[0], [0], [0], [0], [1]];
    const lof = new LOF({ neighbors: 3, backend }).fit(rows);
    expectAllClose(lof.scores, [1, 1, 1, 1, 1e10 + 1], { relative: 1e-12 });
    expectAllClose(lof.score([[0], [-2]]), [1, 2e10 + 1], { relative: 1e-12 });
    expect([...new KNN({ neighbors: 3, backend }).fit(rows).scores]).toEqual([0, 0, 0, 0, 1]);
  });

  it('rows that are all alike are degenerate, not NaN', () => {
    const rows = Array.from({ length: 8 }, () => [2, 2]);
    for (const detector of [new LOF({ neighbors: 3, backend }), new KNN({ neighbors: 3, backend })]) {
      detector.fit(rows);
      expect(detector.isDegenerate).toBe(true);
      expect([...detector.labels]).toEqual(new Array(8).fill(0));
      expect([...detector.score([[2, 2]])]).toEqual([detector instanceof LOF ? 1 : 0]);
    }
  });

  it.each([1e149, 1e-140, 1e29, 1e-29])('units of %d give finite scores', (unit) => {
    const rows = new Random(4).rows(40, 3).map((row) => row.map((value) => value * unit));
    for (const metric of ['euclidean', 'manhattan'] as const) {
      const knn = new KNN({ metric, backend }).fit(rows);
      const lof = new LOF({ metric, backend }).fit(rows);
      expect([...knn.scores, ...lof.scores, ...lof.score(rows)].every(Number.isFinite)).toBe(true);
      expect(Math.min(...knn.scores)).toBeGreaterThan(0);
    }
  });
});

describe('LOF', () => {
  it('does not change when all columns are scaled alike, nor when rows move', () => {
    const rows = new Random(5).rows(60, 4);
    const scores = (X: Rows) => new LOF({ precision: 'double' }).fit(X).scores;
    const truth = scores(rows);
    expectAllClose(scores(rows.map((row) => row.map((value) => 1024 * value))), truth, { relative: 1e-8 });
    expectAllClose(scores(rows.map((row) => row.map((value) => value + 100))), truth, { relative: 1e-8 });
  });

  it('is near 1 inside a grid and above it for a row outside', () => {
    const grid = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20)]);
    const lof = new LOF({ neighbors: 8 }).fit(grid);
    expect(lof.score([[10, 10]])[0]).toBeCloseTo(1, 1);
    expect(lof.score([[40, 40]])[0]).toBeGreaterThan(5);
  });
});

describe.each([
  ['KNN', KNN],
  ['LOF', LOF],
] as const)('%s', (_, Detector) => {
  it('needs no memory for the neighbours of all new rows at once', () => {
    const random = new Random(6);
    using detector = new Detector({ neighbors: 100, backend: 'wasm' }).fit(random.rows(150, 2));
    const rows = { data: Float64Array.from({ length: 40_000 }, () => random.gaussian()), rows: 20_000, columns: 2 };
    const output = new Float64Array(20_000);
    detector.scoreInto({ ...rows, data: rows.data.subarray(0, 2000), rows: 1000 }, output);
    const before = process.memoryUsage().arrayBuffers;
    detector.scoreInto(rows, output);
    // All lists of neighbours would take 24 MB.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  });

  it('does not depend on the order of the training rows, where no distances are equal', () => {
    const random = new Random(7);
    const [X, Y] = [random.rows(80, 3), random.rows(20, 3)];
    const order = random.permutation(80);
    const one = new Detector({ precision: 'double' }).fit(X);
    const other = new Detector({ precision: 'double' }).fit(order.map((i) => X[i] as Float64Array));
    expectAllClose(
      other.scores,
      order.map((i) => one.scores[i] as number),
      { relative: 1e-9 },
    );
    expectAllClose(other.score(Y), one.score(Y), { relative: 1e-9 });
  });
});

// In single precision such rows lose the digits that tell them apart: distances were off by 6 · 10⁻⁵, or 0.
describe.each(BACKENDS)('rows of many magnitudes: %s', (backend) => {
  const random = new Random(41);
  const drawn = (rows: number): number[][] =>
    Array.from({ length: rows }, () => [0, 1].map(() => 2 ** (random.integer(60) - 30)));
  const tables = Array.from({ length: 12 }, (_, i) => ({ rows: drawn(6 + 2 * i), fresh: drawn(10) }));

  it.each(['euclidean', 'manhattan'] as const)('are as far from each other as they are, %s', (metric) => {
    const distance = (x: readonly number[], y: readonly number[]): number =>
      metric === 'manhattan' ? manhattanDistance(x, y) : Math.sqrt(squaredDistance(x, y));
    for (const { rows, fresh } of tables) {
      const second = (x: readonly number[], self: number): number =>
        rows
          .filter((_, i) => i !== self)
          .map((y) => distance(x, y))
          .sort((a, b) => a - b)[1] as number;
      using knn = new KNN({ neighbors: 2, metric, backend }).fit(rows);
      expectAllClose([...knn.scores], rows.map(second), { relative: 1e-12 });
      expectAllClose(
        [...knn.score(fresh)],
        fresh.map((row) => second(row, -1)),
        { relative: 1e-12 },
      );
    }
  });
});
