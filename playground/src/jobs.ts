// Calls of the engine by the kind of work. Of each kind only the latest counts: what was asked before it is cancelled.
import type { CallFailed, CallOptions, Engine } from './engine/client.js';
import type { CallName, ReplyOf, RequestOf } from './engine/protocol.js';
import type { Store } from './state.js';

export class Jobs {
  readonly #engine: Engine;
  readonly #store: Store;
  readonly #running = new Map<string, AbortController>();

  constructor(engine: Engine, store: Store) {
    this.#engine = engine;
    this.#store = store;
  }

  /** Work that people wait for: with progress, and a message where it fails. */
  async wait<Name extends CallName>(
    what: string,
    name: Name,
    request: RequestOf<Name>,
    job: string = name,
  ): Promise<ReplyOf<Name> | undefined> {
    const since = performance.now();
    const isShown = (): boolean => this.#store.state.working?.since === since;
    this.#store.set({ working: { what, done: 0, since }, ...(job !== 'explain' && { message: undefined }) });
    const onProgress = (done: number): void => {
      if (isShown()) this.#store.set({ working: { what, done, since } });
    };
    const reply = await this.#latest(job, name, request, onProgress);
    if (isShown()) this.#store.set({ working: undefined });
    return reply;
  }

  /** Work that goes on beside. */
  call<Name extends CallName>(job: string, name: Name, request: RequestOf<Name>): Promise<ReplyOf<Name> | undefined> {
    return this.#latest(job, name, request);
  }

  abort(...jobs: readonly string[]): void {
    for (const job of jobs) {
      this.#running.get(job)?.abort();
      this.#running.delete(job);
    }
  }

  abortAll(): void {
    this.abort(...this.#running.keys());
  }

  fail(error: unknown): void {
    const { message = String(error) } = error as { message?: string };
    this.#store.set({ message });
  }

  async #latest<Name extends CallName>(
    job: string,
    name: Name,
    request: RequestOf<Name>,
    onProgress?: CallOptions['onProgress'],
  ): Promise<ReplyOf<Name> | undefined> {
    this.abort(job);
    const controller = new AbortController();
    const { signal } = controller;
    this.#running.set(job, controller);
    try {
      const reply = await this.#engine.call(name, request, { signal, ...(onProgress && { onProgress }) });
      return signal.aborted ? undefined : reply;
    } catch (error) {
      const { code } = error as CallFailed;
      // What was fitted anew meanwhile is asked for anew, too.
      if (!signal.aborted && code !== 'ABORTED' && code !== 'DISPOSED') this.fail(error);
      return undefined;
    } finally {
      if (this.#running.get(job) === controller) this.#running.delete(job);
    }
  }
}
