// NDJSON: an object on each line, or an array of values. Keys may come in any order and be left out.
import { CurvadError } from '../core/errors.js';
import { ColumnBuilder } from '../tables/builder.js';
import { pushCell } from '../tables/cells.js';
import type { Keeping } from '../tables/keeping.js';
import type { Table } from '../tables/table.js';
import { BadLine } from './bad-line.js';
import { atLine } from './csv.js';
import { entriesOf, parseJson } from './json-values.js';
import { LineReader } from './lines.js';
import { MAX_COLUMNS, MAX_ROWS, type ReadOptions } from './options.js';
import { type Source, tooLarge } from './source.js';
import { openText } from './text.js';

/** Where keys are new all the time, a small file would fill a large table: cells at which that is noticed. */
const MOST_CELLS = 2 ** 26;

/** One line: its values by name, or by position. */
export type JsonRow = ReadonlyMap<string, unknown> | readonly unknown[];

/** The lines of a source as rows, a chunk at a time. */
export async function* jsonRows(source: Source, encoding?: string): AsyncGenerator<LineReader> {
  const reader = new LineReader();
  for await (const chunk of openText(source, encoding).chunks()) {
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
    value = parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw new BadLine(line, 'its values are nested too deep');
    throw new BadLine(line, 'it is not JSON: each line must hold one object or array');
  }
  if (Array.isArray(value)) return value;
  // Through a map: a key such as __proto__ is a name like any other.
  if (typeof value === 'object' && value !== null) return entriesOf(value);
  throw new BadLine(line, 'it is neither an object nor an array');
}

export async function readNdjson(source: Source, options: ReadOptions, onRows: () => void): Promise<Table> {
  const rows = new RowTable(source.name, options);
  try {
    for await (const reader of jsonRows(source, options.encoding)) {
      for (let text = reader.next(); text !== undefined; text = reader.next())
        rows.push(parseRow(text, reader.line), reader.line);
      onRows();
    }
  } catch (error) {
    throw atLine(error, source.name);
  } finally {
    source.forget();
  }
  return rows.finish();
}

/** A table that grows row by row. */
export class RowTable {
  readonly #name: string;
  readonly #keeping: Keeping;
  readonly #maxRows: number;
  readonly #maxColumns: number;
  readonly #columns = new Map<string, ColumnBuilder>();
  #rows = 0;
  /** Of rows that are arrays. */
  #width: number | undefined;

  constructor(
    name: string,
    { text, dateOrder, mostTexts = Infinity, maxRows = MAX_ROWS, maxColumns = MAX_COLUMNS }: ReadOptions,
  ) {
    this.#name = name;
    this.#keeping = { verbatim: new Set(text), mostTexts, order: dateOrder };
    this.#maxRows = maxRows;
    this.#maxColumns = maxColumns;
  }

  push(row: JsonRow, line: number): void {
    const list = row instanceof Map ? undefined : (row as readonly unknown[]);
    if (this.#rows === 0) this.#width = list?.length;
    if ((list === undefined) !== (this.#width === undefined))
      throw new BadLine(line, 'objects and arrays cannot be mixed');
    if (list !== undefined && list.length !== this.#width)
      throw new BadLine(line, `it has ${list.length} values where ${this.#width} are expected`);
    if (this.#rows >= this.#maxRows) throw tooLarge(this.#name, `it has more than ${this.#maxRows} rows`, 'maxRows');
    const entries: Iterable<readonly [string, unknown]> =
      list?.map((value, i) => [`column ${i + 1}`, value] as const) ?? (row as ReadonlyMap<string, unknown>);
    for (const [name, value] of entries) this.#cell(name, value, line);
    this.#rows++;
  }

  finish(): Table {
    if (this.#rows === 0) throw new CurvadError('FILE_EMPTY', `${this.#name} is empty: there are no rows to read`);
    const columns = [...this.#columns.values()].map((column) => {
      column.padTo(this.#rows);
      return column.finish();
    });
    return { columns, rows: this.#rows, isNamed: this.#width === undefined };
  }

  #cell(name: string, value: unknown, line: number): void {
    let column = this.#columns.get(name);
    if (column === undefined) {
      const { size } = this.#columns;
      if (size * this.#rows > MOST_CELLS)
        throw new BadLine(line, `there are ${size} different keys so far: rows must share their keys`);
      if (size >= this.#maxColumns)
        throw tooLarge(this.#name, `it has more than ${this.#maxColumns} columns`, 'maxColumns');
      column = new ColumnBuilder(name, this.#keeping);
      this.#columns.set(name, column);
    }
    column.padTo(this.#rows);
    try {
      pushCell(column, value);
    } catch (error) {
      if (error instanceof RangeError) throw new BadLine(line, 'its values are nested too deep');
      throw error;
    }
  }
}
