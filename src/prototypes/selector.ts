// The base class of prototype selectors. A selector ranks the rows of each class, or decides which rows to retain, in
// steps of a few milliseconds, which synchronous and asynchronous calls drive in different ways.

import type { BackendName } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames } from '../core/options.js';
import { finish, type Steps, within } from '../core/steps.js';
import { type AsyncOptions, checkAsyncOptions, type Execution } from '../parallel/options.js';
import { Run, type ThreadSource } from '../parallel/run.js';
import type { Rows } from '../tables/reader.js';
import { type ClassLabels, type Problem, type RegressionTargets, readProblem } from './classes.js';
import { type Ranking, type RelativeRanking, takeTurns } from './ranking.js';

/** How many rows to select: give one of the two. */
export interface SelectOptions {
  /**
   * Share of each class to keep, above 0 and at most 1: ⌊keep · n_c⌋ rows, so that a class of fewer than
   * 1/keep rows keeps none (⌈keep · n_c⌉ by shell extraction).
   */
  keep?: number;
  /** Total number of rows to keep: the first of the ranking, about the same share of each class. */
  count?: number;
}

/** Progress of an asynchronous call before and after the selector's own work. */
const OWN_WORK = [0.02, 0.98] as const;

export abstract class PrototypeSelector {
  #execution: Execution | undefined;
  /** The name in messages. */
  protected abstract readonly kind: string;
  /** Rounds the number of rows in a share of a class. */
  protected readonly rounding: 'down' | 'up' = 'down';
  /** The backend: 'js', or a WebAssembly build if the selector uses the core. */
  protected get runsOn(): BackendName {
    return 'js';
  }
  /** The source text of threads, if there is work for them. */
  protected readonly threadSource: ThreadSource | undefined;

  /**
   * Ranks all rows, best first. With class labels each class is ranked by itself, and the rankings are merged by relative
   * rank (r/n_c for the r-th of n_c rows, ties by row number), so that every prefix of the ranking has about the same
   * share of each class.
   */
  rank(rows: Rows, y?: ClassLabels | RegressionTargets): Ranking {
    return rankingOf(finish(this.#ranking(rows, y)));
  }

  /**
   * Like `rank`, with the same result, without blocking this thread: searches for neighbours are shared
   * among other threads where the runtime has them, all else is done in slices of a few milliseconds. The rows
   * must not change until it is done.
   */
  async rankAsync(rows: Rows, y?: ClassLabels | RegressionTargets, asyncOptions?: AsyncOptions): Promise<Ranking> {
    return rankingOf(await this.#run(this.#ranking(rows, y), asyncOptions, 'rankAsync'));
  }

  /**
   * The rows to keep, best first: a prefix of the ranking. `y` may be omitted:
   * `select(rows, { keep: 0.2 })`.
   */
  select(rows: Rows, options: SelectOptions): Uint32Array;
  select(rows: Rows, y: ClassLabels | RegressionTargets | undefined, options: SelectOptions): Uint32Array;
  select(rows: Rows, ...rest: readonly unknown[]): Uint32Array {
    const [y, options] = rest.length === 1 && isSelectOptions(rest[0]) ? [undefined, rest[0]] : rest;
    return finish(this.#selection(rows, y, checkSelectOptions(options)));
  }

  /**
   * Like `select`, with the same result, without blocking this thread; see `rankAsync`. `y` may be omitted:
   * `selectAsync(rows, { keep: 0.2 }, { threads: 4 })`.
   */
  selectAsync(rows: Rows, options: SelectOptions, asyncOptions?: AsyncOptions): Promise<Uint32Array>;
  selectAsync(
    rows: Rows,
    y: ClassLabels | RegressionTargets | undefined,
    options: SelectOptions,
    asyncOptions?: AsyncOptions,
  ): Promise<Uint32Array>;
  async selectAsync(rows: Rows, ...rest: readonly unknown[]): Promise<Uint32Array> {
    const isWithoutY = rest.length <= 2 && isSelectOptions(rest[0]);
    const [y, options, asyncOptions] = isWithoutY ? [undefined, ...rest] : rest;
    const selection = this.#selection(rows, y, checkSelectOptions(options));
    return this.#run(selection, asyncOptions, 'selectAsync');
  }

  /** The retained rows, ascending, for methods that decide how many to keep. */
  retain(rows: Rows, y?: ClassLabels | RegressionTargets): Uint32Array {
    return finish(this.#retaining(rows, y));
  }

  /** Like `retain`, with the same result, without blocking this thread; see `rankAsync`. */
  async retainAsync(
    rows: Rows,
    y?: ClassLabels | RegressionTargets,
    asyncOptions?: AsyncOptions,
  ): Promise<Uint32Array> {
    return this.#run(this.#retaining(rows, y), asyncOptions, 'retainAsync');
  }

  /** How the last asynchronous call was run; undefined before the first. */
  get execution(): Execution | undefined {
    return this.#execution;
  }

  /** Ranks the rows of each class. */
  protected rankClasses(_problem: Problem): Steps<readonly Ranking[]> {
    throw new CurvadError(
      'CANNOT_RANK',
      `${this.kind} does not rank: use retain(rows, y), it decides itself how many rows to keep`,
    );
  }

  /** Row numbers, ascending. */
  protected retainRows(_problem: Problem): Steps<Uint32Array> {
    throw new CurvadError(
      'CANNOT_RETAIN',
      `${this.kind} cannot decide how many rows to keep: use select(rows, y, { keep: 0.2 })`,
    );
  }

  *#ranking(rows: unknown, y: unknown): Steps<RelativeRanking> {
    const problem = yield* readProblem(rows, y);
    const classes = yield* within(this.rankClasses(problem), ...OWN_WORK);
    return yield* takeTurns(classes, this.rounding === 'down' ? 1 : 0);
  }

  *#selection(rows: unknown, y: unknown, { keep, count }: SelectOptions): Steps<Uint32Array> {
    const { indices, relativeRanks } = yield* this.#ranking(rows, y);
    if (keep !== undefined) {
      const isBeyond = this.rounding === 'down' ? (at: number) => at > keep : (at: number) => at >= keep;
      const end = relativeRanks.findIndex(isBeyond);
      if (end === 0) throw new CurvadError('KEEP_INVALID', `a share of ${keep} is less than one row of each class`);
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

  *#retaining(rows: unknown, y: unknown): Steps<Uint32Array> {
    const problem = yield* readProblem(rows, y);
    return yield* within(this.retainRows(problem), ...OWN_WORK);
  }

  async #run<Result>(steps: Steps<Result>, options: unknown, what: string): Promise<Result> {
    const run = new Run(checkAsyncOptions(options, what), this.runsOn, this.threadSource);
    const result = await run.finish(steps);
    this.#execution = run.execution;
    run.report(1);
    return result;
  }
}

function rankingOf({ indices, scores }: Ranking): Ranking {
  return { indices, scores };
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
