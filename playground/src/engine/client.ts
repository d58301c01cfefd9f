// The engine as the page calls it: each call is a promise that can report progress and be aborted.
import type { CallName, FromEngine, ReplyOf, RequestOf, ToEngine } from './protocol.js';

/** A call that failed, in a sentence for people. */
export class CallFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

interface Waiting {
  readonly resolve: (reply: never) => void;
  readonly reject: (error: CallFailed) => void;
  readonly onProgress: ((done: number) => void) | undefined;
}

export class Engine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.onmessage = ({ data }: MessageEvent<FromEngine>) => this.#receive(data);
    this.#worker.onerror = () =>
      this.#fail('ENGINE', 'The part of the page that computes could not be loaded: reload the page.');
  }

  call<Name extends CallName>(name: Name, request: RequestOf<Name>, options: CallOptions = {}): Promise<ReplyOf<Name>> {
    const id = ++this.#calls;
    const { signal, onProgress } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new CallFailed('ABORTED', 'Cancelled.'));
      this.#waiting.set(id, { resolve, reject, onProgress });
      signal?.addEventListener('abort', () => this.#send({ kind: 'cancel', id }), { once: true });
      this.#send({ kind: 'call', id, name, request });
    });
  }

  /** Ends the worker, the threads it started, and all that they hold. */
  destroy(): void {
    this.#worker.terminate();
    this.#fail('ABORTED', 'The page ended.');
  }

  #send(message: ToEngine): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromEngine): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === 'progress') {
      waiting.onProgress?.(message.done);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'reply') waiting.resolve(message.reply as never);
    else waiting.reject(new CallFailed(message.code, message.message));
  }

  #fail(code: string, message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new CallFailed(code, message));
    this.#waiting.clear();
  }
}
