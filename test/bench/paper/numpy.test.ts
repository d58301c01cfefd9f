// What the paper's folds and neighbours hang on is NumPy's, to the last entry (test/fixtures/make_numpy.py).
import { describe, expect, it } from 'vitest';
import { paperFolds } from '../../../bench/paper/folds.js';
import { RandomState } from '../../../bench/paper/numpy-random.js';
import { argsortBeginning } from '../../../bench/paper/numpy-sort.js';
import { fixture } from '../../support/data.js';

interface Truth {
  permutations: Array<{ seed: number; count: number; after?: number; order?: number[]; fingerprint?: number }>;
  folds: Array<{
    rows: number;
    folds: number;
    sizes: number[];
    first: number[];
    fingerprints: number[];
    trainFingerprints: number[];
  }>;
  sorts: Array<{ values: number[]; order: number[] }>;
}

const truth = fixture<Truth>('numpy');

/** Σ (i + 1) · order[i] modulo 2³²: any two entries that change places change it. */
function fingerprint(order: Uint32Array): number {
  return order.reduce((sum, value, i) => (sum + (i + 1) * value) % 2 ** 32, 0);
}

describe('a random order', () => {
  it.each(truth.permutations)("is NumPy's: $count numbers of seed $seed", (wanted) => {
    const state = new RandomState(wanted.seed);
    if (wanted.after !== undefined) state.permutation(wanted.after);
    const order = state.permutation(wanted.count);
    if (wanted.order) expect(Array.from(order)).toEqual(wanted.order);
    else expect(fingerprint(order)).toBe(wanted.fingerprint);
  });
});

describe('the folds', () => {
  it.each(truth.folds)("are scikit-learn's: $folds of $rows rows", (wanted) => {
    const folds = paperFolds(wanted.rows, wanted.folds);
    expect(folds.map(({ test }) => test.length)).toEqual(wanted.sizes);
    expect(Array.from(folds[0]?.test.subarray(0, 10) ?? [])).toEqual(wanted.first);
    expect(folds.map(({ test }) => fingerprint(test))).toEqual(wanted.fingerprints);
    expect(folds.map(({ train }) => fingerprint(train))).toEqual(wanted.trainFingerprints);
  });
});

describe('the beginning of a sorted list', () => {
  it.each(truth.sorts)("has NumPy's order of equal values", ({ values, order }) => {
    for (const count of [1, 2, 11, order.length].filter((count) => count <= order.length)) {
      const found = argsortBeginning(Float64Array.from(values), count, new Uint32Array(values.length));
      expect(Array.from(found)).toEqual(order.slice(0, count));
    }
  });
});
