// Shell extraction against the definition, which is run anew for every number of rows, and by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShellExtraction } from '../../src/index.js';
import { Random } from '../support/data.js';
import { plainSE, range } from '../support/prototypes.js';

describe('shell extraction', () => {
  it('strips a growing sphere, by hand', () => {
    // Mean 0, mean distance (1 + 1 + 4 + 4 + 6 + 6)/6 = 11/3. t = 1: radius 0.9 · 11/3 = 3.3 strips ±1.
    // Mean 0, mean distance 5. t = 2: radius 5 strips ±4. Then 6 > 1.1 · 6 fails: t = 3 strips row 4 only,
    // as one row must stay.
    const { indices, scores } = new ShellExtraction().rank([[1], [-1], [4], [-4], [6], [-6]]);
    expect([...indices]).toEqual([5, 4, 3, 2, 1, 0]);
    expect([...scores]).toEqual([Infinity, 3, 2, 2, 1, 1]);
  });

  it('keeps what the definition keeps, for every number of rows', () => {
    // The last two rows are equally far from their mean: a radius of exactly that distance would leave it to
    // rounding who stays, so that λ + δt = 1 must not come up when few rows are left.
    const cases = fc.record({
      n: fc.integer({ min: 12, max: 30 }),
      columns: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 0, max: 1e6 }),
      lambda: fc.constantFrom(0.03, 0.53, 0.8, 2),
      delta: fc.constantFrom(0.06, 0.1, 1),
    });
    fc.assert(
      fc.property(cases, ({ n, columns, seed, lambda, delta }) => {
        const X = new Random(seed).rows(n, columns);
        const selector = new ShellExtraction({ lambda, delta });
        for (const count of range(n).map((i) => i + 1)) {
          const kept = [...selector.select(X, { count })].sort((a, b) => a - b);
          expect(kept).toEqual(plainSE(X, count, lambda, delta));
        }
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  it('ranks rows that coincide by row number, never stripped', () => {
    const { indices, scores } = new ShellExtraction().rank([[2], [2], [2]]);
    expect([...indices]).toEqual([0, 1, 2]);
    expect([...scores]).toEqual([Infinity, Infinity, Infinity]);
  });

  it('ends also where the radius hardly grows', () => {
    const X = new Random(6).rows(50, 2);
    const { indices } = new ShellExtraction({ lambda: 0, delta: 0.001 }).rank(X);
    expect([...indices].sort((a, b) => a - b)).toEqual(range(50));
  });
});
