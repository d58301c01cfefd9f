// Means, covariances and determinants with plain loops, for comparison. Nothing here comes from src/.
import type { Rows } from './data.js';

export function meanOf(rows: Rows): number[] {
  const columns = (rows[0] as ArrayLike<number>).length;
  return Array.from(
    { length: columns },
    (_, j) => rows.reduce((sum, row) => sum + (row[j] as number), 0) / rows.length,
  );
}

/** With divisor n. */
export function covarianceOf(rows: Rows, location = meanOf(rows)): number[][] {
  return location.map((a, j) =>
    location.map(
      (b, k) => rows.reduce((sum, row) => sum + ((row[j] as number) - a) * ((row[k] as number) - b), 0) / rows.length,
    ),
  );
}

/** Solves a x = b by elimination with pivoting; gives ln |det a| too. */
export function solve(
  a: readonly (readonly number[])[],
  b: ArrayLike<number>,
): { x: number[]; logDeterminant: number } {
  const size = a.length;
  const table = a.map((row, i) => [...row, b[i] as number]);
  let logDeterminant = 0;
  for (let k = 0; k < size; k++) {
    let pivot = k;
    for (let i = k + 1; i < size; i++)
      if (Math.abs(table[i]?.[k] as number) > Math.abs(table[pivot]?.[k] as number)) pivot = i;
    [table[k], table[pivot]] = [table[pivot] as number[], table[k] as number[]];
    const row = table[k] as number[];
    logDeterminant += Math.log(Math.abs(row[k] as number));
    for (let i = 0; i < size; i++) {
      if (i === k) continue;
      const other = table[i] as number[];
      const factor = (other[k] as number) / (row[k] as number);
      for (let j = k; j <= size; j++) other[j] = (other[j] as number) - factor * (row[j] as number);
    }
  }
  return { x: table.map((row, i) => (row[size] as number) / (row[i] as number)), logDeterminant };
}

export function logDeterminantOf(rows: Rows): number {
  const covariance = covarianceOf(rows);
  return solve(covariance, new Float64Array(covariance.length)).logDeterminant;
}

/** (x − location)ᵀ S⁻¹ (x − location). */
export function mahalanobis(x: ArrayLike<number>, location: ArrayLike<number>, covariance: number[][]): number {
  const moved = Array.from(x, (value, j) => value - (location[j] as number));
  return solve(covariance, moved).x.reduce((sum, value, j) => sum + value * (moved[j] as number), 0);
}

/** Every set of `size` of the numbers 0 … count − 1. */
export function* subsets(count: number, size: number, first = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = first; i <= count - size; i++) for (const rest of subsets(count, size - 1, i + 1)) yield [i, ...rest];
}
