// Reads Arrow IPC messages from a stream of bytes, each into its own memory, so that its buffers can be read in place.
//
//   FF FF FF FF | length of the metadata | metadata (a flatbuffer) | body          length 0 ends a stream
import { DataError } from '../errors.js';
import type { ByteSource } from './bytes.js';

/** A message. */
export const HEADER = { schema: 1, dictionary: 2, batch: 3 } as const;

export interface IpcMessage {
  readonly header: number;
  /** The whole message. */
  readonly bytes: Uint8Array;
}

const PREFIX = 8;
const CONTINUATION = 0xffffffff;
/** Larger values mean that the input is not Arrow. */
const LARGEST_METADATA = 2 ** 26;
const LARGEST_BODY = 2 ** 32;
/** Bytes of a body that are allocated before any has arrived. */
const FIRST_ROOM = 2 ** 24;

/** The input cannot be parsed, nor anything that follows. */
export class OutOfStep extends DataError {}

export class MessageReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The next message, 'end' at the end of a stream, or undefined at the end of the input. */
  async next(): Promise<IpcMessage | 'end' | undefined> {
    const prefix = new Uint8Array(PREFIX);
    if (!(await this.#fill(prefix, 0, true))) return undefined;
    const numbers = new DataView(prefix.buffer);
    if (numbers.getUint32(0, true) !== CONTINUATION) throw noArrow();
    const length = numbers.getUint32(4, true);
    if (length === 0) return 'end';
    if (length > LARGEST_METADATA || length % 8 !== 0) throw noArrow();
    const head = new Uint8Array(PREFIX + length);
    head.set(prefix);
    await this.#fill(head, PREFIX);
    const { header, bodyLength } = readHead(head);
    if (bodyLength === 0) return { header, bytes: head };
    return { header, bytes: await this.#body(head, bodyLength) };
  }

  /** A message with its body. Memory is allocated as bytes arrive, as the stated length cannot be trusted. */
  async #body(head: Uint8Array, length: number): Promise<Uint8Array> {
    const end = head.length + length;
    let bytes = new Uint8Array(Math.min(end, head.length + FIRST_ROOM));
    bytes.set(head);
    await this.#fill(bytes, head.length);
    while (bytes.length < end) {
      const more = new Uint8Array(Math.min(end, 2 * bytes.length));
      more.set(bytes);
      await this.#fill(more, bytes.length);
      bytes = more;
    }
    return bytes;
  }

  /** Fills an array from an offset on; false at the end of the input, if `mayEnd` allows it. */
  async #fill(into: Uint8Array, from: number, mayEnd = false): Promise<boolean> {
    for (let at = from; at < into.length; ) {
      const taken = await this.#source.read(into.subarray(at));
      if (taken === 0) {
        if (mayEnd && at === from) return false;
        throw new OutOfStep('the input ends in the middle of an Arrow message');
      }
      at += taken;
    }
    return true;
  }
}

/** The type of a message and the length of its body, from the flatbuffer table Message. */
function readHead(bytes: Uint8Array): { header: number; bodyLength: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset + PREFIX, bytes.length - PREFIX);
  try {
    const table = view.getInt32(0, true);
    const fields = table - view.getInt32(table, true);
    // version, header type, header, body length
    const placeOf = (field: number): number =>
      4 + 2 * field < view.getUint16(fields, true) ? view.getUint16(fields + 4 + 2 * field, true) : 0;
    const header = placeOf(1) === 0 ? 0 : view.getUint8(table + placeOf(1));
    const bodyLength = placeOf(3) === 0 ? 0 : Number(view.getBigInt64(table + placeOf(3), true));
    if (!(bodyLength >= 0 && bodyLength <= LARGEST_BODY)) throw noArrow();
    return { header, bodyLength };
  } catch (error) {
    throw error instanceof RangeError ? noArrow() : error;
  }
}

function noArrow(): OutOfStep {
  return new OutOfStep('the input is not an Arrow IPC stream: write one with pyarrow.ipc.new_stream or similar');
}
