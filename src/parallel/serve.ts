// The program of a thread: answers the messages of pool.ts for one class of detector. It includes no WebAssembly and uses
// the build it is sent.
import type { JoinPart, Leftovers, PointSet, SelfJoin } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { type FlatMatrix, RowReader } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { giveBinary } from '../core/wasm/binaries.js';
import { END, type Message, type Replies, type Reply, type Request, type SentError, STARTED } from './messages.js';
import type { AsyncOptions } from './options.js';
import { answer, answerPart } from './work.js';

/** The part of a detector class that a thread uses. */
interface Served {
  fitAsync(rows: FlatMatrix, options: AsyncOptions): Promise<unknown>;
  score(rows: FlatMatrix): Float64Array;
  /** @internal */
  toModel(): Model;
  dispose(): void;
}

interface ServedKind {
  new (options: Record<string, unknown>): Served;
  fromModel(model: Model, options: { backend?: BackendChoice }): Served;
}

interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
}

declare const self: (Port & { onmessage: ((event: { data: Request }) => void) | null }) | undefined;
declare const require: (name: string) => {
  parentPort: Port & { on(event: 'message', listener: (data: Request | typeof END) => void): void; close(): void };
};

/**
 * Milliseconds a Node thread is idle before it ends. V8 may still compile code in the background, and may need
 * a garbage collection for it, by the thread itself: one that has ended by then, or was terminated, hangs or crashes the
 * whole process (nodejs/node#54918).
 */
const REST = 1000;

/** Starts to listen. */
export function serve(Kind: ServedKind): void {
  const thread = new Server(Kind);
  if (typeof self === 'object' && typeof self.postMessage === 'function') {
    const port = self;
    port.onmessage = ({ data }) => void thread.answer(data, port);
    port.postMessage({ id: STARTED, result: undefined }, []);
  } else {
    const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (data) => {
      if (data !== END) return void thread.answer(data, parentPort);
      thread.abortFits();
      setTimeout(() => parentPort.close(), REST); // the last pending event of the thread
    });
    parentPort.postMessage({ id: STARTED, result: undefined }, []);
  }
}

class Server {
  readonly #Kind: ServedKind;
  readonly #points = new Map<number, PointSet>();
  readonly #joins = new Map<number, SelfJoin>();
  readonly #detectors = new Map<number, Served>();
  readonly #fits = new Map<number, AbortController>();

  constructor(Kind: ServedKind) {
    this.#Kind = Kind;
  }

  async answer({ id, message }: Request, port: Port): Promise<void> {
    const reply = (content: Reply, transfer: Transferable[] = []): void => port.postMessage(content, transfer);
    try {
      const result =
        message.task === 'fit'
          ? await this.#fit(id, message, (done) => reply({ id, progress: done }))
          : this.#answerNow(message);
      reply({ id, result }, buffersOf(result));
    } catch (error) {
      reply({ id, error: sendable(error) });
    }
  }

  abortFits(): void {
    for (const fit of this.#fits.values()) fit.abort();
  }

  #answerNow(message: Exclude<Message, { task: 'fit' }>): Replies[Exclude<Message['task'], 'fit'>] {
    switch (message.task) {
      case 'build':
        giveBinary(message.build, message.binary);
        return;
      case 'hold':
        this.#points.set(message.key, selectBackend(message.backend).holdImage(message.image));
        return;
      case 'ask': {
        const { key, question, from, to, k, queries } = message;
        const points = kept(this.#points, key);
        if (typeof queries === 'string') return answer({ points, queries, question, k }, from, to);
        return answer({ points, queries: new RowReader().attach(queries), question, k }, 0, to - from);
      }
      case 'exchange': {
        const [part, other] = message.parts as [JoinPart, JoinPart?];
        return this.#join(message).exchange(part, other);
      }
      case 'resolve': {
        const { question, part, k } = message;
        return answerPart(this.#join(message), part, question, k);
      }
      case 'adopt':
        this.#adopt(message);
        return;
      case 'score':
        return kept(this.#detectors, message.key).score(message.rows);
      case 'forget':
        return this.#forget(message.key);
      case 'abort':
        this.#fits.get(message.key)?.abort();
    }
  }

  #adopt({ key, backend, model, image }: Extract<Message, { task: 'adopt' }>): void {
    const points = image && selectBackend(backend).holdImage(image);
    if (points !== undefined) this.#points.set(key, points);
    this.#detectors.set(key, this.#Kind.fromModel({ ...withOwnSections(model), points }, { backend }));
  }

  #forget(key: number): Leftovers | undefined {
    const points = this.#points.get(key);
    this.#joins.get(key)?.release();
    this.#joins.delete(key);
    this.#detectors.get(key)?.dispose();
    this.#detectors.delete(key);
    points?.release();
    this.#points.delete(key);
    return points?.leftovers;
  }

  /** The join of the points under a key. */
  #join({ key, k }: { key: number; k: number }): SelfJoin {
    const join = this.#joins.get(key) ?? (kept(this.#points, key).selfJoin(k) as SelfJoin);
    this.#joins.set(key, join);
    return join;
  }

  async #fit(
    id: number,
    { options, rows }: Extract<Message, { task: 'fit' }>,
    report: (done: number) => void,
  ): Promise<Model> {
    const controller = new AbortController();
    this.#fits.set(id, controller);
    const detector = new this.#Kind({ ...options });
    try {
      const { signal } = controller;
      await detector.fitAsync(rows, { threads: 0, signal, onProgress: ({ done }) => report(done) });
      return withOwnSections(detector.toModel());
    } finally {
      detector.dispose();
      this.#fits.delete(id);
    }
  }
}

function kept<Kept>(all: ReadonlyMap<number, Kept>, key: number): Kept {
  const found = all.get(key);
  if (found === undefined) throw new Error(`nothing is kept under ${key}`);
  return found;
}

/** A model whose sections are in this thread's own memory. */
function withOwnSections(model: Model): Model {
  const sections = Object.entries(model.sections).map(([name, values]) => [name, values.slice()]);
  return { ...model, sections: Object.fromEntries(sections) as Model['sections'] };
}

/** The buffers of typed arrays in a result, to be transferred. */
function buffersOf(result: unknown): Transferable[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  if (typeof result !== 'object' || result === null) return [];
  return Object.values(result).flatMap(buffersOf);
}

function sendable(error: unknown): SentError {
  if (error instanceof CurvadError) {
    const { code, message, row, column } = error;
    return { code, message, row, column };
  }
  return { code: undefined, message: String(error), row: undefined, column: undefined };
}
