// Covariances that are singular: constant columns, columns that are sums of others, fewer rows than
// columns. The subspace that rows span comes from the eigenvectors of a symmetric matrix (math/symmetric-eigen.ts);
// within it distances are as ever, and directions that leave it are ignored: the pseudo-inverse.

import type { RowSource } from '../core/input/matrix.js';
import { SINGULAR, type Whitening } from '../core/math/mahalanobis.js';
import { symmetricEigen } from '../core/math/symmetric-eigen.js';

interface Direction {
  /** Its eigenvalue. */
  readonly value: number;
  readonly vector: Float64Array;
}

/** Eigenvectors of a symmetric matrix, largest eigenvalue first: those above SINGULAR times the largest. */
function directionsOf(matrix: Float64Array, columns: number): Direction[] {
  const { values, vectors } = symmetricEigen(matrix, columns);
  const largest = values.reduce((most, value) => Math.max(most, value));
  return vectors
    .map((vector, i) => ({ value: values[i] as number, vector }))
    .filter(({ value }) => value > SINGULAR * largest)
    .sort((a, b) => b.value - a.value);
}

/** The whitening of a singular covariance in the subspace it spans: WᵀW is its pseudo-inverse. */
export function pseudoWhitening(covariance: Float64Array, columns: number): Omit<Whitening, 'location'> {
  const directions = directionsOf(covariance, columns);
  const matrix = new Float64Array(directions.length * columns);
  directions.forEach(({ value, vector }, i) => {
    const root = Math.sqrt(value);
    matrix.set(
      vector.map((entry) => entry / root),
      i * columns,
    );
  });
  return { matrix, rank: directions.length, isTriangular: false };
}

/** An origin and an orthonormal basis of the differences of all rows from it. */
export interface Subspace {
  readonly origin: Float64Array;
  readonly basis: readonly Float64Array[];
}

/**
 * The subspace that all rows span. Each row counts by its direction alone: a few rows far out would make
 * all other directions look like rounding. The origin is the row nearest to 0, or 0 where it is given.
 */
export function spanOf(rows: RowSource, isCentered: boolean): Subspace {
  const { columns } = rows;
  const row = new Float64Array(columns);
  const origin = isCentered ? new Float64Array(columns) : nearestToZero(rows);
  const matrix = new Float64Array(columns * columns);
  for (let i = 0; i < rows.rows; i++) {
    rows.read(i, row, 0);
    for (let j = 0; j < columns; j++) row[j] = (row[j] as number) - (origin[j] as number);
    const length = Math.sqrt(squaredLength(row));
    if (length === 0) continue;
    for (let j = 0; j < columns; j++) row[j] = (row[j] as number) / length;
    for (let j = 0; j < columns; j++) {
      const value = row[j] as number;
      if (value === 0) continue;
      for (let k = 0; k < columns; k++)
        matrix[j * columns + k] = (matrix[j * columns + k] as number) + value * (row[k] as number);
    }
  }
  if (matrix.every((value) => value === 0)) return { origin, basis: [] };
  return { origin, basis: directionsOf(matrix, columns).map(({ vector }) => vector) };
}

function nearestToZero(rows: RowSource): Float64Array {
  const row = new Float64Array(rows.columns);
  let nearest = new Float64Array(rows.columns);
  let least = Infinity;
  for (let i = 0; i < rows.rows; i++) {
    rows.read(i, row, 0);
    const length = squaredLength(row);
    if (length < least) {
      least = length;
      nearest = row.slice();
    }
  }
  return nearest;
}

function squaredLength(row: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < row.length; j++) sum += (row[j] as number) ** 2;
  return sum;
}

/** Rows in the coordinates of a subspace. */
export class ProjectedRows implements RowSource {
  readonly rows: number;
  readonly columns: number;
  readonly #source: RowSource;
  readonly #subspace: Subspace;
  readonly #row: Float64Array;

  constructor(source: RowSource, subspace: Subspace) {
    this.rows = source.rows;
    this.columns = subspace.basis.length;
    this.#source = source;
    this.#subspace = subspace;
    this.#row = new Float64Array(source.columns);
  }

  read(index: number, into: Float64Array, at: number): void {
    const row = this.#row;
    const { origin, basis } = this.#subspace;
    this.#source.read(index, row, 0);
    for (let j = 0; j < row.length; j++) row[j] = (row[j] as number) - (origin[j] as number);
    basis.forEach((axis, i) => {
      let sum = 0;
      for (let j = 0; j < row.length; j++) sum += (axis[j] as number) * (row[j] as number);
      into[at + i] = sum;
    });
  }
}
