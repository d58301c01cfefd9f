// Work is handed out part by part to idle threads. The order of their answers does not matter.

import type { BackendName } from '../core/backend.js';
import { along, type Steps, type Work } from '../core/steps.js';
import type { WorkerHandle } from './pool.js';
import { Slices } from './slices.js';

/** Milliseconds of work in a part, and parts a thread has at a time so that it need not wait for the next. */
const PART = 15;
export const AHEAD = 2;
/** The job that hands out work. */
export interface Control {
  readonly backend: BackendName;
  readonly signal: AbortSignal | undefined;
  report(done: number): void;
  /** Does work in this thread, yielding to the event loop between parts. */
  finish<Result>(work: Steps<Result>): Promise<Result>;
}

/** What a thread does of some work. */
export interface Part {
  prepare(thread: WorkerHandle): Promise<unknown>;
  /** Does rows from … to − 1, and gives what takes over their answers. */
  run(thread: WorkerHandle, from: number, to: number): Promise<() => void>;
}

/**
 * Gives all rows of some work to threads that were prepared for it, part by part; ends with the first failure.
 * @param together Rows are given in multiples of this.
 */
export async function handOut(
  run: Control,
  threads: readonly WorkerHandle[],
  work: Pick<Work, 'rows' | 'cost' | 'progress'>,
  together: number,
  part: Part,
): Promise<void> {
  const slices = new Slices(work.cost, PART);
  let next = 0;
  let done = 0;
  let hasStopped = false;
  const fair = Math.ceil(work.rows / threads.length / AHEAD);
  async function serve(thread: WorkerHandle, isReady: Promise<unknown>): Promise<void> {
    await isReady;
    while (next < work.rows && !hasStopped) {
      const from = next;
      // Towards the end parts get smaller, so that all threads end at about the same time.
      const share = Math.min(slices.rows, (work.rows - from) / threads.length / AHEAD);
      const rows = Math.min(fair, Math.max(1, Math.ceil(share / together)) * together);
      next = Math.min(work.rows, from + rows);
      const to = next;
      const start = performance.now();
      const take = await part.run(thread, from, to);
      if (hasStopped) return;
      // AHEAD parts of a thread are under way at a time.
      slices.learn(to - from, (performance.now() - start) / AHEAD);
      take();
      done += to - from;
      run.report(along(work, done));
    }
  }
  const all = threads.flatMap((thread) => {
    const isReady = part.prepare(thread);
    return Array.from({ length: AHEAD }, () => serve(thread, isReady));
  });
  try {
    await orAborted(run, Promise.all(all));
  } finally {
    hasStopped = true;
  }
}

/** What a promise gives, unless the job is aborted first. */
export async function orAborted<Result>(run: Control, result: Promise<Result>): Promise<Result> {
  const { signal } = run;
  if (signal === undefined) return result;
  let listener: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason);
    signal.addEventListener('abort', listener);
  });
  result.catch(() => {}); // it may fail after the job was given up
  try {
    return await Promise.race([result, aborted]);
  } finally {
    if (listener !== undefined) signal.removeEventListener('abort', listener);
  }
}
