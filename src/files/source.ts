// Where bytes come from: anything with bytes at any place (a file, a Blob, a buffer), or a stream. A Source gives
// them in chunks, unpacked where they are gzip, with the first ones at hand to tell what they are.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { gunzip } from './gunzip.js';

const CHUNK = 2 ** 18;
/** Bytes that are put together where nothing else is said: what is larger is rather an attack than a table. */
export const MAX_BYTES = 2 ** 32;
/** Bytes at the beginning by which format, encoding and separator are found out. */
const HEAD_BYTES = 2 ** 16;
/** Bytes of a stream that are kept for a second reading. */
const MOST_KEPT = 2 ** 28;

/** Bytes that can be read at any place: what an ArrayBuffer has, and hyparquet's AsyncBuffer. */
export interface ByteSource {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

export type Chunks = AsyncIterable<Uint8Array>;

/** What is read: bytes at any place where that is possible, otherwise as they come. */
export interface Origin {
  /** The name of the file, or '' where there is none. */
  readonly name: string;
  readonly bytes: ByteSource | undefined;
  /** How many bytes there are, where that is known. */
  readonly size: number | undefined;
  /** All bytes from the first. An origin without `bytes` can do this once. */
  chunks(): Chunks;
  /** Unpacks gzip. */
  readonly gunzip?: (chunks: Chunks) => Chunks;
}

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Bytes that are read at most, after they are unpacked. */
  readonly maxBytes?: number | undefined;
}

export class Source {
  /** As messages name it. */
  readonly name: string;
  /** The name of the file, which may tell its format. */
  readonly fileName: string;
  /** Whether more may come later, as from a pipe: then what is there must not wait for it. */
  readonly isLive: boolean;
  /** Bytes before they are unpacked, where that is known, and how many of them were read. */
  readonly size: number | undefined;
  read = 0;
  /** The first bytes, unpacked; empty where there are none. */
  head: Uint8Array = new Uint8Array();
  /** Whether they are all bytes. */
  isWhole = false;
  isPacked = false;
  /** How its text is written, where what follows has shown that its beginning does not tell. */
  encoding: string | undefined;
  readonly #origin: Origin;
  readonly #limits: Limits;
  /** How many bytes there are to be at the beginning, if there are so many. */
  readonly #least: number;
  #chunks: AsyncIterator<Uint8Array>;
  #unpacked = 0;
  /** What was read of a stream, for a second reading; undefined where it became too much. */
  #kept: Uint8Array[] | undefined;
  #isKept = false;

  private constructor(origin: Origin, limits: Limits, isWaitedFor: boolean) {
    this.#origin = origin;
    this.#limits = limits;
    this.#least = isWaitedFor && origin.size === undefined ? 2 : HEAD_BYTES;
    this.fileName = origin.name;
    this.name = origin.name === '' ? 'the data' : origin.name === '-' ? 'standard input' : quote(origin.name);
    this.size = origin.size;
    this.isLive = origin.size === undefined;
    this.#kept = origin.bytes === undefined ? [] : undefined;
    this.#chunks = this.#counted(origin.chunks())[Symbol.asyncIterator]();
  }

  /**
   * Opens an origin and reads its beginning: as much as it takes to tell what it is, so that this does not depend on the
   * pieces in which a stream comes; of a stream whose first rows are waited for, only what is there.
   */
  static open(origin: Origin, limits: Limits = {}, isWaitedFor = false): Promise<Source> {
    return new Source(origin, limits, isWaitedFor).#begin();
  }

  /** Bytes at any place, where the origin has them and they are not packed. */
  get bytes(): ByteSource | undefined {
    return this.isPacked ? undefined : this.#origin.bytes;
  }

  /** All chunks, the first included. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.head.length > 0) yield this.head;
    for (;;) {
      const next = await this.#next();
      if (next === undefined) return;
      yield next;
    }
  }

  /** Everything at once, for formats that are read from their end. */
  async all(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of this.chunks()) {
      chunks.push(chunk);
      total += chunk.length;
      if (this.#limits.maxBytes === undefined && total > MAX_BYTES)
        throw tooLarge(this.name, `it has more than ${MAX_BYTES} bytes`, 'maxBytes');
    }
    return joined(chunks);
  }

