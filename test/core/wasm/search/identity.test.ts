// Whichever search runs, the neighbours are the same, and their distances to the bit: a tree, a look at all points in
// tiles, and the plain backend, over thousands of random sets of rows of the kinds that are hard for one of them.
import { describe, expect, it } from 'vitest';
import { PLACES, POINTS, type PointSet, type Queries } from '../../../../src/core/backend.js';
import { jsBackend } from '../../../../src/core/js/backend.js';
import { finish } from '../../../../src/core/steps.js';
import type { Build } from '../../../../src/core/wasm/build.js';
import { Random, type Rows } from '../../../support/data.js';
import { hold, kernelOf, type Name, sourceOf } from '../support.js';

const PRECISIONS = ['single', 'double'] as const;
type Precision = (typeof PRECISIONS)[number];

/** Kinds of rows; `far` is the largest value there may be, and `tiny` the smallest that is not zero. */
type Make = (random: Random, count: number, columns: number, far: number, tiny: number) => Rows;

const pick = (random: Random, ...values: number[]): number => values[random.integer(values.length)] as number;

const KINDS: Readonly<Record<string, Make>> = {
  noise: (random, count, columns) => random.rows(count, columns),
  'a grid': (random, count, columns) => random.rows(count, columns, () => random.integer(3)),
  'duplicates of a few rows': (random, count, columns) => {
    const few = random.rows(3, columns);
    return Array.from({ length: count }, () => few[random.integer(3)] as Float64Array);
  },
  'nothing but duplicates': (random, count, columns) => {
    const [row] = random.rows(1, columns);
    return Array.from({ length: count }, () => row as Float64Array);
  },
  'constant columns': (random, count, columns) =>
    random.rows(count, columns).map((row) => row.map((value, j) => (j % 2 === 0 ? 7 : value))),
  'a large offset': (random, count, columns) => random.rows(count, columns, () => 1e7 + random.gaussian()),
  outliers: (random, count, columns, far) =>
    random.rows(count, columns, () => (random.uniform() < 0.03 ? far * pick(random, -1, 1) : random.gaussian())),
  'a sentinel': (random, count, columns) =>
    random.rows(count, columns, () => (random.uniform() < 0.05 ? -999999999 : random.gaussian())),
  'the smallest numbers there are': (random, count, columns, _, tiny) =>
    random.rows(count, columns, () => tiny * random.integer(100)),
  'all magnitudes': (random, count, columns, far, tiny) =>
    random.rows(
      count,
      columns,
      () => pick(random, -1, 1) * Math.exp(Math.log(tiny) + (Math.log(far) - Math.log(tiny)) * random.uniform()),
    ),
  'rows in order along a line': (_, count, columns) =>
    Array.from({ length: count }, (_row, i) => Float64Array.from({ length: columns }, (_value, j) => i * (j + 1))),
  'clusters far apart': (random, count, columns) =>
    random.rows(count, columns).map((row, i) => row.map((value) => value * 1e-3 + (i % 3) * 1e4)),
  'rows near a plane': (random, count, columns) =>
    random
      .rows(count, 2)
      .map(([a = 0, b = 0]) =>
        Float64Array.from({ length: columns }, (_, j) => Math.sin(j) * a + Math.cos(j) * b + 1e-3 * random.gaussian()),
      ),
  // Distances that are equal but for what f32 rounds, from a row far from the centre.
  'spheres on the margin of rounding': (random, count, columns) =>
    random.rows(count, columns).map((row, i) => {
      const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0)) || 1;
      const radius = i === 0 ? 0 : 1 + (random.integer(9) - 4) * 2 ** -24;
      return row.map((value) => (value / length) * radius + (i % 2 === 0 ? 300 : -100));
    }),
};

function ask(points: PointSet, queries: Queries, count: number, k: number) {
  const indices = new Uint32Array(count * k);
  const distances = new Float64Array(count * k);
  points.neighbors(queries, 0, count, k, { indices, distances });
  return { indices, distances };
}

/** The same, asked in two parts. */
function askParts(points: PointSet, count: number, k: number): ReturnType<typeof ask> {
  const indices = new Uint32Array(count * k);
  const distances = new Float64Array(count * k);
  const middle = count >> 1;
  for (const [from, to] of [
    [0, middle],
    [middle, count],
  ] as const) {
    const part = { indices: indices.subarray(from * k, to * k), distances: distances.subarray(from * k, to * k) };
    points.neighbors(POINTS, from, to, k, part);
  }
  return { indices, distances };
}

