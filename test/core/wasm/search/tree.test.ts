// A tree leaves most points out unseen. Their neighbours are those of a naive sort and, to the bit, those of the plain
// backend, which looks at all of them.

import { describe, expect, it } from 'vitest';
import { POINTS, type PointSet } from '../../../../src/core/backend.js';
import { jsBackend } from '../../../../src/core/js/backend.js';
import { finish } from '../../../../src/core/steps.js';
import type { Build } from '../../../../src/core/wasm/build.js';
import { Random, type Rows } from '../../../support/data.js';
import { hold, METRICS, type Name, neighborsOf, sorted } from '../support.js';

const BUILDS: readonly Build[] = ['simd'];
const random = new Random(31);
const whole = (limit: number) => () => random.integer(limit) - limit / 2;
const range = (length: number, row: (i: number) => number[]): Rows => Array.from({ length }, (_, i) => row(i));

/** Whole numbers: no sum rounds, and ties are true. */
const DATA: Readonly<Record<string, Rows>> = {
  'one column': random.rows(1003, 1, whole(5000)),
  'one column of few values': random.rows(1003, 1, whole(30)),
  'two columns': random.rows(1777, 2, whole(5000)),
  'many ties': random.rows(1500, 2, whole(12)),
  'three columns, one of them constant': random.rows(3400, 3, whole(900)).map((row) => [row[0] ?? 0, 7, row[2] ?? 0]),
  'rows in order along a line': range(1300, (i) => [7 * i, (i * i) % 11]),
  'rows that rise and fall': range(1300, (i) => [i < 650 ? i : 1300 - i, i % 2]),
  'a thousand duplicates of one row': [...random.rows(500, 2, whole(300)), ...range(1000, () => [1, 2])],
  'nothing but duplicates': range(900, () => [3, 4]),
  'columns of very different widths': random.rows(1200, 2, whole(40)).map((row) => [row[0] ?? 0, (row[1] ?? 0) * 1e6]),
  'two clusters far apart': random.rows(1200, 2, whole(40)).map((row, i) => row.map((value) => value + (i % 2) * 1e6)),
  'one row far from all others': [...random.rows(900, 2, whole(40)), [3e7, 0]],
};

/** Rows as new queries. */
function neighborsOfRows(points: PointSet, rows: Rows, k: number) {
  const source = {
    rows: rows.length,
    columns: points.columns,
    read: (row: number, into: Float64Array, at: number) => into.set(rows[row] as ArrayLike<number>, at),
  };
  const indices = new Uint32Array(rows.length * k);
  const distances = new Float64Array(rows.length * k);
  points.neighbors(source, 0, rows.length, k, { indices, distances });
  return { indices, distances };
}

describe.each(BUILDS)('points in the order of a tree, in the %s build', (build) => {
  describe.each(Object.keys(METRICS) as Name[])('with the distance of the %s kernel', (name) => {
    it.each(Object.entries(DATA))('have the neighbours of a naive sort: %s', (_, rows) => {
      const points = hold(rows, build, name, 'double', 'tree');
      const some = Array.from({ length: 50 }, (_, i) => Math.floor((i * (rows.length - 1)) / 49));
      for (const k of [1, 10, 45]) {
        const { indices } = neighborsOf(points, 0, rows.length, k);
        const found = some.flatMap((row) => [...indices.subarray(row * k, (row + 1) * k)]);
        expect(found, `k = ${k}`).toEqual(sorted(rows, some, k, name));
      }
      points.release();
    });

    it.each(['single', 'double'] as const)('agree with the plain backend to the bit in %s precision', (precision) => {
      const kernel = { name, gamma: 1, coef0: 0, degree: 1 };
      for (const columns of [1, 2, 3]) {
        const rows = random.rows(3300, columns);
        const far = random.rows(40, columns, () => 1000 * random.gaussian());
        // Beyond what the numbers of a tree hold: where there is nothing nearer in f64 either, the lowest indices.
        for (const size of [1e19, 1e25, 1e40, 1e149])
          far.push(...random.rows(2, columns, () => size * random.gaussian()));
        const points = hold(rows, build, name, precision, 'tree');
        const source = {
          rows: rows.length,
          columns,
          read: (row: number, into: Float64Array, at: number) =>
            into.set(points.rows().subarray(row * columns, (row + 1) * columns), at),
        };
        const plain = finish(jsBackend.hold(source, precision, kernel));
        for (const k of [2, 700]) {
          expect(neighborsOfRows(points, [...rows.slice(0, 40), ...far], k)).toEqual(
            neighborsOfRows(plain, [...rows.slice(0, 40), ...far], k),
          );
        }
        const [own, ownPlain] = [points, plain].map((set) => {
          const scores = new Float64Array(300);
          set.curvature(POINTS, 1000, 1300, 10, scores);
          return scores;
        });
        expect(own).toEqual(ownPlain);
        points.release();
      }
    });
  });
});
