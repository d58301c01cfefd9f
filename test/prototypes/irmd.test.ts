// IRMD: the basis against numpy's QR (test/fixtures/make_prototypes.py), the scores against the definition
// with a basis by Gram and Schmidt, and by hand.

import { describe, expect, it } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { IRMD, type Ranking } from '../../src/index.js';
import { orthonormalBasis } from '../../src/prototypes/orthonormal-basis.js';
import { expectAllClose } from '../support/close.js';
import { fixture, Random, type Rows } from '../support/data.js';
import { classesOf, plainBasisScores, range } from '../support/prototypes.js';

const cases = fixture<{ bases: Array<{ X: number[][]; Q: number[][] }> }>('prototypes').bases;

/** Our q_1 … q_h. */
function basisOf(X: Rows): number[][] {
  const columns = (X[0] as ArrayLike<number>).length;
  const data = Float64Array.from(X.flatMap((row) => Array.from(row)));
  const basis = finish(orthonormalBasis({ data, rows: X.length, columns }));
  return range(basis.rows).map((j) => [...basis.data.subarray(j * columns, (j + 1) * columns)]);
}

const product = (x: readonly number[], y: readonly number[]): number =>
  x.reduce((sum, value, j) => sum + value * (y[j] as number), 0);

function expectOrthonormal(basis: readonly number[][]): void {
  for (const [a, p] of basis.entries()) {
    for (const [b, q] of basis.entries()) expect(product(p, q)).toBeCloseTo(a === b ? 1 : 0, 12);
  }
}

/** The score of each row, by row number. */
function scoresOf({ indices, scores }: Ranking): number[] {
  const byRow = Array<number>(indices.length);
  for (const [place, row] of indices.entries()) byRow[row] = scores[place] as number;
  return byRow;
}

describe('the basis of IRMD', () => {
  it.each(cases)("is numpy's Q up to signs: $X.length samples", ({ X, Q }) => {
    const basis = basisOf(X);
    expect(basis.length).toBe(Q.length);
    for (const [j, q] of basis.entries()) {
      const truth = Q[j] as number[];
      const sign = Math.sign(product(q, truth));
      for (const [i, value] of q.entries()) expect(value * sign).toBeCloseTo(truth[i] as number, 12);
    }
  });

  it('is orthonormal also where rows depend on each other', () => {
    const x = [1, 2, 2, 0];
    for (const X of [
      [x, x, x, x],
      [[0, 0, 0, 0], x, [0, 0, 0, 0], x.map((value) => 3 * value)],
      range(4).map(() => [0, 0, 0, 0]),
      [x, [0, 0, 1e-14, 0], [0, 3, 0, 0], [1, 5, 2, 0]],
    ]) {
      expectOrthonormal(basisOf(X));
    }
  });

  it('has the identity as reflector for a row that depends on those before it', () => {
    // H_1 turns e_1 into ±(1,0,0) again; rows 2 and 3 leave nothing over: q_2 and q_3 are H_1 e_2 and H_1 e_3.
    const basis = basisOf([
      [2, 0, 0],
      [4, 0, 0],
      [1, 0, 0],
    ]);
    expect(basis.map((q) => q.map(Math.abs))).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });

  it('does not depend on the unit of the rows', () => {
    const X = new Random(31).rows(5, 4);
    for (const scale of [1e-140, 1e140]) {
      const scaled = basisOf(X.map((row) => row.map((value) => value * scale)));
      for (const [j, q] of basisOf(X).entries()) expectAllClose(scaled[j] as number[], q, { absolute: 1e-10 });
    }
  });
});

describe('IRMD', () => {
  it('scores by hand', () => {
    // q_1 = ±(1,0), q_2 = ±(0,1); w = 1/3, 2/3.
    const { indices, scores } = new IRMD().rank([
      [1, 0],
      [0, 1],
      [3, 4],
      [0, 0],
    ]);
    const e = -Math.log(0.001);
    const byHand = [(2 / 3) * e, e / 3, -(Math.log(0.6) + 2 * Math.log(0.8)) / 3, e];
    expectAllClose(scoresOf({ indices, scores }), byHand, { absolute: 1e-10 });
    expect([...indices]).toEqual([3, 0, 1, 2]);
  });

  it('agrees with the definition on rows without labels', () => {
    for (const [n, columns] of [
      [30, 4],
      [5, 9],
      [12, 1],
    ] as const) {
      const X = new Random(n).rows(n, columns);
      expectAllClose(scoresOf(new IRMD().rank(X)), plainBasisScores(X), { absolute: 1e-10 });
      const coarse = scoresOf(new IRMD({ epsilon: 0.2 }).rank(X));
      expectAllClose(coarse, plainBasisScores(X, undefined, 0.2), { absolute: 1e-10 });
    }
  });

  it('multiplies by the score of the targets', () => {
    const [X, Y] = [new Random(33).rows(25, 4), new Random(34).rows(25, 2)];
    const [a, b] = [plainBasisScores(X), plainBasisScores(Y)];
    expectAllClose(
      scoresOf(new IRMD().rank(X, { targets: Y })),
      a.map((score, i) => score * (b[i] as number)),
      { absolute: 1e-10 },
    );
    const single = Y.map((row) => row[0] as number);
    const one = plainBasisScores(single.map((value) => [value]));
    expectAllClose(
      scoresOf(new IRMD().rank(X, { targets: single })),
      a.map((score, i) => score * (one[i] as number)),
      { absolute: 1e-10 },
    );
  });

  it('multiplies the score within a class by that of row and one-hot class among all, grouped by class', () => {
    const X = new Random(35).rows(24, 3);
    // The first class has 2 rows and the second 2: so the first h = 6 of all are of three classes, and
    // [x; one-hot] is of full rank.
    const y = range(24).map((i) => (i < 4 ? ['b', 'a'][i % 2] : 'c') as string);
    const classes = classesOf(y);
    const grouped = classes.flatMap((rows, c) =>
      rows.map((row) => [...(X[row] as Float64Array), ...range(3).map((k) => Number(k === c))]),
    );
    const joint = plainBasisScores(grouped);
    const wanted = Array<number>(24);
    for (const rows of classes) {
      const own = plainBasisScores(rows.map((row) => X[row] as Float64Array));
      for (const [i, row] of rows.entries()) {
        wanted[row] = (own[i] as number) * (joint[classes.flat().indexOf(row)] as number);
      }
    }
    expectAllClose(scoresOf(new IRMD().rank(X, y)), wanted, { absolute: 1e-10 });
  });

  it('depends on the order of the rows: the first ones make the basis', () => {
    const X = new Random(36).rows(20, 3);
    const before = scoresOf(new IRMD().rank(X));
    const after = scoresOf(new IRMD().rank([...X].reverse())).reverse();
    expect(Math.abs((before[10] as number) - (after[10] as number))).toBeGreaterThan(1e-3);
    const tail = [...X.slice(0, 3), ...X.slice(3).reverse()];
    expectAllClose(scoresOf(new IRMD().rank(tail)).slice(3).reverse(), before.slice(3), { absolute: 1e-10 });
  });
});
