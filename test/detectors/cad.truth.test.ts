// CAD against independent truth: scores that test/fixtures/make.py added up pair by pair from
// scikit-learn's kernels, on made and on real data. The reading backend (js) stands in where a whole set
// is compared, and double precision stands in for single.
import { afterAll, describe, expect, it } from 'vitest';
import { CAD, type CADOptions, NearestNeighbors } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import {
  BACKENDS,
  type DataSet,
  fixture,
  isDataMissing,
  KERNELS,
  type KernelOptions,
  loadData,
  paperScores,
  Random,
  rowsOf,
} from '../support/data.js';

interface Truth {
  options: KernelOptions;
  scores: number[];
  /** Rows whose neighbours hang on rounding. */
  ambiguous: number[];
}

interface Synthetic {
  k: number;
  X: number[][];
  Y: number[][];
  cases: Array<{
    options: KernelOptions;
    trainScores: number[];
    newScores: number[];
    trainNeighbors: number[][];
    ambiguousTrain: number[];
    ambiguousNew: number[];
    newGradients?: number[][];
  }>;
}

interface Real {
  k: number;
  sets: Array<{ name: string; rows: number[]; train: Truth[]; new?: Truth[]; mean?: number[]; scale?: number[] }>;
}

function pick(values: Float64Array, rows: readonly number[]): number[] {
  return rows.map((row) => values[row] as number);
}

function trained(rows: Parameters<CAD['fit']>[0], options: CADOptions): CAD {
  return new CAD({ precision: 'double', orientation: 'higher', ...options }).fit(rows);
}

describe.each(BACKENDS)('on made data, in double precision, %s gives the scores of scikit-learn', (backend) => {
  const { k, X, Y, cases } = fixture<Synthetic>('synthetic');

  it.each(cases.map((truth) => [JSON.stringify(truth.options), truth] as const))('for %s', (_, truth) => {
    using cad = trained(X, { ...truth.options, neighbors: k, backend });
    expectAllClose(cad.rawScores, truth.trainScores, { mixed: 1e-9, skip: truth.ambiguousTrain });
    expectAllClose(cad.score(Y), truth.newScores, { mixed: 1e-9, skip: truth.ambiguousNew });
    if (truth.newGradients !== undefined) expectAllClose(cad.gradient(Y), truth.newGradients.flat(), { mixed: 1e-9 });
  });

  it('and its neighbours, in the same order', () => {
    const truth = cases.find(({ options }) => options.kernel === 'linear')?.trainNeighbors ?? [];
    using search = new NearestNeighbors(X, { precision: 'double', backend });
    expect(Array.from(search.ofEachRow(k).indices)).toEqual(truth.flat());
  });
});

describe.each(BACKENDS)("on random data, %s gives the scores of the paper's equations", (backend) => {
  const random = new Random(1);
  it.each(KERNELS)('for the %s kernel, at any k and number of columns', (kernel) => {
    let compared = 0;
    for (const [columns, neighbors] of [
      [1, 2],
      [2, 5],
      [9, 10],
      [40, 33],
    ] as const) {
      const X = random.rows(70, columns);
      const Y = random.rows(12, columns, () => 2 * random.gaussian());
      const parameters = { gamma: 0.1 + random.uniform(), degree: 1 + random.integer(4), coef0: random.uniform() };
      using cad = trained(X, { kernel, ...parameters, neighbors, backend });
      const own = paperScores(X, neighbors, { kernel, ...parameters });
      const other = paperScores(X, neighbors, { kernel, ...parameters }, Y);
      expectAllClose(cad.rawScores, own.scores, { mixed: 1e-9, skip: own.ambiguous });
      expectAllClose(cad.score(Y), other.scores, { mixed: 1e-9, skip: other.ambiguous });
      compared += 82 - own.ambiguous.size - other.ambiguous.size;
    }
    expect(compared).toBeGreaterThan(kernel === 'linear' ? 325 : 200);
  });
});

const isMissing = isDataMissing('CAD against scikit-learn on wine, arrhythmia, letter and musk');
const cache = new Map<string, DataSet>();

function data(name: string): DataSet {
  const set = cache.get(name) ?? loadData(name);
  cache.set(name, set);
  return set;
}

function flat({ X, rows, columns }: DataSet, shift = 0): { data: Float64Array; rows: number; columns: number } {
  return { data: shift === 0 ? X : X.map((value) => value + shift), rows, columns };
}

