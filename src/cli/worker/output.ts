// Writes an answer as an Arrow IPC stream, batch by batch. Its last column is `error`: null, except in the last row of a
// failed call, where it describes the error as JSON and every other column is null.
import { type Column, columnFromArray, type DataType, tableFromColumns, tableToIPC, utf8 } from '@uwdata/flechette';
import { emptyColumn, noTexts, textColumn } from './columns.js';

/** Writes bytes; resolves when there may be more. */
export type Write = (bytes: Uint8Array) => Promise<void>;

/** Columns of a batch by name. */
export type Columns = ReadonlyArray<readonly [name: string, column: Column<unknown>]>;

/** The key of a stream's additional information in the metadata of its schema. */
export const METADATA_KEY = 'curvad';

const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

export class ArrowOutput {
  readonly #write: Write;
  #types: ReadonlyArray<readonly [name: string, type: DataType]> | undefined;

  constructor(write: Write) {
    this.#write = write;
  }

  /** Sends the schema with metadata; otherwise the first batch sends it. */
  async begin(types: ReadonlyArray<readonly [name: string, type: DataType]>, metadata?: unknown): Promise<void> {
    await this.#send(
      types.map(([name, type]) => [name, emptyColumn(type)] as const),
      metadata,
    );
  }

  /** Sends a batch. All batches must have the same columns. */
  async batch(columns: Columns): Promise<void> {
    if ((columns[0]?.[1].length ?? 0) > 0) await this.#send(columns);
    else if (this.#types === undefined)
      await this.#send(columns.map(([name, { type }]) => [name, emptyColumn(type)] as const));
  }

  async end(): Promise<void> {
    await this.#write(END);
  }

  /** Ends the stream with an error. */
  async fail(error: unknown): Promise<void> {
    const nulls = (this.#types ?? []).map(([name, type]) => [name, columnFromArray([null], type)] as const);
    await this.#send(nulls, undefined, JSON.stringify(error));
    await this.end();
  }

  async #send(columns: Columns, metadata?: unknown, error: string | null = null): Promise<void> {
    const count = error === null ? (columns[0]?.[1].length ?? 0) : 1;
    const errors = count === 0 ? emptyColumn(utf8()) : error === null ? noTexts(count) : textColumn(error);
    const table = tableFromColumns([...columns, ['error', errors]] as [string, Column<unknown>][]);
    if (metadata !== undefined) table.schema.metadata = new Map([[METADATA_KEY, JSON.stringify(metadata)]]);
    const bytes = tableToIPC(table, { format: 'stream' }) as Uint8Array;
    const schemaEnd = 8 + new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true);
    const start = this.#types === undefined ? 0 : schemaEnd;
    this.#types ??= columns.map(([name, { type }]) => [name, type] as const);
    if (start < bytes.length - END.length) await this.#write(bytes.subarray(start, bytes.length - END.length));
  }
}
