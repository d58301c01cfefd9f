// What the tests of asynchronous calls have in common: how a call ended, and what it did to the event loop.
import { expect } from 'vitest';
import { type AsyncOptions, CurvadError, type Progress } from '../../src/index.js';

/** How an aborted or failed call ended. */
export async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error: unknown) => (error instanceof CurvadError ? error.code : (error as Error).name),
  );
}

/** Options that are refused, and why. */
export const BAD_OPTIONS: ReadonlyArray<[options: object, code: string]> = [
  [{ threads: -1 }, 'THREADS_INVALID'],
  [{ threads: 1.5 }, 'THREADS_INVALID'],
  [{ onProgress: 3 }, 'PROGRESS_INVALID'],
  [{ signal: {} }, 'SIGNAL_INVALID'],
  [{ thread: 1 }, 'UNKNOWN_OPTION'],
];

/** Checks that the progress of a call rises to 1; returns what was reported last. */
export async function expectRisingProgress(call: (options: AsyncOptions) => Promise<unknown>): Promise<Progress> {
  const seen: Progress[] = [];
  await call({ onProgress: (progress) => seen.push(progress) });
  const done = seen.map((progress) => progress.done);
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(done[0]).toBeGreaterThanOrEqual(0);
  expect(done.at(-1)).toBe(1);
  return seen.at(-1) as Progress;
}

/**
 * Aborts a call when it has come so far; checks that it rejects with the reason, and in time. Returns false where
 * the call was done before it could be aborted: a fast machine may go from little to nearly all in one slice.
 */
export async function expectAborted(
  call: (options: AsyncOptions) => Promise<unknown>,
  options: AsyncOptions,
  isTime: (progress: Progress) => boolean,
): Promise<boolean> {
  const controller = new AbortController();
  const { signal } = controller;
  let abortedAt = Number.NaN;
  let wasDone = 0;
  const onProgress = (progress: Progress) => {
    if (signal.aborted || !isTime(progress)) return;
    abortedAt = performance.now();
    wasDone = progress.done;
    controller.abort();
  };
  const ended = await outcome(call({ ...options, signal, onProgress }));
  if (!(wasDone > 0.9 && ended === 'done')) expect(ended).toBe('AbortError');
  expect(performance.now() - abortedAt).toBeLessThan(50);
  return ended === 'AbortError';
}
