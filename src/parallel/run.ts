// Runs a job in steps (core/steps.ts) without blocking the event loop: work that can be shared goes to other threads if
// there are any and it is large enough; everything else is done on this thread in slices. An abandoned job cleans up.

import { type BackendName, isAboutPoints, type PointSearch } from '../core/backend.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import { along, type Step, type Steps, type Work } from '../core/steps.js';
import { canShareMemory } from '../core/wasm/memory/sharing.js';
import type { Control } from './hand-out.js';
import type { AsyncOptions, CheckedAsyncOptions, Execution, Mode } from './options.js';
import { pause } from './pause.js';
import { startWorkers, type WorkerHandle } from './pool.js';
import { askThreads, fitInThread, type ScoreWork, type SharedModel, scoreInThreads } from './shared-work.js';
import { Slices } from './slices.js';
import { availableThreads } from './thread.js';
import { isPointsWork } from './work.js';

/** Milliseconds of a slice. */
const SLICE_MS = 8;
/** Work below this many multiplications (about 20 ms) is not worth sending to another thread. */
const MIN_SHARED_PRODUCTS = 2e8;
/** Approximate slowdown of the js backend. */
const JS_COST_FACTOR = 20;

/** Loads the source text of a detector's threads when it is first needed. */
export type ThreadSource = () => Promise<{ readonly source: string }>;

export class Run implements Control {
  readonly #options: CheckedAsyncOptions;
  readonly #threadSource: ThreadSource | undefined;
  readonly backend: BackendName;
  #execution: Execution = { mode: 'direct', threads: 0 };
  #search: PointSearch | undefined;
  #lastPause = performance.now();

  /** @param threadSource Undefined if there is no work for threads. */
  constructor(options: CheckedAsyncOptions, backend: BackendName, threadSource: ThreadSource | undefined) {
    this.#options = options;
    this.backend = backend;
    this.#threadSource = threadSource;
    options.signal?.throwIfAborted();
  }

  /** How the work was done. */
  get execution(): Execution {
    return this.#execution;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Runs a job to its end. If it fails or is aborted, the error is thrown into the steps, so that they can clean up. */
  async finish<Result>(steps: Steps<Result>): Promise<Result> {
    let next = steps.next();
    while (!next.done) {
      try {
        await this.#take(next.value);
      } catch (error) {
        next = steps.throw(error);
        continue;
      }
      next = steps.next();
    }
    return next.value;
  }

  /** Records how a part was run. The part with the most threads counts for the whole job. */
  note(mode: Mode, threads: number): void {
    const { mode: known, threads: most } = this.#execution;
    if (threads > most || known === 'direct') this.#execution = { mode, threads };
  }

  report(done: number): void {
    this.#options.onProgress?.({ done, ...this.#execution, ...(this.#search && { search: this.#search }) });
  }

  /** Options for an asynchronous call that does the part of this job from progress `before` to `after`. */
  optionsOfPart(before: number, after: number): AsyncOptions {
    const { threads, signal } = this.#options;
    return {
      ...(threads !== undefined && { threads }),
      ...(signal !== undefined && { signal }),
      onProgress: ({ done, mode, threads: used }) => {
        this.note(mode, used);
        this.report(before + (after - before) * done);
      },
    };
  }

  /** Threads for the work, or none if there is too little of it or the runtime has no threads. */
  async threadsFor(work: number): Promise<readonly WorkerHandle[]> {
    const most = this.#options.threads ?? availableThreads();
    const worth = Math.floor((work * (this.backend === 'js' ? JS_COST_FACTOR : 1)) / MIN_SHARED_PRODUCTS);
    const wanted = Math.min(most, worth);
    if (wanted === 0 || this.#threadSource === undefined) return [];
    const { source } = await this.#threadSource();
    const found = await startWorkers(source, wanted);
    for (const worker of found) worker.prepare(this.backend);
    if (found.length > 0) this.note(canShareMemory() ? 'shared' : 'copied', found.length);
    this.signal?.throwIfAborted();
    return found;
  }

  /** Scores rows with a fitted detector: on this thread, or on others from its model. */
  async scoreRows(scores: ScoreWork, model: SharedModel): Promise<void> {
    const { work } = scores;
    const threads = await this.threadsFor(work.rows * work.cost);
    if (threads.length > 0) return scoreInThreads(this, threads, scores, model);
    await this.slices(work);
  }

  /** Runs a whole fit on another thread; undefined if there is none, or too little to do. */
  async fitElsewhere(
    rows: RowSource,
    cost: number,
    options: Readonly<Record<string, unknown>>,
  ): Promise<Model | undefined> {
    const [thread] = await this.threadsFor(Math.min(cost, MIN_SHARED_PRODUCTS));
    if (thread === undefined) return undefined;
    return fitInThread(this, thread, rows, { ...options, backend: this.backend });
  }

  /** Does work in this thread, a few milliseconds at a time. */
  async slices(work: Work): Promise<void> {
    const slices = new Slices(work.cost * (this.backend === 'js' ? JS_COST_FACTOR : 1), SLICE_MS);
    for (let from = 0; from < work.rows; ) {
      const to = Math.min(work.rows, from + slices.rows);
      const start = performance.now();
      work.run(from, to);
      slices.learn(to - from, performance.now() - start);
      from = to;
      this.report(along(work, from));
      this.signal?.throwIfAborted(); // onProgress may abort, even after the last part
      if (from < work.rows) await this.#pauseWhenDue();
    }
  }

  /** Reports progress, and yields to the event loop if it is due. */
  async turn(done: number): Promise<void> {
    this.report(done);
    this.signal?.throwIfAborted();
    await this.#pauseWhenDue();
  }

  /** Yields to the event loop. */
  async pause(): Promise<void> {
    await pause();
    this.#lastPause = performance.now();
    this.signal?.throwIfAborted();
  }

  async #take(step: Step): Promise<void> {
    if (typeof step === 'object') return this.#share(step);
    if (step !== undefined) this.report(step);
    await this.#pauseWhenDue();
  }

  async #share(work: Work): Promise<void> {
    if (isPointsWork(work)) {
      const { points, queries, k } = work.elsewhere;
      if (isAboutPoints(queries)) this.#search = points.searchOfPoints(k);
      const threads = await this.threadsFor(work.rows * work.cost);
      if (threads.length > 0) return askThreads(this, threads, work);
    }
    await this.slices(work);
  }

  async #pauseWhenDue(): Promise<void> {
    const elapsed = performance.now() - this.#lastPause;
    // If the clock stands still, always yield.
    if (elapsed > 0 && elapsed < SLICE_MS) return;
    this.note('sliced', 0);
    await this.pause();
  }
}