/** Answers in places as answers of rows. */
function inRows({ indices, distances }: ReturnType<typeof ask>, order: Uint32Array, k: number): ReturnType<typeof ask> {
  const rows = { indices: new Uint32Array(indices.length), distances: new Float64Array(distances.length) };
  for (const [place, row] of order.entries()) {
    rows.indices.set(indices.subarray(place * k, (place + 1) * k), row * k);
    rows.distances.set(distances.subarray(place * k, (place + 1) * k), row * k);
  }
  return rows;
}

/** As `toEqual`, which takes long over long arrays. */
function expectSame(found: ReturnType<typeof ask>, expected: ReturnType<typeof ask>): void {
  const at = found.indices.findIndex((index, i) => index !== expected.indices[i]);
  expect({ at, index: found.indices[at] }).toEqual({ at: -1, index: undefined });
  expect(found.distances.findIndex((distance, i) => !Object.is(distance, expected.distances[i]))).toBe(-1);
}

interface Case {
  readonly build: Build;
  readonly name: Name;
  readonly precision: Precision;
  readonly k: number;
  readonly isPlainToo: boolean;
}

/** Compares searches; returns how many comparisons were made. */
function compare(rows: Rows, { build, name, precision, k, isPlainToo }: Case): number {
  const stored = precision === 'single' ? rows.map((row) => Float64Array.from(row, Math.fround)) : rows;
  const [tree, ordered, tiles] = (['tree', 'ordered', 'exhaustive'] as const).map((kind) =>
    hold(stored, build, name, precision, kind),
  ) as [PointSet, PointSet, PointSet];
  // New rows: some of them, and what lies between others.
  const few = stored
    .filter((_, i) => i % 7 === 0)
    .slice(0, 12)
    .map((row) => Float64Array.from(row));
  const fresh = sourceOf(
    few.map((row, i) => (i % 2 === 0 ? row : row.map((value, j) => value / 2 + (stored[0]?.[j] ?? 0) / 2))),
  );
  const own = ask(tree, POINTS, stored.length, k);
  const others = ask(tree, fresh, few.length, k);
  expectSame(own, ask(tiles, POINTS, stored.length, k));
  expectSame(inRows(ask(tree, PLACES, stored.length, k), tree.order as Uint32Array, k), own);
  expectSame(others, ask(tiles, fresh, few.length, k));
  expectSame(ask(ordered, POINTS, stored.length, k), own);
  expectSame(inRows(ask(ordered, PLACES, stored.length, k), ordered.order as Uint32Array, k), own);
  expectSame(ask(ordered, fresh, few.length, k), others);
  expectSame(askParts(ordered, stored.length, k), own);
  if (isPlainToo) {
    const plain = finish(jsBackend.hold(sourceOf(stored), precision, kernelOf(name)));
    expectSame(own, ask(plain, POINTS, stored.length, k));
    expectSame(others, ask(plain, fresh, few.length, k));
  }
  for (const points of [tree, ordered, tiles]) points.release();
  return isPlainToo ? 9 : 7;
}

describe.each(['simd'] as const)('a tree, tiles and the plain backend agree, in the %s build', (build) => {
  it.each(Object.entries(KINDS))('about %s', (kind, make) => {
    const random = new Random(kind.length * 7919 + build.length);
    let cases = 0;
    for (let round = 0; round < 12; round++) {
      for (const name of ['linear', 'laplacian'] as const) {
        for (const precision of PRECISIONS) {
          const isSmall = round % 6 !== 0;
          const count = isSmall ? 20 + random.integer(70) : 270 + random.integer(400);
          const columns = pick(random, 1, 2, 3, 5, 8, 17, 20, 21, 40);
          const [far, tiny] = precision === 'single' ? [1e30, 2 ** -149] : [1e150, 2 ** -1074];
          const rows = make(random, count, columns, far, tiny);
          const k = pick(random, 1, 2, 10, 33, isSmall ? count - 1 : 60);
          cases += compare(rows, { build, name, precision, k: Math.min(k, count - 1), isPlainToo: isSmall });
        }
      }
    }
    expect(cases).toBeGreaterThan(400);
  });

  it('where panels that are too far apart are not compared', () => {
    const random = new Random(17);
    for (const [kind, make] of Object.entries(KINDS)) {
      const name = kind.length % 2 === 0 ? 'linear' : 'laplacian';
      const rows = make(random, 1700 + random.integer(200), pick(random, 4, 6, 21), 1e30, 2 ** -149);
      compare(rows, { build, name, precision: 'double', k: 10, isPlainToo: false });
    }
  });

  it('in trees of four levels, with duplicates by the thousand', () => {
    const random = new Random(5);
    const rows = random.rows(6000, 4).map((row, i) => (i % 3 === 0 ? Float64Array.of(1, 2, 3, 4) : row));
    for (const name of ['linear', 'laplacian'] as const)
      compare(rows, { build, name, precision: 'single', k: 10, isPlainToo: false });
  });
});
