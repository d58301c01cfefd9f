// Reading columns as f32 without rounding the rows: which columns, and what becomes of the thresholds.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closenessOf, unroundThresholds } from '../../../src/core/forest/closeness.js';
import { finish } from '../../../src/core/steps.js';
import { source } from '../../support/forests.js';

describe('a threshold for values as they are', () => {
  const single = fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(-1e38), max: Math.fround(1e38) });
  const unrounded = (threshold: number): number => {
    const thresholds = Float64Array.of(threshold);
    unroundThresholds(thresholds, Uint32Array.of(0), Float64Array.of(1e-7));
    return thresholds[0] as number;
  };
  /** The next f32 upwards. */
  const nextSingle = (x: number): number => {
    const value = Float32Array.of(x + 0);
    const bits = new Int32Array(value.buffer);
    bits[0] = (bits[0] as number) + (x < 0 ? -1 : 1);
    return value[0] as number;
  };
  const neighbours = (x: number): number[] => [x, x * (1 + Number.EPSILON), x * (1 - Number.EPSILON / 2)];

  it('splits any value as the threshold splits it once rounded', () => {
    const property = fc.property(single, fc.double({ min: 0, max: 1, noNaN: true }), (low, share) => {
      fc.pre(Math.abs(low) > 1e-40); // thresholds at 0 stay
      const high = nextSingle(low);
      const threshold = share === 1 ? low : low + (high - low) * share;
      const limit = unrounded(threshold);
      const [before, beyond] = [-nextSingle(-low), nextSingle(high)];
      const ends = [before, low, high, beyond];
      const values = [...ends, (before + low) / 2, (low + high) / 2, (high + beyond) / 2, threshold, limit];
      for (const x of values.flatMap(neighbours)) {
        expect(x <= limit, `${x} beside ${threshold}, ${limit}`).toBe(Math.fround(x) <= threshold);
      }
    });
    fc.assert(property, { seed: 5, numRuns: 3000 });
  });

  it('is the threshold itself in columns that are not rounded', () => {
    const thresholds = Float64Array.of(0.1, 0.1);
    unroundThresholds(thresholds, Uint32Array.of(1, 0), Float64Array.of(1e-7, 0));
    expect(thresholds[0]).toBe(0.1);
    expect(thresholds[1]).not.toBe(0.1);
  });
});

describe('values are taken for equal', () => {
  const seconds = Array.from({ length: 500 }, (_, i) => 173 * i);
  const closeness = (make: (second: number) => number) =>
    finish(closenessOf(source(seconds.map((second) => [make(second)]))))[0];

  it.each([
    ['whole numbers', (s: number) => s],
    ['shares', (s: number) => s / 86400],
    ['temperatures in kelvin', (s: number) => 290 + s / 8640],
    ['seconds since 1970, over years', (s: number) => 1.7e9 + 5000 * s],
    ['negative numbers', (s: number) => -1e30 * s],
  ])('within 1e-7 as f32, as scikit-learn does, where these leave them apart: %s', (_, make) => {
    expect(closeness(make)).toBe(Math.fround(1e-7));
  });

  it.each([
    ['seconds since 1970, over a day', (s: number) => 1.7e9 + s],
    ['metres of a thousandth of a millimetre', (s: number) => 1e-6 + 1e-12 * s],
    ['a constant', () => 7],
    ['numbers beyond f32', (s: number) => 1e303 * (s - 40_000)],
  ])('only if they are equal where f32 would have too few: %s', (_, make) => {
    expect(closeness(make)).toBe(0);
  });
});
