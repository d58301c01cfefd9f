// Hands out work in parts to idle threads. The order of their answers does not matter.

import type { BackendName } from '../core/backend.js';
import { along, type Steps, type Work } from '../core/steps.js';
import type { WorkerHandle } from './pool.js';
import { Slices } from './slices.js';

/** Milliseconds of work in a part, and parts queued per thread so that it never waits. */
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

/** The part of some work that a thread does. */
export interface Part {
  prepare(thread: WorkerHandle): Promise<unknown>;
  /** Processes rows from … to − 1, and returns a function that stores the answers. */
  run(thread: WorkerHandle, from: number, to: number): Promise<() => void>;
}

/**
 * Hands out all rows of some work, part by part, to threads prepared for it; stops at the first failure.
 * @param together Rows are handed out in multiples of this.
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
      // Parts get smaller towards the end, so that all threads finish at about the same time.
      const share = Math.min(slices.rows, (work.rows - from) / threads.length / AHEAD);
      const rows = Math.min(fair, Math.max(1, Math.ceil(share / together)) * together);
      next = Math.min(work.rows, from + rows);
      const to = next;
      const start = performance.now();
      const take = await part.run(thread, from, to);
      if (hasStopped) return;
      // Each thread has AHEAD parts in progress.
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

/** The result of a promise, unless the job is aborted first. */
export async function orAborted<Result>(run: Control, result: Promise<Result>): Promise<Result> {
  const { signal } = run;
  if (signal === undefined) return result;
  let listener: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason);
    signal.addEventListener('abort', listener);
  });
  result.catch(() => {}); // it may fail after the job was abandoned
  try {
    return await Promise.race([result, aborted]);
  } finally {
    if (listener !== undefined) signal.removeEventListener('abort', listener);
  }
}
