// Least squares: by what defines the solution, and beside the pseudo-inverse of ml-matrix.

import { Matrix, pseudoInverse } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { leastSquares } from '../../src/prototypes/least-squares.js';
import { Random, type Rows } from '../support/data.js';
import { range } from '../support/prototypes.js';

const random = new Random(73);

/** Rows that span only so many directions. */
function rowsOfRank(rows: number, columns: number, rank: number): number[][] {
  const [left, right] = [random.rows(rows, rank), random.rows(rank, columns)] as [Rows, Rows];
  const entry = (i: number, j: number): number =>
    range(rank).reduce((sum, k) => sum + (left[i]?.[k] as number) * (right[k]?.[j] as number), 0);
  return range(rows).map((i) => range(columns).map((j) => entry(i, j)));
}

function solve(Z: readonly number[][], Y: readonly number[][]): Float64Array[] {
  const columnsOf = (rows: readonly number[][]): Float64Array[] =>
    range(rows[0]?.length as number).map((j) => Float64Array.from(rows, (row) => row[j] as number));
  return finish(leastSquares(columnsOf(Z), columnsOf(Y)));
}

const SHAPES = [
  [1, 1, 1],
  [1, 3, 1],
  [3, 1, 1],
  [6, 6, 6],
  [6, 6, 2],
  [4, 9, 4],
  [9, 4, 3],
  [80, 12, 12],
  [300, 12, 5],
  [12, 80, 7],
] as const;

describe('least squares', () => {
  it.each(SHAPES)('of %i rows and %i columns that span %i directions is what the pseudo-inverse gives', (...shape) => {
    const Z = rowsOfRank(...shape);
    const Y = range(shape[0]).map(() => [random.gaussian(), 1e6 * random.gaussian()]);
    const truth = pseudoInverse(new Matrix(Z)).mmul(new Matrix(Y));
    for (const [t, beta] of solve(Z, Y).entries()) {
      const wanted = truth.getColumn(t);
      const size = Math.max(...wanted.map(Math.abs));
      for (const [j, value] of beta.entries()) {
        expect(Math.abs(value - (wanted[j] as number))).toBeLessThanOrEqual(1e-10 * size);
      }
    }
  });

  it('is the same for rows of any size', () => {
    const Z = rowsOfRank(20, 4, 3);
    const Y = range(20).map(() => [random.gaussian()]);
    const [plain] = solve(Z, Y) as [Float64Array];
    for (const scale of [2 ** -600, 2 ** 600]) {
      const scaled = Z.map((row) => row.map((value) => value * scale));
      const [beta] = solve(scaled, Y) as [Float64Array];
      for (const [j, value] of beta.entries()) expect(value * scale).toBeCloseTo(plain[j] as number, 9);
    }
  });

  it('of nothing but zeros is 0', () => {
    expect(solve([[0, 0]], [[5]])).toEqual([new Float64Array(2)]);
  });
});
