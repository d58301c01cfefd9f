// IsolationForest as users meet it: the same to the last bit where it must be, and of use on data that leave
// little to isolate. isolation-forest.truth.test.ts has it beside scikit-learn.
import { describe, expect, it } from 'vitest';
import { CurvadError, type ErrorCode, IsolationForest, type IsolationForestOptions, load } from '../../src/index.js';
import { BACKENDS, isDataMissing, loadData, Random, rowsOf } from '../support/data.js';
import { growthOf } from '../support/memory.js';

const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** A cloud with a few rows far from it, which come last. */
function cloud(seed: number, count: number, columns: number, far = 3): Float64Array[] {
  const random = new Random(seed);
  return [...random.rows(count, columns), ...random.rows(far, columns, () => 8 + random.gaussian())];
}

describe.skipIf(isDataMissing('isolation forests of all backends on real data'))('on real data', () => {
  it('all backends give the same scores to the last bit', () => {
    const { X, columns } = loadData('letter');
    const rows = rowsOf({ X, columns });
    const [js, ...others] = BACKENDS.map((backend) => {
      using forest = new IsolationForest({ backend, seed: 3 }).fit(rows.slice(0, 1200));
      return { scores: forest.scores, others: forest.score(rows.slice(1200)), labels: forest.labels };
    });
    for (const other of others) expect(other).toEqual(js);
  });
});

describe('a score', () => {
  it('is 2^(−E[h] / c(n)), worked out by hand where all trees are alike', () => {
    for (const backend of BACKENDS) {
      using two = new IsolationForest({ backend }).fit([[0], [1]]);
      expect([...two.scores, ...two.score([[-5], [7]])]).toEqual([0.5, 0.5, 0.5, 0.5]);
      using three = new IsolationForest({ backend, trees: 7 }).fit([[4], [4], [7]]);
      const c3 = 2 * (Math.log(2) + 0.5772156649015329) - 4 / 3;
      const expected = [2 ** (-2 / c3), 2 ** (-2 / c3), 2 ** (-1 / c3)];
      for (const [i, score] of three.scores.entries()) expect(score).toBeCloseTo(expected[i] as number, 14);
    }
  });

  it('is higher for rows far from the others, trained on or new', () => {
    using forest = new IsolationForest({ seed: 1 }).fit(cloud(1, 500, 4));
    const inside = Math.max(...forest.scores.subarray(0, 500));
    for (const far of forest.scores.subarray(500)) expect(far).toBeGreaterThan(inside);
    const [centre, near, outside] = forest.score([
      [0, 0, 0, 0],
      [2, 2, 2, 2],
      [9, 9, 9, 9],
    ]) as unknown as [number, number, number];
    expect(centre).toBeLessThan(near);
    expect(near).toBeLessThan(outside);
    expect([...forest.predict([[0, 0, 0, 0], new Float64Array(4).fill(9)])]).toEqual([0, 1]);
  });

  it.each(BACKENDS)('does not depend on the company it is computed in, by %s', (backend) => {
    const random = new Random(2);
    for (const columns of [1, 5, 40]) {
      using forest = new IsolationForest({ backend, trees: 37 }).fit(cloud(3, 300, columns));
      const rows = random.rows(2500, columns, () => 2 * random.gaussian());
      const scores = forest.score(rows);
      for (const size of [1, 2, 7, 8, 9, 127, 1024, 1025]) {
        const from = random.integer(rows.length - size);
        expect(forest.score(rows.slice(from, from + size))).toEqual(scores.slice(from, from + size));
      }
      expect(forest.score(cloud(3, 300, columns)), 'training rows are scored as new ones').toEqual(forest.scores);
    }
  });

  it('does not depend on the units of a column', () => {
    const rows = cloud(4, 200, 3);
    // So small a unit that scikit-learn would take the last column for constant. Powers of two round nothing:
    // the same splits, so the same bits.
    const scaled = rows.map((row) => row.map((value, j) => value * ([2 ** 20, 1, 2 ** -40][j] as number)));
    using forest = new IsolationForest().fit(rows);
    expect(new IsolationForest().fit(scaled).scores).toEqual(forest.scores);
    expect(new IsolationForest({ standardize: true }).fit(rows).scores).toEqual(forest.scores);
    const moved = rows.map((row) => row.map((value, j) => 1000 * j + 0.3 * value));
    for (const [i, score] of new IsolationForest().fit(moved).scores.entries()) {
      expect(score).toBeCloseTo(forest.scores[i] as number, 2);
    }
  });

  it('sees every second of a day since 1970, which f32 would count in steps of 128', () => {
    const random = new Random(16);
    const seconds = Array.from({ length: 900 }, () => random.integer(86_400));
    const scores = (start: number) => new IsolationForest().fit(seconds.map((second) => [start + second])).scores;
    expect(scores(1_700_000_000)).toEqual(scores(0));
  });

  it('comes from the seed, and from nothing else', () => {
    const rows = cloud(5, 400, 6);
    const scores = (seed?: number) => new IsolationForest(seed === undefined ? {} : { seed }).fit(rows).scores;
    expect(scores(9)).toEqual(scores(9));
    expect(scores()).toEqual(scores(0));
    const different = [0, 1, 2, 2 ** 31, 2 ** 32 - 1].map((seed) => String(scores(seed)));
    expect(new Set(different).size).toBe(5);
  });

  it('is steadier with more trees', () => {
    const rows = cloud(6, 300, 4);
    const spread = (trees: number) => {
      const firsts = Array.from({ length: 12 }, (_, seed) => new IsolationForest({ trees, seed }).fit(rows).scores[0]);
      return Math.max(...(firsts as number[])) - Math.min(...(firsts as number[]));
    };
    expect(spread(400)).toBeLessThan(spread(4));
  });
});

