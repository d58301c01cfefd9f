import fc from 'fast-check';
import { expect, it } from 'vitest';
import { smallest } from '../../../src/core/math/smallest.js';

it('picks the smallest values, of equal ones the first', () => {
  const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Infinity)), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(values, fc.nat(), (list, n) => {
      const count = 1 + (n % list.length);
      const order = list
        .map((value, i) => ({ value, i }))
        .sort((a, b) => (a.value === b.value ? a.i - b.i : a.value - b.value));
      const truth = order
        .slice(0, count)
        .map(({ i }) => i)
        .sort((a, b) => a - b);
      expect([...smallest(Float64Array.from(list), count)]).toEqual(truth);
    }),
    { seed: 12 },
  );
});
