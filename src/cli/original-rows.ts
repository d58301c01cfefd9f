// The rows of an input for a text output, in order. CSV and NDJSON rows are read a second time so that they are copied
// unchanged; rows of other formats come from the table.

import { canCopyRows } from '../files/copy-rows.js';
import { openCsv } from '../files/csv.js';
import { jsonRows, parseRow } from '../files/ndjson.js';
import { outputColumn } from '../files/output-column.js';
import type { OpenInput } from '../files/read.js';
import { type RowLayout, type TextFormat, textsOfColumns, textsOfFields, textsOfObjects } from '../files/row-texts.js';
import type { Source } from '../files/source.js';
import type { Table } from '../tables/table.js';
import type { Input } from './input.js';

const ROWS_A_PIECE = 4096;

/** A table and its files. */
export type Rows = Pick<Input, 'table' | 'files'>;

/** A range of table rows, with the number of the first. */
export interface OriginalRows {
  readonly layout: RowLayout;
  readonly first: number;
  readonly texts: readonly string[];
}

export async function* originalRows({ table, files }: Rows, format: TextFormat): AsyncGenerator<OriginalRows> {
  let layout: RowLayout | undefined;
  for (const [i, { opened, start }] of files.entries()) {
    const end = files[i + 1]?.start ?? table.rows;
    const again = canCopyRows(opened) ? await opened.source.again() : undefined;
    const rows =
      again === undefined
        ? rowsOfTable(table, { from: start, to: end, format, where: opened.source.name, layout })
        : opened.format === 'ndjson'
          ? rowsOfLines(again, opened, format, layout)
          : rowsOfRecords(again, opened, format, layout);
    let first = start;
    for await (const piece of rows) {
      layout = piece.layout;
      yield { layout, first, texts: piece.texts };
      first += piece.texts.length;
    }
  }
}

type Pieces = AsyncGenerator<Pick<OriginalRows, 'layout' | 'texts'>>;

async function* rowsOfRecords(source: Source, opened: OpenInput, format: TextFormat, given?: RowLayout): Pieces {
  const rows = await openCsv(source, opened.options);
  const { layout, text } = textsOfFields(rows, format, opened.options.na, given);
  const { reader, more } = rows;
  for (let isMore = true; isMore; ) {
    isMore = await more();
    const texts: string[] = [];
    while (reader.next()) texts.push(text(reader));
    yield { layout, texts };
  }
}

async function* rowsOfLines(source: Source, opened: OpenInput, format: TextFormat, given?: RowLayout): Pieces {
  let writer: ReturnType<typeof textsOfObjects> | undefined;
  for await (const reader of jsonRows(source, opened.options.encoding)) {
    const texts: string[] = [];
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      const row = parseRow(line, reader.line);
      writer ??= textsOfObjects(format, row, given);
      texts.push(writer.text({ row, line }));
    }
    if (writer !== undefined) yield { layout: writer.layout, texts };
  }
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly format: TextFormat;
  readonly where: string;
  readonly layout: RowLayout | undefined;
}

async function* rowsOfTable(table: Table, { from, to, format, where, layout: given }: Part): Pieces {
  const columns = table.columns.map((column) => outputColumn(column));
  const { layout, text } = textsOfColumns(columns, format, where, given);
  for (let at = from; at < to; at += ROWS_A_PIECE) {
    const texts = Array.from({ length: Math.min(ROWS_A_PIECE, to - at) }, (_, i) => text(at + i));
    yield { layout, texts };
  }
}
