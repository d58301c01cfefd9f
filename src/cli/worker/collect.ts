// Collects all rows of a stream in one array, for fits, searches and selectors.
import { type Column, columnFromArray, Type } from '@uwdata/flechette';
import { finish } from '../../core/steps.js';
import { type AnyDetector, CurvadError, type FlatMatrix } from '../../index.js';
import { applyRecipe } from '../../tables/apply.js';
import { learnRecipe } from '../../tables/learn.js';
import { tableOf } from '../../tables/named.js';
import { checkTableOptions, type TableSettings } from '../../tables/options.js';
import { EncodedTable } from '../../tables/reader.js';
import { Recipe } from '../../tables/recipe.js';
import { AT_A_TERMINAL, IN_PYTHON, type Wording } from '../../tables/wording.js';
import type { ArrowInput } from './input.js';
import type { Request } from './request.js';
import { placesOf, takeNumbers } from './rows.js';

export interface Collected {
  readonly matrix: FlatMatrix;
  /** Number of rows in each batch. */
  readonly lengths: readonly number[];
  /** The columns that are passed through, batch by batch. */
  readonly ids: readonly Column<unknown>[];
  /** The classes of the rows, if there is a class column. */
  readonly labels: Float64Array | undefined;
  /** Further values of the rows, one array for each column named in `besides`. */
  readonly besides: readonly Float64Array[];
  /** The names of the columns, if rows come as separate columns. */
  readonly names: readonly string[] | undefined;
}

export async function collectRows(
  input: ArrowInput,
  { columns, id, classes, besides = [] }: Request,
): Promise<Collected> {
  const places = placesOf(input.fields, { columns, others: [id, classes, ...besides] });
  const parts: FlatMatrix[] = [];
  const ids: Column<unknown>[] = [];
  const labels: unknown[] = [];
  const known: unknown[][] = besides.map(() => []);
  for await (const table of input.batches()) {
    parts.push(takeNumbers(table, places));
    if (classes !== undefined) for (const label of table.getChild(classes)) labels.push(label);
    for (const [i, name] of besides.entries()) for (const value of table.getChild(name)) known[i]?.push(value);
    if (id !== undefined) ids.push(table.getChild(id) as Column<unknown>);
  }
  const [first] = parts;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  if (first === undefined || rows === 0) throw new CurvadError('EMPTY_INPUT', 'there are no rows');
  const isVector = places.some((place) => input.fields[place]?.type.typeId === Type.FixedSizeList);
  const names = isVector ? undefined : places.map((place) => input.fields[place]?.name as string);
  if (!labels.every((label) => typeof label === 'number'))
    throw new CurvadError('LABEL_INVALID', 'classes must be numbers, without nulls');
  return {
    matrix: joined(parts, rows, first.columns),
    lengths: parts.map((part) => part.rows),
    ids,
    labels: classes === undefined ? undefined : Float64Array.from(labels),
    besides: known.map((values) => Float64Array.from(values as number[])),
    names,
  };
}

/** Rows to fit a detector on. */
export interface TrainingRows {
  readonly rows: Parameters<AnyDetector['fit']>[0];
  readonly total: number;
  /** The number of rows of each batch, and the column passed through. */
  readonly lengths: readonly number[];
  readonly ids: readonly Column<unknown>[];
}

/** Rows of numbers; or, with `table`, columns of all types, which the detector encodes. */
export async function collectTraining(input: ArrowInput, request: Request): Promise<TrainingRows> {
  const { id, columns, table: options } = request;
  if (options === undefined || input.fields.some(({ type }) => type.typeId === Type.FixedSizeList)) {
    const { matrix, names, ids, lengths } = await collectRows(input, request);
    return { rows: withNames({ matrix, names }, request.names), total: matrix.rows, lengths, ids };
  }
  placesOf(input.fields, { columns, others: [id] });
  const table = await input.whole();
  const total = table.numRows;
  const ignore = [...(options.ignore ?? []), ...(id === undefined ? [] : [id])];
  const settings = checkTableOptions({ ...options, ignore, ...(columns && { columns }) });
  const rows = prepared(table, settings, request.isAtTerminal ? AT_A_TERMINAL : IN_PYTHON);
  const idColumn = id === undefined ? undefined : table.getChild(id);
  const ids = idColumn ? [columnFromArray([...idColumn], idColumn.type) as Column<unknown>] : [];
  return { rows, total, lengths: [total], ids };
}

function prepared(table: unknown, settings: TableSettings, wording: Wording): EncodedTable {
  const columns = finish(tableOf(table));
  const { recipe, notes } = finish(learnRecipe(columns, settings, wording));
  const encoded = finish(applyRecipe(columns, { recipe, where: 'the table', wording }));
  return new EncodedTable(recipe, { ...encoded, notes: [...notes, ...encoded.notes] }, columns.rows);
}

/** The rows as a table of numbers, with column names if known. */
export function withNames(
  { matrix, names: found }: Pick<Collected, 'matrix' | 'names'>,
  names: readonly string[] | undefined = found,
): FlatMatrix | EncodedTable {
  if (names === undefined) return matrix;
  if (names.length !== matrix.columns)
    throw new CurvadError('NAMES_INVALID', `there are ${names.length} names for ${matrix.columns} columns`);
  const columns = names.map((name, index) => {
    return { kind: 'number', name, index, fill: Number.NaN, hasIndicator: false } as const;
  });
  const recipe = new Recipe({ columns, width: matrix.columns, isNamed: true, missing: 'error' });
  return new EncodedTable(recipe, { ...matrix, kept: undefined, notes: [] }, matrix.rows);
}

function joined(parts: readonly FlatMatrix[], rows: number, columns: number): FlatMatrix {
  if (parts.length === 1) return parts[0] as FlatMatrix;
  const data = new Float64Array(rows * columns);
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.data.length;
  }
  return { data, rows, columns };
}
