// The prototype selectors as methods.md states them, with plain loops and nothing of src/: what is fast there
// is recomputed here from the definition at every step.
import { type Rows, squaredDistance } from './data.js';

export const range = (end: number): number[] => Array.from({ length: end }, (_, i) => i);
const at = (X: Rows, i: number): ArrayLike<number> => X[i] as ArrayLike<number>;
const distance = (x: ArrayLike<number>, y: ArrayLike<number>): number => Math.sqrt(squaredDistance(x, y));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export function mean(X: Rows): number[] {
  return range(at(X, 0).length).map((j) => sum(X.map((x) => x[j] as number)) / X.length);
}

/** The members of each class, classes ascending. */
export function classesOf<T>(y: readonly T[]): number[][] {
  const labels = [...new Set(y)].sort((a, b) => (a < b ? -1 : 1));
  return labels.map((label) => range(y.length).filter((i) => y[i] === label));
}

/** Numbers by score, highest first, equal ones ascending. */
export function sortedBy(members: readonly number[], score: (i: number) => number): number[] {
  return [...members].sort((a, b) => (score(a) === score(b) ? a - b : score(b) - score(a)));
}

/** SDM: nearest to the mean first. */
export function plainSDM(X: Rows): number[] {
  const centre = mean(X);
  return sortedBy(range(X.length), (i) => -distance(at(X, i), centre));
}

/** SOS, region by region: each level is a list of regions from left to right. */
export function plainSOS(X: Rows): number[] {
  const centre = mean(X);
  const order = sortedBy(range(X.length), (i) => -distance(at(X, i), centre));
  const d = order.map((i) => distance(at(X, i), centre));
  const n = order.length;
  const positions = n === 1 ? [0] : [0, n - 1];
  let level: Array<[number, number]> = [[1, n - 2]];
  while (level.length > 0) {
    const next: Array<[number, number]> = [];
    for (const [start, end] of level) {
      if (start > end) continue;
      const weighted = range(end - start + 1).map((L) => {
        const [x, R] = [start + L, end - start - L];
        const gap = (d[x + 1] as number) - (d[x] as number);
        return start === end ? 0 : (gap * Math.min(L, R)) / Math.max(L, R);
      });
      const x = start + weighted.indexOf(Math.max(...weighted));
      positions.push(x);
      next.push([start, x - 1], [x + 1, end]);
    }
    level = next;
  }
  return positions.map((position) => order[position] as number);
}

/** SE down to a number of rows, as a set: ascending. */
export function plainSE(X: Rows, remaining: number, lambda = 0.8, delta = 0.1): number[] {
  let left = range(X.length);
  for (let t = 1; left.length > remaining; t++) {
    const centre = mean(left.map((i) => at(X, i)));
    const radius = (lambda + delta * t) * (sum(left.map((i) => distance(at(X, i), centre))) / left.length);
    if (radius === 0) break;
    let removable = left.length - remaining;
    left = left.filter((i) => !(distance(at(X, i), centre) < radius && removable-- > 0));
  }
  return left;
}

/** All others by distance from row i, equal ones by number; among some candidates. */
function neighborsOf(X: Rows, i: number, candidates: readonly number[]): number[] {
  return candidates
    .filter((a) => a !== i)
    .map((a) => ({ a, square: squaredDistance(at(X, a), at(X, i)) }))
    .sort((p, q) => p.square - q.square || p.a - q.a)
    .map(({ a }) => a);
}

function isOutvoted<T>(y: readonly T[], i: number, voters: readonly number[]): boolean {
  const friends = voters.filter((a) => y[a] === y[i]).length;
  return voters.length - friends >= friends;
}

/** ENN: the rows kept. */
export function plainENN<T>(X: Rows, y: readonly T[], k: number): number[] {
  const all = range(X.length);
  return all.filter((i) => !isOutvoted(y, i, neighborsOf(X, i, all).slice(0, k)));
}

