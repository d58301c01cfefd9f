// The Q of an economic QR decomposition by Householder reflections, without pivoting: an orthonormal basis
// that follows the columns of a matrix in their order.

import { makeReflector, norm, reflect } from '../core/math/orthogonal.js';
import type { Steps } from '../core/steps.js';
import type { Table } from './table.js';

/** Of the norm of the matrix: a column with no more than this left over depends on those before it. */
const NEGLIGIBLE = 1e-12;

/**
 * The basis q_1 … q_h, h = min(d, n), from rows x_1 … x_n of d columns (the columns of the matrix A that is
 * decomposed): row j of the result is q_j. Only the first h rows bear on it. Where a row depends on those
 * before it, the reflector is the identity.
 */
export function* orthonormalBasis({ data, rows, columns }: Table): Steps<Table> {
  const h = Math.min(rows, columns);
  const vectors = Array.from({ length: h }, (_, i) => data.slice(i * columns, (i + 1) * columns));
  const negligible = NEGLIGIBLE * norm(data.subarray(0, h * columns), 0);
  for (const [j, vector] of vectors.entries()) {
    yield;
    if (!makeReflector(vector, j, negligible)) continue;
    for (const later of vectors.slice(j + 1)) reflect(later, vector, j);
  }
  const basis = new Float64Array(h * columns);
  for (let j = 0; j < h; j++) {
    yield;
    const q = basis.subarray(j * columns, (j + 1) * columns);
    q[j] = 1; // q_j = H_1 … H_j e_j: reflectors after the j-th leave e_j as it is
    for (let i = j; i >= 0; i--) reflect(q, vectors[i] as Float64Array, i);
  }
  return { data: basis, rows: h, columns };
}
