// The rows in two dimensions, their first two principal components, coloured by score. Components come from the
// covariance of the columns or, if there are more columns than sampled rows, from the Gram matrix of those rows, which
// has the same components.
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { FlatMatrix } from '../../index.js';
import { momentsOf } from '../moments.js';
import { type Html, html } from './html.js';
import { heat, Plot, padded, rangeOf, round } from './plot.js';

/** Most points drawn; of the others an even sample. */
const MOST_POINTS = 1500;
/** Most rows and multiplications spent on the components. */
const MOST_ROWS = 2000;
const MOST_WORK = 3e8;

export interface ProjectionInput {
  readonly matrix: FlatMatrix;
  readonly scores: Float64Array;
  readonly order: Uint32Array;
  readonly threshold: number;
  readonly isStandardized: boolean;
  nameOf(position: number): string;
}

export function projectionPlot(input: ProjectionInput): Html {
  const { matrix, scores, order, threshold } = input;
  const { rows, shares } = project(matrix, input.isStandardized);
  const drawn = chosen(order);
  const places = drawn.map((position) => ({ position, x: rows(position, 0), y: rows(position, 1) }));
  const [low, high] = rangeOf(scores);
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const plot = new Plot({
    x: padded(rangeOf(places.map(({ x }) => x))),
    y: padded(rangeOf(places.map(({ y }) => y))),
    xLabel: `first component (${percent(shares[0])} of the variance)`,
    yLabel: `second (${percent(shares[1])})`,
  });
  // Highest scores last, so that they are drawn on top.
  const dots = places.reverse().map(({ position, x, y }) => {
    const score = scores[position] as number;
    const share = high > low ? (score - low) / (high - low) : 0;
    const isHot = score > threshold;
    return html`<circle class="${heat(share)}" cx="${round(plot.x(x))}" cy="${round(plot.y(y))}" r="${isHot ? 3.4 : 2.2}">${
      isHot ? html`<title>${input.nameOf(position)}: ${score.toPrecision(4)}</title>` : undefined
    }</circle>`;
  });
  return plot.draw('The rows in the plane of their two principal components, coloured by score.', dots);
}

/** The highest scores, and an even sample of the rest. */
function chosen(order: Uint32Array): number[] {
  if (order.length <= MOST_POINTS) return [...order];
  const top = MOST_POINTS / 5;
  const step = (order.length - top) / (MOST_POINTS - top);
  return Array.from(
    { length: MOST_POINTS },
    (_, i) => order[i < top ? i : Math.floor(top + (i - top) * step)] as number,
  );
}

interface Projection {
  /** The coordinate of a row along a component. */
  rows(position: number, component: 0 | 1): number;
  /** Share of the variance of each component. */
  readonly shares: readonly [number, number];
}

export function project(matrix: FlatMatrix, isStandardized: boolean): Projection {
  const { columns, data } = matrix;
  const { mean, deviation } = momentsOf(matrix);
  const scale = deviation.map((spread) => (isStandardized && spread > 0 ? spread : 1));
  const value = (row: number, j: number) =>
    ((data[row * columns + j] as number) - (mean[j] as number)) / (scale[j] as number);
  const most = Math.max(
    2,
    Math.min(MOST_ROWS, Math.floor(columns <= 300 ? MOST_WORK / columns ** 2 : Math.sqrt(MOST_WORK / columns))),
  );
  const step = Math.max(1, matrix.rows / most);
  const sample = Array.from({ length: Math.min(most, matrix.rows) }, (_, i) => Math.floor(i * step));
  const { directions, shares } =
    columns <= sample.length ? byColumns(sample, columns, value) : byRows(sample, columns, value);
  const rows = (position: number, component: 0 | 1): number => {
    const direction = directions[component];
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += value(position, j) * (direction[j] as number);
    return sum;
  };
  return { rows, shares };
}

interface Components {
  readonly directions: readonly [Float64Array, Float64Array];
  readonly shares: readonly [number, number];
}

type Value = (row: number, column: number) => number;

function byColumns(sample: readonly number[], columns: number, value: Value): Components {
  const covariance = Matrix.zeros(columns, columns);
  for (const row of sample) {
    for (let a = 0; a < columns; a++) {
      const first = value(row, a);
      for (let b = a; b < columns; b++) covariance.set(a, b, covariance.get(a, b) + first * value(row, b));
    }
  }
  const { vectors, values } = symmetricComponents(covariance);
  const total = values.reduce((sum, part) => sum + Math.max(0, part), 0) || 1;
  const second = vectors[1] ?? new Float64Array(columns);
  return { directions: [oriented(vectors[0] as Float64Array), oriented(second)], shares: sharesOf(values, total) };
}

function byRows(sample: readonly number[], columns: number, value: Value): Components {
  const count = sample.length;
  const rows = sample.map((row) => Float64Array.from({ length: columns }, (_, j) => value(row, j)));
  const products = Matrix.zeros(count, count);
  rows.forEach((first, a) => {
    for (let b = a; b < count; b++) {
      const second = rows[b] as Float64Array;
      let sum = 0;
      for (let j = 0; j < columns; j++) sum += (first[j] as number) * (second[j] as number);
      products.set(a, b, sum);
    }
  });
  const { vectors, values } = symmetricComponents(products);
  const direction = (weights: Float64Array | undefined): Float64Array => {
    const sum = new Float64Array(columns);
    rows.forEach((row, i) => {
      for (let j = 0; j < columns; j++) sum[j] = (sum[j] as number) + (weights?.[i] ?? 0) * (row[j] as number);
    });
    const length = Math.sqrt(sum.reduce((total, part) => total + part * part, 0)) || 1;
    return oriented(sum.map((part) => part / length));
  };
  const total = values.reduce((sum, part) => sum + Math.max(0, part), 0) || 1;
  return { directions: [direction(vectors[0]), direction(vectors[1])], shares: sharesOf(values, total) };
}

/** The two leading eigenvectors of a symmetric matrix given by its upper half, and all eigenvalues. */
function symmetricComponents(matrix: Matrix): { vectors: Float64Array[]; values: number[] } {
  for (let a = 0; a < matrix.rows; a++) for (let b = 0; b < a; b++) matrix.set(a, b, matrix.get(b, a));
  const { eigenvectorMatrix, realEigenvalues } = new EigenvalueDecomposition(matrix, { assumeSymmetric: true });
  const order = realEigenvalues
    .map((_, i) => i)
    .sort((i, j) => (realEigenvalues[j] as number) - (realEigenvalues[i] as number));
  const vectors = order.slice(0, 2).map((column) => Float64Array.from(eigenvectorMatrix.getColumn(column)));
  return { vectors, values: order.map((i) => realEigenvalues[i] as number) };
}

function sharesOf(values: readonly number[], total: number): readonly [number, number] {
  return [Math.max(0, values[0] ?? 0) / total, Math.max(0, values[1] ?? 0) / total];
}

/** Chooses the sign that makes the largest component positive, so that the result is reproducible. */
function oriented(direction: Float64Array): Float64Array {
  const largest = direction.reduce((best, part) => (Math.abs(part) > Math.abs(best) ? part : best), 0);
  return largest < 0 ? direction.map((part) => -part) : direction;
}
