// What all prototype selectors share. A selector ranks the rows of each class, or says which rows stay.
// The r-th best of the n_c rows of its class has the relative rank r/n_c; ordered by it, the first rows of
// the ranking are those that a share of each class keeps, for every share at once.
import { CurvadError, describe } from '../core/errors.js';
import type { MatrixInput } from '../core/matrix.js';
import { checkOptionNames } from '../core/options.js';
import { type ClassLabels, type Problem, type RegressionTargets, readProblem } from './classes.js';

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

/** How many rows to select: one of the two. */
export interface SelectOptions {
  /**
   * Share of each class to keep, above 0 and at most 1: ⌊keep · n_c⌋ rows, so that a class of fewer than
   * 1/keep rows keeps none (⌈keep · n_c⌉ by shell extraction).
   */
  keep?: number;
  /** Rows to keep altogether: the first of the ranking, which takes about the same share of each class. */
  count?: number;
}

interface RelativeRanking extends Ranking {
  /** Ascending. */
  readonly relativeRanks: Float64Array;
}

export abstract class PrototypeSelector {
  /** The name in messages. */
  protected abstract readonly kind: string;
  /** How many rows a share of a class is, where it is not a whole number. */
  protected readonly rounding: 'down' | 'up' = 'down';

  /**
   * All rows, best first. With class labels each class is ranked by itself, and the classes take turns by
   * relative rank (the r-th of n_c rows stands at r/n_c, equal ones by row number): the rows of one class are
   * in their order within it, and every beginning of the ranking has about the same share of each class.
   */
  rank(rows: MatrixInput, y?: ClassLabels | RegressionTargets): Ranking {
    const { indices, scores } = this.#rank(rows, y);
    return { indices, scores };
  }

  /**
   * The rows to keep, best first: the beginning of what `rank` gives. `y` may be left out:
   * `select(rows, { keep: 0.2 })`.
   */
  select(rows: MatrixInput, options: SelectOptions): Uint32Array;
  select(rows: MatrixInput, y: ClassLabels | RegressionTargets | undefined, options: SelectOptions): Uint32Array;
  select(rows: MatrixInput, ...rest: readonly unknown[]): Uint32Array {
    const [y, options] = rest.length === 1 && isSelectOptions(rest[0]) ? [undefined, rest[0]] : rest;
    const { keep, count } = checkSelectOptions(options);
    const { indices, relativeRanks } = this.#rank(rows, y);
    if (keep !== undefined) {
      const isBeyond = this.rounding === 'down' ? (at: number) => at > keep : (at: number) => at >= keep;
      const end = relativeRanks.findIndex(isBeyond);
      if (end === 0) throw new CurvadError('KEEP_INVALID', `a share of ${keep} is less than one row of every class`);
      return end < 0 ? indices : indices.slice(0, end);
    }
    if ((count as number) > indices.length) {
      throw new CurvadError(
        'COUNT_INVALID',
        `count must be at most the number of rows, ${indices.length}, got ${count}`,
      );
    }
    return indices.slice(0, count);
  }

  /** The rows that stay, ascending, where the method decides by itself how many. */
  retain(rows: MatrixInput, y?: ClassLabels | RegressionTargets): Uint32Array {
    return this.retainRows(readProblem(rows, y));
  }

  /** Ranks the rows of each class. */
  protected rankClasses(_problem: Problem): readonly Ranking[] {
    throw new CurvadError(
      'CANNOT_RANK',
      `${this.kind} does not rank: it decides itself what stays, use retain(rows, y)`,
    );
  }

  /** Row numbers, ascending. */
  protected retainRows(_problem: Problem): Uint32Array {
    throw new CurvadError(
      'CANNOT_RETAIN',
      `${this.kind} ranks and cannot say how many rows should stay: use select(rows, y, { keep: 0.2 })`,
    );
  }

  #rank(rows: unknown, y: unknown): RelativeRanking {
    return takeTurns(this.rankClasses(readProblem(rows, y)), this.rounding === 'down' ? 1 : 0);
  }
}

/** Rows by score, highest first; equal ones by row number. `scores[i]` is the score of `rows[i]`, ascending. */
export function bestFirst(rows: Uint32Array, scores: Float64Array): Ranking {
  const order = new Uint32Array(rows.length).map((_, i) => i);
  order.sort((a, b) => {
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
function takeTurns(classes: readonly Ranking[], firstRank: 0 | 1): RelativeRanking {
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
  }
  if (classes.length === 1) return { indices, scores, relativeRanks };
  // An array, not a typed one: its sort merges the sorted runs it finds, and each class is one.
  const order = Array.from(indices.keys()).sort(
    (a, b) =>
      (relativeRanks[a] as number) - (relativeRanks[b] as number) || (indices[a] as number) - (indices[b] as number),
  );
  return {
    indices: Uint32Array.from(order, (place) => indices[place] as number),
    scores: pick(scores, order),
    relativeRanks: pick(relativeRanks, order),
  };
}

function isSelectOptions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('length' in value) && !('targets' in value);
}

function checkSelectOptions(options: unknown): SelectOptions {
  const { keep, count } = checkOptionNames(options, ['keep', 'count'], 'select') as Record<string, unknown>;
  if ((keep === undefined) === (count === undefined)) {
    throw new CurvadError('KEEP_INVALID', 'say how many rows to select: either { keep: 0.2 } or { count: 50 }');
  }
  if (keep !== undefined && !(typeof keep === 'number' && keep > 0 && keep <= 1)) {
    const hint = typeof keep === 'number' && keep > 1 ? '; for a number of rows use { count }' : '';
    throw new CurvadError('KEEP_INVALID', `keep must be a share above 0 and at most 1, got ${describe(keep)}${hint}`);
  }
  if (count !== undefined && !(typeof count === 'number' && Number.isInteger(count) && count >= 1)) {
    throw new CurvadError('COUNT_INVALID', `count must be a whole number of at least 1, got ${describe(count)}`);
  }
  return { keep, count } as SelectOptions;
}
