// Zβ = y by least squares, and where many β are as good, the shortest: β = Z⁺y. Pairs of equations are rotated
// until all of them are orthogonal to each other (the singular value decomposition by Jacobi's rotations);
// then each can be solved without the others.

import { dot, makeReflector, reflect, rotate } from '../core/math/orthogonal.js';
import type { Steps } from '../core/steps.js';

/** Passes over all pairs, at most: about ten are needed. */
const MOST_PASSES = 30;

/** β for each y. Columns of Z and Y are changed. */
export function* leastSquares(Z: readonly Float64Array[], Y: readonly Float64Array[]): Steps<Float64Array[]> {
  const size = Z.length;
  const rows = Z[0]?.length ?? 0;
  if (rows >= size) yield* triangulate(Z, Y);
  // All of Z by one number, so that no square overflows.
  const scale = Z.reduce((most, column) => column.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0) || 1;
  // An equation is [y z]: what is y turns along.
  const equations = Array.from({ length: Math.min(rows, size) }, (_, i) =>
    Float64Array.from([...Y.map((y) => y[i] as number), ...Z.map((z) => (z[i] as number) / scale)]),
  );
  const from = Y.length;
  // What rounding leaves of a singular value that is 0, for as many rows as there are.
  const negligible = (Number.EPSILON / 2) * Math.max(rows, size);
  const squares = yield* orthogonalize(equations, from, negligible);
  const least = negligible ** 2 * Math.max(...squares);
  return Y.map((_, t) => {
    const beta = new Float64Array(size);
    for (const [i, equation] of equations.entries()) {
      const square = squares[i] as number;
      if (square <= least) continue;
      const factor = (equation[t] as number) / square / scale;
      for (let j = 0; j < size; j++) beta[j] = (beta[j] as number) + factor * (equation[from + j] as number);
    }
    return beta;
  });
}

/** Z = QR: columns of Z become those of R, and those of Y become QᵀY. Only the first rows are left to solve. */
function* triangulate(Z: readonly Float64Array[], Y: readonly Float64Array[]): Steps<void> {
  for (const [j, column] of Z.entries()) {
    const reflector = column.slice();
    if (!makeReflector(reflector, j, 0)) continue;
    for (const later of [...Z.slice(j), ...Y]) {
      reflect(later, reflector, j);
      yield;
    }
    column.fill(0, j + 1);
  }
}

/** Rotates pairs of rows until all are orthogonal from an entry on. Returns the squared lengths of these parts. */
function* orthogonalize(rows: readonly Float64Array[], from: number, negligible: number): Steps<Float64Array> {
  const squares = Float64Array.from(rows, (row) => dot(row, row, from));
  const tolerance = Number.EPSILON * Math.sqrt(rows.length);
  let isDone = false;
  for (let pass = 0; !isDone && pass < MOST_PASSES; pass++) {
    isDone = true;
    const least = negligible ** 2 * Math.max(...squares);
    for (const [p, a] of rows.entries()) {
      yield;
      for (let q = p + 1; q < rows.length; q++) {
        const b = rows[q] as Float64Array;
        const [aa, bb] = [squares[p] as number, squares[q] as number];
        if (aa <= least || bb <= least) continue;
        const ab = dot(a, b, from);
        if (Math.abs(ab) <= tolerance * Math.sqrt(aa * bb)) continue;
        isDone = false;
        // The tangent of the angle at which a and b become orthogonal: the smaller of the two.
        const half = (bb - aa) / (2 * ab);
        const tangent = Math.sign(half || 1) / (Math.abs(half) + Math.sqrt(1 + half ** 2));
        const cosine = 1 / Math.sqrt(1 + tangent ** 2);
        rotate(a, b, cosine, cosine * tangent);
        squares[p] = dot(a, a, from);
        squares[q] = dot(b, b, from);
      }
    }
  }
  return squares;
}
