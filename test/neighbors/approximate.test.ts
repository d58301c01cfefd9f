// What `approximate` promises: no distance beyond 1 + ε times the true one, a recall that holds, the same bits whoever
// searches, and nothing of it unless it is asked for.
import { describe, expect, it } from 'vitest';
import { CAD, CurvadError, KNN, LOF, load, NearestNeighbors } from '../../src/index.js';
import { SlidingWindow } from '../../src/streams/index.js';
import { manhattanDistance, Random, type Rows, squaredDistance } from '../support/data.js';

const random = new Random(16);
const COUNT = 3000;
const K = 10;
const MAKE = [
  ['CAD', (options: object) => new CAD(options)],
  ['KNN', (options: object) => new KNN(options)],
  ['LOF', (options: object) => new LOF(options)],
] as const;

const flat = (rows: Rows, columns: number) => ({
  data: Float64Array.from(rows.flatMap((row) => Array.from(row))),
  rows: rows.length,
  columns,
});

/** Rows for which a tree is worth it, and that it searches with an effort. */
const noise = random.rows(COUNT, 4);
const clusters = random.rows(COUNT, 6).map((row, i) => row.map((value) => value * (1 + (i % 5)) + 20 * (i % 7)));
const grid = random.rows(COUNT, 3, () => random.integer(12));

/** The distances to the k nearest others of a row, by sorting. */
function truth(rows: Rows, row: number, metric: 'euclidean' | 'manhattan'): Float64Array {
  const here = rows[row] as ArrayLike<number>;
  const measure = metric === 'manhattan' ? manhattanDistance : squaredDistance;
  const distances = Float64Array.from(rows, (other, i) => (i === row ? Infinity : measure(here, other)));
  const least = distances.sort().slice(0, K);
  return metric === 'manhattan' ? least : least.map(Math.sqrt);
}

describe.each([
  ['noise', noise],
  ['clusters of different densities', clusters],
  ['a grid', grid],
])('an approximate search of %s', (_, rows) => {
  const matrix = flat(rows, rows[0]?.length as number);
  const some = Array.from({ length: 40 }, (_row, i) => i * 75);

  it.each(['euclidean', 'manhattan'] as const)('reports no %s distance beyond 1 + ε times the true one', (metric) => {
    const exact = some.map((row) => truth(rows, row, metric));
    for (const epsilon of [0.25, 1, 4]) {
      const search = new NearestNeighbors(matrix, { metric, precision: 'double', approximate: { epsilon } });
      const { distances, indices } = search.ofEachRow(K);
      for (const [i, row] of some.entries()) {
        const found = distances.subarray(row * K, (row + 1) * K);
        const isWithin = (bound: number, j: number): boolean => {
          const distance = found[j] as number;
          return distance <= (1 + epsilon) * bound * (1 + 1e-12) && distance >= bound * (1 - 1e-12);
        };
        expect(exact[i]?.every(isWithin)).toBe(true);
        const own = indices.subarray(row * K, (row + 1) * K);
        expect(new Set(own).size).toBe(K);
        expect(own).not.toContain(row);
      }
    }
  });

  it('has the recall that it tells, within its interval', () => {
    const search = new NearestNeighbors(matrix, { precision: 'double', approximate: { epsilon: 2 } });
    const { distances, recall } = search.ofEachRow(K);
    const exact = new NearestNeighbors(matrix, { precision: 'double' }).ofEachRow(K).distances;
    let found = 0;
    for (let row = 0; row < COUNT; row++) {
      for (let j = 0; j < K; j++) if ((distances[row * K + j] as number) <= (exact[row * K + K - 1] as number)) found++;
    }
    const true_ = found / (COUNT * K);
    expect(recall?.queries).toBe(1000);
    expect(recall?.low).toBeLessThanOrEqual(true_);
    expect(recall?.high).toBeGreaterThanOrEqual(true_);
    expect(recall?.low).toBeLessThan(recall?.recall as number);
  });
});

it('misses neighbours where it may: a test of the tests', () => {
  const { recall } = new NearestNeighbors(flat(noise, 4), { approximate: { epsilon: 4 } }).ofEachRow(K);
  expect(recall?.recall).toBeLessThan(0.99);
  expect(recall?.recall).toBeGreaterThan(0.1);
});

it('finds nearly all neighbours with the ε that true stands for', () => {
  const { recall } = new NearestNeighbors(flat(noise, 4), { approximate: true }).ofEachRow(K);
  expect(recall?.recall).toBeGreaterThan(0.98);
});

describe.each(MAKE)('an approximate %s', (_, make) => {
  const matrix = flat(noise, 4);
  const fresh = random.rows(40, 4);
  const options = { approximate: { epsilon: 3 } };

  it('is the same synchronously, in slices and with threads, and after loading', async () => {
    const detector = make(options).fit(matrix);
    const { search, scores } = detector;
    expect(search).toMatchObject({ search: 'tree', storage: 'double', epsilon: 3 });
    expect(search?.recall?.queries).toBe(1000);
    for (const threads of [0, 1, 2]) {
      const other = await make(options).fitAsync(matrix, { threads });
      expect(other.scores).toEqual(scores);
      expect(other.search).toEqual(search);
    }
    const loaded = load(detector.toBytes());
    expect(loaded.search).toEqual(search);
    expect(loaded.score(fresh)).toEqual(detector.score(fresh));
  });

  it('differs from an exact one, which has no recall to tell', () => {
    const exact = make({}).fit(matrix);
    expect(exact.search).toEqual({ search: 'tree', storage: 'double' });
    expect(make({ approximate: false }).fit(matrix).scores).toEqual(exact.scores);
    expect(make(options).fit(matrix).scores).not.toEqual(exact.scores);
  });

  it('is exact, and says so, where no tree is worth it', () => {
    const few = noise.slice(0, 200);
    const detector = make(options).fit(few);
    expect(detector.scores).toEqual(make({}).fit(few).scores);
    expect(detector.search?.recall).toEqual({ recall: 1, low: 1, high: 1, queries: 0 });
  });

  it.each([0, 'yes', { epsilon: 0 }, { epsilon: -1 }, { epsilon: Number.NaN }, { epsilon: '1' }, null])(
    'refuses %j',
    (approximate) => {
      expect(() => make({ approximate })).toThrow(CurvadError);
    },
  );

  it('is refused by a window, which is exact', () => {
    expect(() => new SlidingWindow(make(options) as CAD)).toThrow(/its neighbours are exact/);
  });
});

it('a tree, a join and a plain search are told apart', () => {
  expect(new KNN().fit(noise).search?.search).toBe('tree');
  expect(new KNN().fit(random.rows(1500, 40)).search?.search).toBe('join');
  expect(new KNN().fit(random.rows(50, 4)).search?.search).toBe('plain');
  expect(new KNN({ backend: 'js' }).fit(random.rows(50, 4)).search?.search).toBe('plain');
});
