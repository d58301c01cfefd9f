// FastMCD (Rousseeuw and Van Driessen 1999): searches for a set of h rows whose covariance has a small determinant. A
// C-step, from a set to the h rows nearest to its mean by its Mahalanobis distances, never raises the determinant. Many
// random starts make two C-steps each, and only the best continue. With many rows, starts use small subsets; their best
// continue on all subsets together, and the best of these on all rows.

import type { HeldMatrix, Mahalanobis, Whitening } from '../core/math/mahalanobis.js';
import { smallest } from '../core/math/smallest.js';
import { Random } from '../core/random/random.js';
import type { Steps } from '../core/steps.js';
import { pseudoWhitening } from './subspace.js';

/** Least number of rows in a subset, in total and per column. */
const SUBSET_ROWS = 300;
const SUBSET_ROWS_A_COLUMN = 5;
const MOST_SUBSETS = 5;
/** Budget of starts and of refinement rounds, in multiplications, with limits. */
const STARTS = { work: 3e9, least: 10, most: 200 };
const ROUNDS = { work: 2e10, least: 3, most: 100 };
/** Refinement rounds on all rows, after those on a part. */
const LAST_ROUNDS = 3;
/** Candidates kept per subset, carried to the next level, and run to convergence there. */
const FOUND = 5;
const CARRIED = 10;
const CONVERGED = 3;
/** Number of singular starts in a row that ends the search. */
const SINGULAR_STARTS = 3;
/** C-steps to convergence seldom exceed 20. */
const MOST_STEPS = 100;

/** A set of rows and its moments. */
export interface Estimate {
  readonly selected: Uint32Array;
  readonly location: Float64Array;
  /** With divisor n, as in scikit-learn. */
  readonly covariance: Float64Array;
  /** The inverse of the Cholesky factor, or undefined if the covariance is singular. */
  readonly factor: Float64Array | undefined;
  /** −∞ if the covariance is singular. */
  readonly logDeterminant: number;
}

/** The rows, and how their moments are computed. */
export interface Moments {
  readonly rows: HeldMatrix;
  readonly tools: Mahalanobis;
  /** Whether the location is 0 and not the mean. */
  readonly isCentered: boolean;
}

export function estimate({ rows, tools, isCentered }: Moments, selected: Uint32Array): Estimate {
  const { columns } = rows;
  const location = isCentered ? new Float64Array(columns) : rows.mean(selected);
  const covariance = rows.scatter(selected, location);
  for (let i = 0; i < covariance.length; i++) covariance[i] = (covariance[i] as number) / selected.length;
  const factor = tools.whiten(covariance, columns);
  return { selected, location, covariance, factor, logDeterminant: logDeterminant(factor, columns) };
}

function logDeterminant(factor: Float64Array | undefined, columns: number): number {
  if (factor === undefined) return -Infinity;
  let sum = 0;
  for (let j = 0; j < columns; j++) sum -= Math.log(factor[j * columns + j] as number);
  return 2 * sum;
}

/** The whitening of an estimate; of a singular one, in the subspace its rows span. */
export function whiteningOf({ location, covariance, factor }: Estimate): Whitening {
  if (factor === undefined) return { location, ...pseudoWhitening(covariance, location.length) };
  return { location, matrix: factor, rank: location.length, isTriangular: true };
}

/** The rows of a pool that are nearest to an estimate, ascending. */
function nearest({ rows }: Moments, pool: Uint32Array, count: number, from: Estimate): Uint32Array {
  const distances = new Float64Array(pool.length);
  rows.distances(pool, whiteningOf(from), distances);
  // An overflow counts as the largest distance.
  for (let i = 0; i < distances.length; i++) if (!((distances[i] as number) >= 0)) distances[i] = Infinity;
  const result = smallest(distances, count);
  for (let i = 0; i < count; i++) result[i] = pool[result[i] as number] as number;
  return result;
}

/** One C-step: the moments of the `count` rows of a pool that are nearest to an estimate. */
export function concentrate(moments: Moments, pool: Uint32Array, count: number, from: Estimate): Estimate {
  return estimate(moments, nearest(moments, pool, count, from));
}

