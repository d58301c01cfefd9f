// The distance to the k-th nearest point, found without a list: the same bits as the last of the neighbours, measured
// one by one with plain loops, whatever the points are like.
import { describe, expect, it } from 'vitest';
import { POINTS, type PointSet } from '../../src/core/backend.js';
import { selectBackend } from '../../src/core/select.js';
import { finish } from '../../src/core/steps.js';
import { BACKENDS, PRECISIONS, Random, type Rows, squaredDistance } from '../support/data.js';

const random = new Random(23);
const times = (rows: Float64Array[], factor: number): Float64Array[] => rows.map((row) => row.map((v) => v * factor));
const cloud = random.rows(400, 12);

/** Points and rows to ask about. */
const CASES: Readonly<Record<string, readonly [Float64Array[], Float64Array[]]>> = {
  'a cloud': [cloud, random.rows(9, 12)],
  'more points than are estimated at once': [random.rows(4200, 1), random.rows(3, 1)],
  'one column': [random.rows(300, 1), random.rows(9, 1)],
  'many columns': [random.rows(90, 701), random.rows(3, 701)],
  'whole numbers, many ties': [
    random.rows(500, 4, () => random.integer(3)),
    random.rows(9, 4, () => random.integer(3)),
  ],
  'all equal but a few': [
    [...random.rows(5, 3), ...Array.from({ length: 95 }, () => Float64Array.of(1, 2, 3))],
    [Float64Array.of(1, 2, 3)],
  ],
  'a tight cluster far out': [times(cloud, 1e-6).map((row) => row.map((v) => v + 1000)), [cloud[0] as Float64Array]],
  'one point far out': [[...cloud, cloud[0]?.map((v) => v * 1e12) as Float64Array], cloud.slice(0, 9)],
  'tiny numbers': [times(cloud, 1e-18), times(cloud.slice(0, 9), 1e-17)],
  'rows far beyond the points': [cloud, [...times(cloud.slice(0, 9), 1e8), ...times(cloud.slice(0, 5), 1e33)]],
  'two points': [random.rows(2, 5), random.rows(3, 5)],
};

function expected(points: Rows, row: ArrayLike<number>, k: number, self = -1): number {
  const distances = points.flatMap((point, i) => (i === self ? [] : [squaredDistance(row, point)]));
  return distances.sort((a, b) => a - b)[k - 1] as number;
}

/** By the list of neighbours, to the last bit. */
function lastOfList(points: PointSet, queries: Parameters<PointSet['neighbors']>[0], count: number, k: number) {
  const distances = new Float64Array(count * k);
  points.neighbors(queries, 0, count, k, { indices: new Uint32Array(count * k), distances });
  return distances.filter((_, i) => i % k === k - 1);
}

function sourceOf(rows: Rows) {
  const columns = (rows[0] as ArrayLike<number>).length;
  const read = (i: number, into: Float64Array, at: number): void => into.set(rows[i] as ArrayLike<number>, at);
  return { rows: rows.length, columns, read };
}

describe.each(BACKENDS)('%s', (backend) => {
  it.each(
    Object.entries(CASES).map(([name, [rows, fresh]], i) => ({
      name,
      rows,
      fresh,
      precision: PRECISIONS[i % 2] as 'single' | 'double',
    })),
  )('finds the k-th distance: $name, $precision', ({ precision, rows, fresh }) => {
    const stored = precision === 'single' ? rows.map((row) => row.map(Math.fround)) : rows;
    const kernel = { name: 'linear', gamma: 1, coef0: 0, degree: 1 } as const;
    const points = finish(selectBackend(backend).hold(sourceOf(stored), precision, kernel, { kind: 'exhaustive' }));
    const own = Math.min(20, rows.length);
    for (const k of [1, 42, 300].filter((k) => k < rows.length)) {
      const ofRows = new Float64Array(fresh.length);
      points.kthDistances(sourceOf(fresh), 0, fresh.length, k, ofRows);
      expect(ofRows).toEqual(lastOfList(points, sourceOf(fresh), fresh.length, k));
      const ofPoints = new Float64Array(own);
      points.kthDistances(POINTS, 0, own, k, ofPoints);
      expect(ofPoints).toEqual(lastOfList(points, POINTS, own, k));
      for (const [i, row] of fresh.entries()) {
        const truth = expected(stored, row, k);
        expect(Math.abs((ofRows[i] as number) - truth)).toBeLessThanOrEqual(1e-12 * truth);
      }
      const truth = expected(stored, stored[own - 1] as Float64Array, k, own - 1);
      expect(Math.abs((ofPoints[own - 1] as number) - truth)).toBeLessThanOrEqual(1e-12 * truth);
    }
    points.release();
  });
});
