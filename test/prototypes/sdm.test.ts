// SDM against the definition and by hand.
import { describe, expect, it } from 'vitest';
import { SDM } from '../../src/index.js';
import { Random } from '../support/data.js';
import { plainSDM } from '../support/prototypes.js';

describe('SDM', () => {
  it('puts the rows nearest to the mean first, by hand', () => {
    const { indices, scores } = new SDM().rank([[0], [4], [5], [11]]); // the mean is 5
    expect([...indices]).toEqual([2, 1, 0, 3]);
    expect([...scores]).toEqual([Infinity, 1, 1 / 5, 1 / 6]);
  });

  it('ranks each class around its own mean, by hand', () => {
    const X = [[0], [100], [1], [101], [5], [103]];
    const { indices } = new SDM().rank(X, ['low', 'high', 'low', 'high', 'low', 'high']);
    // low: mean 2, distances 2, 1, 3; high: mean 304/3, distances 4/3, 1/3, 5/3
    expect([...indices]).toEqual([2, 3, 0, 1, 4, 5]);
  });

  // Not two: both are as far from their mean, and rounding would decide.
  it.each([1, 3, 40])('agrees with the definition on random rows: %d', (n) => {
    for (const columns of [1, 3, 8]) {
      const X = new Random(n + columns).rows(n, columns);
      expect([...new SDM().rank(X).indices]).toEqual(plainSDM(X));
    }
  });

  it('keeps its digits far from the origin', () => {
    const X = new Random(4).rows(200, 3, () => 0);
    const random = new Random(5);
    for (const row of X) for (let j = 0; j < 3; j++) row[j] = random.integer(1000);
    const far = X.map((row) => row.map((value) => value + 2 ** 40));
    expect(new SDM().rank(far).indices).toEqual(new SDM().rank(X).indices);
  });
});
