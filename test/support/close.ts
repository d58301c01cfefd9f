import { expect } from 'vitest';

/** How far a number may be from the true one: one of the four, and the places that are not compared. */
export interface Tolerance {
  /** At most this far. */
  absolute?: number;
  /** At most this share of the true number. */
  relative?: number;
  /** At most this far from numbers below one, and at most this share of those above. */
  mixed?: number;
  /** At most this share of the largest of the true numbers. */
  ofLargest?: number;
  skip?: Iterable<number>;
}

/** Compares two lists of numbers place by place; NaN is close to nothing. */
export function expectAllClose(got: ArrayLike<number>, truth: ArrayLike<number>, tolerance: Tolerance): void {
  const { absolute, relative, mixed, ofLargest, skip = [] } = tolerance;
  const largest =
    ofLargest === undefined ? 0 : Array.from(truth, Math.abs).reduce((most, size) => Math.max(most, size));
  const allowed = (value: number): number => {
    if (absolute !== undefined) return absolute;
    if (relative !== undefined) return relative * Math.abs(value);
    if (mixed !== undefined) return mixed * Math.max(1, Math.abs(value));
    return (ofLargest as number) * largest;
  };
  const skipped = new Set(skip);
  const wrong = Array.from(truth, (value, i) => ({ i, truth: value, got: got[i] as number })).filter(
    (pair) => !skipped.has(pair.i) && !(Math.abs(pair.got - pair.truth) <= allowed(pair.truth)),
  );
  expect(got.length).toBe(truth.length);
  expect(wrong.slice(0, 5), `${wrong.length} of ${truth.length} are off`).toEqual([]);
}
