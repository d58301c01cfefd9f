// Rows on their way out, in each format: CSV, JSON, NDJSON as pieces of text, Parquet as bytes.
import { CurvadError, describe } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { type Table, timeText } from '../tables/table.js';
import { type OutputCell, type OutputColumn, outputColumn } from './output-column.js';

export const ROW_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];
export { ROW_FORMATS as WRITE_FORMATS, type RowFormat as WriteFormat };

const ROWS_A_PIECE = 4096;

const EXTENSIONS: Readonly<Record<string, string>> = { jsonl: 'ndjson', htm: 'html' };

/**
 * The format of an output: its name decides. A name without an extension leaves it open; one that stands for none of
 * the formats, or for another than was asked for, is refused.
 */
export function outputFormat<Format extends string>(
  path: string,
  formats: readonly Format[],
  asked?: Format,
): Format | undefined {
  const extension = path === '-' ? '' : (/[^/\\]\.([^./\\]*)$/.exec(path)?.[1] ?? '').toLowerCase();
  if (extension === '') return asked;
  const name = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : extension;
  const format = formats.find((known) => known === name);
  if (format === undefined) {
    const list = formats.map((known) => `.${known}`).join(', ');
    throw new CurvadError(
      'FORMAT_UNKNOWN',
      `${quote(path)}: .${quote(extension).slice(1, -1)} cannot be written; end the name in ${list}`,
    );
  }
  if (asked !== undefined && asked !== format)
    throw new CurvadError(
      'FORMAT_UNKNOWN',
      `${quote(path)} stands for ${format}, --format asks for ${asked}: change one of them`,
    );
  return format;
}

export interface WriteOptions {
  /** Put an apostrophe before text of CSV that a spreadsheet would run as a formula. Default: true. */
  readonly guardFormulas?: boolean;
}

/** A table as a file: pieces of text, or of bytes for Parquet. */
export function writeTable(
  table: Table,
  format: RowFormat,
  { guardFormulas = true }: WriteOptions = {},
): AsyncGenerator<string | Uint8Array> {
  if (!ROW_FORMATS.includes(format)) {
    throw new CurvadError(
      'FORMAT_UNKNOWN',
      `the format must be one of ${ROW_FORMATS.join(', ')}, got ${describe(format)}`,
    );
  }
  const columns = table.columns.map((column) => outputColumn(column));
  return formatRows(columns, table.rows, format, guardFormulas);
}

/** The rows in a format, piece by piece. */
export async function* formatRows(
  columns: readonly OutputColumn[],
  rows: number,
  format: RowFormat,
  guardFormulas = true,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'parquet') {
    const { parquetBytes } = await import('./write-parquet.js');
    yield await parquetBytes(columns, rows);
    return;
  }
  const cell = (value: OutputCell) => csvCell(value, guardFormulas);
  if (format === 'csv') yield `${columns.map(({ name }) => cell(name)).join(',')}\n`;
  if (format === 'json') yield '[';
  const keys = columns.map(({ name }) => jsonValue(name));
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let piece = '';
    for (let i = from; i < Math.min(rows, from + ROWS_A_PIECE); i++) {
      if (format === 'csv') piece += `${columns.map((column) => cell(plainCell(column, i))).join(',') || ' '}\n`;
      else if (format === 'ndjson') piece += `${jsonRow(columns, keys, i)}\n`;
      else piece += `${i === 0 ? '\n' : ',\n'}${jsonRow(columns, keys, i)}`;
    }
    yield piece;
  }
  if (format === 'json') yield '\n]\n';
}

/** A cell with times as text. */
export function plainCell(column: OutputColumn, row: number): OutputCell {
  const cell = column.at(row);
  return column.type === 'time' && cell !== null ? timeText(cell as number, column.unit ?? 'ms') : cell;
}

/** Written by hand, so that a column may have any name, __proto__ too. */
export function jsonRow(columns: readonly OutputColumn[], keys: readonly string[], row: number): string {
  return `{${columns.map((column, j) => `${keys[j]}:${jsonValue(plainCell(column, row))}`).join(',')}}`;
}

/** A double that is no 64-bit integer is written so, and zero keeps its sign. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? text : `${text}.0`;
}

/** JSON, which has no infinite numbers. Control characters that terminals obey are written as their code. */
export function jsonValue(value: OutputCell): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : 'null';
  return withoutControls(JSON.stringify(value));
}

/** JSON with U+007F to U+009F as codes; those below U+0020 JSON.stringify writes so itself. */
export function withoutControls(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * A cell of CSV. Text that a spreadsheet would run as a formula gets an apostrophe in front, which shows it as
 * text; numbers are left alone.
 */
export function csvCell(value: OutputCell, guardFormulas = true): string {
  if (value === null) return '';
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  const isFormula = guardFormulas && (/^[\t\r]/.test(value) || FORMULA.test(value)) && !NUMBER.test(value);
  const safe = isFormula ? `'${value}` : value;
  // Empty text is quoted, as nothing at all is a missing value.
  return safe === '' || /[",\r\n]|^\s|\s$|^(?:[#%;!]|\/[/*])/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
