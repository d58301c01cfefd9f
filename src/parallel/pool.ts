// The thread pool. Threads are started when first needed and kept for later calls. An idle thread does not keep the
// process alive. If a thread fails, its calls are rejected, and the next call starts another.
import type { BackendName, Leftovers } from '../core/backend.js';
import { CurvadError, type ErrorCode } from '../core/errors.js';
import { binary } from '../core/wasm/binaries.js';
import type { Binary, Build } from '../core/wasm/build.js';
import { type Message, type Replies, type Reply, type SentError, STARTED } from './messages.js';
import { mayBeRefusedLater, startThread, type Thread } from './thread.js';

/** Most unused objects kept by a thread; the least recently used is dropped first. */
const MOST_IDLE = 4;

interface Pending {
  /** The key of the object that the call uses, if any. */
  readonly key: number | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  progress(done: number): void;
}

/** Called when a thread keeps something no longer, with what it leaves in memory that was lent to it. */
type Forgotten = (leftovers?: Leftovers) => void;

interface Kept {
  /** Calls that use it. */
  users: number;
  readonly forgotten: Forgotten | undefined;
}

/** A thread and its pending calls. */
export class WorkerHandle {
  readonly #thread: Thread;
  readonly #pending = new Map<number, Pending>();
  readonly #builds = new Set<BackendName>();
  /** Kept objects by key, in order of use. */
  readonly #kept = new Map<number, Kept>();
  /** What to call when the thread has forgotten objects, by message; the process does not wait for that. */
  readonly #leaving = new Map<number, Forgotten>();
  #lastId = 0;
  #tellStarted: (hasStarted: boolean) => void = () => {};
  /** Whether the thread has started: a content security policy may refuse it only at that point. */
  readonly hasStarted = new Promise<boolean>((resolve) => {
    this.#tellStarted = resolve;
  });
  #failure: CurvadError | undefined;

  private constructor(start: (worker: WorkerHandle) => Thread | undefined) {
    const thread = start(this);
    if (thread === undefined) throw new CurvadError('THREADS_UNAVAILABLE', 'this runtime starts no threads');
    this.#thread = thread;
    thread.keepsProcess(true); // until it has started, as a caller waits for that
  }

  /** Starts a thread, or returns undefined if there are none. */
  static start(source: string): WorkerHandle | undefined {
    try {
      return new WorkerHandle((worker) =>
        startThread(source, {
          message: (data) => worker.#receive(data as Reply),
          failed: (reason) => worker.#fail(reason),
          ended: () => worker.#end(),
        }),
      );
    } catch {
      return undefined;
    }
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Whether the object under a key is there. */
  keeps(key: number): boolean {
    return this.#kept.has(key);
  }

  /**
   * Starts using the object under a key. Returns false if it must be sent first.
   * @param forgotten Called when the thread no longer has it.
   */
  use(key: number, forgotten?: Forgotten): boolean {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    this.#kept.set(key, kept === undefined ? { users: 1, forgotten } : { ...kept, users: kept.users + 1 });
    return kept !== undefined;
  }

  /** Stops using it. Unused objects may be dropped, now or when there are too many. */
  endUse(key: number, isWantedAgain: boolean): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    const isIdle = --kept.users === 0;
    if (isIdle) this.#abandon((call) => call.key === key);
    const idle = [...this.#kept].filter(([, { users }]) => users === 0).map(([unused]) => unused);
    if (!isWantedAgain && isIdle) this.#forget(key);
    else for (const oldest of idle.slice(0, -MOST_IDLE)) this.#forget(oldest);
  }

  #forget(key: number): void {
    const kept = this.#kept.get(key);
    if (!this.#kept.delete(key)) return;
    const id = this.tell({ task: 'forget', key });
    if (kept?.forgotten !== undefined) this.#leaving.set(id, kept.forgotten);
  }

  /** Sends the thread a backend, unless it has it. */
  prepare(backend: BackendName): void {
    if (backend === 'js' || this.#builds.has(backend)) return;
    this.#builds.add(backend);
    const build = backend.slice('wasm-'.length) as Build;
    void this.call({ task: 'build', build, binary: binary(build) as Binary }).reply.catch(() => {});
  }

  call<M extends Message>(
    message: M,
    transfer: ArrayBuffer[] = [],
    progress: (done: number) => void = () => {},
  ): { id: number; reply: Promise<Replies[M['task']]> } {
    const id = ++this.#lastId;
    const reply = new Promise<unknown>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#pending.set(id, { key: 'key' in message ? message.key : undefined, resolve, reject, progress });
      this.#thread.keepsProcess(true);
      this.#thread.post({ id, message }, transfer);
    });
    return { id, reply: reply as Promise<Replies[M['task']]> };
  }

