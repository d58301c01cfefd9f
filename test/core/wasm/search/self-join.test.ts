// Points that look for neighbours among themselves are joined: a pair of blocks is visited once, for both.
// Whatever the way, the neighbours are those a point finds when it is asked about alone, and those of a
// naive sort.
import { describe, expect, it, vi } from 'vitest';
import type { PointSet } from '../../../../src/core/backend.js';
import { CurvadError } from '../../../../src/core/errors.js';
import type { Build } from '../../../../src/core/wasm/build.js';
import { coreOf } from '../../../../src/core/wasm/core.js';
import { BLOCK, groupSize } from '../../../../src/core/wasm/search/self-join.js';
import { candidatesFor, slotsFor } from '../../../../src/core/wasm/search/workspace.js';
import { Random, type Rows } from '../../../support/data.js';
import { hold, METRICS, type Name, neighborsOf, sorted } from '../support.js';

const BUILDS: readonly Build[] = ['simd'];
/** The same, a few points at a time: too few to be joined. */
function oneByOne(points: PointSet, from: number, to: number, k: number) {
  const parts = [];
  for (let first = from; first < to; first += 100) parts.push(neighborsOf(points, first, Math.min(to, first + 100), k));
  return {
    indices: Uint32Array.from(parts.flatMap(({ indices }) => [...indices])),
    distances: Float64Array.from(parts.flatMap(({ distances }) => [...distances])),
  };
}

const random = new Random(29);
const whole = (limit: number) => () => random.integer(limit) - limit / 2;
const DATA: Readonly<Record<string, Rows>> = {
  'just more than a block': random.rows(BLOCK + 1, 6, whole(1000)),
  'an odd number of rows': random.rows(1407, 3, whole(5000)),
  'whole blocks': random.rows(3 * BLOCK, 20, whole(200)),
  'rows wider than the cache': random.rows(BLOCK + 60, 530, whole(100)),
  'rows in order along a line': Array.from({ length: 1300 }, (_, i) => [7 * i, (i * i) % 11, i % 3]),
  'many ties': random.rows(1500, 3, whole(6)),
  'a thousand duplicates of one row': [
    ...random.rows(500, 4, whole(300)),
    ...Array.from({ length: 1000 }, () => [1, 2, 3, 4]),
  ],
  'two clusters far apart': random.rows(1200, 5, whole(40)).map((row, i) => row.map((value) => value + (i % 2) * 1e6)),
  'one row far from all others': [...random.rows(700, 5, whole(40)), [3e7, 0, 0, 0, 0]],
};

describe.each(BUILDS)('points joined by the %s build', (build) => {
  describe.each(Object.keys(METRICS) as Name[])('with the distance of the %s kernel', (name) => {
    it.each(Object.entries(DATA))('have the neighbours of a naive sort: %s', (_, rows) => {
      const k = 10;
      const points = hold(rows, build, name, 'double', 'exhaustive');
      const { indices } = neighborsOf(points, 0, rows.length, k);
      const some = Array.from({ length: 60 }, (_, i) => Math.floor((i * (rows.length - 1)) / 59));
      const found = some.flatMap((row) => [...indices.subarray(row * k, (row + 1) * k)]);
      expect(found).toEqual(sorted(rows, some, k, name));
      points.release();
    });

    it.each(Object.entries(DATA))('have what they find when asked about in small parts, bit for bit: %s', (_, rows) => {
      for (const precision of ['single', 'double'] as const) {
        const points = hold(rows, build, name, precision, 'exhaustive');
        expect(neighborsOf(points, 0, rows.length, 7)).toEqual(oneByOne(points, 0, rows.length, 7));
        points.release();
      }
    });
  });

  it('have the same neighbours where only some are asked about', () => {
    const rows = DATA['an odd number of rows'] as Rows;
    const points = hold(rows, build, 'linear', 'double', 'exhaustive');
    for (const [from, to] of [
      [BLOCK, rows.length],
      [0, 2 * BLOCK],
      [3, 1100],
    ] as const) {
      expect(neighborsOf(points, from, to, 5), `${from} to ${to}`).toEqual(oneByOne(points, from, to, 5));
    }
    points.release();
  });

  it.each([
    { k: 200, group: 3 * BLOCK },
    { k: 600, group: BLOCK },
  ])('have the same $k neighbours where there is room for the candidates of $group points', ({ k, group }) => {
    const rows = random.rows(1900, 4, whole(1e5));
    const slots = slotsFor(candidatesFor(rows.length, 4, k));
    expect(groupSize(rows.length, slots, rows.length * 32, rows.length * 32)).toBe(group);
    const points = hold(rows, build, 'linear', 'double', 'exhaustive');
    const [joined, alone] = [neighborsOf(points, 0, rows.length, k), oneByOne(points, 0, rows.length, k)];
    expect(joined.indices.findIndex((index, i) => index !== alone.indices[i])).toBe(-1);
    expect(joined.distances.findIndex((distance, i) => distance !== alone.distances[i])).toBe(-1);
    points.release();
  });

  it('are asked about one by one where memory has no room for their candidates', () => {
    const rows = DATA['an odd number of rows'] as Rows;
    const points = hold(rows, build, 'linear', 'double', 'exhaustive');
    const expected = neighborsOf(points, 0, rows.length, 5);
    const allocate = vi.spyOn(coreOf(build).arena, 'allocate').mockImplementation(() => {
      throw new CurvadError('OUT_OF_MEMORY', 'no room');
    });
    expect(neighborsOf(points, 0, rows.length, 5)).toEqual(expected);
    expect(allocate).toHaveBeenCalledOnce();
    allocate.mockRestore();
    points.release();
  });

  it('leave no memory behind', () => {
    const rows = DATA['whole blocks'] as Rows;
    const points = hold(rows, build, 'linear', 'double', 'exhaustive');
    neighborsOf(points, 0, rows.length, 10);
    const before = coreOf(build).arena.size;
    for (let i = 0; i < 20; i++) neighborsOf(points, 0, rows.length, 10);
    expect(coreOf(build).arena.size).toBe(before);
    points.release();
  });
});
