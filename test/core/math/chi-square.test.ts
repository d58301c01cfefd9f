// The chi-square distribution beside scipy's.
import { describe, expect, it } from 'vitest';
import { chiSquareQuantile, chiSquareShare } from '../../../src/core/math/chi-square.js';
import { fixture } from '../../support/data.js';

const { chiSquare } = fixture<{ chiSquare: { quantiles: number[][]; shares: number[][] } }>('envelope');

describe('the chi-square distribution', () => {
  it('has the quantiles of scipy, to 1e-10 of each', () => {
    expect(chiSquare.quantiles.length).toBeGreaterThan(50);
    for (const [share, k, quantile] of chiSquare.quantiles as [number, number, number][]) {
      expect(Math.abs(chiSquareQuantile(share, k) / quantile - 1), `${share} of ${k}`).toBeLessThanOrEqual(1e-10);
    }
  });

  it('has the shares of scipy, to 1e-10 of each', () => {
    expect(chiSquare.shares.length).toBeGreaterThan(50);
    for (const [x, k, share] of chiSquare.shares as [number, number, number][]) {
      expect(Math.abs(chiSquareShare(x, k) / share - 1), `${x} of ${k}`).toBeLessThanOrEqual(1e-10);
    }
  });

  it('with two degrees of freedom is 1 − e^(−x/2)', () => {
    for (const x of [1e-9, 0.1, 1, 5, 20]) expect(chiSquareShare(x, 2)).toBeCloseTo(-Math.expm1(-x / 2), 14);
    expect(chiSquareQuantile(0.975, 2)).toBeCloseTo(-2 * Math.log(0.025), 12);
  });

  it('goes from 0 to infinity', () => {
    expect(chiSquareShare(0, 3)).toBe(0);
    expect(chiSquareShare(-1, 3)).toBe(0);
    expect(chiSquareShare(Infinity, 3)).toBe(1);
    expect(chiSquareQuantile(0, 3)).toBe(0);
    expect(chiSquareQuantile(1, 3)).toBe(Infinity);
  });
});