/** How many of some rows their k nearest in S classify correctly. */
export function correctlyClassified<T>(X: Rows, y: readonly T[], rows: readonly number[], S: number[], k: number) {
  return rows.filter((i) => !isOutvoted(y, i, neighborsOf(X, i, S).slice(0, k))).length;
}

/** DROP3: every list of neighbours is made anew for every row tried. */
export function plainDROP3<T>(X: Rows, y: readonly T[], k: number): number[] {
  const T = plainENN(X, y, k);
  const enemy = (i: number) =>
    Math.min(...T.filter((a) => y[a] !== y[i]).map((a) => squaredDistance(at(X, a), at(X, i))));
  let S = T;
  for (const P of sortedBy(T, enemy)) {
    const lists = T.map((i) => ({ i, list: neighborsOf(X, i, S).slice(0, k + 1) }));
    const associates = lists.filter(({ list }) => list.includes(P));
    const having = associates.filter(({ i, list }) => !isOutvoted(y, i, list.slice(0, k)));
    const lacking = associates.filter(({ i, list }) => !isOutvoted(y, i, list.filter((a) => a !== P).slice(0, k)));
    if (lacking.length >= having.length) S = S.filter((a) => a !== P);
  }
  return S;
}

const product = (x: ArrayLike<number>, y: ArrayLike<number>): number =>
  sum(range(x.length).map((j) => (x[j] as number) * (y[j] as number)));

/** q_1 … q_h by Gram and Schmidt, each vector made orthogonal twice; for rows that do not depend on each other. */
export function plainBasis(X: Rows): number[][] {
  const basis: number[][] = [];
  for (const x of X.slice(0, at(X, 0).length)) {
    let q = Array.from(x);
    for (const _ of [1, 2]) {
      for (const b of basis) {
        const share = product(q, b);
        q = q.map((value, j) => value - share * (b[j] as number));
      }
    }
    const length = Math.sqrt(product(q, q));
    basis.push(q.map((value) => value / length));
  }
  return basis;
}

/** IRMD's s of each row. */
export function plainBasisScores(X: Rows, basis: readonly number[][] = plainBasis(X), epsilon = 0.001): number[] {
  const h = basis.length;
  return X.map((x) =>
    sum(
      basis.map((q, j) => {
        const cosine = Math.abs(product(x, q)) / Math.sqrt(product(x, x));
        return ((-2 * (j + 1)) / (h * (h + 1))) * Math.log(Math.max(cosine, epsilon));
      }),
    ),
  );
}

const cosine = (x: ArrayLike<number>, y: ArrayLike<number>): number => {
  const norms = Math.sqrt(product(x, x) * product(y, y));
  return norms === 0 ? 0 : product(x, y) / norms;
};

const omega = (x: ArrayLike<number>, mu: ArrayLike<number>): number => (cosine(x, mu) + 1) / 2;

/** Σ_y ω(y; μ)‖x − y‖², μ the mean of the y. */
export function plainScatter(x: ArrayLike<number>, Y: Rows): number {
  const mu = mean(Y);
  return sum(Y.map((y) => omega(y, mu) * squaredDistance(x, y)));
}

/** Σ_r ρ_r ‖x − z_r‖². */
export function plainRankedScatter(x: ArrayLike<number>, Z: Rows): number {
  const g = Z.length;
  return sum(Z.map((z, r) => ((2 * (g - r)) / (g * (g + 1))) * squaredDistance(x, z)));
}

/** (B·V/W) · cos, given the cosine and the other classes. */
export function plainGroupScore(G: Rows, others: readonly Rows[], similarity: number): number {
  const mu = mean(G);
  const V = sum(G.map((x) => squaredDistance(x, mu)));
  const W = sum(G.map((x) => plainScatter(x, G)));
  const B = others.length === 0 ? 1 : sum(others.map((Y) => plainScatter(mu, Y)));
  return ((B * V) / W) * similarity;
}
