// Where normal ends: the two-means threshold is that of the best of all splits (found in rational
// arithmetic by test/fixtures/make.py, or by trying them all), the other one is numpy's percentile.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { contaminationThreshold, twoMeansThreshold } from '../../src/detectors/threshold.js';
import { fixture, Random } from '../support/data.js';

interface Thresholds {
  cases: Array<{
    name: string;
    values: number[];
    centres: [number, number];
    threshold: number;
    upper: number;
    contamination: Array<{ c: number; threshold: number; above: number }>;
  }>;
}

const { cases } = fixture<Thresholds>('threshold');
const named = cases.map((truth) => [truth.name, truth] as const);

function relativeError(got: number, truth: number): number {
  return Math.abs(got - truth) / Math.max(1, Math.abs(truth));
}

function countAbove(values: readonly number[], threshold: number): number {
  return values.filter((value) => value > threshold).length;
}

/** Sum of squared deviations from the mean, in two passes. */
function squaredError(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

function errorOfSplit(values: readonly number[], threshold: number): number {
  const [low, high] = [values.filter((value) => value <= threshold), values.filter((value) => value > threshold)];
  return low.length === 0 || high.length === 0 ? Infinity : squaredError(low) + squaredError(high);
}

describe('the two-means threshold', () => {
  it.each(named)('is that of the best split: %s', (_, { values, threshold, upper }) => {
    const got = finish(twoMeansThreshold(Float64Array.from(values)));
    expect(got.isDegenerate).toBe(false);
    expect(relativeError(got.value, threshold)).toBeLessThanOrEqual(1e-9);
    expect(countAbove(values, got.value)).toBe(upper);
  });

  it.each([[[3, 3, 3]], [[0, -0]], [[-1e-300, -1e-300]], [[5]]])(
    'is infinite where all scores are equal: %j',
    (values) => {
      expect(finish(twoMeansThreshold(Float64Array.from(values)))).toEqual({ value: Infinity, isDegenerate: true });
    },
  );

  const lists = fc.oneof(
    fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 2, maxLength: 40 }),
    fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 40 }),
    fc.array(fc.constantFrom(0, 1e-3, 1, 1000, 1001, -7), { minLength: 2, maxLength: 40 }),
  );

  it('never leaves a larger squared error than any split', () => {
    fc.assert(
      fc.property(lists, (values) => {
        fc.pre(new Set(values).size > 1);
        const { value } = finish(twoMeansThreshold(Float64Array.from(values)));
        const best = Math.min(...values.map((split) => errorOfSplit(values, split)));
        expect(errorOfSplit(values, value)).toBeLessThanOrEqual(best + 1e-9 * squaredError(values));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it.each([5000, 30_001])('is that of the best split of %i scores too, where K-means sees shared means', (count) => {
    const random = new Random(count);
    const values = Array.from({ length: count }, (_, i) => random.gaussian() + (i % 7 === 0 ? 4 : 0));
    const sorted = values.toSorted((a, b) => a - b);
    const total = sorted.reduce((sum, value) => sum + value, 0);
    let least = { error: Infinity, threshold: 0 };
    let [sum, squares] = [0, 0];
    const allSquares = sorted.reduce((result, value) => result + value * value, 0);
    for (const [i, value] of sorted.slice(0, -1).entries()) {
      sum += value;
      squares += value * value;
      const [low, high] = [sum / (i + 1), (total - sum) / (count - i - 1)];
      const error = squares - sum * low + (allSquares - squares - (total - sum) * high);
      if (error < least.error) least = { error, threshold: (low + high) / 2 };
    }
    const got = finish(twoMeansThreshold(Float64Array.from(values))).value;
    expect(relativeError(got, least.threshold)).toBeLessThanOrEqual(1e-9);
  });

  it('does not depend on the order of the scores', () => {
    fc.assert(
      fc.property(lists, (values) => {
        fc.pre(new Set(values).size > 1);
        const [forward, backward] = [values, values.toReversed()].map((list) =>
          finish(twoMeansThreshold(Float64Array.from(list))),
        );
        expect(countAbove(values, backward?.value ?? 0)).toBe(countAbove(values, forward?.value ?? 1));
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  // rbf and laplacian scores of wide data are as small: e^−γd² with γd² of a few hundred.
  it.each([-100, -500, -600, -900])('grows with the scores, even where they are as small as 2^%i', (exponent) => {
    const { values, threshold, upper } = cases.find(({ name }) => name === 'bimodal') as Thresholds['cases'][number];
    const small = values.map((value) => value * 2 ** exponent);
    const got = finish(twoMeansThreshold(Float64Array.from(small)));
    expect(relativeError(got.value * 2 ** -exponent, threshold)).toBeLessThanOrEqual(1e-9);
    expect(countAbove(small, got.value)).toBe(upper);
  });
});

describe('the contamination threshold', () => {
  it.each(named)("is numpy's percentile: %s", (_, { values, contamination }) => {
    for (const { c, threshold, above } of contamination) {
      const got = contaminationThreshold(Float64Array.from(values), c);
      expect(relativeError(got.value, threshold)).toBeLessThanOrEqual(1e-12);
      expect(countAbove(values, got.value)).toBe(above);
    }
  });

  it('lies above all but the wanted share of distinct scores', () => {
    const values = Array.from({ length: 200 }, (_, i) => (i * 77) % 200);
    for (const percent of [1, 5, 10, 25, 50]) {
      const { value } = contaminationThreshold(Float64Array.from(values), percent / 100);
      expect(countAbove(values, value)).toBe((percent * 200) / 100);
    }
  });

  it('is not exceeded by scores that tie with it', () => {
    const values = [0, 0, 0, 1, 1, 1, 1, 1];
    const { value } = contaminationThreshold(Float64Array.from(values), 0.25);
    expect(value).toBe(1);
    expect(countAbove(values, value)).toBe(0);
  });
});
