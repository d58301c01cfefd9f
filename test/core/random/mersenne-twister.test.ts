// The generator draws what NumPy draws: only then are forests those of scikit-learn.
import { describe, expect, it } from 'vitest';
import { MersenneTwister } from '../../../src/core/random/mersenne-twister.js';
import { fixture } from '../../support/data.js';

interface Case {
  seed: number;
  /** Words 695 … 699. */
  words: number[];
  integers: number[];
  seeds: number[];
  shuffled: number[];
}

const { random: CASES } = fixture<{ random: Case[] }>('models');

describe.each(CASES)('MersenneTwister($seed)', ({ seed, words, integers, seeds, shuffled }) => {
  const draw = (method: (random: MersenneTwister) => number, count: number) => {
    const random = new MersenneTwister(seed);
    return Array.from({ length: count }, () => method(random));
  };

  it("gives the words of NumPy's RandomState, also beyond the first 624", () => {
    expect(draw((random) => random.word(), 700).slice(-5)).toEqual(words);
  });

  it('gives its whole numbers, seeds and permutations', () => {
    expect(draw((random) => random.integer(446), 20)).toEqual(integers);
    expect(draw((random) => random.seed(), 3)).toEqual(seeds);
    const order = Int32Array.from({ length: 20 }, (_, i) => i);
    new MersenneTwister(seed).shuffle(order);
    expect([...order]).toEqual(shuffled);
  });

  it('draws nothing where there is nothing to choose', () => {
    const random = new MersenneTwister(seed);
    expect(random.integer(1)).toBe(0);
    random.shuffle(new Int32Array(1));
    expect(random.word()).toBe(new MersenneTwister(seed).word());
  });
});
