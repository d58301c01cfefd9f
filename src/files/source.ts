// Where bytes come from: a file or standard input, unpacked where it is gzip, with the first bytes at hand to
// tell what they are.
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { stdin } from 'node:process';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';

const CHUNK = 2 ** 18;

/** Bytes that come in chunks. */
export class Source {
  /** As messages name it. */
  readonly name: string;
  /** Where it is on disk, if it is a plain file that was not packed. */
  path: string | undefined;
  /** Whether more may come later, as from a pipe: then what is there must not wait for it. */
  readonly isLive: boolean;
  /** Bytes on disk, where that is known, and how many of them were read. */
  readonly size: number | undefined;
  read = 0;
  /** The first bytes, unpacked; empty where there are none. */
  head: Buffer = Buffer.alloc(0);
  #chunks: AsyncIterator<Buffer>;

  private constructor(name: string, path: string | undefined, size: number | undefined, stream: Readable) {
    this.name = name;
    this.path = path;
    this.size = size;
    this.isLive = size === undefined;
    this.#chunks = this.#counted(stream)[Symbol.asyncIterator]();
  }

  /** Opens a path, or standard input for "-". */
  static async open(path: string): Promise<Source> {
    if (path === '-') return new Source('standard input', undefined, undefined, stdin).#begin();
    const found = await stat(path);
    if (found.isDirectory()) throw new CurvadError('FILE_FORMAT', `${quote(path)} is a folder: give a file`);
    await access(path, constants.R_OK);
    const stream = createReadStream(path, { highWaterMark: CHUNK });
    return new Source(quote(path), path, found.isFile() ? found.size : undefined, stream).#begin();
  }

  /** All chunks, the first included. */
  async *chunks(): AsyncGenerator<Buffer> {
    if (this.head.length > 0) yield this.head;
    for (;;) {
      const next = await this.#chunks.next();
      if (next.done) return;
      yield next.value;
    }
  }

  /** Everything at once, for formats that are read from their end. */
  async all(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async #begin(): Promise<this> {
    let first = await this.#next();
    const isPacked = first.length >= 2 && first[0] === 0x1f && first[1] === 0x8b;
    if (isPacked) {
      this.path = undefined;
      this.#chunks = this.#unpacked(first, this.#chunks);
      first = await this.#next();
    }
    this.head = first;
    return this;
  }

  /** The next chunk of at least two bytes, unless there are fewer. */
  async #next(): Promise<Buffer> {
    let bytes: Buffer = Buffer.alloc(0);
    while (bytes.length < 2) {
      const next = await this.#chunks.next();
      if (next.done) break;
      bytes = bytes.length === 0 ? next.value : Buffer.concat([bytes, next.value]);
    }
    return bytes;
  }

  async *#counted(stream: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      this.read += (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  }

  async *#unpacked(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
    const packed = (async function* () {
      yield first;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
    })();
    const gunzip = createGunzip({ chunkSize: CHUNK });
    const input = Readable.from(packed, { objectMode: false });
    input.on('error', (error) => gunzip.destroy(error));
    try {
      for await (const chunk of input.pipe(gunzip)) yield chunk as Buffer;
    } catch (error) {
      if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
      throw new CurvadError(
        'FILE_DAMAGED',
        `${this.name} is damaged or cut off: it cannot be unpacked (${(error as Error).message})`,
      );
    }
  }
}
