// Numbers that come and go: their mean and deviation are those of ColumnStatistics over what is there, bit for bit.
import { describe, expect, it } from 'vitest';
import { ColumnStatistics } from '../../../src/core/input/column-statistics.js';
import { SlidingMoments } from '../../../src/core/math/sliding-moments.js';
import { Random } from '../../support/data.js';

interface Kind {
  readonly name: string;
  readonly centre: number;
  readonly value: (random: Random, t: number) => number;
  /** Share of the answers that may be unknown. */
  readonly unknown: number;
}

const STREAMS: Kind[] = [
  { name: 'numbers around 0', centre: 0, value: (random) => random.uniform() - 0.4, unknown: 0 },
  { name: 'whole numbers', centre: 3, value: (random) => Math.round(random.uniform() * 4), unknown: 0 },
  { name: 'ones and minus ones', centre: 1, value: (_, t) => (t % 2 === 0 ? 1 : -1), unknown: 0 },
  // Of two or four numbers the mean often lies half-way between two numbers.
  { name: 'a pressure', centre: 101325, value: (random) => 101325 + random.uniform() / 10, unknown: 0.01 },
  {
    name: 'tenths and their opposites',
    centre: 0.03,
    value: (_, t) => (t % 2 ? -0.1 : 0.1) * ((t >> 1) % 5),
    unknown: 0,
  },
  { name: 'a far centre', centre: -1e9, value: (random) => 1e9 + random.uniform(), unknown: 1 },
  { name: 'jumps', centre: 0, value: (random, t) => random.uniform() * (t % 300 > 270 ? 1e9 : 1), unknown: 0.9 },
  { name: 'tiny numbers', centre: 0, value: (random) => random.uniform() * 1e-160, unknown: 1 },
  { name: 'huge numbers', centre: 0, value: (random) => random.uniform() * 1e150, unknown: 1 },
  { name: 'one number', centre: 0.1, value: () => 0.1, unknown: 0.5 },
];

describe('sliding moments', () => {
  it.each(STREAMS)('of $name are those of the numbers that are there, or not known', ({ centre, value, unknown }) => {
    const random = new Random(3);
    const moments = new SlidingMoments();
    moments.clear(centre);
    const there: number[] = [];
    let asked = 0;
    let missing = 0;
    for (let t = 0; t < 2500; t++) {
      const next = value(random, t);
      moments.add(next);
      there.push(next);
      while (there.length > 1 + (t % 90)) moments.remove(there.shift() as number);
      if (t % 7 || there.length < 3) continue;
      const expected = new ColumnStatistics(1).add(there.map((item) => [item]));
      for (const [own, fitted] of [
        [moments.mean(there.length), expected.mean[0]],
        [moments.deviation(there.length), expected.deviation[0]],
      ] as const) {
        asked++;
        if (own === undefined) missing++;
        else expect(own).toBe((fitted as number) + 0);
      }
    }
    expect(asked).toBeGreaterThan(500);
    expect(missing / asked).toBeLessThanOrEqual(unknown);
  });
});
