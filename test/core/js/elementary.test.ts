// exp and tanh are ours, so that all backends give the same bits; here they are held against the engine's.
import { describe, expect, it } from 'vitest';
import { exponential, hyperbolicTangent, kernelExponential } from '../../../src/core/js/elementary.js';

/** Distance in units of the last place of the expected value. */
function unitsOff(actual: number, expected: number): number {
  if (actual === expected) return 0;
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(expected))), -1022);
  return Math.abs(actual - expected) / 2 ** (exponent - 52);
}

describe('exponential', () => {
  it('is within two units in the last place of Math.exp from 1 down to the smallest number', () => {
    let worst = 0;
    for (let x = 0; x > -745; x -= 0.0137) worst = Math.max(worst, unitsOff(exponential(x), Math.exp(x)));
    for (let x = 0; x < 40; x += 0.0013) worst = Math.max(worst, unitsOff(exponential(x), Math.exp(x)));
    expect(worst).toBeLessThanOrEqual(2);
  });

  it('is 1 at 0 and 0 where nothing is left', () => {
    expect(exponential(0)).toBe(1);
    expect(exponential(-0)).toBe(1);
    expect(exponential(-746)).toBe(0);
    expect(exponential(-Infinity)).toBe(0);
  });
});

describe('hyperbolicTangent', () => {
  it('is within eight units in the last place of Math.tanh', () => {
    let worst = 0;
    for (let x = 1e-9; x < 25; x *= 1.0011) {
      worst = Math.max(
        worst,
        unitsOff(hyperbolicTangent(x), Math.tanh(x)),
        unitsOff(hyperbolicTangent(-x), Math.tanh(-x)),
      );
    }
    expect(worst).toBeLessThanOrEqual(8);
  });

  it('is exactly ±1 where it saturates, and 0 at 0', () => {
    expect(hyperbolicTangent(20.1)).toBe(1);
    expect(hyperbolicTangent(Infinity)).toBe(1);
    expect(hyperbolicTangent(-1e300)).toBe(-1);
    expect(hyperbolicTangent(0)).toBe(0);
  });
});

describe('kernelExponential', () => {
  it('is within 10⁻⁹ of Math.exp, which f32 cannot tell apart', () => {
    let worst = 0;
    for (let x = 0; x >= -87; x -= 0.00131) worst = Math.max(worst, Math.abs(kernelExponential(x) / Math.exp(x) - 1));
    expect(worst).toBeLessThanOrEqual(1e-9);
  });

  it('is 1 at 0, and 0 where f32 holds nothing in full', () => {
    expect(kernelExponential(0)).toBe(1);
    expect(kernelExponential(-0)).toBe(1);
    expect(kernelExponential(-87.1)).toBe(0);
    expect(kernelExponential(-Infinity)).toBe(0);
  });
});
