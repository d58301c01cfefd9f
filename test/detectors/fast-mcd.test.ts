// The search for the rows of least determinant: beside all sets of rows there are, and step by step.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/input/matrix.js';
import { jsMahalanobis } from '../../src/core/js/mahalanobis.js';
import { finish } from '../../src/core/steps.js';
import { concentrate, estimate, fastMcd, type Moments } from '../../src/detectors/fast-mcd.js';
import { covarianceOf, logDeterminantOf, mahalanobis, meanOf, subsets } from '../support/covariance.js';
import { Random } from '../support/data.js';

function momentsOf(rows: readonly ArrayLike<number>[]): Moments {
  return { rows: jsMahalanobis.hold(new RowReader().attach(rows)), tools: jsMahalanobis, isCentered: false };
}

const chosen = (rows: readonly Float64Array[], selected: Uint32Array) =>
  Array.from(selected, (i) => rows[i] as Float64Array);

describe('FastMCD', () => {
  it.each([
    [9, 1, 6], [10, 2, 6], [12, 2, 8], [12, 3, 8], [14, 1, 8], [13, 4, 9],
  ])('finds the least determinant of all sets: %d rows, %d columns, %d of them', (count, columns, support) => {
    for (let seed = 1; seed <= 4; seed++) {
      const random = new Random(100 * count + seed);
      const rows = random.rows(count, columns, () => random.gaussian() * (random.uniform() < 0.2 ? 8 : 1));
      let least = Infinity;
      for (const set of subsets(count, support)) {
        least = Math.min(least, logDeterminantOf(set.map((i) => rows[i] as Float64Array)));
      }
      const found = finish(fastMcd(momentsOf(rows), support, 0));
      expect(found.selected.length).toBe(support);
      expect(new Set(found.selected).size).toBe(support);
      expect(logDeterminantOf(chosen(rows, found.selected))).toBeCloseTo(least, 9);
    }
  }); // biome-ignore format: a table

  it('takes C-steps that never raise the determinant, to the rows nearest by definition', () => {
    const shape = fc.record({
      seed: fc.nat(),
      columns: fc.integer({ min: 1, max: 6 }),
      count: fc.integer({ min: 25, max: 60 }),
    });
    fc.assert(
      fc.property(shape, ({ seed, columns, count }) => {
        const random = new Random(seed);
        const rows = random.rows(count, columns, () => random.gaussian() ** 3);
        const moments = momentsOf(rows);
        const support = Math.ceil((count + columns + 1) / 2);
        const all = Uint32Array.from({ length: count }, (_, i) => i);
        let before = estimate(moments, Uint32Array.from(random.permutation(count).slice(0, support)));
        for (let step = 0; step < 6; step++) {
          const set = chosen(rows, before.selected);
          const [location, covariance] = [meanOf(set), covarianceOf(set)];
          const distances = rows.map((row) => mahalanobis(row, location, covariance));
          const farthest = distances.slice().sort((a, b) => a - b)[support - 1] as number;
          const after = concentrate(moments, all, support, before);
          for (const i of after.selected) expect(distances[i]).toBeLessThanOrEqual(farthest * (1 + 1e-7));
          expect(logDeterminantOf(chosen(rows, after.selected))).toBeLessThanOrEqual(logDeterminantOf(set) + 1e-9);
          before = after;
        }
      }),
      { seed: 11, numRuns: 25 },
    );
  });

  it.each([40, 700, 2500])('is reproduced by its seed and ends where no C-step leads lower: %d rows', (count) => {
    const random = new Random(count);
    const rows = random.rows(count, 3, () => random.gaussian() + 5 * random.integer(2));
    const moments = momentsOf(rows);
    const support = Math.ceil((count + 4) / 2);
    const first = finish(fastMcd(moments, support, 5));
    expect(finish(fastMcd(moments, support, 5))).toEqual(first);
    const all = Uint32Array.from({ length: count }, (_, i) => i);
    expect(concentrate(moments, all, support, first).logDeterminant).toBeGreaterThanOrEqual(
      first.logDeterminant - 1e-12,
    );
  });
});
