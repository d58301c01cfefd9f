// Reads Arrow IPC streams from the input, one after the other, batch by batch.
import {
  CompressionType,
  type Field,
  type Schema,
  setCompressionCodec,
  type Table,
  tableFromIPC,
} from '@uwdata/flechette';
import { decompressZstd } from 'hyparquet-compressors';
import { checkArrow } from '../../files/arrow-check.js';
import { unpackLz4Frame } from '../../files/lz4.js';
import { HEADER, type MessageReader, OutOfStep } from './messages.js';

const encode = (): never => {
  throw new Error('batches are never packed');
};
setCompressionCodec(CompressionType.LZ4_FRAME, { encode, decode: unpackLz4Frame });
setCompressionCodec(CompressionType.ZSTD, { encode, decode: (bytes) => decompressZstd(bytes).slice() });

/** The table in messages, of which none may tell of more than is there. */
function decoded(messages: Uint8Array[], options?: { useBigInt: boolean }): Table {
  for (const message of messages) checkArrow(message);
  return tableFromIPC(messages, options) as Table;
}

/** A stream, after its schema was read. */
export class ArrowInput {
  readonly schema: Schema;
  readonly #messages: MessageReader;
  readonly #schemaBytes: Uint8Array;
  #isOver = false;
  /** The index of the last batch; −1 before the first. */
  batch = -1;

  private constructor(messages: MessageReader, schemaBytes: Uint8Array) {
    this.#messages = messages;
    this.#schemaBytes = schemaBytes;
    this.schema = decoded([schemaBytes]).schema;
  }

  /** The next stream, or undefined at the end of the input. */
  static async open(messages: MessageReader): Promise<ArrowInput | undefined> {
    const first = await messages.next();
    if (first === undefined) return undefined;
    if (first === 'end' || first.header !== HEADER.schema) throw new OutOfStep('a stream must begin with its schema');
    try {
      return new ArrowInput(messages, first.bytes);
    } catch (error) {
      throw new OutOfStep(`the schema of a stream cannot be read: ${(error as Error).message}`);
    }
  }

  get fields(): readonly Field[] {
    return this.schema.fields;
  }

  /** The batches, each as a table. */
  async *batches(): AsyncGenerator<Table> {
    const dictionaries: Uint8Array[] = [];
    for (;;) {
      const message = await this.#next();
      if (message === undefined) return;
      if (message.header === HEADER.dictionary) dictionaries.push(message.bytes);
      else if (message.header === HEADER.batch) {
        this.batch++;
        yield decoded([this.#schemaBytes, ...dictionaries, message.bytes]);
      } else throw new OutOfStep('a stream must end before the next one begins');
    }
  }

  /** All batches in one table; 64-bit integers unchanged. */
  async whole(): Promise<Table> {
    const parts = [this.#schemaBytes];
    for (let message = await this.#next(); message !== undefined; message = await this.#next()) {
      if (message.header === HEADER.schema) throw new OutOfStep('a stream must end before the next one begins');
      parts.push(message.bytes);
    }
    return decoded(parts, { useBigInt: true });
  }

  /** Skips the rest of the stream, so that the next one can be read. */
  async skip(): Promise<void> {
    while ((await this.#next()) !== undefined);
  }

  async #next() {
    if (this.#isOver) return undefined;
    const message = await this.#messages.next();
    this.#isOver = message === undefined || message === 'end';
    return message === undefined || message === 'end' ? undefined : message;
  }
}
