// Arrow IPC files (also called Feather) and streams, through flechette; packed ones too.
import { CurvadError } from '../core/errors.js';
import { ColumnBuilder, type Keeping } from '../tables/builder.js';
import { pushCell } from '../tables/cells.js';
import { distinctNames, type Table } from '../tables/table.js';
import { unpackLz4Frame } from './lz4.js';
import type { Source } from './source.js';

export async function readArrow(source: Source, keeping: Keeping, onShare: (share: number) => void): Promise<Table> {
  const { CompressionType, setCompressionCodec, tableFromIPC } = await import('@uwdata/flechette');
  const { decompressZstd } = await import('hyparquet-compressors');
  const noEncoder = (): never => {
    throw new Error('Arrow files are only read');
  };
  setCompressionCodec(CompressionType.LZ4_FRAME, { encode: noEncoder, decode: unpackLz4Frame });
  setCompressionCodec(CompressionType.ZSTD, { encode: noEncoder, decode: (bytes) => decompressZstd(bytes).slice() });
  const bytes = await source.all();
  try {
    const table = tableFromIPC(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), { useDate: true });
    if (table.numRows === 0) throw new CurvadError('FILE_EMPTY', `${source.name} has no rows`);
    const columns = distinctNames(table.names.map(String)).map((name, j) => {
      const column = new ColumnBuilder(name, keeping);
      for (const value of table.getChildAt(j)) pushCell(column, value);
      onShare((j + 1) / table.numCols);
      return column.finish();
    });
    return { columns, rows: table.numRows, isNamed: true };
  } catch (error) {
    if (error instanceof CurvadError) throw error;
    throw new CurvadError('FILE_DAMAGED', `${source.name} cannot be read as Arrow: ${(error as Error).message}`);
  }
}
