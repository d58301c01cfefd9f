// The one-class SVM against independent truth: scikit-learn's decision values, the conditions of optimality
// from a kernel matrix written out here, and cases solved by hand.
import { describe, expect, it } from 'vitest';
import { OneClassSVM, type OneClassSVMOptions } from '../../src/index.js';
import { fixture, isDataMissing, kernelOf, loadData, Random, type Rows, rowsOf } from '../support/data.js';

interface Solved {
  options: OneClassSVMOptions;
  gamma: number;
  rho: number;
  objective: number;
  range: number;
  trainRows: number[];
  train: number[];
  newRows: number[];
  new: number[];
}

const FIXTURE = fixture<{
  drawn: Array<Solved & { rows: number[][]; newRowsAsDrawn: number[][] }>;
  real: Array<Solved & { data: string; every: number }>;
}>('svm');

const named = <Case extends Solved>(cases: Case[], name: (one: Case) => string) =>
  cases.map((one) => [`${name(one)} ${JSON.stringify(one.options)}`, one] as const);

/** Decision values are minus the scores; both are compared on the range of the decision values. */
function compare(svm: OneClassSVM, truth: Solved, newRows: Rows): void {
  const off = (score: number, decision: number) => Math.abs(score + decision) / truth.range;
  const atNew = svm.score(newRows);
  const trainErrors = truth.trainRows.map((row, i) => off(svm.scores[row] as number, truth.train[i] as number));
  const newErrors = truth.newRows.map((row, i) => off(atNew[row] as number, truth.new[i] as number));
  expect(Math.max(...trainErrors, ...newErrors)).toBeLessThanOrEqual(1e-4);
  expect(svm.gamma).toBeCloseTo(truth.gamma, 9);
  expect(Math.abs(svm.offset - truth.rho)).toBeLessThanOrEqual(1e-4 * truth.range);
}

describe('decision values are those of scikit-learn', () => {
  it.each(named(FIXTURE.drawn, ({ rows }) => `${rows.length} rows`))('%s', (_, truth) => {
    for (const backend of ['js', 'wasm'] as const) {
      using svm = new OneClassSVM({ ...truth.options, tolerance: 1e-8, backend }).fit(truth.rows);
      compare(svm, truth, truth.newRowsAsDrawn);
      expect(objectiveOf(svm, truth.rows, truth.options)).toBeLessThanOrEqual(truth.objective * (1 + 1e-6));
    }
  });

  const isMissing = isDataMissing('decision values on real data sets');
  it.skipIf(isMissing).each(named(FIXTURE.real, ({ data }) => data))('%s', (_, truth) => {
    const rows = rowsOf(loadData(truth.data));
    const train = rows.filter((_row, i) => i % truth.every === 0);
    const others = rows.filter((_row, i) => i % truth.every !== 0);
    using svm = new OneClassSVM({ ...truth.options, tolerance: 1e-6 }).fit(train);
    expect(svm.converged).toBe(true);
    compare(svm, truth, others);
    // (Kα)_i = ρ − score_i, so that ½ αᵀKα needs no kernel matrix here.
    const { supportCoefficients: alphas, supportIndices, scores, offset } = svm;
    const objective = alphas.reduce(
      (sum, alpha, i) => sum + (alpha * (offset - (scores[supportIndices[i] as number] as number))) / 2,
      0,
    );
    expect(objective).toBeLessThanOrEqual(truth.objective * (1 + 1e-6));
  });
});

const kernelWith = ({ kernel = 'rbf', degree, coef0 = 0 }: OneClassSVMOptions, gamma: number) => ({
  kernel,
  gamma,
  coef0,
  ...(degree === undefined ? {} : { degree }),
});

/** Σ_j α_j k(x_i, x_j) of every row, from the definition. */
function sumsOf(svm: OneClassSVM, rows: Rows, options: OneClassSVMOptions): number[] {
  const kernel = kernelWith(options, svm.gamma);
  return rows.map((x) =>
    [...svm.supportIndices].reduce(
      (sum, j, place) =>
        sum + (svm.supportCoefficients[place] as number) * kernelOf(kernel, x, rows[j] as ArrayLike<number>),
      0,
    ),
  );
}

function objectiveOf(svm: OneClassSVM, rows: Rows, options: OneClassSVMOptions): number {
  const sums = sumsOf(svm, rows, options);
  return [...svm.supportIndices].reduce(
    (sum, j, place) => sum + ((svm.supportCoefficients[place] as number) * (sums[j] as number)) / 2,
    0,
  );
}

function alphasOf(svm: OneClassSVM, count: number): Float64Array {
  const alphas = new Float64Array(count);
  svm.supportIndices.forEach((index, i) => {
    alphas[index] = svm.supportCoefficients[i] as number;
  });
  return alphas;
}

