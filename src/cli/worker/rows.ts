// Reads rows of numbers from the columns of a batch: number columns found by name, or one column of fixed-size lists,
// which stores rows contiguously.
import { type Column, type DataType, type Field, type Table, Type } from '@uwdata/flechette';
import { finish } from '../../core/steps.js';
import { CurvadError, type FlatMatrix } from '../../index.js';
import { applyRecipe } from '../../tables/apply.js';
import { tableOf } from '../../tables/named.js';
import type { Column as TableColumn } from '../../tables/table.js';
import { AT_A_TERMINAL } from '../../tables/wording.js';
import { DataError, quote } from '../errors.js';
import type { SavedModel } from '../model.js';

/** Rows of a batch. */
export interface TakenRows {
  readonly matrix: FlatMatrix;
  /** Indices of the rows in the batch; undefined for all. */
  readonly kept: Uint32Array | undefined;
}

/** Columns to use: the named ones, or all without another purpose. */
export interface Wanted {
  readonly columns?: readonly string[] | undefined;
  readonly others: ReadonlyArray<string | undefined>;
}

/** Indices of the columns that hold the rows. */
export function placesOf(fields: readonly Field[], { columns, others }: Wanted): number[] {
  const names = fields.map(({ name }) => name);
  for (const name of others) {
    if (name !== undefined && !names.includes(name)) throw unknownColumn(name, names);
  }
  if (columns === undefined) return names.flatMap((name, place) => (others.includes(name) ? [] : [place]));
  return columns.map((name) => {
    const place = names.indexOf(name);
    if (place < 0) throw unknownColumn(name, names);
    return place;
  });
}

/** Reads rows of numbers. */
export function takeNumbers(table: Table, places: readonly number[]): FlatMatrix {
  const [first] = places;
  const fields = table.schema.fields;
  if (places.length === 1 && fields[first as number]?.type.typeId === Type.FixedSizeList)
    return takeLists(table, first as number);
  const columns = places.length;
  if (columns === 0) throw new CurvadError('NO_COLUMNS', 'there is no number column');
  const rows = table.numRows;
  const data = new Float64Array(rows * columns);
  places.forEach((place, j) => {
    const values = numbersOf(table.getChildAt(place), fields[place] as Field, j);
    for (let i = 0, at = j; i < rows; i++, at += columns) data[at] = values[i] as number;
  });
  return { data, rows, columns };
}

/** Reads rows to score, by the model's columns. */
export function takeForModel(table: Table, model: SavedModel, wanted: Wanted): TakenRows {
  const { fields } = table.schema;
  const isPlain =
    !model.hasRecipe ||
    (model.recipe.columns.every(({ kind, hasIndicator }) => kind === 'number' && !hasIndicator) &&
      table.children.every((column) => isOfNumbers(column, model.recipe.missing === 'error')));
  if (!isPlain) return takePrepared(table, model, wanted);
  const hasVectors = fields.some(({ type }) => type.typeId === Type.FixedSizeList);
  const named = wanted.columns === undefined && model.recipe.isNamed && !hasVectors;
  const columns = named ? model.recipe.columns.map(({ name }) => name) : wanted.columns;
  return { matrix: takeNumbers(table, placesOf(fields, { ...wanted, columns })), kept: undefined };
}

/** Handles categories, times, and missing values that are filled in or omitted. */
function takePrepared(table: Table, { recipe }: SavedModel, wanted: Wanted): TakenRows {
  const places = placesOf(table.schema.fields, wanted);
  const names = places.map((place) => table.names[place] as string);
  const all = finish(tableOf(table, new Set(names)));
  const columns = places.map((place) => all.columns[place] as TableColumn);
  const application = { recipe, where: 'the stream', wording: AT_A_TERMINAL };
  const { kept, ...matrix } = finish(applyRecipe({ ...all, columns }, application));
  return { matrix, kept };
}

/** Puts the values of kept rows at their positions among all rows; null for the others. */
export function spread<Value>(
  values: ArrayLike<Value>,
  rows: number,
  kept: Uint32Array | undefined,
): ArrayLike<Value | null> {
  if (kept === undefined || kept.length === rows) return values;
  const all: Array<Value | null> = Array(rows).fill(null);
  kept.forEach((row, i) => {
    all[row] = values[i] as Value;
  });
  return all;
}

function takeLists(table: Table, place: number): FlatMatrix {
  const [batch] = table.getChildAt(place).data;
  const field = table.schema.fields[place] as Field;
  const { stride, children } = field.type as { stride: number; children: readonly Field[] };
  if (batch === undefined) return { data: new Float64Array(0), rows: 0, columns: stride };
  checkNulls(batch, field.name, 0);
  const [inner] = batch.children;
  const { typeId, precision } = (children[0] as Field).type as { typeId: number; precision?: number };
  if (inner === undefined || typeId !== Type.Float || precision === 0)
    throw new CurvadError('DATA_TYPE', `the lists of column ${quote(field.name)} must hold float32 or float64`);
  if (inner.nullCount > 0) {
    const at = Array.from({ length: inner.length }, (_, i) => i).find((i) => inner.at(i) === null) as number;
    throw isNull(Math.floor(at / stride), at % stride, field.name);
  }
  const length = batch.length * stride;
  return { data: inner.values.subarray(0, length) as Float64Array, rows: batch.length, columns: stride };
}

function isOfNumbers(column: Column<unknown>, mayHaveNulls: boolean): boolean {
  const numeric: ReadonlyArray<DataType['typeId']> = [Type.Float, Type.Int, Type.FixedSizeList];
  return numeric.includes(column.type.typeId) && (mayHaveNulls || column.nullCount === 0);
}

const NUMBERS: ReadonlyArray<DataType['typeId']> = [Type.Int, Type.Float, Type.Bool, Type.Decimal];

function numbersOf(column: Column<unknown>, { name, type }: Field, j: number): ArrayLike<number> {
  if (!NUMBERS.includes(type.typeId)) {
    const kind = Object.entries(Type).find(([, id]) => id === type.typeId)?.[0] ?? 'unknown';
    throw new CurvadError('DATA_TYPE', `column ${quote(name)} has the Arrow type ${kind}: numbers are needed`);
  }
  for (const batch of column.data) checkNulls(batch, name, j);
  const values = column.toArray() as ArrayLike<number>;
  return type.typeId === Type.Bool ? Float64Array.from(values, Number) : values;
}

function checkNulls(
  batch: { nullCount: number; length: number; at(i: number): unknown },
  name: string,
  j: number,
): void {
  if (batch.nullCount === 0) return;
  for (let i = 0; i < batch.length; i++) if (batch.at(i) === null) throw isNull(i, j, name);
}

function isNull(row: number, column: number, name: string): CurvadError {
  return new CurvadError('NAN_VALUE', `row ${row}, column ${quote(name)} is null: fill it in, or leave the row out`, {
    row,
    column,
  });
}

function unknownColumn(name: string, names: readonly string[]): DataError {
  const shown = names.slice(0, 12).map((other) => quote(other, 30));
  return new DataError(
    `there is no column ${quote(name)}; there are ${shown.join(', ')}${names.length > 12 ? ', …' : ''}`,
  );
}
