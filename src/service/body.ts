// The body of a request: no larger, also unpacked, and no slower than allowed.
import { HttpError } from './http-error.js';
import { soon } from './soon.js';

export interface Limits {
  /** Bytes of a body, unpacked. Default 16 MiB. */
  readonly bodyBytes: number;
  /** Rows of a request. Default 100,000. */
  readonly rows: number;
  /** Milliseconds for a body to arrive, and again for its answer. Default 30,000. */
  readonly milliseconds: number;
}

/** A request, from whatever server. */
export interface Ask {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  header(name: string): string | null;
  /** The body as it arrives; undefined where there is none. */
  readonly chunks: AsyncIterable<Uint8Array> | undefined;
}

/** The bytes of a body, unpacked. */
export async function readBytes(ask: Ask, limits: Limits): Promise<Uint8Array> {
  const announced = Number(ask.header('content-length') ?? 0);
  if (announced > limits.bodyBytes) throw tooLarge(limits);
  const encoding = (ask.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'deflate') {
    const message = `content-encoding must be gzip, deflate or identity, got ${encoding.slice(0, 40)}`;
    throw new HttpError(415, 'ENCODING_UNSUPPORTED', message);
  }
  if (ask.chunks === undefined) throw new HttpError(400, 'BODY_MISSING', 'the request has no body');
  const arrived = await collect(ask.chunks, limits);
  // Unpacking is not timed: how long it takes is not up to the client, and what comes out is limited.
  const bytes = encoding === 'identity' ? arrived : await unpacked(arrived, encoding, limits);
  if (bytes.length === 0) throw new HttpError(400, 'BODY_MISSING', 'the request has no body');
  return bytes;
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, 'BODY_NOT_UTF8', 'the body is not UTF-8');
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>, limits: Limits): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const iterator = chunks[Symbol.asyncIterator]();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new HttpError(408, 'BODY_TOO_SLOW', `the body did not arrive within ${limits.milliseconds} ms`);
    // A server that was busy takes in what arrived meanwhile before it says that nothing did.
    timer = setTimeout(() => soon(() => reject(error)), limits.milliseconds);
  });
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), late]);
      if (done) break;
      length += value.length;
      if (length > limits.bodyBytes) throw tooLarge(limits);
      parts.push(value);
    }
    isDone = true;
  } finally {
    clearTimeout(timer);
    // Not awaited: what is slow is slow to end as well.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
  return joined(parts, length);
}

/** What comes out, piece by piece: it is not known to be small before it is all there. */
async function unpacked(packed: Uint8Array, encoding: 'gzip' | 'deflate', limits: Limits): Promise<Uint8Array> {
  const stream = new DecompressionStream(encoding);
  const writer = stream.writable.getWriter();
  // What is wrong is told by the reader, too.
  writer.write(packed as Uint8Array<ArrayBuffer>).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new HttpError(400, `${encoding.toUpperCase()}_INVALID`, `the body is not ${encoding}, or ends early`);
    });
    if (done) return joined(parts, length);
    length += value.length;
    if (length > limits.bodyBytes) {
      void reader.cancel().catch(() => {});
      throw tooLarge(limits);
    }
    parts.push(value);
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function tooLarge({ bodyBytes }: Limits): HttpError {
  return new HttpError(413, 'BODY_TOO_LARGE', `the body has more than ${bodyBytes} bytes: send fewer rows at a time`);
}
