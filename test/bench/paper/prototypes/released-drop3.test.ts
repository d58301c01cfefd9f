// The released program's DROP3: by hand, by what it comes to for k = 3, and against matrices of distances and of
// votes, of which the row of a point that goes is blanked and its column is kept.
import { describe, expect, it } from 'vitest';
import { tableOf } from '../../../../bench/paper/models/model.js';
import { releasedDrop3 } from '../../../../bench/paper/prototypes/released-drop3.js';
import { Random, squaredDistance } from '../../../support/data.js';
import { plainENN, range } from '../../../support/prototypes.js';

function clouds(seed: number, n: number, classes: number) {
  const random = new Random(seed);
  const y = range(n).map((i) => i % classes);
  const X = y.map((c) => [random.gaussian() + 1.5 * c, random.gaussian(), random.gaussian()]);
  return { X, y };
}

/** With a matrix: `near[i][j]` says that i lists j, itself included. */
function byMatrix(X: number[][], y: number[], k: number): number[] {
  const T = plainENN(X, y, k);
  const at = (i: number): number[] => X[T[i] as number] as number[];
  const label = (i: number): number => y[T[i] as number] as number;
  const distance = T.map((_, i) => T.map((_, j) => squaredDistance(at(i), at(j))));
  const near = distance.map((row) => {
    const sorted = range(T.length).sort((a, b) => (row[a] as number) - (row[b] as number));
    return range(T.length).map((j) => sorted.indexOf(j) <= k);
  });
  const toEnemy = distance.map((row, i) => Math.min(...row.filter((_, j) => label(j) !== label(i))));
  const stays = T.map(() => true);
  for (const P of range(T.length).sort((a, b) => (toEnemy[b] as number) - (toEnemy[a] as number))) {
    const associates = range(T.length).filter((i) => near[i]?.[P]);
    const right = () =>
      associates.filter((i) => {
        const votes = range(T.length).filter((j) => near[i]?.[j]);
        const same = votes.filter((j) => label(j) === label(i)).length;
        return same - 1 > votes.length - same;
      }).length;
    const having = right();
    for (const i of associates) (near[i] as boolean[])[P] = false;
    const lacking = right();
    for (const i of associates) (near[i] as boolean[])[P] = true;
    if (lacking < having) continue;
    stays[P] = false;
    (near[P] as boolean[]).fill(false);
  }
  return T.filter((_, i) => stays[i]);
}

describe("the released program's DROP3", () => {
  it('keeps a row with two friends and an enemy, and these friends, by hand', () => {
    // ENN keeps all. Two rows have an enemy among their three nearest: 5 has 4.1, 3.3 and the enemy 6.2, and 6.2
    // has 7, 7.7 and the enemy 5.
    const X = [[1], [2], [2.6], [3.3], [4.1], [5], [6.2], [7], [7.7], [8.3], [9.2], [10.2]];
    const y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
    expect(releasedDrop3(tableOf(X), y, 3)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  it('comes to the rows with two friends and an enemy, and their friends, where three vote', () => {
    for (const seed of range(5)) {
      const { X, y } = clouds(seed, 150, 3);
      const T = plainENN(X, y, 3);
      const wanted = new Set<number>();
      for (const i of T) {
        const nearest = T.filter((j) => j !== i)
          .sort((a, b) => squaredDistance(at(X, a), at(X, i)) - squaredDistance(at(X, b), at(X, i)))
          .slice(0, 3);
        const friends = nearest.filter((j) => y[j] === y[i]);
        if (friends.length === 2) for (const row of [i, ...friends]) wanted.add(row);
      }
      expect(releasedDrop3(tableOf(X), y, 3)).toEqual([...wanted].sort((a, b) => a - b));
    }
  });

  it.each([1, 2, 3, 4, 5, 7])('is what the matrices give, with %i that vote', (k) => {
    for (const classes of [2, 3]) {
      const { X, y } = clouds(10 * k + classes, 90, classes);
      expect(releasedDrop3(tableOf(X), y, k)).toEqual(byMatrix(X, y, k));
    }
  });
});

function at(X: number[][], i: number): number[] {
  return X[i] as number[];
}
