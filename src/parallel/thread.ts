// Starts threads with what the runtime offers: web workers (browsers, Deno, Bun) from a blob, worker_threads (Node) from a
// string. There is no file to locate, so bundlers need no configuration.
import { END } from './messages.js';

export interface Handlers {
  message(data: unknown): void;
  /** The thread ended or could not start. */
  failed(reason: unknown): void;
  /** It has ended: nothing of it runs any more. */
  ended(): void;
}

export interface Thread {
  post(message: unknown, transfer: Transferable[]): void;
  /** Whether the process must wait for this thread before it ends. */
  keepsProcess(isBusy: boolean): void;
  stop(): void;
}

interface NodeWorker {
  on(event: string, listener: (value: unknown) => void): void;
  postMessage(message: unknown, transfer: Transferable[]): void;
  ref(): void;
  unref(): void;
}

interface NodeModules {
  'node:worker_threads': { Worker: new (source: string, options: object) => NodeWorker };
  'node:os': { availableParallelism(): number };
}

/** A built-in module of Node, without an import statement that other runtimes or bundlers could not resolve. */
function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): NodeModules[Name] } };
  return process?.getBuiltinModule?.(name);
}

/** Number of threads that this machine runs in parallel. */
export function availableThreads(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return navigator?.hardwareConcurrency ?? nodeModule('node:os')?.availableParallelism() ?? 1;
}

/**
 * Whether a web worker was refused by a content security policy without worker-src blob:. That does not change during
 * the life of a page, and the browser logs each attempt, so it is not tried again.
 */
let isRefused = false;

/** Whether a started thread may still be refused a little later. */
export function mayBeRefusedLater(): boolean {
  return typeof Worker === 'function' && !isRefused;
}

/** Starts a thread, or returns undefined if there are none. */
export function startThread(source: string, handlers: Handlers): Thread | undefined {
  if (typeof Worker === 'function') return isRefused ? undefined : startWebWorker(source, handlers);
  const threads = nodeModule('node:worker_threads');
  return threads === undefined ? undefined : startNodeWorker(threads.Worker, source, handlers);
}

/** Milliseconds an idle worker is kept if it would keep the process alive. */
const IDLE = 300;

function startWebWorker(source: string, handlers: Handlers): Thread | undefined {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  let worker: Worker & { ref?(): void; unref?(): void };
  try {
    worker = new Worker(url, { type: 'module' }); // the only kind in Deno
  } catch {
    URL.revokeObjectURL(url);
    isRefused = true;
    return undefined;
  }
  let hasSpoken = false;
  const fail = (reason: unknown): void => {
    URL.revokeObjectURL(url);
    handlers.failed(reason);
  };
  worker.onmessage = ({ data }) => {
    hasSpoken = true;
    URL.revokeObjectURL(url); // it has been read
    handlers.message(data);
  };
  worker.onmessageerror = () => fail(new Error('a message could not be read'));
  worker.onerror = (event) => {
    event.preventDefault();
    // Chromium and Firefox refuse with an event without a message; an error in the program has one.
    if (!hasSpoken && event.message === undefined) isRefused = true;
    fail(event.error ?? new Error(event.message ?? 'the worker could not start'));
  };
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    keepsProcess: worker.unref === undefined && 'Deno' in globalThis ? stopWhenIdle(fail) : refer,
    stop: () => worker.terminate(),
  };

  function refer(isBusy: boolean): void {
    if (isBusy) worker.ref?.();
    else worker.unref?.();
  }
}

/** Deno waits for its workers before it exits, so an idle one is ended. */
function stopWhenIdle(stop: (reason: unknown) => void): (isBusy: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isBusy) => {
    clearTimeout(timer);
    if (!isBusy) timer = setTimeout(() => stop(new Error('it was idle')), IDLE);
  };
}

function startNodeWorker(
  NodeWorker: NodeModules['node:worker_threads']['Worker'],
  source: string,
  handlers: Handlers,
): Thread {
  // The thread imports nothing, so it must not inherit flags of the process, such as a loader.
  const worker = new NodeWorker(source, { eval: true, execArgv: [], name: 'curvad' });
  worker.on('message', handlers.message);
  worker.on('messageerror', handlers.failed);
  worker.on('error', handlers.failed);
  worker.on('exit', (code) => {
    handlers.failed(new Error(`the thread ended with code ${code}`));
    handlers.ended();
  });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    keepsProcess: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    // It ends by itself when it is safe: see serve.ts.
    stop: () => worker.postMessage(END, []),
  };
}
