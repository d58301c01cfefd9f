// Eigenvalues and eigenvectors: by what they are, Av = λv, and beside ml-matrix.
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { symmetricEigen } from '../../../src/core/math/symmetric-eigen.js';
import { Random } from '../../support/data.js';

const random = new Random(71);

function symmetric(size: number, entry: (i: number, j: number) => number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < size; i++) for (let j = 0; j <= i; j++) matrix[i * size + j] = matrix[j * size + i] = entry(i, j);
  return matrix;
}

/** XᵀX of so many rows: singular where they are fewer than the columns. */
function products(rows: number, size: number): Float64Array {
  const X = random.rows(rows, size, () => random.gaussian());
  return symmetric(size, (i, j) => X.reduce((sum, x) => sum + (x[i] as number) * (x[j] as number), 0));
}

const MATRICES: ReadonlyArray<readonly [string, number, Float64Array]> = [
  ['of one entry', 1, Float64Array.of(-3)],
  ['of two rows', 2, Float64Array.of(1, 2, 2, -5)],
  ['that is 0', 4, new Float64Array(16)],
  ['that is diagonal', 5, symmetric(5, (i, j) => (i === j ? i - 2 : 0))],
  ['of ones', 6, new Float64Array(36).fill(1)],
  ['of two blocks', 6, symmetric(6, (i, j) => (i < 3 === j < 3 ? random.gaussian() : 0))],
  ['with both signs', 9, symmetric(9, () => random.gaussian())],
  ['of products', 30, products(90, 30)],
  ['of products of few rows', 30, products(7, 30)],
  ['of huge entries', 8, symmetric(8, () => 1e200 * random.gaussian())],
  ['of tiny entries', 8, symmetric(8, () => 1e-200 * random.gaussian())],
];

describe('the eigenvectors of a symmetric matrix', () => {
  it.each(MATRICES)('%s are orthonormal, and it only stretches them', (_, size, matrix) => {
    const { values, vectors } = symmetricEigen(matrix, size);
    const tolerance = 1e-14 * size;
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (const [k, v] of vectors.entries()) {
      for (const [l, w] of vectors.entries()) {
        const product = v.reduce((sum, value, i) => sum + value * (w[i] as number), 0);
        expect(Math.abs(product - (k === l ? 1 : 0))).toBeLessThanOrEqual(tolerance);
      }
      for (let i = 0; i < size; i++) {
        const image = v.reduce((sum, value, j) => sum + value * (matrix[i * size + j] as number), 0);
        const error = Math.abs(image - (values[k] as number) * (v[i] as number));
        expect(error).toBeLessThanOrEqual(tolerance * largest);
      }
    }
  });

  // Where entries are huge or tiny, squares in ml-matrix overflow or vanish.
  it.each(MATRICES.slice(0, -2))('%s have the eigenvalues that ml-matrix finds', (_, size, matrix) => {
    const table = Matrix.from1DArray(size, size, Array.from(matrix));
    const truth = new EigenvalueDecomposition(table, { assumeSymmetric: true }).realEigenvalues.sort((a, b) => a - b);
    const largest = Math.max(...truth.map(Math.abs));
    const found = symmetricEigen(matrix, size).values.sort();
    for (const [i, value] of found.entries()) {
      expect(Math.abs(value - (truth[i] as number))).toBeLessThanOrEqual(1e-14 * size * largest);
    }
  });

  it('are given up for entries that are no numbers, without an endless search', () => {
    for (const wrong of [Number.NaN, Infinity]) {
      const matrix = symmetric(5, (i, j) => (i === 3 && j === 1 ? wrong : 1 / (1 + i + j)));
      expect(symmetricEigen(matrix, 5).values.length).toBe(5);
    }
  });
});
