// Eigenvalues and eigenvectors of a symmetric matrix A: Householder reflections make it tridiagonal, A = QTQᵀ,
// then rotations make T diagonal (the implicit QL algorithm). All matrices are stored by rows, so that inner
// loops run along one.
import { dot, makeReflector, reflect, rotate } from './orthogonal.js';

export interface Eigen {
  /** In no particular order. */
  readonly values: Float64Array;
  /** The unit eigenvector of each. */
  readonly vectors: readonly Float64Array[];
}

export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  const rows = Array.from({ length: size }, (_, i) => matrix.slice(i * size, (i + 1) * size));
  const reflectors = tridiagonalize(rows);
  const values = Float64Array.from(rows, (row, i) => row[i] as number);
  const beside = Float64Array.from(rows, (row, i) => row[i + 1] ?? 0); // t_i,i+1; 0 after the last
  const vectors = rows.map((_, j) => {
    const q = new Float64Array(size);
    q[j] = 1; // q_j = H_0 … H_j−1 e_j: reflectors from the j-th on leave e_j as it is
    for (let k = Math.min(j, reflectors.length) - 1; k >= 0; k--) reflect(q, reflectors[k] as Float64Array, k + 1);
    return q;
  });
  diagonalize(values, beside, vectors);
  return { values, vectors };
}

/** The rows of A become those of T = … H_1 H_0 A H_0 H_1 …, as far as needed. Returns v of H = I − 2vvᵀ. */
function tridiagonalize(rows: readonly Float64Array[]): Float64Array[] {
  const size = rows.length;
  return rows.slice(0, -2).map((row, k) => {
    const v = row.slice();
    makeReflector(v, k + 1, 0);
    reflect(row, v, k + 1);
    // HAH = A − vwᵀ − wvᵀ with w = 2(p − (vᵀp)v), p = Av; of it the entries after row and column k
    const p = rows.map((other, i) => (i > k ? dot(other, v, k + 1) : 0));
    const product = dot(v, p, k + 1);
    const w = Float64Array.from(p, (value, i) => 2 * (value - product * (v[i] as number)));
    for (let i = k + 1; i < size; i++) {
      const other = rows[i] as Float64Array;
      const [vi, wi] = [v[i] as number, w[i] as number];
      for (let j = k + 1; j < size; j++)
        other[j] = (other[j] as number) - (vi * (w[j] as number) + wi * (v[j] as number));
    }
    return v;
  });
}

/** Makes T diagonal and applies the rotations to its vectors. */
function diagonalize(diagonal: Float64Array, beside: Float64Array, vectors: readonly Float64Array[]): void {
  const d = (i: number): number => diagonal[i] as number;
  const e = (i: number): number => beside[i] as number;
  const largest = diagonal.reduce((most, value, i) => Math.max(most, Math.abs(value) + Math.abs(e(i))), 0);
  const isSmall = (i: number): boolean => !(Math.abs(e(i)) > Number.EPSILON * largest); // also true for NaN
  for (let first = 0; first < vectors.length; first++) {
    while (!isSmall(first)) {
      let last = first + 1;
      while (!isSmall(last)) last++;
      // One step on rows first … last, with the eigenvalue of its leading 2 × 2 block closest to the first diagonal entry as shift.
      const half = (d(first + 1) - d(first)) / (2 * e(first));
      const shift = d(first) - e(first) / (half + Math.sign(half || 1) * hypotenuse(half, 1));
      let [sine, cosine, change] = [1, 1, 0];
      let bulge = d(last) - shift;
      let i = last - 1;
      for (; i >= first; i--) {
        const [f, b] = [sine * e(i), cosine * e(i)];
        const length = hypotenuse(f, bulge);
        beside[i + 1] = length;
        if (length === 0) break; // it happens to split into two parts
        sine = f / length;
        cosine = bulge / length;
        const rest = d(i + 1) - change;
        const r = (d(i) - rest) * sine + 2 * cosine * b;
        change = sine * r;
        diagonal[i + 1] = rest + change;
        bulge = cosine * r - b;
        rotate(vectors[i] as Float64Array, vectors[i + 1] as Float64Array, cosine, sine);
      }
      diagonal[i + 1] = d(i + 1) - change;
      if (i < first) beside[first] = bulge;
      beside[last] = 0;
    }
  }
}

/** √(a² + b²) without overflow or underflow. */
function hypotenuse(a: number, b: number): number {
  const [less, more] = [Math.min(Math.abs(a), Math.abs(b)), Math.max(Math.abs(a), Math.abs(b))];
  return more === 0 ? 0 : more * Math.sqrt(1 + (less / more) ** 2);
}