/** C-steps while they lower the determinant. A singular covariance is the minimum. */
function descend(moments: Moments, pool: Uint32Array, count: number, start: Estimate, most: number): Estimate {
  let best = start;
  for (let step = 0; step < most && best.factor !== undefined; step++) {
    const next = concentrate(moments, pool, count, best);
    if (!(next.logDeterminant < best.logDeterminant)) break;
    best = next;
  }
  return best;
}

/** The best candidates, best first, without repeated sets; of singular ones, which tie, the first. */
function best(candidates: readonly Estimate[], most: number): Estimate[] {
  const sorted = [...candidates].sort((a, b) => {
    if (a.logDeterminant === b.logDeterminant) return 0;
    return a.logDeterminant < b.logDeterminant ? -1 : 1;
  });
  return sorted.filter((candidate, i) => i === 0 || isOther(candidate, sorted[i - 1] as Estimate)).slice(0, most);
}

function isOther(candidate: Estimate, before: Estimate): boolean {
  if (candidate.logDeterminant !== before.logDeterminant) return true;
  if (candidate.factor === undefined) return false;
  return candidate.selected.some((row, i) => row !== before.selected[i]);
}

/** The first `count` of a pool in random order. */
function draw(random: Random, pool: Uint32Array, count: number): Uint32Array {
  const order = pool.slice();
  random.choose(order, count);
  return order.slice(0, count);
}

/**
 * A few rows, so that some start contains no outlier even if there are many (the paper's starts): one more than
 * columns, and more while their covariance is singular.
 */
function fewRows(moments: Moments, random: Random, pool: Uint32Array, count: number): Estimate {
  const drawn = draw(random, pool, count);
  for (let size = moments.rows.columns + 1; size < count; size += Math.ceil(size / 2)) {
    const start = estimate(moments, drawn.slice(0, size));
    if (start.factor !== undefined) return start;
  }
  return estimate(moments, drawn);
}

/**
 * The best of random starts on a pool, two C-steps each. Every other start is like scikit-learn's, with as many rows as
 * wanted. If the first few are all singular the search ends, as there is no lower determinant.
 */
function* starts(moments: Moments, random: Random, pool: Uint32Array, count: number, most: number): Steps<Estimate[]> {
  const found: Estimate[] = [];
  let singular = 0;
  for (let i = 0; i < most && !(i >= SINGULAR_STARTS && singular === i); i++) {
    const isOfFew = i % 2 === 1;
    const first = isOfFew ? fewRows(moments, random, pool, count) : estimate(moments, draw(random, pool, count));
    const start = first.factor === undefined ? first : carry(moments, pool, count, first, 1);
    if (start.factor === undefined) singular++;
    found.push(start);
    yield;
  }
  return best(found, FOUND);
}

/** Continues a candidate on a pool: one C-step, and more while they help. */
function carry(moments: Moments, pool: Uint32Array, count: number, from: Estimate, steps: number): Estimate {
  return descend(moments, pool, count, concentrate(moments, pool, count, from), steps);
}

/** Shares of a set's rows to keep, in turn, when leaving a local minimum. */
const PARTS = [
  ['far', 0.75],
  ['random', 0.2],
  ['near', 0.5],
  ['far', 0.9],
] as const;

/**
 * Some rows of a set to descend from again: random ones, or those nearest to or farthest from one of them. With clusters,
 * random ones mostly lead back to the same set; leaving out a cluster, or starting within one, leads elsewhere.
 */
function partOf(moments: Moments, random: Random, set: Estimate, turn: number): Uint32Array {
  const { selected } = set;
  const count = selected.length;
  const [which, share] = PARTS[turn % PARTS.length] as (typeof PARTS)[number];
  const size = Math.min(count - 1, Math.max(moments.rows.columns + 2, Math.floor(share * count)));
  if (which === 'random') return draw(random, selected, size);
  const seenFrom = { ...set, location: moments.rows.mean(draw(random, selected, 1)) };
  if (which === 'near') return nearest(moments, selected, size, seenFrom);
  const left = new Set(nearest(moments, selected, count - size, seenFrom));
  return selected.filter((row) => !left.has(row));
}

