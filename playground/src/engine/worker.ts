// The engine: everything that takes time, away from the thread that draws. curvad starts its own threads from here.
import { HANDLERS } from './calls.js';
import { describeFailure } from './failure.js';
import type { CallName, FromEngine, ToEngine } from './protocol.js';
import { type Context, Session } from './session.js';

interface Scope {
  onmessage: ((event: MessageEvent<ToEngine>) => void) | null;
  postMessage(message: FromEngine, transfer: Transferable[]): void;
}

const scope = self as unknown as Scope;
const session = new Session();
const running = new Map<number, AbortController>();

scope.onmessage = ({ data }) => {
  if (data.kind === 'cancel') running.get(data.id)?.abort();
  else void answer(data.id, data.name, data.request);
};

async function answer(id: number, name: CallName, request: unknown): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const context: Context = {
    signal: controller.signal,
    progress: (done) => scope.postMessage({ kind: 'progress', id, done }, []),
  };
  try {
    const handle = HANDLERS[name] as (session: Session, request: unknown, context: Context) => unknown;
    const reply = await handle(session, request, context);
    scope.postMessage({ kind: 'reply', id, reply }, [...buffersIn(reply)]);
  } catch (error) {
    scope.postMessage({ kind: 'failed', id, ...describeFailure(error) }, []);
  } finally {
    running.delete(id);
  }
}

/** The memory of typed arrays in an answer, which is given away with it. */
function buffersIn(reply: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(reply)) {
    if (reply.buffer instanceof ArrayBuffer) found.add(reply.buffer);
  } else if (typeof reply === 'object' && reply !== null && !(reply instanceof Blob))
    for (const part of Object.values(reply)) if (typeof part === 'object') buffersIn(part, found);
  return found;
}
