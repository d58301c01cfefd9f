// Small files of every format, and tables in plain values to compare.
import { gzipSync } from 'node:zlib';
import { type Cell, cellAt, type Table } from '../../src/tables/table.js';

export type Bytes = Uint8Array<ArrayBuffer>;

export const bytes = (text: string): Bytes => new Uint8Array(Buffer.from(text));
export const latin1 = (text: string): Bytes => new Uint8Array(Buffer.from(text, 'latin1'));
export const utf16 = (text: string, isBig = false): Bytes => {
  const buffer = Buffer.from(text, 'utf16le');
  return new Uint8Array(isBig ? buffer.swap16() : buffer);
};
export const gzip = (data: Uint8Array): Bytes => new Uint8Array(gzipSync(data));

/** The kinds of the columns, by name. */
export function kindsOf(table: Table): Record<string, string> {
  return Object.fromEntries(table.columns.map(({ name, kind }) => [name, kind]));
}

/** The cells of a column. */
export function cellsOf(table: Table, name: string): Cell[] {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`no column ${name}, only ${table.columns.map((c) => c.name).join()}`);
  return Array.from({ length: table.rows }, (_, row) => cellAt(column, row));
}

export async function collect(pieces: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece as string));
  return new Uint8Array(Buffer.concat(parts));
}
