// IsolationForest beside scikit-learn's with the same seed: the same trees, so the same scores, whatever
// rows there are and however they are sampled. The tables are made as test/fixtures/make_forest.py makes them.
import { describe, expect, it } from 'vitest';
import { RandomState } from '../../bench/paper/numpy-random.js';
import { IsolationForest, type IsolationForestOptions, rocAuc } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { BACKENDS, fixture, isDataMissing, loadData } from '../support/data.js';

interface Case {
  name: string;
  kind: string;
  rows: number;
  columns: number;
  constant?: number[];
  sampleSize?: number;
  features?: number;
  /** Scores of five rows, and the sum of all, of the table itself and of 100 other rows. */
  forests: Array<{ seed: number; own: number[]; ownSum: number; new: number[]; newSum: number }>;
}

interface Real {
  /** Of seeds 0 … 19. */
  auc: number[];
  /** Of five rows, for each seed. */
  scores: number[][];
}

const { madeUp, real } = fixture<{ madeUp: Case[]; real: Record<string, Real> }>('forest');

const KINDS: Readonly<Record<string, (u: number) => number>> = {
  uniform: (u) => u,
  negative: (u) => -1 / (u + 0.001),
  decimals: (u) => 1000 + Math.floor(u * 10000) / 100,
  whole: (u) => Math.floor(u * 2 ** 28),
  few: (u) => Math.floor(u * 4),
  dense: (u) => (u < 0.97 ? u * 1e-5 : u),
};

function table({ kind, rows, columns, constant = [] }: Case, seed: number) {
  const random = new RandomState(seed);
  const make = KINDS[kind] as (u: number) => number;
  const data = Float64Array.from({ length: rows * columns }, () => make(random.uniform()));
  return { data: data.map((value, i) => (constant.includes(i % columns) ? 5 : value)), rows, columns };
}

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** Five, from the first to the last. */
const spread = (values: Float64Array) =>
  [0, 1, 2, 3, 4].map((i) => values[Math.floor((i * (values.length - 1)) / 4)] as number);

describe('the scores are those of scikit-learn with the same seed', () => {
  it.each(madeUp)('for $name', (made) => {
    const [rows, others] = [table(made, 1), table({ ...made, rows: 100 }, 2)];
    const { sampleSize, features } = made;
    const options: IsolationForestOptions = { ...(sampleSize && { sampleSize }), ...(features && { features }) };
    for (const { seed, own, ownSum, new: news, newSum } of made.forests) {
      using forest = new IsolationForest({ ...options, seed }).fit(rows);
      const scores = forest.score(others);
      expectAllClose(spread(forest.scores), own, { absolute: 1e-12 });
      expectAllClose(spread(scores), news, { absolute: 1e-12 });
      expectAllClose([mean(forest.scores), mean(scores)], [ownSum / made.rows, newSum / 100], { absolute: 1e-12 });
    }
  });

  it.each(BACKENDS)('by %s', (backend) => {
    for (const made of madeUp.filter(({ rows }) => rows < 2000)) {
      const { sampleSize, features, forests } = made;
      const options: IsolationForestOptions = { ...(sampleSize && { sampleSize }), ...(features && { features }) };
      const [{ seed, own, ownSum }] = forests as [Case['forests'][number]];
      using forest = new IsolationForest({ ...options, seed, backend }).fit(table(made, 1));
      expectAllClose(spread(forest.scores), own, { absolute: 1e-12 });
      expectAllClose([mean(forest.scores)], [ownSum / made.rows], { absolute: 1e-12 });
    }
  });
});

describe.skipIf(isDataMissing('isolation forests on real data'))('on real data', () => {
  const NAMES = ['wine', 'letter', 'arrhythmia', 'musk', 'optdigits'];
  const forestsOf = (name: string) => {
    const { X: data, rows, columns, labels } = loadData(name);
    return Array.from({ length: 20 }, (_, seed) => {
      using forest = new IsolationForest({ seed }).fit({ data, rows, columns });
      return { scores: forest.scores, auc: rocAuc(labels, forest.scores) };
    });
  };

  it.each(NAMES)('AUC averaged over 20 seeds is within 1 point of scikit-learn’s average over 20 seeds: %s', (name) => {
    const ours = forestsOf(name);
    const theirs = real[name] as Real;
    expect(Math.abs(mean(ours.map(({ auc }) => auc)) - mean(theirs.auc))).toBeLessThanOrEqual(0.01);
    // It is equal, as each forest is the same.
    for (const [seed, { scores, auc }] of ours.entries()) {
      expectAllClose(spread(scores), theirs.scores[seed] as number[], { absolute: 1e-12 });
      expectAllClose([auc], [theirs.auc[seed] as number], { absolute: 1e-12 });
    }
  });
});