describe('the solution is optimal', () => {
  const random = new Random(3);
  const clusters = random.rows(300, 4).map((row, i) => row.map((value) => value + (i % 3) * 2));
  // Where the origin is among the rows, w of these kernels is almost 0 and its sums are nothing but rounding.
  const awayFromOrigin = clusters.map((row) => row.map((value) => value + 5));
  const cases: Array<[string, Rows, OneClassSVMOptions]> = [
    ['rbf, ν = 0.5', clusters, {}],
    ['rbf, ν = 0.05', clusters, { nu: 0.05 }],
    ['rbf, narrow', clusters, { nu: 0.2, gamma: 20 }],
    ['rbf, wide', clusters, { nu: 0.2, gamma: 1e-4 }],
    ['rbf, far apart', clusters.map((row, i) => row.map((value) => value + (i % 3) * 1e7)), { nu: 0.3 }],
    ['linear', awayFromOrigin, { nu: 0.3, kernel: 'linear' }],
    ['polynomial', clusters, { nu: 0.3, kernel: 'polynomial', coef0: 1 }],
    ['sigmoid', awayFromOrigin, { nu: 0.3, kernel: 'sigmoid', gamma: 0.01 }],
    ['more rows than are started from the first', random.rows(2500, 3), { nu: 0.1 }],
    ['the least cache', clusters, { nu: 0.4, cacheSize: 1e-6 }],
  ];

  it.each(cases)('%s: bounds, sum, and the gap between those that can grow and shrink', (_, rows, options) => {
    const tolerance = 1e-4;
    using svm = new OneClassSVM({ ...options, tolerance }).fit(rows);
    const alphas = alphasOf(svm, rows.length);
    const total = (options.nu ?? 0.5) * rows.length;
    expect(svm.supportCoefficients.every((alpha) => alpha > 0 && alpha <= 1)).toBe(true);
    expect(Math.abs(alphas.reduce((a, b) => a + b, 0) - total)).toBeLessThanOrEqual(1e-9 * total);
    const sums = sumsOf(svm, rows, options);
    const size = Math.max(...sums.map(Math.abs));
    const canShrink = sums.filter((_sum, i) => (alphas[i] as number) > 0);
    const canGrow = sums.filter((_sum, i) => (alphas[i] as number) < 1);
    // Kernel values are rounded to f32, by 6e-8 of each at most.
    expect(Math.max(...canShrink) - Math.min(...canGrow)).toBeLessThanOrEqual(tolerance + 1.2e-7 * size);
    expect(svm.converged).toBe(true);
    sums.forEach((sum, i) => {
      expect(Math.abs((svm.scores[i] as number) - (svm.offset - sum))).toBeLessThanOrEqual(1e-7 * size);
    });
  });

  it.each([0.02, 0.1, 0.37, 0.8])('at most a share ν = %f is outside, at least that many are support vectors', (nu) => {
    using svm = new OneClassSVM({ nu, tolerance: 1e-6 }).fit(clusters);
    const outside = svm.scores.filter((score) => score > 1e-5).length;
    expect(outside).toBeLessThanOrEqual(nu * clusters.length + 1e-9);
    expect(svm.supportIndices.length).toBeGreaterThanOrEqual(nu * clusters.length - 1e-9);
  });
});

describe('small cases, by hand', () => {
  it('two points share the weight equally: α = (νn/2, νn/2)', () => {
    using svm = new OneClassSVM({ nu: 0.5, gamma: 1, tolerance: 1e-10 }).fit([[0], [1]]);
    const k = Math.exp(-1);
    expect([...svm.supportCoefficients]).toEqual([0.5, 0.5]);
    expect(svm.offset).toBeCloseTo(0.5 * (1 + k), 7);
    expect(svm.scores[0]).toBeCloseTo(0, 7);
    const [middle, far] = svm.score([[0.5], [100]]);
    expect(middle).toBeCloseTo(0.5 * (1 + k) - Math.exp(-0.25), 7);
    expect(far).toBeCloseTo(0.5 * (1 + k), 7);
  });

  it('of three points on a line the middle one carries nothing where its kernel exceeds the mean of the ends', () => {
    // α = (a, b, a) with 2a + b = 1: K α is (a(1+q) + bp, 2ap + b, …), p = k(0,1), q = k(0,2). All three equal
    // gives a(1 + q − 2p) = b(1 − p): with γ = 0.1, p = 0.905, q = 0.670, b would be negative, so b = 0.
    using svm = new OneClassSVM({ nu: 1 / 3, gamma: 0.1, tolerance: 1e-9 }).fit([[0], [1], [2]]);
    expect([...svm.supportIndices]).toEqual([0, 2]);
    expect(svm.supportCoefficients[0]).toBeCloseTo(0.5, 6);
    expect(svm.offset).toBeCloseTo((1 + Math.exp(-0.4)) / 2, 6);
    expect(svm.scores[1]).toBeCloseTo((1 + Math.exp(-0.4)) / 2 - Math.exp(-0.1), 6);
  });

  it('of three points on a line the middle one carries its part where the kernel is narrow', () => {
    const [p, q] = [Math.exp(-2), Math.exp(-8)];
    const b = (1 + q - 2 * p) / (1 + q - 2 * p + 2 * (1 - p));
    using svm = new OneClassSVM({ nu: 1 / 3, gamma: 2, tolerance: 1e-9 }).fit([[0], [1], [2]]);
    expect(svm.supportCoefficients[1]).toBeCloseTo(b, 6);
    expect(svm.supportCoefficients[0]).toBeCloseTo((1 - b) / 2, 6);
  });

  it('ν = 1 is the Parzen density of all rows, and ρ its highest value', () => {
    const rows = new Random(4).rows(30, 2);
    using svm = new OneClassSVM({ nu: 1 }).fit(rows);
    expect([...svm.supportCoefficients]).toEqual(new Array(30).fill(1));
    const density = rows.map((x) => rows.reduce((sum, y) => sum + kernelOf({ kernel: 'rbf' }, x, y), 0));
    expect(svm.offset).toBeCloseTo(Math.max(...density), 5);
    expect(Math.min(...svm.scores)).toBe(0);
  });
});
