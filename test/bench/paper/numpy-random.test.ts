// The generator draws what NumPy draws: only then can models with random parts be compared number by number.
// test/core/random/mersenne-twister.test.ts has the rest.
import { describe, expect, it } from 'vitest';
import { RandomState } from '../../../bench/paper/numpy-random.js';
import { fixture } from '../../support/data.js';

const { random: CASES } = fixture<{ random: Array<{ seed: number; uniform: number[] }> }>('models');

describe.each(CASES)('RandomState($seed)', ({ seed, uniform }) => {
  it("gives the uniform numbers of NumPy's RandomState", () => {
    const random = new RandomState(seed);
    expect(Array.from({ length: 5 }, () => random.uniform())).toEqual(uniform);
  });

  it('gives every whole number below the end about equally often by the scaled draw', () => {
    const random = new RandomState(seed);
    const counts = new Array<number>(7).fill(0);
    for (let i = 0; i < 70_000; i++) {
      const value = random.scaledInteger(7);
      counts[value] = (counts[value] as number) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });
});
