// Parquet, read column by column through hyparquet and written through hyparquet-writer.
import type { AsyncBuffer } from 'hyparquet';
import { CurvadError } from '../core/errors.js';
import { ColumnBuilder, type Keeping } from '../tables/builder.js';
import { pushCell } from '../tables/cells.js';
import { distinctNames, type Table } from '../tables/table.js';
import type { OutputColumn } from './output-column.js';
import type { Source } from './source.js';

export async function readParquet(source: Source, keeping: Keeping, onShare: (share: number) => void): Promise<Table> {
  const { asyncBufferFromFile, parquetScan, parquetSchema } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file = source.path === undefined ? inMemory(await source.all()) : await asyncBufferFromFile(source.path);
  try {
    const scan = await parquetScan({ file, compressors });
    const keys = parquetSchema(scan.metadata).children.map(({ element }) => element.name);
    const columns: ColumnBuilder[] = [];
    for (const [j, name] of distinctNames(keys).entries()) {
      const column = new ColumnBuilder(name, keeping);
      for (const range of scan.ranges) {
        const values = await scan.readColumn({ ...range, column: keys[j] as string });
        for (let i = 0; i < values.length; i++) pushCell(column, values[i]);
      }
      columns.push(column);
      onShare((j + 1) / keys.length);
    }
    const rows = columns[0]?.rows ?? 0;
    if (rows === 0) throw new CurvadError('FILE_EMPTY', `${source.name} has no rows`);
    return { columns: columns.map((column) => column.finish()), rows, isNamed: true };
  } catch (error) {
    if (error instanceof CurvadError) throw error;
    throw new CurvadError('FILE_DAMAGED', `${source.name} cannot be read as Parquet: ${(error as Error).message}`);
  }
}

function inMemory(bytes: Buffer): AsyncBuffer {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return { byteLength: buffer.byteLength, slice: (from, to) => buffer.slice(from, to) };
}

/** A Parquet file with these rows. */
export async function parquetBytes(columns: readonly OutputColumn[], rows: number): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const buffer = parquetWriteBuffer({
    columnData: columns.map(({ name, type, at }) => ({
      name,
      type: PARQUET_TYPES[type],
      nullable: type !== 'integer',
      data: Array.from({ length: rows }, (_, i) => at(i)),
    })),
  });
  return new Uint8Array(buffer);
}

const PARQUET_TYPES = { integer: 'INT32', number: 'DOUBLE', text: 'STRING' } as const;
