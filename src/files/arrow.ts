// Arrow IPC files (also called Feather) and streams, packed ones too.
import type { Table } from '../tables/table.js';
import { tableOfArrow } from './arrow-table.js';
import { unpackLz4Frame } from './lz4.js';
import type { ReadOptions } from './options.js';
import type { Source } from './source.js';

export async function readArrow(
  source: Source,
  options: ReadOptions,
  onShare: (share: number) => void,
): Promise<Table> {
  const { CompressionType, setCompressionCodec } = await import('@uwdata/flechette');
  const { decompressZstd } = await import('hyparquet-compressors');
  const noEncoder = (): never => {
    throw new Error('Arrow files are only read');
  };
  setCompressionCodec(CompressionType.LZ4_FRAME, { encode: noEncoder, decode: unpackLz4Frame });
  setCompressionCodec(CompressionType.ZSTD, { encode: noEncoder, decode: (bytes) => decompressZstd(bytes).slice() });
  const bytes = await source.all();
  source.forget();
  return tableOfArrow(bytes, source.name, options, onShare);
}