/** Leaves a local minimum by descending again from parts of it: far cheaper than starting afresh, and it ends lower. */
function* refine(
  moments: Moments,
  random: Random,
  pool: Uint32Array,
  start: Estimate,
  rounds: number,
): Steps<Estimate> {
  const count = start.selected.length;
  let least = start;
  for (let round = 0; round < rounds && least.factor !== undefined; round++) {
    const part = estimate(moments, partOf(moments, random, least, round));
    if (part.factor === undefined) continue;
    const next = carry(moments, pool, count, part, MOST_STEPS);
    // Rows far apart can look singular through rounding and must not win: truly singular sets are found at the start.
    if (next.factor !== undefined && next.logDeterminant < least.logDeterminant) least = next;
    yield;
  }
  return least;
}

/** How many operations of 2.5 C-steps fit the budget. */
function times({ work, least, most }: typeof STARTS, rows: number, columns: number): number {
  const once = 2.5 * columns ** 2 * (rows * 0.75 + columns * 0.67);
  return Math.min(most, Math.max(least, Math.ceil(work / once)));
}

/**
 * The set of `support` rows with the least determinant found. Beyond the paper and scikit-learn, subsets grow
 * with the columns, so that their covariances are not singular, and the best candidate is refined, which ends
 * lower than the many starts it saves.
 */
export function* fastMcd(moments: Moments, support: number, seed: number): Steps<Estimate> {
  const { count, columns } = moments.rows;
  const all = Uint32Array.from({ length: count }, (_, i) => i);
  if (support === count) return estimate(moments, all);
  const random = new Random(seed);
  const size = Math.max(SUBSET_ROWS, SUBSET_ROWS_A_COLUMN * columns);
  const subsets = Math.min(MOST_SUBSETS, Math.floor(count / size));
  const share = (rows: number) => Math.ceil((rows * support) / count);
  if (subsets < 2) {
    const found = yield* starts(moments, random, all, support, times(STARTS, count, columns));
    const converged = yield* converge(moments, all, support, found);
    const [least] = yield* refineBest(moments, random, all, converged, times(ROUNDS, count, columns));
    return least as Estimate;
  }
  const shuffled = draw(random, all, count);
  const found: Estimate[] = [];
  for (let i = 0; i < subsets; i++) {
    const subset = shuffled.slice(i * size, (i + 1) * size).sort();
    const most = Math.ceil(times(STARTS, size, columns) / subsets);
    found.push(...(yield* starts(moments, random, subset, share(size), most)));
  }
  const merged = count < (subsets + 1) * size ? all : shuffled.slice(0, subsets * size).sort();
  const rounds = times(ROUNDS, merged.length, columns);
  let converged = yield* converge(moments, merged, share(merged.length), best(found, CARRIED));
  converged = yield* refineBest(moments, random, merged, converged, rounds);
  if (merged !== all) {
    converged = yield* converge(moments, all, share(count), converged);
    converged = yield* refineBest(moments, random, all, converged, LAST_ROUNDS);
  }
  return converged[0] as Estimate;
}

/** Runs candidates to convergence on a pool; returns the best, best first. */
function* converge(moments: Moments, pool: Uint32Array, count: number, from: readonly Estimate[]): Steps<Estimate[]> {
  const carried: Estimate[] = [];
  for (const start of from) {
    carried.push(carry(moments, pool, count, start, 1));
    yield;
  }
  const converged: Estimate[] = [];
  for (const start of best(carried, CONVERGED)) {
    converged.push(descend(moments, pool, count, start, MOST_STEPS));
    yield;
  }
  return best(converged, CONVERGED);
}

/** Refines the first of some candidates. */
function* refineBest(
  moments: Moments,
  random: Random,
  pool: Uint32Array,
  candidates: readonly Estimate[],
  rounds: number,
): Steps<Estimate[]> {
  const [first, ...others] = candidates;
  return [yield* refine(moments, random, pool, first as Estimate, rounds), ...others];
}
