// Sorting in steps gives what sorting at once gives, and pauses.

import { describe, expect, it } from 'vitest';
import { ascendingOrder, sortValues } from '../../../src/core/math/sorting.js';
import { finish } from '../../../src/core/steps.js';
import { Random } from '../../support/data.js';

describe('sorting in steps', () => {
  const random = new Random(5);

  it.each([0, 1, 2, 8191, 8192, 8193, 16_384, 50_001])('sorts %i values as the runtime does', (count) => {
    const values = new Float64Array(count).map(() => random.gaussian());
    expect(finish(sortValues(values.slice()))).toEqual(values.toSorted());
    const few = values.map((value) => Math.round(value));
    const order = new Uint32Array(count).map((_, i) => i);
    const compare = (a: number, b: number) => (few[a] as number) - (few[b] as number) || a - b;
    expect(finish(ascendingOrder(few))).toEqual(order.toSorted(compare));
  });

  it('orders places by value, equal ones by place: also both zeros, infinities and the smallest numbers', () => {
    const values = Float64Array.of(0, -0, Infinity, -1, 5e-324, -Infinity, -5e-324, 1e300, -1, -1e-300, 0, Infinity);
    expect([...finish(ascendingOrder(values))]).toEqual([5, 3, 8, 9, 6, 0, 1, 10, 4, 7, 2, 11]);
  });

  it('pauses after a few thousand values', () => {
    const values = new Float64Array(100_000).map(() => random.gaussian());
    for (const steps of [sortValues(values.slice()), ascendingOrder(values)]) {
      let pauses = 0;
      while (!steps.next().done) pauses++;
      expect(pauses).toBeGreaterThan(20);
    }
  });
});
