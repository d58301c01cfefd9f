// JSON: one value that holds rows.
import { CurvadError } from '../core/errors.js';
import type { Table } from '../tables/table.js';
import { BadLine } from './bad-line.js';
import { atLine } from './csv.js';
import { holdsRows, rowsOf } from './json-rows.js';
import { parseJson } from './json-values.js';
import { RowTable } from './ndjson.js';
import type { ReadOptions } from './options.js';
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
    value = parseJson(first);
  } catch {
    return first.startsWith('[') || rest !== '' || first === '{' || end < 0; // a line longer than the head
  }
  if (rest !== '') return false;
  const parts: unknown[] = Object.values(value ?? {});
  const isPart = (part: unknown): boolean => typeof part === 'object' && part !== null;
  return holdsRows(value) || (parts.length > 0 && parts.every(isPart));
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
    const { rows, note } = rowsOf(value, source.name);
    if (note !== undefined) options.onNote?.(note);
    rows.forEach((row, i) => {
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