describe('the options', () => {
  it('let each tree use a share of the columns', () => {
    // Only one column tells the far rows: a forest whose trees see one column of five mostly misses it.
    const random = new Random(7);
    const rows = random.rows(400, 5).map((row, i) => row.with(4, i < 395 ? 0.01 * random.gaussian() : 5));
    const gap = (features: number) => {
      const { scores } = new IsolationForest({ features, trees: 300 }).fit(rows);
      return mean(scores.subarray(395)) - mean(scores.subarray(0, 395));
    };
    expect(gap(0.01), 'one column a tree').toBeGreaterThan(0);
    expect(gap(1)).not.toBe(gap(0.5));
    const of = (features: number) => new IsolationForest({ features }).fit(rows).scores;
    expect(of(0.2), 'a fifth of five columns is one').toEqual(of(0.39));
    expect(of(0.2)).not.toEqual(of(0.4));
  });

  it('take all rows where there are fewer than the sample size', () => {
    const rows = cloud(8, 90, 3);
    const of = (sampleSize?: number) =>
      new IsolationForest(sampleSize === undefined ? {} : { sampleSize }).fit(rows).scores;
    expect(of()).toEqual(of(93));
    expect(of(5000)).toEqual(of(93));
    expect(of(92)).not.toEqual(of(93));
  });

  it('set the share of anomalies', () => {
    using forest = new IsolationForest({ contamination: 0.1 }).fit(cloud(9, 197, 3));
    expect(forest.labels.reduce((sum, label) => sum + label, 0)).toBe(20);
  });

  // biome-ignore format: a table
  const refused: Array<[string, unknown, ErrorCode, RegExp]> = [
    ['no trees', { trees: 0 }, 'TREES_INVALID', /trees must be a whole number of at least 1, got 0/],
    ['half a tree', { trees: 1.5 }, 'TREES_INVALID', /got 1\.5/],
    ['trees as a string', { trees: '10' }, 'TREES_INVALID', /got "10"/],
    ['a sample of one row', { sampleSize: 1 }, 'SAMPLE_SIZE_INVALID', /sampleSize must be a whole number of at least 2, got 1/],
    ['a sample of auto', { sampleSize: 'auto' }, 'SAMPLE_SIZE_INVALID', /got "auto"/],
    ['no features', { features: 0 }, 'FEATURES_INVALID', /features must be a share above 0 and at most 1, got 0/],
    ['a number of features', { features: 3 }, 'FEATURES_INVALID', /got 3/],
    ['features of NaN', { features: Number.NaN }, 'FEATURES_INVALID', /got NaN/],
    ['a negative seed', { seed: -1 }, 'SEED_INVALID', /seed must be a whole number from 0 to 4294967295, got -1/],
    ['a fraction as seed', { seed: 0.5 }, 'SEED_INVALID', /got 0\.5/],
    ['standardize as a number', { standardize: 1 }, 'STANDARDIZE_INVALID', /got 1/],
    ['too much contamination', { contamination: 0.6 }, 'CONTAMINATION_INVALID', /got 0\.6/],
    ['an unknown backend', { backend: 'gpu' }, 'BACKEND_UNKNOWN', /got "gpu"/],
    ['an option of scikit-learn', { n_estimators: 10 }, 'UNKNOWN_OPTION', /has no option "n_estimators"; it has trees, sampleSize/],
  ];

  it.each(refused)('are refused: %s', (_, options, code, message) => {
    const make = () => new IsolationForest(options as IsolationForestOptions);
    expect(make).toThrow(expect.objectContaining({ code }));
    expect(make).toThrow(message);
    expect(make).toThrow(CurvadError);
  });

  it('do not make one row enough', () => {
    const fit = () => new IsolationForest().fit([[1, 2]]);
    expect(fit).toThrow(expect.objectContaining({ code: 'TOO_FEW_ROWS' }));
    expect(fit).toThrow('at least 2 rows, got 1');
  });
});

