// How alike two sets of rows are to a regression: the cosine between the coefficients fitted on the one and on
// the other. Features are regressed on each other, each on all others, with one inverse for all of them; or
// targets are regressed on the features.
import { inBlocks, type Steps } from '../core/steps.js';
import { leastSquares } from './least-squares.js';
import type { Table } from './table.js';

const RIDGE = 1e-4;

/** Coefficients of several regressions, one row each. */
type Coefficients = readonly Float64Array[];

/** The most alike of the regressions fitted on both sets: the largest cosine. 1 where there are none. */
export function similarity(all: Coefficients, some: Coefficients): number {
  if (all.length === 0) return 1;
  return all.reduce((most, beta, t) => Math.max(most, cosine(beta, some[t] as Float64Array)), -1);
}

/**
 * Each feature but the last, regressed on all others and an intercept: β = (ZᵀZ + λI)⁻¹Zᵀy. With
 * M = (AᵀA + λI)⁻¹ for A = [X 1] it is −M_ot/M_tt, o the others: a block of a block inverse.
 */
export function* featureCoefficients(rows: Table): Steps<Coefficients> {
  const { columns } = rows;
  const size = columns + 1;
  const inverse = yield* invert(yield* ridgeGram(rows), size);
  return Array.from({ length: columns - 1 }, (_, t) => {
    const own = inverse.subarray(t * size, (t + 1) * size);
    const pivot = own[t] as number;
    return own.filter((_, other) => other !== t).map((value) => -value / pivot);
  });
}

/** Each target regressed on all features and an intercept: β = (ZᵀZ + λI)⁻¹Zᵀy. */
export function* targetCoefficients(rows: Table, targets: Table): Steps<Coefficients> {
  const size = rows.columns + 1;
  const inverse = yield* invert(yield* ridgeGram(rows), size);
  return Array.from({ length: targets.columns }, (_, t) => {
    const products = new Float64Array(size);
    for (let i = 0; i < rows.rows; i++) {
      const y = targets.data[i * targets.columns + t] as number;
      for (let j = 0; j < size; j++) products[j] = (products[j] as number) + predictor(rows, i, j) * y;
    }
    return products.map((_, j) => {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += (inverse[j * size + i] as number) * (products[i] as number);
      return sum;
    });
  });
}

/** As targetCoefficients, without ridge: the shortest of the best coefficients, by the pseudo-inverse. */
export function* plainTargetCoefficients(rows: Table, targets: Table): Steps<Coefficients> {
  const Z = Array.from({ length: rows.columns + 1 }, (_, j) => columnOf(rows.rows, (i) => predictor(rows, i, j)));
  const Y = Array.from({ length: targets.columns }, (_, t) =>
    columnOf(rows.rows, (i) => targets.data[i * targets.columns + t] as number),
  );
  yield;
  return yield* leastSquares(Z, Y);
}

function columnOf(rows: number, entry: (i: number) => number): Float64Array {
  const column = new Float64Array(rows);
  for (let i = 0; i < rows; i++) column[i] = entry(i);
  return column;
}

/** An entry of [X 1]. */
function predictor({ data, columns }: Table, i: number, j: number): number {
  return j < columns ? (data[i * columns + j] as number) : 1;
}

/** AᵀA + λI for A = [X 1]. */
function* ridgeGram(rows: Table): Steps<Float64Array> {
  const size = rows.columns + 1;
  const gram = new Float64Array(size * size);
  yield* inBlocks(rows.rows, size * size, (from, to) => {
    for (let i = from; i < to; i++) {
      for (let a = 0; a < size; a++) {
        const value = predictor(rows, i, a);
        for (let b = 0; b <= a; b++)
          gram[a * size + b] = (gram[a * size + b] as number) + value * predictor(rows, i, b);
      }
    }
  });
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) gram[b * size + a] = gram[a * size + b] as number;
    gram[a * size + a] = (gram[a * size + a] as number) + RIDGE;
  }
  return gram;
}

/** The inverse of AᵀA + λI by Cholesky. In exact arithmetic no pivot is below λ: rounding may not make it so. */
function* invert(matrix: Float64Array, size: number): Steps<Float64Array> {
  const at = (from: Float64Array, row: number, column: number): number => from[row * size + column] as number;
  const lower = new Float64Array(size * size);
  for (let a = 0; a < size; a++) {
    if (a % 8 === 7) yield;
    for (let b = 0; b <= a; b++) {
      let rest = at(matrix, a, b);
      for (let c = 0; c < b; c++) rest -= at(lower, a, c) * at(lower, b, c);
      lower[a * size + b] = a === b ? Math.sqrt(Math.max(rest, RIDGE)) : rest / at(lower, b, b);
    }
  }
  const inverse = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    if (column % 8 === 7) yield;
    const solution = new Float64Array(size); // L y = e, then Lᵀ x = y
    for (let a = column; a < size; a++) {
      let rest = a === column ? 1 : 0;
      for (let b = column; b < a; b++) rest -= at(lower, a, b) * (solution[b] as number);
      solution[a] = rest / at(lower, a, a);
    }
    for (let a = size - 1; a >= 0; a--) {
      let rest = solution[a] as number;
      for (let b = a + 1; b < size; b++) rest -= at(lower, b, a) * (solution[b] as number);
      solution[a] = rest / at(lower, a, a);
    }
    inverse.set(solution, column * size);
  }
  return inverse;
}

/** 0 with a zero vector. */
export function cosine(x: Float64Array, y: Float64Array): number {
  let [xy, xx, yy] = [0, 0, 0];
  for (let j = 0; j < x.length; j++) {
    const [a, b] = [x[j] as number, y[j] as number];
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  return xx === 0 || yy === 0 ? 0 : xy / (Math.sqrt(xx) * Math.sqrt(yy));
}
