// Rows of a file on their way into another: what is text stays as it is written, so that 1.50, 007 and every digit of an
// identity survive. Rows of CSV that go into CSV are copied; others are put together from their cells.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { distinctNames } from '../tables/table.js';
import { meaningOf } from '../tables/words.js';
import type { CsvRows } from './csv.js';
import type { JsonRow } from './ndjson.js';
import type { OutputCell, OutputColumn } from './output-column.js';
import type { RecordReader } from './records.js';
import { csvField, type FieldMarks, PLAIN_MARKS } from './row-endings.js';
import { csvCell, jsonRow, jsonValue, plainCell } from './write.js';

export type TextFormat = 'csv' | 'json' | 'ndjson';

/** The columns of an output of text, as its first file sets them. */
export interface RowLayout {
  readonly names: readonly string[];
  /** The line of the names, for CSV. */
  readonly header: string;
  readonly marks: FieldMarks;
}

/** Gives the text of a row, without the end of the line. */
export interface RowTexts<Row> {
  readonly layout: RowLayout;
  text(row: Row): string;
}

/** Separators that are kept; tabs and spaces become commas, or semicolons where the comma is the decimal mark. */
const KEPT = new Set([',', ';', '|']);
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i;

/** Texts of the rows that a reader of CSV stands at. */
export function textsOfFields(
  rows: CsvRows,
  format: TextFormat,
  na: readonly string[] | undefined,
  layout = layoutOfFields(rows),
): RowTexts<RecordReader> {
  const { names } = rows;
  const marks = marksOf(rows);
  const fields = placesIn(names, layout.names, rows.name);
  const point = marks.decimal === ',' ? ',' : undefined;
  if (format !== 'csv') {
    const missing = new Set(na);
    const keys = layout.names.map((name) => jsonValue(name));
    const text = (reader: RecordReader): string =>
      `{${fields.map((field, j) => `${keys[j]}:${jsonOfField(reader, field, point, missing)}`).join(',')}}`;
    return { layout, text };
  }
  const isSame = sameMarks(marks, layout.marks) && fields.every((field, j) => field === j);
  if (isSame) return { layout, text: (reader) => reader.recordText() };
  const { separator, decimal } = layout.marks;
  const cell = (reader: RecordReader, field: number): string => {
    const text = reader.text(field);
    if (marks.decimal !== decimal && !Number.isNaN(reader.numbers[field])) return text.replace(marks.decimal, decimal);
    return reader.quotes[field] === 0 && !text.includes(separator) ? text : csvField(text, layout.marks);
  };
  return { layout, text: (reader) => fields.map((field) => cell(reader, field)).join(separator) };
}

export function marksOf({ separator, point }: CsvRows): FieldMarks {
  return { separator, decimal: point === 0x2c ? ',' : '.' };
}

function sameMarks(a: FieldMarks, b: FieldMarks): boolean {
  return a.separator === b.separator && a.decimal === b.decimal;
}

function layoutOfFields(rows: CsvRows): RowLayout {
  const own = marksOf(rows);
  const separator = KEPT.has(own.separator) ? own.separator : own.decimal === ',' ? ';' : ',';
  const marks = { ...own, separator };
  const header =
    rows.header !== undefined && sameMarks(own, marks)
      ? new TextDecoder().decode(rows.header as Uint8Array<ArrayBuffer>)
      : headerOf(rows.names, marks);
  return { names: rows.names, header, marks };
}

export function headerOf(names: readonly string[], marks: FieldMarks, guardFormulas = false): string {
  return names.map((name) => csvField(name, marks, guardFormulas)).join(marks.separator);
}

/** Where the columns of an output are in a file; all files must have the same. */
function placesIn(names: readonly string[], wanted: readonly string[], where: string): number[] {
  const places = new Map(names.map((name, place) => [name, place]));
  const lacking = wanted.find((name) => !places.has(name));
  if (lacking !== undefined)
    throw new CurvadError('TABLES_DIFFER', `${where} has no column ${quote(lacking)}, which the first file has`);
  const known = new Set(wanted);
  const surplus = names.find((name) => !known.has(name));
  if (surplus !== undefined)
    throw new CurvadError('TABLES_DIFFER', `${where} has a column ${quote(surplus)}, which the first file has not`);
  return wanted.map((name) => places.get(name) as number);
}

/** A field as JSON: a number with all its digits where JSON would write it so, null where it is missing. */
function jsonOfField(
  reader: RecordReader,
  field: number,
  point: string | undefined,
  missing: ReadonlySet<string>,
): string {
  const written = reader.text(field);
  const text = written.trim();
  if (missing.has(text) || meaningOf(text) === undefined) return 'null';
  const number = point === undefined ? text : text.replace(point, '.');
  if (JSON_NUMBER.test(number)) return number;
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word;
  return jsonValue(reader.quotes[field] === 0 ? text : written);
}

/** Texts of rows of JSON; `text` is the line where the row has one of its own. */
export function textsOfObjects(
  format: TextFormat,
  first: JsonRow,
  layout = layoutOfObjects(first),
): RowTexts<{ readonly row: JsonRow; readonly line: string }> {
  const { names } = layout;
  if (format !== 'csv') {
    const keys = names.map((name) => jsonValue(name));
    const ofList = (list: readonly unknown[]) =>
      `{${list.map((value, i) => `${keys[i] ?? jsonValue(`column ${i + 1}`)}:${jsonOfValue(value)}`).join(',')}}`;
    return { layout, text: ({ row, line }) => (isList(row) ? ofList(row) : line.trim()) };
  }
  const valueAt = (row: JsonRow, j: number): unknown => (isList(row) ? row[j] : row.get(names[j] as string));
  const text = (row: JsonRow): string => names.map((_, j) => csvCell(cellOfJson(valueAt(row, j)))).join(',');
  return { layout, text: ({ row }) => text(row) };
}

function isList(row: JsonRow): row is readonly unknown[] {
  return !(row instanceof Map);
}

function layoutOfObjects(first: JsonRow): RowLayout {
  const names = isList(first) ? first.map((_, i) => `column ${i + 1}`) : [...first.keys()];
  return { names, header: headerOf(names, PLAIN_MARKS, true), marks: PLAIN_MARKS };
}

function jsonOfValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? textOf(value) : jsonValue(cellOfJson(value));
}

function cellOfJson(value: unknown): OutputCell {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? textOf(value) : (value as OutputCell);
}

function textOf(value: object): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}

/** Texts of the rows of a table, by their number. */
export function textsOfColumns(
  columns: readonly OutputColumn[],
  format: TextFormat,
  where: string,
  given?: RowLayout,
): RowTexts<number> {
  const own = distinctNames(columns.map(({ name }) => name));
  const layout = given ?? { names: own, header: headerOf(own, PLAIN_MARKS, true), marks: PLAIN_MARKS };
  const ordered = placesIn(own, layout.names, where).map((place) => columns[place] as OutputColumn);
  const keys = layout.names.map((name) => jsonValue(name));
  const inCsv = (i: number) =>
    ordered.map((column) => csvField(plainCell(column, i), layout.marks, true)).join(layout.marks.separator);
  return { layout, text: format === 'csv' ? inCsv : (i) => jsonRow(ordered, keys, i) };
}
