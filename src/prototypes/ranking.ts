// Rankings: of the rows of a class by their scores, and of all rows, where the classes take turns. The r-th
// best of the n_c rows of its class has the relative rank r/n_c; ordered by it, the first rows of the
// ranking are those that a share of each class keeps, for every share at once.
import { inBlocks, type Pausing } from '../core/pauses.js';
import { sortInSteps } from '../core/sorting.js';
import { type Steps, within } from '../parallel/work.js';
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

/** What it costs to place a row, in values of a row. */
const PLACE = 8;

/** Does something with each class, one after the other. */
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
export function* bestFirst(rows: Uint32Array, scores: Float64Array): Pausing<Ranking> {
  const order = new Uint32Array(rows.length).map((_, i) => i);
  yield* sortInSteps(order, (a, b) => {
    const [scoreA, scoreB] = [scores[a] as number, scores[b] as number];
    return scoreA > scoreB ? -1 : scoreA < scoreB ? 1 : a - b;
  });
  return { indices: order.map((i) => rows[i] as number), scores: pick(scores, order) };
}

/** The values at some places. */
export function pick(values: Float64Array, places: ArrayLike<number>): Float64Array {
  return new Float64Array(places.length).map((_, i) => values[places[i] as number] as number);
}

/**
 * The rankings of all classes as one. Quotients of whole numbers below 2²⁶ are equal as doubles only if they
 * are equal, and a share written as a decimal is the double of the quotient it means: nothing is lost or
 * gained by rounding, as it would be by ⌊0.29 · 100⌋ = 28.
 */
export function* takeTurns(classes: readonly Ranking[], firstRank: 0 | 1): Pausing<RelativeRanking> {
  const count = classes.reduce((sum, { indices }) => sum + indices.length, 0);
  const indices = new Uint32Array(count);
  const scores = new Float64Array(count);
  const relativeRanks = new Float64Array(count);
  let filled = 0;
  for (const own of classes) {
    indices.set(own.indices, filled);
    scores.set(own.scores, filled);
    for (let i = 0; i < own.indices.length; i++) relativeRanks[filled + i] = (i + firstRank) / own.indices.length;
    filled += own.indices.length;
    yield;
  }
  if (classes.length === 1) return { indices, scores, relativeRanks };
  const order = new Uint32Array(count).map((_, place) => place);
  yield* sortInSteps(
    order,
    (a, b) =>
      (relativeRanks[a] as number) - (relativeRanks[b] as number) || (indices[a] as number) - (indices[b] as number),
  );
  const ordered = {
    indices: new Uint32Array(count),
    scores: new Float64Array(count),
    relativeRanks: new Float64Array(count),
  };
  yield* inBlocks(count, PLACE, (from, to) => {
    for (let i = from; i < to; i++) {
      const place = order[i] as number;
      ordered.indices[i] = indices[place] as number;
      ordered.scores[i] = scores[place] as number;
      ordered.relativeRanks[i] = relativeRanks[place] as number;
    }
  });
  return ordered;
}
