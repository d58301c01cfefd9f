// Some rows of a text file as they are written, byte for byte, header included.
import { openCsv } from './csv.js';
import { jsonRows } from './ndjson.js';
import type { ReadOptions } from './options.js';
import type { OpenInput } from './read.js';
import { headerOf, marksOf } from './row-texts.js';
import type { Source } from './source.js';

const encoder = new TextEncoder();
const NEWLINE = encoder.encode('\n');

/** Whether the rows of an input can be copied: text in UTF-8 that can be read once more. */
export function canCopyRows({ format }: OpenInput): boolean {
  return format === 'csv' || format === 'tsv' || format === 'ndjson';
}

/** The rows of these numbers, ascending, of an input that was read before. */
export async function* copyRows(
  { format, options }: OpenInput,
  source: Source,
  rows: Uint32Array,
): AsyncGenerator<Uint8Array> {
  yield* format === 'ndjson' ? copyLines(source, options, rows) : copyRecords(source, options, rows);
}

async function* copyRecords(source: Source, options: ReadOptions, rows: Uint32Array): AsyncGenerator<Uint8Array> {
  const opened = await openCsv(source, options);
  const { reader, hasHeader, header, more } = opened;
  if (hasHeader) {
    yield header ?? encoder.encode(headerOf(opened.names, marksOf(opened)));
    yield NEWLINE;
  }
  let row = 0;
  let next = 0;
  for (let isMore = true; isMore && next < rows.length; ) {
    isMore = await more();
    while (next < rows.length && reader.next()) {
      if (row++ !== rows[next]) continue;
      next++;
      yield encoder.encode(reader.recordText());
      yield NEWLINE;
    }
  }
}

async function* copyLines(source: Source, options: ReadOptions, rows: Uint32Array): AsyncGenerator<Uint8Array> {
  let row = 0;
  let next = 0;
  for await (const reader of jsonRows(source, options.encoding)) {
    for (let line = reader.next(); line !== undefined && next < rows.length; line = reader.next()) {
      if (row++ !== rows[next]) continue;
      next++;
      yield encoder.encode(`${line.trimEnd()}\n`);
    }
  }
}
