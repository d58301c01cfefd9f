// Long work in steps. It is written once, as a generator that yields every few milliseconds. The driver decides what
// happens between steps: nothing (synchronous calls), a return to the event loop, or handing the yielded work to other
// threads. The order of operations, and so the result, is always the same.

/** Work on rows that can be split into any parts, in any order. */
export interface Work {
  readonly rows: number;
  /** Approximate cost of a row in multiplications; determines how many rows are done at a time. */
  readonly cost: number;
  /** Progress of the whole job, from 0 to 1, before and after this work. */
  readonly progress: readonly [before: number, after: number];
  /** Processes rows from … to − 1. */
  run(from: number, to: number): void;
}

/** A step of a job: work to share, progress from 0 to 1, or only a chance to pause. */
export type Step = Work | number | undefined;

/** A job in steps. */
export type Steps<Result> = Generator<Step, Result, undefined>;

/** Values in a block: about a millisecond of any processing. */
const BLOCK_VALUES = 2 ** 16;

/** Processes rows 0 … rows − 1 of `columns` values each in order, and yields between blocks, with progress if requested. */
export function* inBlocks(
  rows: number,
  values: number,
  work: (from: number, to: number) => void,
  progress?: Work['progress'],
): Steps<void> {
  const block = Math.max(1, Math.floor(BLOCK_VALUES / values));
  for (let from = 0; from < rows; from += block) {
    if (from > 0) yield progress && along({ rows, progress }, from);
    work(from, Math.min(rows, from + block));
  }
}

/** Runs a whole job synchronously. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (typeof value === 'object') value.run(0, value.rows);
  }
}

/** A job as part of a larger one, whose progress goes from `before` to `after` meanwhile. */
export function* within<Result>(steps: Steps<Result>, before: number, after: number): Steps<Result> {
  const overall = (done: number): number => before + (after - before) * done;
  let next = steps.next();
  while (!next.done) {
    try {
      const { value } = next;
      if (typeof value === 'object') {
        const [start, end] = value.progress;
        yield { ...value, progress: [overall(start), overall(end)] };
      } else yield value === undefined ? undefined : overall(value);
    } catch (error) {
      next = steps.throw(error);
      continue;
    }
    next = steps.next();
  }
  return next.value;
}

/** The progress of a job after the given number of rows of one part. */
export function along({ rows, progress: [before, after] }: Pick<Work, 'rows' | 'progress'>, done: number): number {
  return before + ((after - before) * done) / rows;
}
