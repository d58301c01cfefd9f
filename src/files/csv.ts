// CSV and its relatives. What is not said is found out from the first lines: the separator that parts them
// into equally many fields, and whether the first of them names the columns.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { ColumnBuilder, type Keeping } from '../tables/builder.js';
import { distinctNames, numberedNames, type Table } from '../tables/table.js';
import { meaningOf } from '../tables/words.js';
import { numberInField } from './cells.js';
import { BadLine, RecordReader } from './records.js';
import type { Source } from './source.js';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Records that are looked at to find the separator. */
const SAMPLE = 20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** How a file is written, as far as the user says; the rest is found out. */
export interface Dialect {
  readonly separator?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  readonly header?: boolean | undefined;
}

/** A file that was begun: its columns are known, its rows come next. */
export interface CsvRows {
  readonly reader: RecordReader;
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly separator: string;
  /** The byte of the decimal point. */
  readonly point: number;
  /** More bytes for the reader; false when there are none. */
  more(): Promise<boolean>;
}

/** Opens a source and reads its first line. The first record, where it is no header, is still to be read. */
export async function openCsv(source: Source, dialect: Dialect): Promise<CsvRows> {
  const head = withoutMark(source.head);
  checkText(head, source.name);
  const point = (dialect.decimal ?? '.').charCodeAt(0);
  const separator = dialect.separator ?? findSeparator(head, dialect.decimal);
  if (separator === dialect.decimal)
    throw new CurvadError('SEPARATOR_INVALID', 'the separator and the decimal comma must differ');
  const chunks = source.chunks();
  let isFirst = true;
  const reader = new RecordReader(separator);
  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (next.done) reader.finish();
    else reader.push(isFirst ? withoutMark(next.value) : next.value);
    isFirst = false;
    return !next.done;
  };
  const hasFirst = await readFirst(reader, more, source.name);
  if (!hasFirst) throw new CurvadError('FILE_EMPTY', `${source.name} is empty: there are no rows to read`);
  const isHeader = dialect.header ?? looksLikeHeader(reader, point);
  const names = isHeader ? distinctNames(reader.texts()) : numberedNames(reader.count);
  if (!isHeader) reader.unread();
  return { reader, names, hasHeader: isHeader, separator, point, more };
}

async function readFirst(reader: RecordReader, more: () => Promise<boolean>, name: string): Promise<boolean> {
  try {
    while (!reader.next()) if (!(await more())) return reader.next();
    return true;
  } catch (error) {
    throw atLine(error, name);
  }
}

/** Reads all rows. */
export async function readCsv(
  source: Source,
  dialect: Dialect,
  keeping: Keeping,
  onRows: (rows: number) => void,
): Promise<Table> {
  const { reader, names, hasHeader, point, more } = await openCsv(source, dialect);
  const columns = names.map((name) => new ColumnBuilder(name, keeping));
  let rows = 0;
  try {
    do {
      while (reader.next()) {
        if (reader.count !== columns.length) throw new BadLine(reader.line, wrongCount(reader.count, columns.length));
        for (let j = 0; j < columns.length; j++) pushField(columns[j] as ColumnBuilder, reader, j, point);
        rows++;
      }
      onRows(rows);
    } while (await more());
    while (reader.next()) {
      if (reader.count !== columns.length) throw new BadLine(reader.line, wrongCount(reader.count, columns.length));
      for (let j = 0; j < columns.length; j++) pushField(columns[j] as ColumnBuilder, reader, j, point);
      rows++;
    }
  } catch (error) {
    throw atLine(error, source.name);
  }
  return { columns: columns.map((column) => column.finish()), rows, isNamed: hasHeader };
}

function pushField(column: ColumnBuilder, reader: RecordReader, field: number, point: number): void {
  if (!column.isVerbatim) {
    const number = numberInField(reader, field, point);
    if (!Number.isNaN(number)) {
      column.pushNumber(number);
      return;
    }
  }
  const text = reader.text(field);
  const meaning = meaningOf(text);
  if (meaning === undefined) column.pushMissing();
  else if (column.isVerbatim) column.pushText(text);
  else if (typeof meaning === 'number') column.pushNumber(meaning);
  else column.pushText(meaning);
}

/** A record that is too short or too long. */
export function wrongCount(got: number, expected: number): string {
  return `it has ${got} fields where ${expected} are expected: is the separator right, is a quote missing?`;
}

/** A bad line as an error about the file. */
export function atLine(error: unknown, name: string): unknown {
  return error instanceof BadLine
    ? new CurvadError('FILE_LINE', `${name}, line ${error.line}: ${error.message}`)
    : error;
}

function withoutMark(bytes: Buffer): Buffer {
  return BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? bytes.subarray(3) : bytes;
}

/** Text has no zero bytes. */
export function checkText(head: Buffer, name: string): void {
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide)
    throw new CurvadError('FILE_FORMAT', `${name} is UTF-16 text: convert it first (iconv -f utf-16 -t utf-8)`);
  if (head.includes(0))
    throw new CurvadError(
      'FILE_FORMAT',
      `${name} is a binary file, not a table: CSV, NDJSON, Parquet, Arrow and .npy can be read`,
    );
}

/** The separator that parts the first records into equally many fields, the more the better. */
function findSeparator(head: Buffer, decimal: string | undefined): string {
  const candidates = SEPARATORS.filter((separator) => separator !== decimal).map((separator) => ({
    separator,
    fields: commonFields(head, separator),
  }));
  const best = candidates.reduce((a, b) => (b.fields > a.fields ? b : a));
  return best.fields > 1 ? best.separator : (candidates[0]?.separator ?? ',');
}

/** How many fields each of the first records has, or 0 where they differ. */
function commonFields(head: Buffer, separator: string): number {
  const reader = new RecordReader(separator);
  reader.push(head.subarray(0, 2 ** 16));
  let fields = 0;
  try {
    for (let i = 0; i < SAMPLE && reader.next(); i++) {
      if (i > 0 && reader.count !== fields) return 0;
      fields = reader.count;
    }
    if (fields === 0) {
      reader.finish();
      if (reader.next()) fields = reader.count;
    }
  } catch {
    return 0;
  }
  return fields;
}

/** The first line names the columns when none of its cells is a number. */
function looksLikeHeader(reader: RecordReader, point: number): boolean {
  for (let j = 0; j < reader.count; j++) if (!Number.isNaN(numberInField(reader, j, point))) return false;
  return true;
}

/** A separator as people write it. */
export function readSeparator(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const named: Record<string, string> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', space: ' ', pipe: '|' };
  const separator = Object.hasOwn(named, text) ? (named[text] as string) : text;
  if (separator.length === 1 && separator.charCodeAt(0) < 128 && !/["\r\n\w.]/.test(separator)) return separator;
  throw new CurvadError(
    'SEPARATOR_INVALID',
    `--separator must be one character such as , ; | or tab, got ${quote(text)}`,
  );
}
