// Rankings: of the rows of a class by their scores, and of all rows, where the classes take turns. The r-th
// best of the n_c rows of its class has the relative rank r/n_c; ordered by it, the first rows of the
// ranking are those that a share of each class keeps, for every share at once.

import { ascendingOrder } from '../core/math/sorting.js';
import { inBlocks, type Steps, within } from '../core/steps.js';
import type { RowClass } from './classes.js';

/** Rows, best first. */
export interface Ranking {
  /** Row numbers, from 0. */
  readonly indices: Uint32Array;
  /**
   * The score of each of these rows, at the same place: higher is better, within a class. What it is,
   * the selector says.
   */
  readonly scores: Float64Array;
}

export interface RelativeRanking extends Ranking {
  /** Ascending. */
  readonly relativeRanks: Float64Array;
}

/** Cost of ranking a row, in values of a row. */
const PLACE = 8;

/** Processes the classes one after the other. */
export function* eachClass<Result>(
  classes: readonly RowClass[],
  work: (own: RowClass) => Steps<Result>,
): Steps<Result[]> {
  const all = classes.reduce((sum, { rows }) => sum + rows.length, 0);
  const results: Result[] = [];
  let done = 0;
  for (const own of classes) {
    const before = done / all;
    done += own.rows.length;
    results.push(yield* within(work(own), before, done / all));
    yield done / all;
  }
  return results;
}

/** Rows by score, highest first; equal ones by row number. `scores[i]` is the score of `rows[i]`, ascending. */
export function bestFirst(rows: Uint32Array, scores: Float64Array): Steps<Ranking> {
  return leastFirst(rows, negated(scores));
}

/** The same for values to minimize: the negated score. */
export function* leastFirst(rows: Uint32Array, costs: Float64Array): Steps<Ranking> {
  const order = yield* ascendingOrder(costs);
  const scores = negated(pick(costs, order));
  for (let i = 0; i < order.length; i++) order[i] = rows[order[i] as number] as number;
  return { indices: order, scores };
}

function negated(values: Float64Array): Float64Array {
  const result = new Float64Array(values.length);
  for (let i = 0; i < result.length; i++) result[i] = -(values[i] as number);
  return result;
}

/** The values at some indices. */
export function pick(values: Float64Array, places: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(places.length);
  for (let i = 0; i < picked.length; i++) picked[i] = values[places[i] as number] as number;
  return picked;
}

/**
 * The rankings of all classes as one. Quotients of whole numbers below 2²⁶ are equal as doubles only if they
 * are equal, and a share written as a decimal is the double of the quotient it means: nothing is lost or
 * gained by rounding, as it would be by ⌊0.29 · 100⌋ = 28.
 */
export function* takeTurns(classes: readonly Ranking[], firstRank: 0 | 1): Steps<RelativeRanking> {
  const count = classes.reduce((sum, { indices }) => sum + indices.length, 0);
  // By row at first, so that equal relative ranks stay in the order of the rows.
  const scores = new Float64Array(count);
  const relativeRanks = new Float64Array(count);
  for (const own of classes) {
    const size = own.indices.length;
    yield* inBlocks(size, PLACE, (from, to) => {
      for (let i = from; i < to; i++) {
        const row = own.indices[i] as number;
        scores[row] = own.scores[i] as number;
        relativeRanks[row] = (i + firstRank) / size;
      }
    });
  }
  const indices = yield* ascendingOrder(relativeRanks);
  yield;
  return { indices, scores: pick(scores, indices), relativeRanks: pick(relativeRanks, indices) };
}
