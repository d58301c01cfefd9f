// PSA: regressions against numpy (test/fixtures/make_prototypes.py), sums against the definition. Groups are
// drawn at random; the group a ranking begins with is taken as it is, and all that follows from it is checked.

import { describe, expect, it } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { PSA } from '../../src/index.js';
import {
  featureCoefficients,
  plainTargetCoefficients,
  similarity,
  targetCoefficients,
} from '../../src/prototypes/regression-similarity.js';
import { WeightedScatter } from '../../src/prototypes/weighted-scatter.js';
import { expectAllClose } from '../support/close.js';
import { fixture, Random, type Rows, squaredDistance } from '../support/data.js';
import {
  classesOf,
  plainGroupScore,
  plainRankedScatter,
  plainScatter,
  range,
  sortedBy,
} from '../support/prototypes.js';

interface Regression {
  X: number[][];
  Y: number[][];
  features: number[][];
  targets: number[][];
  plainTargets: number[][];
}

const cases = fixture<{ regressions: Regression[] }>('prototypes').regressions;

const tableOf = (X: Rows) => ({
  data: Float64Array.from(X.flatMap((row) => Array.from(row))),
  rows: X.length,
  columns: (X[0] as ArrayLike<number>).length,
});

function expectCoefficients(found: readonly Float64Array[], truth: readonly number[][], tolerance: number): void {
  expect(found.length).toBe(truth.length);
  for (const [t, beta] of found.entries()) {
    const wanted = truth[t] as number[];
    const size = Math.max(...wanted.map(Math.abs));
    for (const [j, value] of beta.entries()) {
      expect(Math.abs(value - (wanted[j] as number))).toBeLessThanOrEqual(tolerance * size);
    }
  }
}

describe('the regressions of PSA', () => {
  // Four rows for six columns leave nothing but the ridge of 10⁻⁴ to decide: digits are lost there.
  it.each(cases)("are numpy's: $X.length rows", ({ X, Y, features, targets, plainTargets }) => {
    const tolerance = X.length < 6 ? 1e-5 : 1e-8;
    expectCoefficients(finish(featureCoefficients(tableOf(X))), features, tolerance);
    expectCoefficients(finish(targetCoefficients(tableOf(X), tableOf(Y))), targets, tolerance);
    expectCoefficients(finish(plainTargetCoefficients(tableOf(X), tableOf(Y))), plainTargets, 1e-9);
  });

  it.each(cases)("are numpy's also for many rows, here copies of $X.length", ({ X, Y, plainTargets }) => {
    const copies = range(Math.ceil(300 / X.length) + 1);
    const [manyX, manyY] = [copies.flatMap(() => X), copies.flatMap(() => Y)];
    expectCoefficients(finish(plainTargetCoefficients(tableOf(manyX), tableOf(manyY))), plainTargets, 1e-9);
  });

  it('are compared by their largest cosine, by hand', () => {
    const all = [Float64Array.of(1, 0), Float64Array.of(0, 2)];
    const some = [Float64Array.of(0, 1), Float64Array.of(3, 4)];
    expect(similarity(all, some)).toBeCloseTo(0.8, 15);
    expect(similarity([Float64Array.of(0, 0)], [Float64Array.of(1, 1)])).toBe(0);
    expect(similarity([], [])).toBe(1);
  });

  it('stay finite for columns that depend on each other, of any size', () => {
    for (const scale of [1e-6, 1, 1e9]) {
      const X = range(20).map((i) => [i * scale, 2 * i * scale, 9, i * i * scale]);
      for (const beta of finish(featureCoefficients(tableOf(X)))) expect(beta.every(Number.isFinite)).toBe(true);
    }
  });
});

describe('the weighted scatter of PSA', () => {
  it('is Σ ω‖x − y‖², also far from the origin', () => {
    const random = new Random(41);
    for (const offset of [0, 1e6]) {
      const Y = random.rows(30, 4, () => random.gaussian() + offset);
      const weights = Float64Array.from(Y, () => random.uniform());
      const scatter = finish(WeightedScatter.of(tableOf(Y), range(30), weights));
      for (const x of [...random.rows(5, 4, () => random.gaussian() + offset), ...Y.slice(0, 3)]) {
        const truth = Y.reduce((sum, y, i) => sum + (weights[i] as number) * squaredDistance(x, y), 0);
        expectAllClose([scatter.around(tableOf([x]), 0)], [truth], { relative: 1e-9 });
      }
    }
  });

  it('is 0 where all weights are', () => {
    const scatter = finish(WeightedScatter.of(tableOf([[1], [5]]), [0, 1], Float64Array.of(0, 0)));
    expect(scatter.around(tableOf([[9]]), 0)).toBe(0);
  });
});

/** Checks steps 4 and 5 given the group a ranking begins with. */
function expectRankedByScatter(X: Rows, y: readonly number[] | undefined, g: number, psa: PSA): void {
  const { indices, scores } = psa.rank(X, y);
  const classes = y === undefined ? [range(X.length)] : classesOf(y);
  const rowsOf = (rows: readonly number[]): Rows => rows.map((row) => X[row] as ArrayLike<number>);
  const ranked = classes.map((rows) => [...indices].filter((row) => rows.includes(row)));
  const groups = ranked.map((rows) => rows.slice(0, g));
  for (const [c, rows] of ranked.entries()) {
    const others = range(classes.length).filter((other) => other !== c);
    const ratio = (row: number, scatter: (x: ArrayLike<number>, c: number) => number): number => {
      const x = X[row] as ArrayLike<number>;
      const B = others.length === 0 ? 1 : others.reduce((sum, other) => sum + scatter(x, other), 0);
      return B / scatter(x, c);
    };
    const qualified = (row: number) => ratio(row, (x, k) => plainScatter(x, rowsOf(classes[k] as number[])));
    const rest = (row: number) => ratio(row, (x, k) => plainRankedScatter(x, rowsOf(groups[k] as number[])));
    expect(rows).toEqual([...sortedBy(rows.slice(0, g), qualified), ...sortedBy(rows.slice(g), rest)]);
    for (const [i, row] of rows.entries()) {
      expectAllClose([scores[indices.indexOf(row)] as number], [i < g ? qualified(row) : rest(row)], {
        relative: 1e-9,
      });
    }
  }
}

