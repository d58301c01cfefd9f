// JSON: an array of rows, an object of columns, or what pandas writes with orient columns and split.
import { CurvadError } from '../core/errors.js';
import type { Table } from '../tables/table.js';
import { atLine } from './csv.js';
import { entriesOf, parseJson } from './json-values.js';
import { type JsonRow, RowTable } from './ndjson.js';
import type { ReadOptions } from './options.js';
import { BadLine } from './records.js';
import { joined, type Source } from './source.js';
import { openText } from './text.js';

const LARGEST = 2 ** 29;

/** Whether text that begins like JSON is one value, rather than one on each line. */
export function isOneValue(head: string): boolean {
  const end = head.indexOf('\n');
  const first = (end < 0 ? head : head.slice(0, end)).trim();
  const rest = end < 0 ? '' : head.slice(end).trim();
  let value: unknown;
  try {
    value = JSON.parse(first);
  } catch {
    return first.startsWith('[') || rest !== '' || first === '{';
  }
  if (rest !== '') return false;
  const parts: unknown[] = Object.values(value ?? {});
  return parts.length > 0 && parts.every((part) => typeof part === 'object' && part !== null);
}

export async function readJson(source: Source, options: ReadOptions): Promise<Table> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of openText(source, options.encoding).chunks()) chunks.push(chunk);
  source.forget();
  const bytes = joined(chunks);
  if (bytes.length >= LARGEST)
    throw new CurvadError('FILE_TOO_LARGE', `${source.name} is more than 512 MB of JSON: NDJSON can be of any length`);
  const value = parsed(bytes, source.name);
  const table = new RowTable(source.name, options);
  try {
    rowsOf(value, source.name).forEach((row, i) => {
      table.push(row, i);
    });
  } catch (error) {
    if (error instanceof BadLine)
      throw new CurvadError('FILE_LINE', `${source.name}, row ${error.line}: ${error.message}`, { row: error.line });
    throw atLine(error, source.name);
  }
  return table.finish();
}

function parsed(bytes: Uint8Array, name: string): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes as Uint8Array<ArrayBuffer>));
  } catch (error) {
    throw new CurvadError('FILE_DAMAGED', `${name} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function rowsOf(value: unknown, name: string): JsonRow[] {
  if (Array.isArray(value)) return value.map((row, i) => rowOf(row, i));
  if (typeof value !== 'object' || value === null) throw wrongShape(name);
  const entries = entriesOf(value);
  const [columns, data] = [entries.get('columns'), entries.get('data')];
  if (Array.isArray(columns) && Array.isArray(data)) {
    const names = columns.map(String);
    return data.map(
      (row: unknown) => new Map(listOf(row, name).map((cell, j) => [names[j] ?? `column ${j + 1}`, cell])),
    );
  }
  return rowsOfColumns(entries, name);
}

function rowOf(row: unknown, i: number): JsonRow {
  if (Array.isArray(row)) return row;
  if (typeof row === 'object' && row !== null) return entriesOf(row);
  throw new BadLine(i, 'it is neither an object nor an array');
}

/** { name: [values] }, or { name: { index: value } }. */
function rowsOfColumns(entries: ReadonlyMap<string, unknown>, name: string): JsonRow[] {
  const columns = [...entries].map(([key, values]) => {
    if (typeof values !== 'object' || values === null) throw wrongShape(name);
    return [key, Array.isArray(values) ? values : Object.values(values)] as const;
  });
  const length = columns[0]?.[1].length ?? 0;
  for (const [key, values] of columns) {
    if (values.length !== length) {
      throw new CurvadError(
        'FILE_DAMAGED',
        `${name}: the column ${JSON.stringify(key)} has ${values.length} values where ${length} are expected`,
      );
    }
  }
  return Array.from({ length }, (_, i) => new Map(columns.map(([key, values]) => [key, values[i] as unknown])));
}

function listOf(row: unknown, name: string): readonly unknown[] {
  if (Array.isArray(row)) return row;
  throw wrongShape(name);
}

function wrongShape(name: string): CurvadError {
  return new CurvadError(
    'FILE_FORMAT',
    `${name} is no table: JSON must be an array of objects or of arrays, or an object of columns`,
  );
}
