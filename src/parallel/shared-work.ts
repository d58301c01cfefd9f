// The part of a job that runs on other threads. Parts of the rows are handed out to idle threads, and their answers are
// stored in place, in whatever order they arrive.

import { isAboutPoints, type PointSet } from '../core/backend.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Model, Section } from '../core/model-file/model-file.js';
import { inBlocks, type Work } from '../core/steps.js';
import { canShareMemory } from '../core/wasm/memory/sharing.js';
import { type Control, handOut, orAborted } from './hand-out.js';
import type { WorkerHandle } from './pool.js';
import { selfJoinInThreads } from './threaded-self-join.js';
import type { PointsWork } from './work.js';

/** Rows are handed out in multiples of a block of the search. */
const TOGETHER = 32;

let lastKey = 0;

/** A new key under which threads keep an object. */
export function newKey(): number {
  return ++lastKey;
}

/** Answers a query of points on threads. */
export async function askThreads(run: Control, threads: readonly WorkerHandle[], work: PointsWork): Promise<void> {
  const task = work.elsewhere;
  const { points, queries, question, k, take } = task;
  const key = newKey();
  const { count, columns, precision, kernel, unit, tree, imageSize } = points;
  const copy = async () => {
    const bytes = roomFor(Uint8Array, imageSize);
    await run.finish(points.copyImage(bytes));
    return bytes;
  };
  let shared: Promise<Uint8Array> | undefined;
  const hold = async (thread: WorkerHandle): Promise<void> => {
    const loan = points.lend();
    thread.use(key, loan?.end);
    if (loan !== undefined) {
      await thread.call({ task: 'hold', key, backend: run.backend, image: loan.image }).reply;
      return;
    }
    if (canShareMemory()) shared ??= copy();
    const bytes = await (shared ?? copy());
    const image = { count, columns, precision, kernel, unit, tree, bytes };
    await thread.call({ task: 'hold', key, backend: run.backend, image }, transferable(bytes)).reply;
  };
  try {
    if (task.join !== undefined)
      return await selfJoinInThreads(run, threads, work, { ...task, join: task.join, key, hold });
    const ask = async (thread: WorkerHandle, from: number, to: number): Promise<() => void> => {
      const rows = isAboutPoints(queries) ? queries : copyRows(queries, from, to);
      const message = { task: 'ask', key, question, k, from, to, queries: rows } as const;
      const transfer = typeof rows === 'string' ? [] : [rows.data.buffer as ArrayBuffer];
      const answers = await thread.call(message, transfer).reply;
      return () => take(from, answers);
    };
    await handOut(run, threads, work, TOGETHER, { prepare: hold, run: ask });
  } finally {
    for (const thread of threads) thread.endUse(key, false);
  }
}

/** Rows to score, and the destination of their scores. */
export interface ScoreWork {
  readonly rows: RowSource;
  readonly work: Work;
  take(from: number, scores: Float64Array): void;
}

/** A fitted detector that threads load and keep under a key. */
export interface SharedModel {
  readonly key: number;
  /** The points that it holds, if it holds any: they are lent where they can be. */
  readonly points: PointSet | undefined;
  /** With the rows of its points, or without them. */
  model(isLent: boolean): Model;
}

/** Scores rows with a fitted detector on threads. */
export async function scoreInThreads(
  run: Control,
  threads: readonly WorkerHandle[],
  { rows, work, take }: ScoreWork,
  { key, points, model }: SharedModel,
): Promise<void> {
  let shared: Model | undefined;
  const adopt = async (thread: WorkerHandle): Promise<void> => {
    const loan = thread.keeps(key) ? undefined : points?.lend();
    if (thread.use(key, loan?.end)) return;
    shared ??= mapSections(model(loan !== undefined), shareable);
    const copy = mapSections(shared, copyFor);
    const transfer = Object.values(copy.sections).flatMap(transferable);
    const message = { task: 'adopt', key, backend: run.backend, model: copy, image: loan?.image } as const;
    await thread.call(message, transfer).reply;
  };
  try {
    const score = async (thread: WorkerHandle, from: number, to: number): Promise<() => void> => {
      const part = copyRows(rows, from, to);
      const scores = await thread.call({ task: 'score', key, rows: part }, [part.data.buffer as ArrayBuffer]).reply;
      return () => take(from, scores);
    };
    await handOut(run, threads, work, TOGETHER, { prepare: adopt, run: score });
  } finally {
    for (const thread of threads) thread.endUse(key, true);
  }
}

/** Fits a detector on a thread, and returns the model. */
export async function fitInThread(
  run: Control,
  thread: WorkerHandle,
  rows: RowSource,
  options: Readonly<Record<string, unknown>>,
): Promise<Model> {
  const { columns } = rows;
  const data = new Float64Array(rows.rows * columns);
  const copyBlock = (from: number, to: number): void => {
    for (let i = from; i < to; i++) rows.read(i, data, i * columns);
  };
  await run.finish(inBlocks(rows.rows, columns, copyBlock));
  const copy = { data, rows: rows.rows, columns };
  const message = { task: 'fit', options, rows: copy } as const;
  const call = thread.call(message, [copy.data.buffer as ArrayBuffer], (done) => run.report(done));
  try {
    return await orAborted(run, call.reply);
  } catch (error) {
    // Aborted, or onProgress threw: the fit is no longer needed.
    thread.abortFit(call.id);
    throw error;
  }
}

/** Copies rows to one array. */
function copyRows(rows: RowSource, from: number, to: number) {
  const data = new Float64Array((to - from) * rows.columns);
  for (let i = from; i < to; i++) rows.read(i, data, (i - from) * rows.columns);
  return { data, rows: to - from, columns: rows.columns };
}

/** Copies values to shared memory if the runtime has it. */
function shareable(values: Section): Section {
  if (!canShareMemory()) return values;
  const shared = roomFor(values.constructor as ValuesConstructor<Section>, values.length);
  shared.set(values);
  return shared;
}

interface ValuesConstructor<Values> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike): Values;
}

/** Allocates values in shared memory if the runtime has it. */
function roomFor<Values>(Values: ValuesConstructor<Values>, length: number): Values {
  const bytes = length * Values.BYTES_PER_ELEMENT;
  return new Values(canShareMemory() ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}

/** Shared values unchanged; others as a copy that can be transferred. */
function copyFor<Values extends Section>(values: Values): Values {
  return isShared(values) ? values : (values.slice() as Values);
}

function transferable(values: Section | Uint8Array): ArrayBuffer[] {
  return isShared(values) ? [] : [values.buffer as ArrayBuffer];
}

function isShared({ buffer }: ArrayBufferView): boolean {
  return typeof SharedArrayBuffer === 'function' && buffer instanceof SharedArrayBuffer;
}

function mapSections(model: Model, change: (values: Section) => Section): Model {
  const sections = Object.fromEntries(Object.entries(model.sections).map(([name, values]) => [name, change(values)]));
  return { ...model, sections };
}
