// The rows an explanation compares with, against plain loops: which are plausible, and which are reached by few changes.
import { describe, expect, it } from 'vitest';
import { Reference } from '../../src/explanations/reference.js';
import { Random } from '../support/data.js';

const COLUMNS = 6;
const random = new Random(29);
const rows = random.rows(150, COLUMNS, () => random.gaussian());
const data = Float64Array.from(rows.flatMap((row) => [...row]));
const indices = Uint32Array.from(rows.keys());
const ones = new Float64Array(COLUMNS).fill(1);
const reference = new Reference({ rows: data, indices, deviations: ones, isComplete: true });

const square = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, j) => sum + (value - (b[j] as number)) ** 2, 0);
/** The distance to the k-th nearest of some rows. */
const kth = (row: ArrayLike<number>, others: readonly ArrayLike<number>[], k: number): number =>
  Math.sqrt(others.map((other) => square(row, other)).sort((a, b) => a - b)[k - 1] as number);

const limits = [5, 20].map((k) => {
  const distances = rows.map((row, i) =>
    kth(
      row,
      rows.filter((_, other) => other !== i),
      k,
    ),
  );
  return { k, limit: distances.sort((a, b) => a - b)[Math.floor(0.88 * 149)] as number };
});

describe('the distance from normal rows', () => {
  it('is the larger of those to the fifth and the twentieth, in shares of what is usual', () => {
    const others = random.rows(40, COLUMNS, () => 2 * random.gaussian());
    const distances = reference.distances(Float64Array.from(others.flatMap((row) => [...row])));
    for (const [i, row] of others.entries()) {
      const expected = Math.max(...limits.map(({ k, limit }) => kth(row, rows, k) / limit));
      expect(distances[i]).toBeCloseTo(expected, 3); // rows are rounded
    }
  });

  it('is large for a few rows that stand apart together', () => {
    const group = Array.from({ length: 8 }, () =>
      Float64Array.from({ length: COLUMNS }, () => 9 + random.uniform() / 9),
    );
    const all = [...rows, ...group];
    const together = new Reference({
      rows: Float64Array.from(all.flatMap((row) => [...row])),
      indices: Uint32Array.from(all.keys()),
      deviations: ones,
      isComplete: true,
    });
    expect(together.distances(new Float64Array(COLUMNS).fill(9.05))[0]).toBeGreaterThan(2);
  });
});

describe('rows that are reached', () => {
  const near = 0.8 * (limits[0]?.limit as number) ** 2;
  /** Columns that must change, the largest first, and what is left. */
  const effort = (from: Float64Array, to: Float64Array, units: readonly (readonly number[])[]): number => {
    const sizes = units.map((unit) => unit.reduce((sum, j) => sum + ((from[j] as number) - (to[j] as number)) ** 2, 0));
    let left = square(from, to);
    let moved = 0;
    for (const size of sizes.sort((a, b) => b - a)) {
      if (left <= near) break;
      left -= size;
      moved++;
    }
    return moved + left / near;
  };

  it.each([
    ['columns', [[0], [1], [2], [3], [4], [5]]],
    ['columns and a group', [[0, 1, 2], [3], [5]]],
    ['few columns that are free', [[4], [2]]],
  ])('need the fewest changes of %s', (_, units) => {
    const from = Float64Array.of(6, -5, 0, 0.5, 3, 0);
    const found = [...reference.reachable(from, 6, units)];
    const plausible = [...rows.keys()].filter((i) =>
      limits.every(({ k, limit }) => kth(rows[i] as Float64Array, rows, k) <= limit * 1.0001),
    );
    const best = plausible.sort(
      (a, b) => effort(from, rows[a] as Float64Array, units) - effort(from, rows[b] as Float64Array, units),
    );
    expect(found).toEqual(best.slice(0, 6));
  });
});
