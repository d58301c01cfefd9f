// Decides how the columns of a table become numbers, and does it.

import { closest } from '../core/closest.js';
import { type Column, cellAt, isMissing, type Table } from '../tables/table.js';
import { clean, count, DataError, quote, UsageError } from './errors.js';
import { type MissingPolicy, type NumberColumn, Preparation, type PreparedColumn } from './preparation.js';
import type { Terminal } from './terminal.js';

export interface Selection {
  /** Columns to use; all others where it is undefined. */
  readonly columns: readonly string[] | undefined;
  readonly ignore: readonly string[];
  /** Columns with another purpose: label, class, id. */
  readonly reserved: readonly string[];
  readonly missing: MissingPolicy;
  readonly mostCategories: number;
}

/** Rows as numbers. */
export interface Prepared {
  readonly data: Float64Array;
  /** Which rows of the table they are. */
  readonly rowNumbers: Uint32Array;
  readonly columns: number;
  /** Cells with categories the model does not know. */
  readonly unknownCategories: number;
}

/** The column of a name, or an error that helps. */
export function findColumn(table: Table, name: string, option: string): Column {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const names = table.columns.map((candidate) => candidate.name);
  const meant = closest(name, names.slice(0, 1000));
  const list = names
    .slice(0, 12)
    .map((known) => clean(known, 30))
    .join(', ');
  throw new UsageError(
    `--${option}: there is no column ${quote(name)}${meant ? `, did you mean ${quote(meant)}?` : ''} The columns are ${list}${names.length > 12 ? ', …' : ''}`,
  );
}

/** Chooses the columns and says what becomes of those that are not numbers. */
export function decide(table: Table, selection: Selection, terminal: Terminal): Preparation {
  for (const name of selection.ignore) findColumn(table, name, 'ignore');
  const left = new Set([...selection.ignore, ...selection.reserved]);
  const wanted = selection.columns?.map((name) => findColumn(table, name, 'columns')) ?? table.columns;
  const places = new Map(table.columns.map((column, index) => [column, index]));
  const ignored: string[] = [];
  const prepared: PreparedColumn[] = [];
  for (const column of new Set(wanted)) {
    if (left.has(column.name)) continue;
    const decision = decideColumn(column, places.get(column) as number, table.rows, selection);
    if (typeof decision === 'string') ignored.push(`${quote(column.name, 30)} (${decision})`);
    else prepared.push(decision);
  }
  if (ignored.length > 0) {
    const shown = ignored.slice(0, 8).join(', ');
    const more = ignored.length > 8 ? ` and ${ignored.length - 8} more` : '';
    terminal.warn(`ignored ${ignored.length === 1 ? 'the column' : 'the columns'} ${shown}${more}`);
  }
  const counting = prepared
    .filter(({ index }) => countsRows(table.columns[index] as Column))
    .map(({ name }) => quote(name, 30));
  if (counting.length > 0)
    terminal.note(
      `numbers of rows or identities? ${counting.slice(0, 5).join(', ')}: --id or --ignore keeps such a column out`,
    );
  if (prepared.length === 0)
    throw new DataError(
      'there is no column of numbers to work on: check --columns, --ignore, --separator and --decimal',
    );
  return new Preparation(prepared, table.columns.length, table.isNamed, selection.missing);
}

function decideColumn(column: Column, index: number, rows: number, selection: Selection): PreparedColumn | string {
  const { name, missing } = column;
  if (missing === rows) return 'it is empty';
  if (column.kind === 'time') return 'it holds dates and times';
  if (column.kind === 'other') return `it holds ${column.what}`;
  if (column.kind !== 'text') {
    const fill = selection.missing === 'median' ? median(numbersOf(column)) : Number.NaN;
    return { kind: 'number', name, index, fill };
  }
  const { codes, texts } = column;
  if (codes === undefined || texts.length > selection.mostCategories) {
    const example = texts.find((text) => /\d,\d/.test(text));
    if (example !== undefined && texts.every((text) => /^[-+]?\d+(,\d+)?$/.test(text)))
      return `text such as ${quote(example, 20)}: --decimal , reads it as numbers`;
    return `text with more than ${selection.mostCategories} values, such as ${quote(texts[0] ?? '', 20)}`;
  }
  if (texts.length < 2) return 'it has one value';
  return { kind: 'category', name, index, values: texts };
}

/** Whole numbers that go up from row to row by one, and identities of 64 bits. */
function countsRows(column: Column): boolean {
  if (column.kind === 'integer') return true;
  if (column.kind !== 'number' || column.values.length < 3) return false;
  return column.values.every((value, i) => value === (column.values[0] as number) + i);
}

function median(numbers: Float64Array): number {
  const sorted = numbers.filter((value) => !Number.isNaN(value)).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1] as number) / 2 + upper / 2;
}