describe('PSA', () => {
  const X = new Random(43).rows(90, 4);
  const y = range(90).map((i) => i % 3);

  it('ranks by scatter between and within classes, by hand', () => {
    // Each class is its own group. All values are positive, so that all weights ω are 1.
    // W: 1 + 9, 1 + 4, 9 + 4 in either class. B: 81 + 100 + 144, 64 + 81 + 121, 36 + 49 + 81 in the first, and
    // 81 + 64 + 36, 100 + 81 + 49, 144 + 121 + 81 in the second.
    const rows = [[1], [2], [4], [10], [11], [13]];
    const { indices, scores } = new PSA({ groupSize: 3 }).rank(rows, [0, 0, 0, 1, 1, 1]);
    expect([...indices]).toEqual([1, 4, 0, 5, 2, 3]);
    const byHand = [266 / 5, 230 / 5, 325 / 10, 346 / 13, 166 / 13, 181 / 10];
    for (const [place, score] of scores.entries()) expect(score).toBeCloseTo(byHand[place] as number, 10);
  });

  it('ranks the group and then the rest by scatter, with classes', () => {
    for (const seed of range(4)) expectRankedByScatter(X, y, 7, new PSA({ groupSize: 7, seed }));
    expectRankedByScatter(X, y, 30, new PSA()); // all of each class
  });

  it('ranks the group and then the rest by scatter, without classes', () => {
    for (const seed of range(4)) expectRankedByScatter(X, undefined, 10, new PSA({ seed }));
  });

  const groupOf = (targets: number[] | undefined, draws: number): number[] => {
    const psa = new PSA({ draws, seed: 9, groupSize: 6 });
    const { indices } = targets === undefined ? psa.rank(X) : psa.rank(X, { targets });
    return [...indices.slice(0, 6)].sort((a, b) => a - b);
  };

  it.each([
    ['features', undefined],
    ['targets', X.map((row) => (row[0] as number) * 2 - (row[2] as number) ** 2)],
  ] as const)('takes the group of the highest score: regression of %s', (_, targets) => {
    const scoreOf = (group: readonly number[]): number => {
      const G = tableOf(group.map((row) => X[row] as Float64Array));
      const Y = (rows: readonly number[]) => tableOf(rows.map((row) => [targets?.[row] as number]));
      const cos =
        targets === undefined
          ? similarity(finish(featureCoefficients(tableOf(X))), finish(featureCoefficients(G)))
          : similarity(
              finish(plainTargetCoefficients(tableOf(X), Y(range(90)))),
              finish(targetCoefficients(G, Y(group))),
            );
      return plainGroupScore(
        group.map((row) => X[row] as Float64Array),
        [],
        cos,
      );
    };
    // More draws see the same groups first: the group changes only for a better one.
    let best = groupOf(targets && [...targets], 1);
    const seen = new Set<string>([best.join()]);
    for (let draws = 2; draws <= 40; draws++) {
      const group = groupOf(targets && [...targets], draws);
      seen.add(group.join());
      if (group.join() !== best.join()) expect(scoreOf(group)).toBeGreaterThan(scoreOf(best));
      best = group;
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it('is the same for the same seed and another for another', () => {
    expect(new PSA({ seed: 5, groupSize: 8 }).rank(X, y)).toEqual(new PSA({ seed: 5, groupSize: 8 }).rank(X, y));
    const groups = range(5).map((seed) => [...new PSA({ seed, groupSize: 8 }).rank(X).indices.slice(0, 8)].join());
    expect(new Set(groups).size).toBeGreaterThan(1);
  });

  it('chooses a size of groups that is possible', () => {
    const wide = new Random(44).rows(60, 40); // more columns than 30
    expect(
      new PSA().rank(
        wide,
        range(60).map((i) => i % 2),
      ).indices.length,
    ).toBe(60);
    expect(new PSA().rank([[1], [2], [4]]).indices.length).toBe(3);
  });

  it('fills up classes with fewer rows than columns, and ranks only what there is', () => {
    const rows = new Random(45).rows(30, 6);
    const labels = range(30).map((i) => (i < 2 ? 'two' : i === 2 ? 'one' : 'many'));
    const { indices, scores } = new PSA({ seed: 1 }).rank(rows, labels);
    expect([...indices].sort((a, b) => a - b)).toEqual(range(30));
    expect(scores.some(Number.isNaN)).toBe(false);
    const few = rows.slice(0, 3);
    expect([...new PSA().rank(few, { targets: few.map(() => [1, 2]) }).indices].sort()).toEqual([0, 1, 2]);
  });

  it('ranks equal rows by row number, with infinite scores', () => {
    const { indices, scores } = new PSA({ groupSize: 3 }).rank(range(6).map(() => [1, 2, 3]));
    expect([...indices.slice(0, 3)]).toEqual([...indices.slice(0, 3)].sort());
    expect([...indices.slice(3)]).toEqual([...indices.slice(3)].sort());
    expect(scores.every((score) => score === Infinity)).toBe(true);
  });
});
