// The search is exact: whatever the data, it finds what sorting all rows by distance and then by index
// finds. Values are mostly multiples of a power of two, few bits wide, so that centring, f32 and the
// sums of the naive truth are all free of rounding and ties are true ties.
import { describe, expect, it } from 'vitest';
import { NearestNeighbors, type Neighbors } from '../../src/index.js';
import { manhattanDistance, PRECISIONS, Random, type Rows, squaredDistance, WASM_BACKENDS } from '../support/data.js';

const METRICS = ['euclidean', 'manhattan'] as const;
type Metric = (typeof METRICS)[number];

interface Case {
  rows: Float64Array[];
  /** Training rows whose own neighbours are checked; all unless told. */
  own?: readonly number[];
  queries?: Float64Array[];
  neighbors: readonly number[];
  /** 'single' where the values do not fit f32. */
  without?: 'single';
  /** The sums round: distances that tie to 1e-12 may come in any order. */
  isRounded?: boolean;
}

/** A number on the grid of 2^−bits. */
function onGrid(value: number, bits = 12): number {
  return Math.round(value * 2 ** bits) / 2 ** bits;
}

function gridRows(random: Random, count: number, columns: number, bits = 12, scale = 1): Float64Array[] {
  return random.rows(count, columns, () => onGrid(random.gaussian(), bits) * scale);
}

/** All rows, nearest first, equal distances by index. */
function sorted(rows: Rows, query: ArrayLike<number>, self: number, metric: Metric) {
  return rows
    .map((row, index) => ({
      index,
      distance: metric === 'euclidean' ? Math.sqrt(squaredDistance(query, row)) : manhattanDistance(query, row),
    }))
    .filter(({ index }) => index !== self)
    .sort((a, b) => a.distance - b.distance || a.index - b.index);
}

type Sorted = ReturnType<typeof sorted>;