  /** The same from its beginning; undefined for a long stream. What has been read of a stream is read to its end. */
  async again(): Promise<Source | undefined> {
    const again = await this.#opened();
    if (again !== undefined) again.encoding = this.encoding;
    return again;
  }

  async #opened(): Promise<Source | undefined> {
    const origin = this.#origin;
    if (origin.bytes !== undefined) return Source.open(origin, this.#limits);
    while ((await this.#next()) !== undefined);
    const kept = this.#kept;
    if (kept === undefined) return undefined;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield* kept as Uint8Array[];
    }
    return Source.open({ name: origin.name, bytes: undefined, size: undefined, chunks }, this.#limits);
  }

  /** It will be read again after it was read: what is kept of a stream is not to be forgotten. */
  keep(): void {
    this.#isKept = true;
  }

  /** Nothing will be read again: what was kept of a stream is forgotten. */
  forget(): void {
    if (!this.#isKept) this.#kept = undefined;
  }

  async #begin(): Promise<this> {
    const first = await this.#atLeast(2);
    if (first.length >= 2 && first[0] === 0x1f && first[1] === 0x8b) {
      this.isPacked = true;
      const packed = rest(first, this.#chunks);
      const unpack = this.#origin.gunzip ?? gunzip;
      this.#chunks = this.#named(unpack(packed))[Symbol.asyncIterator]();
      this.head = await this.#atLeast(this.#least);
    } else this.head = await this.#atLeast(this.#least, first);
    this.#take(this.head);
    return this;
  }

  async #next(): Promise<Uint8Array | undefined> {
    this.#limits.signal?.throwIfAborted();
    const next = await this.#chunks.next();
    this.#limits.signal?.throwIfAborted();
    if (next.done) return undefined;
    this.#take(next.value);
    return next.value;
  }

  /** Counts and keeps what is unpacked. */
  #take(chunk: Uint8Array): void {
    this.#unpacked += chunk.length;
    const { maxBytes = Infinity } = this.#limits;
    if (this.#unpacked > maxBytes) throw tooLarge(this.name, `it has more than ${maxBytes} bytes`, 'maxBytes');
    if (this.#kept === undefined) return;
    if (this.#unpacked > MOST_KEPT) this.#kept = undefined;
    else this.#kept.push(chunk);
  }

  /** The next bytes, after some that were read: so many at least, if there are so many. */
  async #atLeast(count: number, first?: Uint8Array): Promise<Uint8Array> {
    const parts = first === undefined ? [] : [first];
    for (let length = first?.length ?? 0; length < count; ) {
      this.#limits.signal?.throwIfAborted();
      const next = await this.#chunks.next();
      this.isWhole = next.done === true;
      if (next.done) break;
      parts.push(next.value);
      length += next.value.length;
    }
    return joined(parts);
  }

  async *#counted(chunks: Chunks): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.read += chunk.length;
      yield chunk;
    }
  }

  /** Errors of unpacking are about the file. */
  async *#named(chunks: Chunks): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
    } catch (error) {
      if (!isUnpacking(error)) throw error;
      const why = (error as Error).message;
      throw new CurvadError('FILE_DAMAGED', `${this.name} is damaged or cut off: it cannot be unpacked (${why})`, {
        cause: error,
      });
    }
  }
}

/** Whether gzip is to blame: zlib's codes in Node, a TypeError of DecompressionStream elsewhere. */
function isUnpacking(error: unknown): boolean {
  return /^(Z_|ERR_TRAILING_JUNK)/.test(String((error as { code?: unknown }).code)) || error instanceof TypeError;
}

/** More than the user wants to read. */
export function tooLarge(name: string, what: string, option: string): CurvadError {
  return new CurvadError('FILE_TOO_LARGE', `${name} is too large: ${what}, the limit that ${option} sets`);
}

async function* rest(first: Uint8Array, others: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The chunks of bytes that are read at any place. */
export async function* chunksOf(bytes: ByteSource): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += CHUNK)
    yield new Uint8Array(await bytes.slice(at, Math.min(at + CHUNK, bytes.byteLength)));
}
