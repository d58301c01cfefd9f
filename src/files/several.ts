// Several files with the same columns as one table.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { ColumnBuilder } from '../tables/builder.js';
import { pushCell } from '../tables/cells.js';
import { type Column, cellAt, type Table, textAt } from '../tables/table.js';
import { type FileInput, nameOf } from './input.js';
import type { ReadOptions } from './options.js';
import { readTable } from './read.js';

/** The rows of several files in one table. */
export interface TableFiles {
  readonly table: Table;
  /** The row at which each file begins. */
  readonly starts: readonly number[];
}

/** Reads files that have the same columns into one table, one below the other. */
export function readTables(inputs: readonly FileInput[], options: ReadOptions = {}): Promise<TableFiles> {
  return readEach(inputs, options, readTable);
}

export async function readEach<Input extends FileInput | string>(
  inputs: readonly Input[],
  options: ReadOptions,
  read: (input: Input, options: ReadOptions) => Promise<Table>,
): Promise<TableFiles> {
  if (inputs.length === 0) throw new CurvadError('EMPTY_INPUT', 'there must be at least one file to read');
  const tables: Table[] = [];
  const names: string[] = [];
  for (const [i, input] of inputs.entries()) {
    const name = typeof input === 'string' ? input : nameOf(input);
    names.push(name === '' ? `file ${i + 1}` : quote(name));
    const onProgress = options.onProgress;
    tables.push(
      await read(input, {
        ...options,
        ...(onProgress && {
          onProgress: (share: number | undefined, bytes: number) =>
            onProgress(share === undefined ? undefined : (i + share) / inputs.length, bytes),
        }),
      }),
    );
  }
  return joinTables(tables, names);
}

/**
 * One table below the other. Columns are matched by name, and must be the same in all; those that are not used may hold
 * different things.
 */
export function joinTables(
  tables: readonly Table[],
  names: readonly string[],
  unused: (name: string) => boolean = () => false,
): TableFiles {
  const [first, ...others] = tables as readonly [Table, ...Table[]];
  const starts = [0];
  for (const table of tables.slice(0, -1)) starts.push((starts.at(-1) as number) + table.rows);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  others.forEach((table, i) => {
    checkSame(first, table, names[0] as string, names[i + 1] as string);
  });
  const places = tables.map(({ columns }) => new Map(columns.map((column) => [column.name, column])));
  const partsOf = ({ name }: Column, j: number): Column[] =>
    tables.map(({ isNamed, columns }, t) => (isNamed ? places[t]?.get(name) : columns[j]) as Column);
  const columns = first.columns.map((column, j) => joinColumns(partsOf(column, j), names, unused(column.name)));
  return { table: { columns, rows, isNamed: first.isNamed }, starts };
}

function checkSame(first: Table, other: Table, firstName: string, otherName: string): void {
  const namesOf = ({ columns }: Table) => new Set(columns.map(({ name }) => name));
  const [known, own] = [namesOf(first), namesOf(other)];
  if (first.isNamed !== other.isNamed) {
    const [bare, named] = first.isNamed ? [otherName, firstName] : [firstName, otherName];
    throw new CurvadError(
      'TABLES_DIFFER',
      `${named} names its columns and ${bare} does not: tell with the option header`,
    );
  }
  const lacking = [...known].find((name) => !own.has(name));
  if (lacking !== undefined)
    throw new CurvadError('TABLES_DIFFER', `${otherName} has no column ${quote(lacking)}, which ${firstName} has`);
  const surplus = [...own].find((name) => !known.has(name));
  if (surplus !== undefined)
    throw new CurvadError('TABLES_DIFFER', `${otherName} has a column ${quote(surplus)}, which ${firstName} has not`);
}

/** A column that holds nothing goes with any other. */
function joinColumns(parts: readonly Column[], names: readonly string[], isUnused: boolean): Column {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const isEmpty = (column: Column): boolean => column.kind !== 'other' && column.missing === lengthOf(column);
  const kindOf = ({ kind }: Column): string => (kind === 'integer' ? 'number' : kind);
  const filled = parts.filter((column) => !isEmpty(column));
  const [model] = filled.length > 0 ? filled : parts;
  const { name } = model as Column;
  const different = parts.findIndex((column) => !isEmpty(column) && kindOf(column) !== kindOf(model as Column));
  if (different >= 0 && isUnused) return joinedAsText(name, parts);
  if (different >= 0) {
    const where = names[parts.indexOf(model as Column)];
    throw new CurvadError(
      'TABLES_DIFFER',
      `the column ${quote(name)} holds ${wordFor(model as Column)} in ${where} and ${wordFor(parts[different] as Column)} in ${names[different]}`,
    );
  }
  return joinedColumn(model as Column, parts);
}

const WORDS = {
  number: 'numbers',
  integer: 'numbers',
  boolean: 'true and false',
  time: 'times',
  text: 'text',
} as const;

function wordFor(column: Column): string {
  return column.kind === 'other' ? column.what : WORDS[column.kind];
}

function lengthOf(column: Column): number {
  if (column.kind === 'text') return column.codes?.length ?? 0;
  return column.values?.length ?? 0;
}

/** A column that is written again and not used. */
function joinedAsText(name: string, parts: readonly Column[]): Column {
  const builder = new ColumnBuilder(name, { verbatim: new Set([name]), mostTexts: Infinity });
  for (const part of parts) {
    for (let row = 0; row < lengthOf(part); row++) {
      const text = textAt(part, row);
      if (text === null) builder.pushMissing();
      else builder.pushText(text);
    }
  }
  return builder.finish();
}

function joinedColumn(model: Column, parts: readonly Column[]): Column {
  const verbatim = new Set(model.kind === 'text' ? [model.name] : []);
  const builder = new ColumnBuilder(model.name, { verbatim, mostTexts: Infinity });
  let strays: { row: number; text: string; count: number } | undefined;
  let start = 0;
  for (const part of parts) {
    const length = lengthOf(part);
    if (part.kind === 'number' && part.strays !== undefined)
      strays = {
        ...part.strays,
        row: start + part.strays.row,
        ...strays,
        count: part.strays.count + (strays?.count ?? 0),
      };
    for (let row = 0; row < length; row++) {
      if (part.kind === 'other') builder.pushOther(part.what, part.values?.[row] ?? '');
      else if (part.kind === 'time' && !Number.isNaN(part.values[row]))
        builder.pushTime(part.values[row] as number, part.unit);
      else if (model.kind === 'text') pushText(builder, cellAt(part, row));
      else pushCell(builder, cellAt(part, row));
    }
    start += length;
  }
  const column = builder.finish();
  return strays !== undefined && column.kind === 'number' ? { ...column, strays } : column;
}

function pushText(builder: ColumnBuilder, cell: unknown): void {
  if (cell === null) builder.pushMissing();
  else builder.pushText(String(cell));
}