  /** Posts a message without waiting for the answer. */
  tell(message: Message): number {
    const id = ++this.#lastId;
    if (!this.hasFailed) this.#thread.post({ id, message }, []);
    return id;
  }

  /** Stops a fit: the thread notices at its next check; the process need not wait for it. */
  abortFit(id: number): void {
    this.tell({ task: 'abort', key: id });
    this.#abandon((_, pending) => pending === id);
  }

  /** Calls of an aborted job must not keep the process alive. */
  #abandon(isAbandoned: (call: Pending, id: number) => boolean): void {
    for (const [id, call] of this.#pending) {
      if (!isAbandoned(call, id)) continue;
      this.#endCall(id);
      call.reject(new CurvadError('THREAD_FAILED', 'the job of this call was aborted'));
    }
  }

  stop(): void {
    this.#fail(new Error('it was stopped'));
  }

  #receive(reply: Reply): void {
    if (reply.id === STARTED) {
      this.#thread.keepsProcess(this.#pending.size > 0);
      this.#tellStarted(true);
    }
    this.#leaving.get(reply.id)?.('result' in reply ? (reply.result as Replies['forget']) : undefined);
    this.#leaving.delete(reply.id);
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    if ('progress' in reply) {
      this.#tellProgress(pending, reply);
      return;
    }
    this.#endCall(reply.id);
    if ('error' in reply) pending.reject(received(reply.error));
    else pending.resolve(reply.result);
  }

  /** An exception of the caller's callback in this event handler would end the process: it rejects the call instead. */
  #tellProgress(pending: Pending, { id, progress }: { id: number; progress: number }): void {
    try {
      pending.progress(progress);
    } catch (error) {
      this.#endCall(id);
      pending.reject(error);
    }
  }

  #endCall(id: number): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#thread.keepsProcess(false);
  }

  /** What it kept is gone with it. */
  #end(): void {
    for (const { forgotten } of this.#kept.values()) forgotten?.();
    for (const forgotten of this.#leaving.values()) forgotten();
    this.#kept.clear();
    this.#leaving.clear();
  }

  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = new CurvadError('THREAD_FAILED', `a thread failed: ${messageOf(reason)}`, { cause: reason });
    this.#tellStarted(false);
    const isIdle = this.#pending.size + this.#leaving.size === 0;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    this.#thread?.keepsProcess(false);
    this.#thread?.stop();
    if (isIdle) this.#end();
  }
}

const pools = new Map<string, WorkerHandle[]>();
/** Resolves when the first thread has started or failed. */
let first: Promise<boolean> | undefined;

/** Starts up to `count` threads that run a source, or returns running ones; fewer if the runtime has no more. */
export async function startWorkers(source: string, count: number): Promise<readonly WorkerHandle[]> {
  // Browsers log every refused thread, so one is started first, and the others only if it succeeds.
  if (mayBeRefusedLater()) {
    first ??= start(source, 1)[0]?.hasStarted;
    await first;
  }
  const wanted = start(source, count);
  const haveStarted = await Promise.all(wanted.map(({ hasStarted }) => hasStarted));
  return wanted.filter((worker, i) => haveStarted[i] && !worker.hasFailed);
}

/** The threads of the pool; starts missing ones. */
function start(source: string, count: number): readonly WorkerHandle[] {
  const pool = (pools.get(source) ?? []).filter(({ hasFailed }) => !hasFailed);
  pools.set(source, pool);
  while (pool.length < count) {
    const worker = WorkerHandle.start(source);
    if (worker === undefined) break;
    pool.push(worker);
  }
  return pool.slice(0, count);
}

/** Ends all threads, idle or busy. The next asynchronous call starts new ones. */
export function stopThreads(): void {
  for (const worker of [...pools.values()].flat()) worker.stop();
  pools.clear();
}

function received({ code, message, row, column }: SentError): Error {
  if (code === undefined) return new CurvadError('THREAD_FAILED', `a thread failed: ${message}`);
  const place = { ...(row !== undefined && { row }), ...(column !== undefined && { column }) };
  return new CurvadError(code as ErrorCode, message, place);
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
