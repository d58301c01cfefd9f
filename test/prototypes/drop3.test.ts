// DROP3 against the definition, in which every list of neighbours is made anew for every row tried, and what
// the definition implies.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DROP3, ENN } from '../../src/index.js';
import { BACKENDS, Random } from '../support/data.js';
import { correctlyClassified, plainDROP3, plainENN, range } from '../support/prototypes.js';

/** Two or three overlapping clouds. */
function clouds(seed: number, n: number, columns: number, classes: number, isCoarse: boolean) {
  const random = new Random(seed);
  const y = range(n).map((i) => i % classes);
  const X = y.map((c) =>
    Float64Array.from({ length: columns }, (_, j) => {
      const value = random.gaussian() + (j === c ? 2.5 : 0);
      return isCoarse ? Math.round(value) : value;
    }),
  );
  return { X, y };
}

const cases = fc.record({
  seed: fc.integer({ min: 0, max: 1e6 }),
  n: fc.integer({ min: 8, max: 60 }),
  columns: fc.integer({ min: 1, max: 4 }),
  classes: fc.integer({ min: 2, max: 3 }),
  k: fc.integer({ min: 1, max: 5 }),
  isCoarse: fc.boolean(),
});

describe('DROP3', () => {
  it('keeps the borders between classes, by hand', () => {
    // With k = 1 ENN keeps all. By decreasing distance to the nearest enemy (10, 10, 9, 9, 7, 7) come rows 0, 5,
    // 1, 4, 2, 3. Row 0 goes: 1 and 2 have a friend next. Row 5 goes: so have 3 and 4. Without row 1, row 2 would
    // have row 3 next, an enemy; without 4, row 3 would have 2; without 2, row 1 would have 3; without 3, row 4
    // would have 2: all four stay.
    const X = [[0], [1], [3], [10], [12], [13]];
    expect([...new DROP3({ neighbors: 1 }).retain(X, [0, 0, 0, 1, 1, 1])]).toEqual([1, 2, 3, 4]);
  });

  it('agrees with the definition, also among duplicates and where few rows are left', () => {
    fc.assert(
      fc.property(cases, ({ seed, n, columns, classes, k, isCoarse }) => {
        const { X, y } = clouds(seed, n, columns, classes, isCoarse);
        expect([...new DROP3({ neighbors: k }).retain(X, y)]).toEqual(plainDROP3(X, y, k));
      }),
      { seed: 6, numRuns: 80 },
    );
  });

  it('agrees with the definition where lists of neighbours run out and are searched for again', () => {
    for (const seed of [1, 2]) {
      const { X, y } = clouds(seed, 220, 2, 2, false);
      expect([...new DROP3().retain(X, y)]).toEqual(plainDROP3(X, y, 3));
    }
  });

  it('is the same on every backend', () => {
    const { X, y } = clouds(3, 500, 3, 3, false);
    const [first, ...others] = BACKENDS.map((backend) => new DROP3({ backend }).retain(X, y));
    for (const other of others) expect(other).toEqual(first);
  });

  it('keeps a part of what ENN keeps, which classifies that no worse', () => {
    for (const seed of range(6)) {
      const { X, y } = clouds(seed, 300, 3, 3, false);
      const edited = plainENN(X, y, 3);
      const kept = [...new DROP3().retain(X, y)];
      expect(edited).toEqual([...new ENN().retain(X, y)]);
      expect(kept.filter((row) => !edited.includes(row))).toEqual([]);
      expect(kept.length).toBeLessThan(0.5 * edited.length);
      // No removal may lose associates: so of all rows ENN left, no fewer are classified correctly in the end.
      const before = correctlyClassified(X, y, edited, edited, 3);
      expect(correctlyClassified(X, y, edited, kept, 3)).toBeGreaterThanOrEqual(before);
    }
  });

  it('keeps nothing where ENN leaves nothing, and the one row where it leaves one', () => {
    expect(new DROP3({ neighbors: 1 }).retain([[0], [1], [2.5], [4.5], [7]], [0, 1, 0, 1, 0]).length).toBe(0);
    const lone = [[0], [1], [1.6], [1.7]]; // nearest: 1, 2, 3, 2
    expect([...new DROP3({ neighbors: 1 }).retain(lone, [0, 0, 1, 0])]).toEqual([0]);
  });
});