describe.each(BACKENDS)('data with little to isolate, by %s,', (backend) => {
  const fitted = (rows: number[][], options: IsolationForestOptions = {}) =>
    new IsolationForest({ backend, trees: 25, ...options }).fit(rows);

  it('such as equal rows, give equal scores and no anomaly', () => {
    using forest = fitted(Array.from({ length: 300 }, () => [1, 2, 3]));
    // Every tree is one leaf of all 256 rows: h = c(256).
    expect(new Set(forest.scores)).toEqual(new Set([0.5]));
    expect(forest.isDegenerate).toBe(true);
    expect(forest.labels.every((label) => label === 0)).toBe(true);
    expect(forest.score([[9, 9, 9]])[0]).toBe(0.5);
  });

  it('such as constant columns, score as if these were not there', () => {
    const random = new Random(10);
    const values = Array.from({ length: 200 }, () => random.gaussian());
    const alone = fitted(values.map((value) => [value]));
    const beside = fitted(
      values.map((value) => [7, value, 0, -1e300]),
      { trees: 300 },
    );
    for (const [i, score] of beside.scores.entries())
      expect(Math.abs(score - (alone.scores[i] as number))).toBeLessThan(0.1);
    expect(beside.score([[1e9, values[0] as number, 5, 5]])[0]).toBe(beside.scores[0]);
  });

  it('such as numbers at the end of the range, give finite scores', () => {
    const random = new Random(11);
    const ends = [-Number.MAX_VALUE, Number.MAX_VALUE, 1e308, -1e308, 0, 5e-324, -5e-324];
    const rows = Array.from({ length: 100 }, () => [0, 0].map(() => ends[random.integer(ends.length)] as number));
    using forest = fitted(rows);
    for (const score of [...forest.scores, ...forest.score(rows)]) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
    }
  });

  it('such as one far row among equal ones, still find it', () => {
    using forest = fitted([...Array.from({ length: 99 }, () => [1, 1]), [1, 1 + Number.EPSILON]]);
    expect(forest.scores.indexOf(Math.max(...forest.scores))).toBe(99);
    expect([...forest.labels].lastIndexOf(1)).toBe(99);
    expect(mean(forest.labels)).toBe(0.01);
  });
});

describe('a model file', () => {
  it.each(BACKENDS)('gives the same forest again, to the last bit, by %s', (backend) => {
    const rows = cloud(12, 300, 5);
    const queries = cloud(13, 50, 5);
    const options = { trees: 33, sampleSize: 100, features: 0.6, seed: 4, contamination: 0.05, standardize: true };
    using forest = new IsolationForest({ ...options, backend }).fit(rows);
    const file = forest.toBytes();
    for (const other of BACKENDS) {
      using loaded = load(file, { backend: other });
      expect(loaded).toBeInstanceOf(IsolationForest);
      expect(loaded.score(queries)).toEqual(forest.score(queries));
      expect([loaded.scores, loaded.threshold, loaded.labels]).toEqual([
        forest.scores,
        forest.threshold,
        forest.labels,
      ]);
      expect(Buffer.compare(loaded.toBytes(), file)).toBe(0);
    }
    using typed = IsolationForest.load(file);
    expect(typed.fit(rows).scores, 'its options too').toEqual(forest.scores);
  });

  it('is the same whichever backend wrote it', () => {
    const files = BACKENDS.map((backend) => new IsolationForest({ backend }).fit(cloud(14, 100, 3)).toBytes());
    for (const file of files) expect(Buffer.compare(file, files[0] as Uint8Array)).toBe(0);
  });
});

it('scoreInto allocates nothing, call after call', () => {
  using forest = new IsolationForest({ backend: 'wasm' }).fit(cloud(15, 400, 8));
  const row = { data: new Float64Array(8), rows: 1, columns: 8 };
  const output = new Float64Array(1);
  for (let i = 0; i < 5000; i++) forest.scoreInto(row, output);
  const { arrays, heap } = growthOf(() => {
    for (let i = 0; i < 20_000; i++) forest.scoreInto(row, output);
  });
  expect(arrays).toBeLessThanOrEqual(0);
  expect(heap).toBeLessThan(100_000);
});
