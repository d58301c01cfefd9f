// CSV and its relatives. Cells become numbers as the bytes are split; what a column holds is decided at its end. A
// column of text in which there were numbers is read once more, so that 007 and 1.50 stay what they are.
import { CurvadError } from '../core/errors.js';
import { count as counted } from '../core/messages.js';
import { ColumnBuilder } from '../tables/builder.js';
import { type Column, distinctNames, numberedNames, type Table } from '../tables/table.js';
import { meaningOf } from '../tables/words.js';
import { BadLine } from './bad-line.js';
import { rewrittenChunks } from './blank-fields.js';
import { cellReader, type FieldCells, fieldCells, type PushCell } from './csv-cells.js';
import { type CsvDialect, findDialect, namesFor } from './dialect.js';
import type { Dialect, ReadOptions } from './options.js';
import { MAX_COLUMNS, MAX_ROWS } from './options.js';
import { RecordReader } from './records.js';
import { rewriterOf } from './separator.js';
import { type Source, tooLarge } from './source.js';
import { NotUtf8, openText } from './text.js';

const LARGEST = Number.MAX_SAFE_INTEGER;

/** A file that was begun: its columns are known, its rows come next. */
export interface CsvRows {
  /** What the file is called. */
  readonly name: string;
  readonly reader: RecordReader;
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly separator: string;
  /** The byte of the decimal point. */
  readonly point: number;
  /** What was decided about the file and may surprise. */
  readonly notes: readonly string[];
  /** As TextDecoder calls it. */
  readonly encoding: string;
  /** The line of the names, where there is one that has them all. */
  readonly header: Uint8Array | undefined;
  /** What fields are, for those who know the kinds of the columns. */
  readonly cells: FieldCells;
  /** More bytes for the reader; false when there are none. */
  more(): Promise<boolean>;
}

/** Opens a source and reads its first line. The first record, where it is no header, is still to be read. */
export async function openCsv(source: Source, said: Dialect): Promise<CsvRows> {
  const { head, encoding, isCertain, chunks: all } = openText(source, said.encoding);
  const found = dialectOf(head, source, said);
  const { separator, point, skip, parting, comment, isNamesFirst } = found;
  const notes = [...found.notes];
  if (!isCertain && encoding !== 'utf-8') notes.push(`it is read as ${encoding} text (--encoding if that is wrong)`);
  const rewriter = rewriterOf(parting, { skip, comment });
  const chunks = rewriter === undefined ? all() : rewrittenChunks(all(), rewriter);
  const reader = new RecordReader(separator, { point, comment, skip });
  const more = async (): Promise<boolean> => {
    const next = await chunks.next();
    if (next.done) reader.finish();
    else reader.push(next.value);
    return !next.done;
  };
  if (!(await readNext(reader, more, source.name)))
    throw new CurvadError('FILE_EMPTY', `${source.name} is empty: there are no rows to read`);
  const hasHeader = found.names !== undefined;
  const header = isNamesFirst && parting.fit === 'equal' ? reader.record().slice() : undefined;
  const names =
    found.names === undefined
      ? numberedNames(reader.count)
      : distinctNames(isNamesFirst ? namesFor(reader.texts(), parting) : found.names);
  if (isNamesFirst) reader.repeats.take(reader);
  else reader.unread();
  if (isNamesFirst && said.units === true) await readNext(reader, more, source.name);
  reader.expect(names.length, said.ragged);
  const decimal = point === 0x2e ? '.' : ',';
  const cells = fieldCells({ ...said, decimal }, found.isDressed);
  return { name: source.name, reader, names, hasHeader, separator, point, notes, encoding, header, cells, more };
}

function dialectOf(head: Uint8Array, { isWhole, name }: Source, said: Dialect): CsvDialect {
  try {
    return findDialect(head, isWhole, said);
  } catch (error) {
    if (error instanceof CurvadError && error.code === 'FILE_FORMAT')
      throw new CurvadError('FILE_FORMAT', error.message.replace(/^it/, name));
    throw atLine(error, name);
  }
}

async function readNext(reader: RecordReader, more: () => Promise<boolean>, name: string): Promise<boolean> {
  try {
    while (!reader.next()) if (!(await more())) return reader.next();
    return true;
  } catch (error) {
    throw atLine(error, name);
  }
}

/** Reads all rows. */
export async function readCsv(source: Source, options: ReadOptions, onRows: () => void): Promise<Table> {
  try {
    return await readOnce(source, options, onRows);
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    if (options.encoding === undefined) source.encoding = 'windows-1252'; // whenever it is read again
    const again = options.encoding === undefined ? await source.again() : undefined;
    if (again === undefined) throw notUtf8(source.name);
    options.onNote?.('it is not UTF-8 and read as windows-1252 text (--encoding if that is wrong)');
    return readOnce(again, options, onRows);
  } finally {
    source.forget();
  }
}

function notUtf8(name: string): CurvadError {
  return new CurvadError('FILE_DAMAGED', `${name} is not UTF-8 text: tell its encoding, such as windows-1252`);
}