function isClose(a: number, b: number, tolerance = 1e-12): boolean {
  return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** What is wrong with the neighbours of query number `at`. */
function mistakes({ k, indices, distances }: Neighbors, at: number, truth: Sorted, isRounded: boolean): string[] {
  const found = indices.subarray(at * k, (at + 1) * k);
  const wrong: string[] = [];
  if (new Set(found).size !== k) wrong.push(`query ${at}: ${k} neighbours are not distinct`);
  const measured = isRounded ? new Map(truth.map(({ index, distance }) => [index, distance])) : undefined;
  for (let a = 0; a < k; a++) {
    const { index, distance } = truth[a] as Sorted[number];
    const isRight = found[a] === index || isClose(measured?.get(found[a] as number) ?? Number.NaN, distance);
    if (!isRight) wrong.push(`query ${at}: neighbour ${a} of ${k} is ${found[a]}, not ${index}`);
    const got = distances[at * k + a] as number;
    if (!isClose(got, distance)) wrong.push(`query ${at}: distance ${a} of ${k} is ${got}, not ${distance}`);
  }
  return wrong;
}

/** Every build, precision and k of a case against the naive truth. */
function check(metric: Metric, { rows, own, queries = [], neighbors, without, isRounded = false }: Case): void {
  const ownRows = own ?? rows.map((_, i) => i);
  const ownTruth = ownRows.map((i) => sorted(rows, rows[i] as Float64Array, i, metric));
  const queryTruth = queries.map((query) => sorted(rows, query, -1, metric));
  const wrong: string[] = [];
  for (const backend of WASM_BACKENDS) {
    for (const precision of PRECISIONS.filter((name) => name !== without)) {
      using search = new NearestNeighbors(rows, { metric, precision, backend });
      const note = (problems: string[]) => wrong.push(...problems.map((text) => `${backend} ${precision}, ${text}`));
      for (const k of neighbors) {
        if (ownRows.length > 0) {
          const result = search.ofEachRow(k);
          ownRows.forEach((i, at) => {
            note(mistakes(result, i, ownTruth[at] as Sorted, isRounded));
          });
        }
        if (queries.length > 0) {
          const result = search.of(queries, k);
          queries.forEach((_, i) => {
            note(mistakes(result, i, queryTruth[i] as Sorted, isRounded));
          });
        }
      }
    }
  }
  expect(wrong.slice(0, 5), `${wrong.length} mistakes`).toEqual([]);
}

describe.each(METRICS)('the nearest neighbours by %s distance are those of a naive sort', (metric) => {
  it.each([1, 2, 3, 7, 8, 31, 64, 65, 255, 513, 1100])('for random rows of %i columns', (columns) => {
    const random = new Random(columns);
    const rows = gridRows(random, columns > 100 ? 83 : 149, columns);
    const onPoints = [0, 40, rows.length - 1].map((i) => (rows[i] as Float64Array).slice());
    const queries = [...gridRows(random, 9, columns), ...onPoints, new Float64Array(columns)];
    check(metric, { rows, queries, neighbors: [1, 10, rows.length - 1] });
  });

  it.each([2, 3, 15, 16, 17, 31, 33, 127, 128, 129, 255])('for %i rows and any k', (count) => {
    const rows = gridRows(new Random(count), count, 5);
    const neighbors = [1, 2, 10, 100, count - 1].filter((k, i, all) => k < count && all.indexOf(k) === i);
    check(metric, { rows, neighbors });
  });

  it('for 700 rows and 200 neighbours', () => {
    const own = Array.from({ length: 140 }, (_, i) => 5 * i + (i % 5));
    check(metric, { rows: gridRows(new Random(700), 700, 4), own, neighbors: [10, 200] });
  });

  it.each([
    ['the points of a square', 2, 20, 400],
    ['27 distinct rows', 3, 3, 500],
    ['rows of zeros and ones', 16, 2, 300],
    ['whole numbers on a line', 1, 50, 333],
  ])('where distances are full of ties: %s', (_, columns, values, count) => {
    const random = new Random(columns);
    const rows =
      values ** columns === count
        ? Array.from({ length: count }, (_, i) => Float64Array.of(i % values, Math.floor(i / values)))
        : random.rows(count, columns, () => random.integer(values));
    const queries = random.rows(10, columns, () => random.integer(values) + 0.5);
    check(metric, { rows, queries, neighbors: [1, 7, 60] });
  });

  it('among thousands of exact duplicates', () => {
    const random = new Random(11);
    const distinct = gridRows(random, 3, 6);
    const rows = Array.from({ length: 2000 }, () => distinct[random.integer(3)] as Float64Array);
    const own = [0, 1, 2, 15, 16, 999, 1998, 1999];
    const queries = [...distinct, ...gridRows(random, 3, 6), new Float64Array(6)];
    check(metric, { rows, own, queries, neighbors: [10, 100] });
  });

  it('where every row is the same, even zero', () => {
    const zeros = Array.from({ length: 50 }, () => new Float64Array(3));
    check(metric, { rows: zeros, queries: [Float64Array.of(1, 0, -2)], neighbors: [1, 10, 49] });
    check(metric, { rows: zeros.map((row) => row.map(() => 3.25)), neighbors: [1, 10, 49] });
  });

  it('where zero vectors are among the rows', () => {
    const random = new Random(12);
    const rows = gridRows(random, 120, 9).map((row, i) => (i % 3 === 0 ? row.fill(0) : row));
    check(metric, { rows, queries: [new Float64Array(9)], neighbors: [5, 60] });
  });

  it.each([
    ['a million', 4, undefined],
    ['a million, with many digits', 20, 'single' as const],
  ])('in two tight clusters that are far apart: %s', (_, bits, without) => {
    const random = new Random(13);
    const rows = gridRows(random, 160, 6, bits).map((row, i) => (i % 2 === 0 ? row : row.map((v) => v + 2 ** 20)));
    check(metric, { rows, neighbors: [1, 10, 60], ...(without && { without }) });
  });

  it('beside one extreme outlier', () => {
    const rows = gridRows(new Random(14), 200, 5);
    (rows[77] as Float64Array)[2] = 1e12;
    const own = rows.map((_, i) => i).filter((i) => i !== 77);
    check(metric, { rows, own, neighbors: [1, 10, 50], without: 'single' });
    check(metric, { rows, own: [77], neighbors: [1, 10, 50], without: 'single', isRounded: true });
  });

  it.each([1, -1])('where rows are sorted by nearness, in direction %i', (direction) => {
    const rows = Array.from({ length: 650 }, (_, i) => {
      const step = direction > 0 ? i : 650 - i;
      return Float64Array.of(step, 2 * step, -step, 3 * step);
    });
    const queries = [new Float64Array(4), Float64Array.of(700, 1400, -700, 2100), Float64Array.of(9, 9, 9, 9)];
    check(metric, { rows, own: [0, 1, 300, 649], queries, neighbors: [1, 10, 100] });
  });

  it.each([
    ['1e-20', -66, undefined],
    ['1e140', 464, 'single' as const],
    ['1e-156, whose squares are subnormal', -520, 'single' as const],
    ['1e-310, which are subnormal themselves', -1030, 'single' as const],
  ])('for values around %s', (_, exponent, without) => {
    const random = new Random(15);
    // In steps, as the power of two itself may be subnormal.
    const scale = (row: Float64Array) => row.map((v) => v * 2 ** (exponent / 2) * 2 ** (exponent / 2));
    const rows = gridRows(random, 150, 7).map(scale);
    const queries = gridRows(random, 10, 7).map(scale);
    check(metric, { rows, queries, neighbors: [1, 10, 50], ...(without && { without }) });
  });

  it('where one column dominates all others', () => {
    const random = new Random(16);
    const dominated = (rows: Float64Array[]) =>
      rows.map((row) => row.map((v, j) => (j === 40 ? Math.round(v * 3) * 2 ** 12 : v)));
    const rows = dominated(gridRows(random, 200, 300, 8));
    check(metric, { rows, queries: dominated(gridRows(random, 10, 300, 8)), neighbors: [1, 10, 100] });
  });

  it('for queries a million times farther out than the rows', () => {
    const random = new Random(17);
    const rows = gridRows(random, 150, 6);
    const queries = random.rows(10, 6, () => Math.round(random.gaussian() * 3) * 2 ** 20);
    check(metric, { rows, own: [], queries, neighbors: [1, 10, 100], isRounded: true });
  });

  it.each([
    [66, undefined], // about 1e20
    [150, 'single' as const], // 1e45
    [200, 'single' as const], // 1e60
    [329, 'single' as const], // 1e99
    [465, 'single' as const], // 1e140
  ])('for queries so far out (2^%i) that all rows are equally far: the lowest indices', (exponent, without) => {
    const random = new Random(18);
    const rows = gridRows(random, 150, 4);
    const queries = random.rows(10, 4, () => (random.integer(2) === 0 ? -1 : 1) * 2 ** exponent);
    check(metric, { rows, own: [], queries, neighbors: [1, 10, 100], ...(without && { without }) });
  });

  it.each([7, 64, 513])('for continuous rows of %i columns, in double precision', (columns) => {
    const random = new Random(columns + 1);
    const rows = random.rows(120, columns);
    check(metric, { rows, queries: random.rows(10, columns), neighbors: [10], without: 'single', isRounded: true });
  });

  it('for continuous rows in single precision, but for ties to 1e-6', () => {
    const random = new Random(19);
    const rows = random.rows(300, 31);
    const k = 10;
    for (const backend of WASM_BACKENDS) {
      using search = new NearestNeighbors(rows, { metric, precision: 'single', backend });
      const { indices } = search.ofEachRow(k);
      rows.forEach((row, i) => {
        const truth = sorted(rows, row, i, metric);
        const last = (truth[k - 1] as Sorted[number]).distance;
        const found = new Set(indices.subarray(i * k, (i + 1) * k));
        const missed = truth.filter(({ index }, rank) => rank < k !== found.has(index));
        expect(missed.every(({ distance }) => isClose(distance, last, 1e-6))).toBe(true);
      });
    }
  });
});
