// Options of asynchronous calls, and their progress reports.
import type { PointSearch } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, wholeNumber } from '../core/options.js';

/**
 * How the work was done: by threads that share memory, by threads with copies, on this thread in slices of a few
 * milliseconds between which the event loop runs, or on this thread directly because there was little to do.
 */
export type Mode = 'shared' | 'copied' | 'sliced' | 'direct';

/** How an asynchronous call was run. */
export interface Execution {
  readonly mode: Mode;
  /** Number of worker threads. */
  readonly threads: number;
}

export interface Progress extends Execution {
  /** From 0 to 1. */
  readonly done: number;
  /** How neighbours of the training rows are searched, once known. */
  readonly search?: PointSearch;
}

export interface AsyncOptions {
  /** Most worker threads; 0 works in slices on this thread. Default: the number of cores. */
  threads?: number;
  /** Called with the progress of the work. */
  onProgress?: (progress: Progress) => void;
  /** Aborting it rejects the call with its reason (an AbortError) and leaves the object unchanged. */
  signal?: AbortSignal;
}

export const ASYNC_OPTION_NAMES: ReadonlyArray<keyof AsyncOptions> = ['threads', 'onProgress', 'signal'];

export interface CheckedAsyncOptions {
  readonly threads: number | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

export function checkAsyncOptions(options: unknown, what: string): CheckedAsyncOptions {
  const { threads, onProgress, signal } = checkOptionNames(options, ASYNC_OPTION_NAMES, what) as AsyncOptions;
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new CurvadError('PROGRESS_INVALID', `onProgress must be a function, got ${describe(onProgress)}`);
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new CurvadError('SIGNAL_INVALID', `signal must be an AbortSignal, got ${describe(signal)}`);
  return {
    threads: threads === undefined ? undefined : wholeNumber(threads, 'threads', 0, 0, 'THREADS_INVALID'),
    onProgress,
    signal,
  };
}
