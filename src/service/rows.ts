// Reads rows in the forms of the protocols, in the order of the model's columns.
import type { Recipe } from '../tables/recipe.js';
import { HttpError } from './http-error.js';
import type { ServedModel } from './served-model.js';

export type Plain = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown, what: string): Plain {
  if (isObject(value)) return value;
  throw new HttpError(400, 'BODY_INVALID', `${what} must be an object`);
}

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new HttpError(400, 'BODY_INVALID', `${what} must be a list`);
}

/** Rows as lists or objects. */
export function fromRows(rows: readonly unknown[], model: ServedModel): unknown {
  const { recipe } = model;
  if (isObject(rows[0])) {
    namesOf(model);
    return rows;
  }
  const [first] = rows;
  if (!Array.isArray(first)) return rows;
  const { columns, features, width } = recipe;
  const isOfUsed = first.length === columns.length;
  if (isOfUsed && isOfNumbers(recipe)) return rows;
  // Of a model with categories, rows may have the numbers that stand for them, too.
  const areNumbers = first.length === features.length && first.every((value) => typeof value === 'number');
  if (!isOfUsed && areNumbers) return rows;
  if (!isOfUsed && first.length !== width) {
    const message = `rows have ${first.length} values, the model has ${columns.length} columns`;
    throw new HttpError(400, 'WRONG_WIDTH', message, { row: 0 });
  }
  return transposed(
    rows,
    first.length,
    columns.map(({ index }, place) => (isOfUsed ? place : index)),
    columns.map(({ name }) => name),
  );
}

/** Rows whose columns have names, in any order; columns that the model does not know are passed over. */
export function fromSplit(rows: readonly unknown[], columns: readonly unknown[], model: ServedModel): unknown {
  if (model.names === undefined || columns.every((name) => typeof name === 'number')) return fromRows(rows, model);
  const twice = columns.find((name, place) => columns.indexOf(name) < place);
  if (twice !== undefined)
    throw new HttpError(400, 'COLUMN_TWICE', `the column ${JSON.stringify(twice)} is there twice`);
  const places = columns.map((_, place) => place);
  return transposed(rows, columns.length, places, columns.map(String));
}

/** Columns by name. */
export function fromColumns(columns: Plain, model: ServedModel): unknown {
  namesOf(model);
  const lists = Object.entries(columns).map(([name, list]) => [name, flat(list, JSON.stringify(name))] as const);
  if (lists.length === 0) throw new HttpError(400, 'BODY_INVALID', 'there are no columns');
  return Object.fromEntries(lists);
}

/** Whether the values of its columns are directly the features, without missing values. */
function isOfNumbers({ columns, missing }: Recipe): boolean {
  return missing === 'error' && columns.every(({ kind }) => kind === 'number');
}

/** The values of rows at some indices, as columns. */
function transposed(
  rows: readonly unknown[],
  length: number,
  places: readonly number[],
  names: readonly string[],
): Plain {
  const lists = rows.map((row, i) => {
    const values = listOf(row, `row ${i}`);
    if (values.length === length) return values;
    const message = `row ${i} has ${values.length} values for ${length} columns`;
    throw new HttpError(400, 'RAGGED_ROWS', message, { row: i });
  });
  return Object.fromEntries(names.map((name, j) => [name, lists.map((values) => values[places[j] as number])]));
}

/** A list of values, or of lists of one value each. */
function flat(list: unknown, what: string): readonly unknown[] {
  return listOf(list, what).map((value) => (Array.isArray(value) && value.length === 1 ? value[0] : value));
}

function namesOf({ names, name }: ServedModel): readonly string[] {
  if (names !== undefined) return names;
  const message = `the columns of model ${JSON.stringify(name)} have no names: send rows as lists`;
  throw new HttpError(400, 'COLUMNS_UNNAMED', message);
}
