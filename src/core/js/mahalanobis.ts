// Means, scatter matrices and Mahalanobis distances with plain loops: the reference for
// assembly/mahalanobis.ts, which sums in the same order.

import type { RowSource } from '../input/matrix.js';
import { type HeldMatrix, type Mahalanobis, type Measure, SINGULAR, type Whitening } from '../math/mahalanobis.js';

export const jsMahalanobis: Mahalanobis = {
  hold: (rows) => new JsMatrix(rows),
  whiten,
  measure: (whitening) => new JsMeasure(whitening),
};

class JsMatrix implements HeldMatrix {
  readonly count: number;
  readonly columns: number;
  #rows: Float64Array;

  constructor(source: RowSource) {
    this.count = source.rows;
    this.columns = source.columns;
    this.#rows = new Float64Array(source.rows * source.columns);
    for (let i = 0; i < source.rows; i++) source.read(i, this.#rows, i * source.columns);
  }

  mean(selected: Uint32Array): Float64Array {
    const { columns } = this;
    const origin = this.#row(selected[0] as number);
    const sums = new Float64Array(columns);
    for (const index of selected) {
      const row = this.#row(index);
      for (let j = 0; j < columns; j++) sums[j] = (sums[j] as number) + ((row[j] as number) - (origin[j] as number));
    }
    return sums.map((sum, j) => (origin[j] as number) + sum / selected.length);
  }

  scatter(selected: Uint32Array, location: Float64Array): Float64Array {
    const { columns } = this;
    const matrix = new Float64Array(columns * columns);
    const moved = new Float64Array(columns);
    for (const index of selected) {
      const row = this.#row(index);
      for (let j = 0; j < columns; j++) moved[j] = (row[j] as number) - (location[j] as number);
      for (let j = 0; j < columns; j++) {
        for (let k = j; k < columns; k++) {
          matrix[j * columns + k] = (matrix[j * columns + k] as number) + (moved[j] as number) * (moved[k] as number);
        }
      }
    }
    for (let j = 0; j < columns; j++) {
      for (let k = 0; k < j; k++) matrix[j * columns + k] = matrix[k * columns + j] as number;
    }
    return matrix;
  }

  distances(selected: Uint32Array, whitening: Whitening, distances: Float64Array): void {
    const moved = new Float64Array(this.columns);
    selected.forEach((index, i) => {
      distances[i] = distance(this.#row(index), whitening, moved);
    });
  }

  release(): void {
    this.#rows = new Float64Array(0);
  }

  #row(index: number): Float64Array {
    return this.#rows.subarray(index * this.columns, (index + 1) * this.columns);
  }
}

class JsMeasure implements Measure {
  readonly #whitening: Whitening;
  readonly #row: Float64Array;
  readonly #moved: Float64Array;

  constructor(whitening: Whitening) {
    this.#whitening = whitening;
    this.#row = new Float64Array(whitening.location.length);
    this.#moved = new Float64Array(whitening.location.length);
  }

  distances(rows: RowSource, distances: Float64Array): void {
    for (let i = 0; i < rows.rows; i++) {
      rows.read(i, this.#row, 0);
      distances[i] = distance(this.#row, this.#whitening, this.#moved);
    }
  }

  release(): void {}
}

/** ‖W (x − location)‖². */
function distance(row: Float64Array, { location, matrix, rank }: Whitening, moved: Float64Array): number {
  const columns = location.length;
  for (let j = 0; j < columns; j++) moved[j] = (row[j] as number) - (location[j] as number);
  let squares = 0;
  for (let i = 0; i < rank; i++) {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += (matrix[i * columns + j] as number) * (moved[j] as number);
    squares += sum * sum;
  }
  return squares;
}

/** S = UᵀU, and W the inverse of Uᵀ. */
function whiten(matrix: Float64Array, columns: number): Float64Array | undefined {
  const factor = matrix.slice();
  const at = (i: number, j: number) => factor[i * columns + j] as number;
  for (let k = 0; k < columns; k++) {
    const pivot = at(k, k);
    if (!(pivot > SINGULAR * (matrix[k * columns + k] as number))) return undefined;
    const root = Math.sqrt(pivot);
    for (let j = k; j < columns; j++) factor[k * columns + j] = at(k, j) / root;
    for (let i = k + 1; i < columns; i++) {
      for (let j = i; j < columns; j++) factor[i * columns + j] = at(i, j) - at(k, i) * at(k, j);
    }
  }
  const inverse = new Float64Array(columns * columns);
  for (let i = 0; i < columns; i++) {
    const row = inverse.subarray(i * columns, (i + 1) * columns);
    row[i] = 1;
    for (let k = 0; k < i; k++) {
      for (let j = 0; j <= k; j++) row[j] = (row[j] as number) - at(k, i) * (inverse[k * columns + j] as number);
    }
    for (let j = 0; j <= i; j++) row[j] = (row[j] as number) / at(i, i);
  }
  return inverse;
}
