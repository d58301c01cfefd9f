// ENN against imbalanced-learn (test/fixtures/make_prototypes.py), the definition, and by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENN } from '../../src/index.js';
import { BACKENDS, fixture, Random } from '../support/data.js';
import { plainENN, range } from '../support/prototypes.js';

interface Edited {
  edited: Array<{ name: string; k: number; X: number[][]; y: number[]; kept: number[]; undecided: number[] }>;
}

describe('ENN', () => {
  it('drops a row whose neighbours are of another class, by hand', () => {
    const X = [[0], [1], [2.1], [3.3], [10], [11], [12.1], [13.3], [1.4]];
    const y = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b']; // the last is a b among a's
    expect([...new ENN().retain(X, y)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('drops a row with as many enemies as friends', () => {
    const X = [[0], [1], [3], [100], [101], [103]];
    // Of row 0 the two nearest are 1 and 2: a friend and an enemy.
    expect([...new ENN({ neighbors: 2 }).retain(X, [0, 0, 1, 1, 1, 1])]).toEqual([3, 4, 5]);
  });

  it('judges all rows at once: a row that goes still votes', () => {
    const X = [[0], [1], [2.5], [4.5], [7]];
    const y = [0, 1, 0, 1, 0]; // neighbors 1: each row's nearest is an enemy
    expect(new ENN({ neighbors: 1 }).retain(X, y).length).toBe(0);
  });

  it.each(fixture<Edited>('prototypes').edited)(
    'keeps what imbalanced-learn keeps: $name',
    ({ k, X, y, kept, undecided }) => {
      const ours = [...new ENN({ neighbors: k }).retain(X, y)];
      expect(ours.filter((row) => !undecided.includes(row))).toEqual(kept.filter((row) => !undecided.includes(row)));
      for (const row of undecided) expect(ours).not.toContain(row); // one friend, two enemies
    },
  );

  it('agrees with the definition, also among duplicates, on every backend', () => {
    const cases = fc.record({
      n: fc.integer({ min: 8, max: 80 }),
      columns: fc.integer({ min: 1, max: 5 }),
      k: fc.integer({ min: 1, max: 7 }),
      seed: fc.integer({ min: 0, max: 1e6 }),
      isCoarse: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ n, columns, k, seed, isCoarse }) => {
        const random = new Random(seed);
        const X = random.rows(n, columns, () => (isCoarse ? random.integer(4) : random.gaussian()));
        const y = range(n).map((i) => i % 2);
        const truth = plainENN(X, y, k);
        for (const backend of BACKENDS) expect([...new ENN({ neighbors: k, backend }).retain(X, y)]).toEqual(truth);
      }),
      { seed: 4, numRuns: 60 },
    );
  });
});
