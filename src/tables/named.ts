// Recognises tables in what people have: arrays of objects, objects of columns, Arrow tables and data frames of others,
// each by its shape.
import { CurvadError } from '../core/errors.js';
import { isLine } from '../core/input/row-checks.js';
import { quote } from '../core/messages.js';
import type { Steps } from '../core/steps.js';
import { arrowColumn, isArrowColumn, isArrowTable } from './arrow.js';
import { columnOf } from './columns.js';
import { isRow, tableOfObjects } from './objects.js';
import { type Column, distinctNames, type Table } from './table.js';

/** The columns of a table: arrays, typed arrays, or columns of an Arrow table, by name. */
export type Columns = Readonly<Record<string, ArrayLike<unknown>>>;

/** Names and columns, before they are read. */
interface Frame {
  readonly names: readonly string[];
  column(place: number): unknown;
}

/** Whether something has names of its own. */
export function isNamed(input: unknown): boolean {
  if (Array.isArray(input)) return input.length > 0 && isRow(input[0]);
  if (ArrayBuffer.isView(input)) return false; // an array of a million elements has as many keys
  return typeof input === 'object' && input !== null && (isTable(input) || frameOf(input) !== undefined);
}

/** The table that an input is. Of columns that are not among `wanted` only the names are read. */
export function* tableOf(input: unknown, wanted?: ReadonlySet<string>): Steps<Table> {
  if (Array.isArray(input)) return yield* tableOfObjects(input);
  if (isTable(input as object)) return input as Table;
  const frame = frameOf(input as object) as Frame;
  const columns: Column[] = [];
  let rows: number | undefined;
  for (const [place, name] of frame.names.entries()) {
    if (wanted !== undefined && !wanted.has(name) && !wanted.has(name.trim())) {
      columns.push({ kind: 'other', name, what: 'what is not used', values: undefined, missing: 0 });
      continue;
    }
    const values = frame.column(place) as ArrayLike<unknown>;
    if (rows !== undefined && values.length !== rows)
      throw new CurvadError(
        'LENGTHS_DIFFER',
        `column ${quote(name)} has ${values.length} cells, the columns before it ${rows}`,
      );
    rows = values.length;
    yield;
    columns.push(yield* isArrowColumn(values) ? arrowColumn(name, values) : columnOf(name, values));
  }
  if (rows === 0) throw new CurvadError('EMPTY_INPUT', 'there are no rows');
  return { columns, rows: rows ?? 0, isNamed: true };
}

/** A table of ours, such as files are read to. */
export function isTable(input: object): input is Table {
  const { columns, rows, isNamed: is } = input as Partial<Table>;
  return Array.isArray(columns) && typeof rows === 'number' && typeof is === 'boolean';
}

function frameOf(input: object): Frame | undefined {
  if (isArrowTable(input)) {
    const names = distinctNames(input.schema.fields.map(({ name }) => String(name)));
    return { names, column: (place) => input.getChildAt(place) };
  }
  return arqueroFrame(input) ?? duckdbFrame(input) ?? polarsFrame(input) ?? plainFrame(input);
}

function arqueroFrame(input: object): Frame | undefined {
  const table = input as { columnNames?(): string[]; array?(name: string): ArrayLike<unknown> };
  if (typeof table.columnNames !== 'function' || typeof table.array !== 'function') return undefined;
  const names = table.columnNames();
  return { names, column: (place) => table.array?.(names[place] as string) };
}

/** A result reader of DuckDB's Node client. */
function duckdbFrame(input: object): Frame | undefined {
  const reader = input as { deduplicatedColumnNames?(): string[]; getColumnsJS?(): ArrayLike<unknown>[] };
  if (typeof reader.deduplicatedColumnNames !== 'function' || typeof reader.getColumnsJS !== 'function')
    return undefined;
  let columns: ArrayLike<unknown>[] | undefined;
  const column = (place: number): unknown => {
    columns ??= reader.getColumnsJS?.();
    return columns?.[place];
  };
  return { names: reader.deduplicatedColumnNames(), column };
}

function polarsFrame(input: object): Frame | undefined {
  const frame = input as { columns?: unknown; getColumn?(name: string): { toArray(): ArrayLike<unknown> } };
  if (typeof frame.getColumn !== 'function' || !Array.isArray(frame.columns)) return undefined;
  const names = frame.columns.map(String);
  return { names, column: (place) => frame.getColumn?.(names[place] as string).toArray() };
}

/** An object whose values are all columns. */
function plainFrame(input: object): Frame | undefined {
  const names = Object.keys(input);
  const columns = input as Readonly<Record<string, unknown>>;
  if (names.length === 0) return undefined;
  const isColumn = (value: unknown): boolean =>
    isLine(value) || (typeof value === 'object' && value !== null && isArrowColumn(value));
  return names.every((name) => isColumn(columns[name])) && !isArray2D(columns)
    ? { names, column: (place) => columns[names[place] as string] }
    : undefined;
}

/** { data, shape }, as arrays of numpy-ts have it. */
export interface ShapedArray {
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}

export function isArray2D(input: unknown): input is ShapedArray {
  if (typeof input !== 'object' || input === null) return false;
  const { data, shape } = input as Partial<ShapedArray>;
  return ArrayBuffer.isView(data) && Array.isArray(shape) && shape.length > 0 && shape.every(Number.isInteger);
}