async function readOnce(source: Source, options: ReadOptions, onRows: () => void): Promise<Table> {
  const rows = await openCsv(source, options);
  const { names, hasHeader, notes, point } = rows;
  const { maxColumns = MAX_COLUMNS } = options;
  if (names.length > maxColumns) throw tooLarge(source.name, `it has ${names.length} columns`, 'maxColumns');
  const decimal = point === 0x2e ? '.' : ',';
  const keeping = {
    verbatim: new Set(options.text),
    mostTexts: options.mostTexts ?? Infinity,
    point: decimal,
    order: options.dateOrder,
    mayBeDecimal: decimal === '.' && rows.separator !== ',' && options.decimal === undefined,
  };
  const builders = names.map((name) => new ColumnBuilder(name, keeping));
  const cells = { push: cellReader({ ...options, decimal }), isMissing: missingNumbers(options.na) };
  const count = await readRows(rows, builders, cells, options.maxRows ?? MAX_ROWS, onRows);
  for (const note of notes) options.onNote?.(note);
  for (const note of rows.reader.passedOver()) options.onNote?.(note);
  const columns = builders.map((builder) => builder.finish());
  const mixed = builders.flatMap((builder, j) =>
    builder.hidNumbers && (columns[j] as { codes?: Int32Array }).codes !== undefined ? [j] : [],
  );
  if (mixed.length === 0) return { columns, rows: count, isNamed: hasHeader };
  return { columns: await readAsText(source, options, columns, mixed), rows: count, isNamed: hasHeader };
}

/** Reads columns of text once more, as they are written. */
async function readAsText(
  source: Source,
  options: ReadOptions,
  columns: readonly Column[],
  mixed: readonly number[],
): Promise<Column[]> {
  const again = await source.again();
  const names = mixed.map((j) => (columns[j] as Column).name);
  if (again === undefined) {
    throw new CurvadError(
      'FILE_TOO_LARGE',
      `${source.name} is too long to be read twice, and the column ${names[0]} has numbers and text: name it in text, or give a file`,
    );
  }
  const rows = await openCsv(again, options);
  const keeping = { verbatim: new Set(names), mostTexts: options.mostTexts ?? Infinity };
  const builders = columns.map(({ name }, j) => (mixed.includes(j) ? new ColumnBuilder(name, keeping) : undefined));
  const na = new Set(options.na);
  const push: PushCell = (column, reader, field) => {
    const text = reader.text(field);
    if (meaningOf(text) === undefined || na.has(text.trim())) column.pushMissing();
    else column.pushText(reader.quotes[field] === 0 ? text.trim() : text);
  };
  await readRows(rows, builders, { push, isMissing: undefined }, Infinity, () => {});
  return columns.map((column, j) => builders[j]?.finish() ?? column);
}

interface Cells {
  /** What cells become that are not plain numbers. */
  readonly push: PushCell;
  /** Whether a plain number may stand for a missing value. */
  readonly isMissing: ((value: number) => boolean) | undefined;
}

/** Numbers such as -999 may stand for missing values too. */
function missingNumbers(na: readonly string[] = []): Cells['isMissing'] {
  const numbers = new Set(na.filter((text) => text.trim() !== '').map(Number));
  numbers.delete(Number.NaN);
  return numbers.size === 0 ? undefined : (value) => numbers.has(value);
}

/** Reads the rows into those columns that are wanted; returns how many there are. */
async function readRows(
  { name, reader, names, more }: CsvRows,
  columns: ReadonlyArray<ColumnBuilder | undefined>,
  { push, isMissing }: Cells,
  maxRows: number,
  onRows: () => void,
): Promise<number> {
  let rows = 0;
  const width = names.length;
  const take = (): void => {
    while (reader.next()) {
      if (reader.count !== width) throw new BadLine(reader.line, wrongCount(reader.count, width));
      if (rows++ >= maxRows) throw tooLarge(name, `it has more than ${maxRows} rows`, 'maxRows');
      const { numbers } = reader;
      for (let j = 0; j < width; j++) {
        const column = columns[j];
        if (column === undefined) continue;
        const value = numbers[j] as number;
        const isPlain = value <= LARGEST && value >= -LARGEST && !column.isVerbatim;
        if (!isPlain || isMissing?.(value)) push(column, reader, j);
        else column.pushNumber(value);
      }
    }
  };
  try {
    do {
      take();
      onRows();
    } while (await more());
    take();
  } catch (error) {
    throw error instanceof NotUtf8 ? error : atLine(error, name);
  }
  return rows;
}

/** A record that is too short or too long. */
export function wrongCount(got: number, expected: number): string {
  const also = got < expected ? ' --ragged fill fills short lines with missing values,' : '';
  return `it has ${counted(got, 'field')} where ${expected} are expected: is the separator right, is a quote missing, do titles or comments stand above the names (--skip, --comment)?${also} --ragged skip skips such lines`;
}

/** A bad line as an error about the file. */
export function atLine(error: unknown, name: string): unknown {
  if (error instanceof NotUtf8) return notUtf8(name);
  return error instanceof BadLine
    ? new CurvadError('FILE_LINE', `${name}, line ${error.line}: ${error.message}`)
    : error;
}
