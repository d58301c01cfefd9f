// Some rows of a text file as they are written, byte for byte, header included.
import { openCsv } from './csv.js';
import { jsonRows } from './ndjson.js';
import type { OpenInput } from './read.js';
import { Source } from './source.js';

/** The rows of these numbers, ascending, of a file that was read before. */
export async function* copyRows(
  { format, dialect }: OpenInput,
  path: string,
  rows: Uint32Array,
): AsyncGenerator<Uint8Array> {
  const source = await Source.open(path);
  yield* format === 'ndjson' ? copyLines(source, rows) : copyRecords(source, dialect, rows);
}

async function* copyRecords(
  source: Source,
  dialect: OpenInput['dialect'],
  rows: Uint32Array,
): AsyncGenerator<Uint8Array> {
  const { reader, hasHeader, more } = await openCsv(source, dialect);
  const record = () => Buffer.concat([reader.bytes.subarray(reader.start, reader.end), Buffer.from('\n')]);
  if (hasHeader) yield record();
  let row = 0;
  let next = 0;
  for (let isMore = true; isMore && next < rows.length; ) {
    isMore = await more();
    while (next < rows.length && reader.next()) {
      if (row++ !== rows[next]) continue;
      next++;
      yield record();
    }
  }
}

async function* copyLines(source: Source, rows: Uint32Array): AsyncGenerator<Uint8Array> {
  let row = 0;
  let next = 0;
  for await (const reader of jsonRows(source)) {
    for (let line = reader.next(); line !== undefined && next < rows.length; line = reader.next()) {
      if (row++ !== rows[next]) continue;
      next++;
      yield Buffer.from(`${line.trimEnd()}\n`);
    }
  }
}