describe.skipIf(isMissing)('on real data, in double precision, wasm-simd gives the scores of scikit-learn', () => {
  const { k, sets } = fixture<Real>('real');
  const standardized = fixture<Real>('standardized');
  let skipped = 0;
  let compared = 0;
  afterAll(() => console.info(`compared ${compared} rows with scikit-learn, skipped ${skipped} ambiguous ones`));

  function compare(got: ArrayLike<number>, { scores, ambiguous }: Truth, rows: readonly number[]): void {
    expectAllClose(got, scores, { mixed: 1e-9, skip: ambiguous.map((row) => rows.indexOf(row)) });
    skipped += ambiguous.length;
    compared += scores.length - ambiguous.length;
  }

  const training = sets.flatMap(({ name, rows, train }) =>
    train.map((truth) => [name, truth.options.kernel, rows, truth] as const),
  );
  it.each(training)('for training rows of %s, %s kernel', (name, kernel, rows, truth) => {
    using cad = trained(flat(data(name)), { kernel, neighbors: k, backend: 'wasm-simd' });
    compare(pick(cad.rawScores, rows), truth, rows);
  });

  const fresh = sets.flatMap(({ name, new: truths = [] }) =>
    truths.map((truth) => [name, truth.options.kernel, truth] as const),
  );
  it.each(fresh)('for new rows of %s, %s kernel', (name, kernel, truth) => {
    const rows = rowsOf(data(name));
    using cad = trained(
      rows.filter((_, i) => i % 2 === 0),
      { kernel, neighbors: k, backend: 'wasm-simd' },
    );
    const odd = rows.filter((_, i) => i % 2 === 1).slice(0, 40);
    compare(
      cad.score(odd),
      truth,
      odd.map((_, i) => i),
    );
  });

  const scaled = standardized.sets.flatMap(({ name, rows, train }) =>
    train.map((truth) => [name, truth.options.kernel, rows, truth] as const),
  );
  it.each(scaled)('for standardized %s, %s kernel', (name, kernel, rows, truth) => {
    const options = { kernel, neighbors: standardized.k, standardize: true, backend: 'wasm-simd' } as const;
    using cad = trained(flat(data(name)), options);
    compare(pick(cad.rawScores, rows), truth, rows);
  });
});

describe.skipIf(isMissing)('on all rows of real data, in double precision', () => {
  const cases = ['wine', 'arrhythmia'].flatMap((name) => KERNELS.map((kernel) => [name, kernel] as const));
  it.each(cases)('wasm and js agree on %s, %s kernel', (name, kernel) => {
    const js = trained(flat(data(name)), { kernel, backend: 'js' });
    using wasm = trained(flat(data(name)), { kernel, backend: 'wasm' });
    expectAllClose(wasm.rawScores, js.rawScores, { mixed: 1e-9 });
  });
});

describe.skipIf(isMissing)('single precision on real data', () => {
  const SETS = ['wine', 'letter', 'arrhythmia', 'musk'];
  const k = 10;

  /** Rows whose sets of neighbours differ in single precision; they may do so only by ties to 1e-6. */
  function differing(set: DataSet, metric: 'euclidean' | 'manhattan', shift: number): Set<number> {
    using double = new NearestNeighbors(flat(set), { metric, precision: 'double' });
    using single = new NearestNeighbors(flat(set, shift), { metric, precision: 'single' });
    const truth = double.ofEachRow(k + 10);
    const got = single.ofEachRow(k).indices;
    const different = new Set<number>();
    for (let i = 0; i < set.rows; i++) {
      const distance = new Map<number, number>();
      for (let a = 0; a < k + 10; a++) {
        distance.set(truth.indices[i * (k + 10) + a] as number, truth.distances[i * (k + 10) + a] as number);
      }
      const wanted = new Set([...distance.keys()].slice(0, k));
      const found = new Set(got.subarray(i * k, (i + 1) * k));
      const swapped = [...wanted, ...found].filter((index) => !(wanted.has(index) && found.has(index)));
      if (swapped.length > 0) different.add(i);
      const last = [...distance.values()][k - 1] as number;
      for (const index of swapped) expect(Math.abs((distance.get(index) ?? Infinity) - last)).toBeLessThan(1e-6 * last);
    }
    return different;
  }

  const cases = SETS.flatMap((name) =>
    (['linear', 'rbf', 'laplacian'] as const).map((kernel) => [name, kernel] as const),
  );
  it.each(cases)('keeps neighbours and scores on %s, %s kernel, even 10000 from the origin', (name, kernel) => {
    const set = data(name);
    const metric = kernel === 'laplacian' ? 'manhattan' : 'euclidean';
    const truth = trained(flat(set), { kernel, neighbors: k }).rawScores;
    const range = truth.reduce((a, b) => Math.max(a, b)) - truth.reduce((a, b) => Math.min(a, b));
    for (const shift of [0, 1e4]) {
      const different = differing(set, metric, shift);
      expect(different.size).toBeLessThanOrEqual(0.01 * set.rows);
      const { rawScores } = trained(flat(set, shift), { kernel, neighbors: k, precision: 'single' });
      const off = Array.from(truth, (score, i) => (different.has(i) ? 0 : Math.abs(score - (rawScores[i] as number))));
      expect(Math.max(...off), `shift ${shift}`).toBeLessThanOrEqual(1e-4 * range);
    }
  });
});
