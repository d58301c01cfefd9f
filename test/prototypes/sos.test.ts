// SOS against the definition and by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SOS } from '../../src/index.js';
import { Random } from '../support/data.js';
import { plainSOS, range } from '../support/prototypes.js';

/** Rows at given distances from their mean, which is the origin: each has its mirror image. */
const mirrored = (distances: readonly number[]): number[][] => distances.flatMap((d) => [[d], [-d]]);

describe('SOS', () => {
  it('takes both ends, then medians weighted by the gap behind them, by hand', () => {
    // Distances in order: 0 0 | 1 1 | 2 2 | 9 9 | 10 10, at positions 0 … 9.
    // Region 1 … 8: gaps 1, 0, 1, 0, 7, 0, 1, 0; position 5 has L = 4, R = 3: 7 · 3/4 wins, and is row 5.
    // Left, 1 … 4: position 3 has L = 2, R = 1: 1 · 1/2. Right, 6 … 8: position 7, gap 1, L = R.
    // Then 1 … 2: all 0, the first; 4; 6; 8; and 2.
    const { indices, scores } = new SOS().rank(mirrored([0, 1, 2, 9, 10]));
    expect([...indices]).toEqual([0, 9, 5, 3, 7, 1, 4, 6, 8, 2]);
    expect([...scores]).toEqual([0, 0, -1, -2, -2, -3, -3, -3, -3, -4]);
  });

  it('ranks few rows with the ends first', () => {
    expect([...new SOS().rank([[3]]).indices]).toEqual([0]);
    expect([...new SOS().rank([[3], [5]]).indices]).toEqual([0, 1]);
    expect([...new SOS().rank([[0], [1], [5]]).indices]).toEqual([1, 2, 0]);
  });

  it('agrees with the definition, also where distances are equal', () => {
    const cases = fc.record({
      n: fc.integer({ min: 1, max: 60 }),
      columns: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer({ min: 0, max: 1e6 }),
      isCoarse: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ n, columns, seed, isCoarse }) => {
        const random = new Random(seed);
        // Mirrored whole numbers: the mean is exactly 0, so that distances are equal where they should be.
        const X = isCoarse
          ? range(n).flatMap(() => {
              const row = range(columns).map(() => random.integer(5));
              return [row, row.map((value) => -value)];
            })
          : random.rows(n, columns);
        expect([...new SOS().rank(X).indices]).toEqual(plainSOS(X));
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it('survives its worst case: every region gives its first row', () => {
    const X = range(20_000).map(() => [1, 2]);
    const { indices } = new SOS().rank(X);
    expect([...indices]).toEqual([0, 19_999, ...range(19_998).map((i) => i + 1)]);
  });
});
