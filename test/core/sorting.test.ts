// Sorting in steps gives what sorting at once gives, and pauses.
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../src/core/pauses.js';
import { sortInSteps } from '../../src/core/sorting.js';
import { Random } from '../support/data.js';

describe('sorting in steps', () => {
  const random = new Random(5);

  it.each([0, 1, 2, 8191, 8192, 8193, 16_384, 50_001])('sorts %i values as the runtime does', (count) => {
    const values = new Float64Array(count).map(() => random.gaussian());
    expect(atOnce(sortInSteps(values.slice()))).toEqual(values.toSorted());
    const few = values.map((value) => Math.round(value));
    const order = new Uint32Array(count).map((_, i) => i);
    const compare = (a: number, b: number) => (few[b] as number) - (few[a] as number) || a - b;
    expect(atOnce(sortInSteps(order.slice(), compare))).toEqual(order.toSorted(compare));
  });

  it('pauses after a few thousand values', () => {
    const steps = sortInSteps(new Float64Array(100_000).map(() => random.gaussian()));
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThan(20);
  });
});
