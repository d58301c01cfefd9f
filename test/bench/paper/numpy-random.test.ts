// The generator draws what NumPy draws: only then can models with random parts be compared number by number.
import { describe, expect, it } from 'vitest';
import { RandomState } from '../../../bench/paper/numpy-random.js';
import { fixture } from '../../support/data.js';

interface Case {
  seed: number;
  words: number[];
  uniform: number[];
  integers: number[];
  seeds: number[];
  shuffled: number[];
}

const { random: CASES } = fixture<{ random: Case[] }>('models');

describe.each(CASES)('RandomState($seed)', ({ seed, words, uniform, integers, seeds, shuffled }) => {
  it("gives the words of NumPy's RandomState, also beyond the first 624", () => {
    const random = new RandomState(seed);
    const drawn = Array.from({ length: 700 }, () => random.word());
    expect(drawn.slice(-5)).toEqual(words);
  });

  it('gives its uniform numbers, whole numbers, seeds and permutations', () => {
    const draw = (method: (random: RandomState) => number, count: number) => {
      const random = new RandomState(seed);
      return Array.from({ length: count }, () => method(random));
    };
    expect(draw((random) => random.uniform(), 5)).toEqual(uniform);
    expect(draw((random) => random.integer(446), 20)).toEqual(integers);
    expect(draw((random) => random.seed(), 3)).toEqual(seeds);
    const order = Int32Array.from({ length: 20 }, (_, i) => i);
    new RandomState(seed).shuffle(order);
    expect([...order]).toEqual(shuffled);
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
