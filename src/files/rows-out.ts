// Rows on their way out, in each format: CSV, JSON, NDJSON as pieces of text, Parquet as bytes.
import { extname } from 'node:path';
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import type { OutputColumn } from './output-column.js';
import { parquetBytes } from './parquet.js';

export const ROW_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

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
  const extension = path === '-' ? '' : extname(path).slice(1).toLowerCase();
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

/** The rows in a format, piece by piece. */
export async function* formatRows(
  columns: readonly OutputColumn[],
  rows: number,
  format: RowFormat,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'parquet') {
    yield await parquetBytes(columns, rows);
    return;
  }
  if (format === 'csv') yield `${columns.map(({ name }) => csvCell(name)).join(',')}\n`;
  if (format === 'json') yield '[';
  const keys = columns.map(({ name }) => JSON.stringify(name));
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let piece = '';
    for (let i = from; i < Math.min(rows, from + ROWS_A_PIECE); i++) {
      if (format === 'csv') piece += `${columns.map((column) => csvCell(column.at(i))).join(',')}\n`;
      else if (format === 'ndjson') piece += `${jsonRow(columns, keys, i)}\n`;
      else piece += `${i === 0 ? '\n' : ',\n'}${jsonRow(columns, keys, i)}`;
    }
    yield piece;
  }
  if (format === 'json') yield '\n]\n';
}

/** Written by hand, so that a column may have any name, __proto__ too. */
function jsonRow(columns: readonly OutputColumn[], keys: readonly string[], row: number): string {
  return `{${columns.map((column, j) => `${keys[j]}:${jsonValue(column.at(row))}`).join(',')}}`;
}

export function jsonValue(value: number | string | null): string {
  return JSON.stringify(typeof value === 'number' && !Number.isFinite(value) ? null : value);
}

/**
 * A cell of CSV. Text that a spreadsheet would run as a formula gets an apostrophe in front, which shows it as
 * text; numbers are left alone.
 */
export function csvCell(value: number | string | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const isFormula = /^[=+\-@\t\r]/.test(value) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
  const safe = isFormula ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