/** Numbers and booleans as numbers. */
function numbersOf(column: Column): Float64Array {
  const rows = column.kind === 'text' || column.kind === 'other' ? 0 : column.values.length;
  return Float64Array.from({ length: rows }, (_, row) => {
    const cell = cellAt(column, row);
    return cell === null ? Number.NaN : Number(cell);
  });
}

/** The rows of a table as numbers. */
export function apply(preparation: Preparation, table: Table, where: string): Prepared {
  const names = table.columns.map(({ name }) => name);
  const places = preparation.locate(names, table.isNamed, where);
  const columns = places.map((place) => table.columns[place] as Column);
  for (const column of columns) refuseStrays(column);
  const rowNumbers = rowsToKeep(preparation, columns, table.rows);
  const width = preparation.features.length;
  const data = new Float64Array(rowNumbers.length * width);
  let unknownCategories = 0;
  let at = 0;
  preparation.columns.forEach((prepared, p) => {
    const column = columns[p] as Column;
    if (prepared.kind === 'number') {
      fillNumbers(data, at, width, prepared, column, rowNumbers);
      at++;
    } else {
      unknownCategories += fillCategories(data, at, width, prepared.values, column, rowNumbers);
      at += prepared.values.length;
    }
  });
  return { data, rowNumbers, columns: width, unknownCategories };
}

/** Cells that are neither numbers nor known as missing are told, not left out. */
function refuseStrays(column: Column): void {
  if (column.kind !== 'number' || column.strays === undefined) return;
  const { row, text, count: cells } = column.strays;
  const others = cells > 1 ? `, as do ${count(cells - 1, 'other cell')}` : '';
  throw new DataError(
    `row ${row}, column ${quote(column.name)} holds ${quote(text, 20)}${others}, where numbers are needed: --na ${clean(text, 20).replaceAll(',', ',,')} if that means missing, or --ignore the column`,
  );
}

/** All rows, or those that lack nothing. */
function rowsToKeep(
  { missing, columns: prepared }: Preparation,
  columns: readonly Column[],
  rows: number,
): Uint32Array {
  const lacking = columns.filter((column) => column.missing > 0);
  const all = Uint32Array.from({ length: rows }, (_, row) => row);
  if (lacking.length === 0 || missing === 'median') return all;
  if (missing === 'drop') {
    const kept = all.filter((row) => !lacking.some((column) => isMissing(column, row)));
    if (kept.length === 0)
      throw new DataError(`every row lacks a value: use --missing median, or --ignore the columns with gaps`);
    return kept;
  }
  const [column] = lacking as [Column];
  const row = all.find((candidate) => isMissing(column, candidate)) as number;
  const cells = lacking.reduce((sum, { missing: cells }) => sum + cells, 0);
  const others = cells > 1 ? `, and ${count(cells - 1, 'other cell')} too` : '';
  throw new DataError(
    `row ${row}, column ${quote(prepared[columns.indexOf(column)]?.name ?? column.name)} is missing${others}: --missing drop leaves such rows out, --missing median fills them in`,
  );
}

function fillNumbers(
  data: Float64Array,
  offset: number,
  width: number,
  { name, fill }: NumberColumn,
  column: Column,
  rowNumbers: Uint32Array,
): void {
  if (column.kind === 'text' || column.kind === 'other') {
    const example = column.kind === 'text' ? (column.texts[0] ?? '') : column.what;
    throw new DataError(`column ${quote(name)} holds text such as ${quote(example, 20)}, numbers are needed`);
  }
  const numbers = numbersOf(column);
  for (let i = 0; i < rowNumbers.length; i++) {
    const row = rowNumbers[i] as number;
    const value = numbers[row] as number;
    const filled = Number.isNaN(value) ? fill : value;
    if (!Number.isFinite(filled)) {
      if (Number.isNaN(value))
        throw new DataError(`row ${row}, column ${quote(name)} is missing, the model knows no median`);
      throw new DataError(`row ${row}, column ${quote(name)} is ${value}: values must be finite; --ignore the column`);
    }
    data[i * width + offset] = filled;
  }
}

/** Sets the 1 of each row; returns how many cells hold none of the values. */
function fillCategories(
  data: Float64Array,
  offset: number,
  width: number,
  values: readonly string[],
  column: Column,
  rowNumbers: Uint32Array,
): number {
  const places = new Map(values.map((value, place) => [value, place]));
  let unknown = 0;
  for (let i = 0; i < rowNumbers.length; i++) {
    const row = rowNumbers[i] as number;
    const place = places.get(String(cellAt(column, row))) ?? -1;
    if (place >= 0) data[i * width + offset + place] = 1;
    else unknown++;
  }
  return unknown;
}
