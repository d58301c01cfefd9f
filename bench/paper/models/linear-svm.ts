// Linear support vector machine as scikit-learn's LinearSVC(dual=True): squared hinge loss, one class against
// the rest, solved by liblinear's dual coordinate descent (Hsieh et al. 2008). The intercept is the weight of
// a column of ones, so it is regularised too. On unscaled data the iterations run out before it converges;
// the result then depends on the random order, which is drawn as scikit-learn draws it for the same seed.

import { RandomState } from '../numpy-random.js';
import { type Classifier, checkRows, encodeLabels, fitted, largestOf, rowOf, rowsOf, type Table } from './model.js';

export interface LinearSVMOptions {
  /** The weight of the errors. Default 1. */
  C?: number;
  /** Passes over the rows. Default 2000. */
  maxIterations?: number;
  /** Spread of the projected gradient at which a pass counts as converged. Default 1e-4. */
  tolerance?: number;
  /** Default 0. */
  seed?: number;
}

interface Fit {
  readonly classes: readonly number[];
  /** Of each class against the rest (of the second against the first if there are two); the intercept comes last. */
  readonly weights: readonly Float64Array[];
}

export class LinearSVM implements Classifier {
  readonly #options: Required<LinearSVMOptions>;
  #fit: Fit | undefined;
  /** Whether each problem converged in time. */
  converged: readonly boolean[] = [];

  constructor({ C = 1, maxIterations = 2000, tolerance = 1e-4, seed = 0 }: LinearSVMOptions = {}) {
    this.#options = { C, maxIterations, tolerance, seed };
  }

  fit(X: Table, labels: ArrayLike<number>): this {
    checkRows(X, labels.length);
    const { classes, codes } = encodeLabels(labels);
    if (classes.length < 2) throw new Error(`a linear SVM needs at least 2 classes, got ${classes.length}`);
    // liblinear sorts rows by class first: the order in which rows are drawn refers to that
    const order = [...codes.keys()].sort((a, b) => (codes[a] as number) - (codes[b] as number) || a - b);
    const rows = order.map((i) => Float64Array.of(...rowOf(X, i), 1));
    const random = new RandomState(new RandomState(this.#options.seed).seed());
    const positives = classes.length === 2 ? [1] : [...classes.keys()];
    const problems = positives.map((positive) => {
      const signs = Int8Array.from(order, (i) => (codes[i] === positive ? 1 : -1));
      return descend(rows, signs, random, this.#options);
    });
    this.#fit = { classes, weights: problems.map(({ weights }) => weights) };
    this.converged = problems.map(({ converged }) => converged);
    return this;
  }

  /** The weights of each problem, the intercept last. */
  get weights(): readonly Float64Array[] {
    return fitted(this.#fit).weights;
  }

  predict(X: Table): number[] {
    const { classes, weights } = fitted(this.#fit);
    return rowsOf(X).map((row) => {
      const values = weights.map((w) => product(w, row) + (w[row.length] as number));
      const code = classes.length === 2 ? Number((values[0] as number) > 0) : largestOf(values);
      return classes[code] as number;
    });
  }
}

/**
 * min ½‖w‖² + C Σ max(0, 1 − yᵢ w·xᵢ)², through its dual in α ≥ 0 with w = Σ αᵢ yᵢ xᵢ: one αᵢ at a time is
 * brought to its best value. Rows whose α stays 0 are set aside until the others have converged.
 */
function descend(
  rows: readonly Float64Array[],
  signs: Int8Array,
  random: RandomState,
  { C, maxIterations, tolerance }: Required<LinearSVMOptions>,
): { weights: Float64Array; converged: boolean } {
  const weights = new Float64Array((rows[0] as Float64Array).length);
  const diagonal = 0.5 / C;
  const curvatures = rows.map((row) => row.reduce((sum, value) => sum + value * value, diagonal));
  const alpha = new Float64Array(rows.length);
  const order = Int32Array.from(rows.keys());
  let active = rows.length;
  let limit = Number.POSITIVE_INFINITY;

  for (let iteration = 0; iteration < maxIterations; iteration++) {
    for (let s = 0; s < active; s++) swap(order, s, s + random.scaledInteger(active - s));
    let most = Number.NEGATIVE_INFINITY;
    let least = Number.POSITIVE_INFINITY;
    for (let s = 0; s < active; s++) {
      const i = order[s] as number;
      const row = rows[i] as Float64Array;
      const sign = signs[i] as number;
      const before = alpha[i] as number;
      const gradient = product(weights, row) * sign - 1 + before * diagonal;
      if (before === 0 && gradient > limit) {
        swap(order, s--, --active);
        continue;
      }
      const projected = before === 0 ? Math.min(gradient, 0) : gradient;
      if (projected > most) most = projected;
      if (projected < least) least = projected;
      if (Math.abs(projected) > 1e-12) {
        const after = Math.max(before - gradient / (curvatures[i] as number), 0);
        alpha[i] = after;
        add(weights, row, (after - before) * sign);
      }
    }
    if (most - least > tolerance) limit = most > 0 ? most : Number.POSITIVE_INFINITY;
    else if (active === rows.length) return { weights, converged: true };
    else {
      active = rows.length;
      limit = Number.POSITIVE_INFINITY;
    }
  }
  return { weights, converged: false };
}

/** Over the columns of y, which may be fewer than those of x. */
function product(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < y.length; j++) sum += (x[j] as number) * (y[j] as number);
  return sum;
}

function add(weights: Float64Array, row: Float64Array, factor: number): void {
  for (let j = 0; j < row.length; j++) weights[j] = (weights[j] as number) + factor * (row[j] as number);
}

function swap(order: Int32Array, a: number, b: number): void {
  const value = order[a] as number;
  order[a] = order[b] as number;
  order[b] = value;
}
