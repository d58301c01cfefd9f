// NDJSON: an object on each line, or an array of values. Keys may come in any order and be left out.
import { CurvadError } from '../core/errors.js';
import { ColumnBuilder, type Keeping } from '../tables/builder.js';
import { pushCell } from '../tables/cells.js';
import type { Table } from '../tables/table.js';
import { atLine, checkText } from './csv.js';
import { LineReader } from './lines.js';
import { BadLine } from './records.js';
import type { Source } from './source.js';

/** Where keys are new all the time, a small file would fill a large table: cells at which that is noticed. */
const MOST_CELLS = 2 ** 26;

/** One line: its values by name, or by position. */
export type JsonRow = ReadonlyMap<string, unknown> | readonly unknown[];

/** The lines of a source as rows, a chunk at a time. */
export async function* jsonRows(source: Source): AsyncGenerator<LineReader> {
  checkText(source.head, source.name);
  const reader = new LineReader();
  for await (const chunk of source.chunks()) {
    reader.push(chunk);
    yield reader;
  }
  reader.finish();
  yield reader;
}

/** Reads a line. */
export function parseRow(text: string, line: number): JsonRow {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    throw new BadLine(line, 'it is not JSON: each line must hold one object or array');
  }
  if (Array.isArray(value)) return value;
  // Through a map: a key such as __proto__ is a name like any other.
  if (typeof value === 'object' && value !== null) return new Map(Object.entries(value));
  throw new BadLine(line, 'it is neither an object nor an array');
}

export async function readNdjson(source: Source, keeping: Keeping, onRows: (rows: number) => void): Promise<Table> {
  const columns = new Map<string, ColumnBuilder>();
  let rows = 0;
  let isNamed = true;
  let width: number | undefined;
  try {
    for await (const reader of jsonRows(source)) {
      for (let text = reader.next(); text !== undefined; text = reader.next()) {
        const row = parseRow(text, reader.line);
        const isList = !(row instanceof Map);
        if (rows === 0) isNamed = !isList;
        if (isList === isNamed) throw new BadLine(reader.line, 'objects and arrays cannot be mixed');
        if (isList) {
          width ??= (row as readonly unknown[]).length;
          const { length } = row as readonly unknown[];
          if (length !== width) throw new BadLine(reader.line, `it has ${length} values where ${width} are expected`);
        }
        pushRow(columns, row, rows++, reader.line, keeping);
      }
      onRows(rows);
    }
  } catch (error) {
    throw atLine(error, source.name);
  }
  if (rows === 0) throw new CurvadError('FILE_EMPTY', `${source.name} is empty: there are no rows to read`);
  for (const column of columns.values()) column.padTo(rows);
  return { columns: [...columns.values()].map((column) => column.finish()), rows, isNamed };
}

function pushRow(columns: Map<string, ColumnBuilder>, row: JsonRow, at: number, line: number, keeping: Keeping): void {
  const entries: Iterable<readonly [string, unknown]> =
    row instanceof Map ? row : (row as readonly unknown[]).map((value, i) => [`column ${i + 1}`, value] as const);
  for (const [name, value] of entries) {
    let column = columns.get(name);
    if (column === undefined) {
      if (columns.size * at > MOST_CELLS)
        throw new BadLine(line, `there are ${columns.size} different keys so far: rows must share their keys`);
      column = new ColumnBuilder(name, keeping);
      columns.set(name, column);
    }
    column.padTo(at);
    pushCell(column, value);
  }
}
