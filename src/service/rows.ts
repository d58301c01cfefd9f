// Rows as protocols have them, in the order of the model's columns.
import { HttpError } from './http-error.js';
import type { ServedModel } from './models.js';

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

/** Rows that are lists or objects. */
export function rowsOf(rows: readonly unknown[], model: ServedModel): unknown {
  if (!isObject(rows[0])) return rows;
  const names = featuresOf(model);
  return rows.map((row, i) => {
    const object = objectOf(row, `row ${i}, as the rows before it,`);
    return names.map((name) => {
      if (!Object.hasOwn(object, name)) throw missing(name, ` in row ${i}`);
      return object[name];
    });
  });
}

/** Rows whose columns have names, in any order; columns that the model does not know are passed over. */
export function reordered(rows: readonly unknown[], columns: readonly unknown[], model: ServedModel): unknown {
  if (model.features === undefined) return rows;
  const places = model.features.map((name) => {
    const place = columns.indexOf(name);
    if (place < 0) throw missing(name, '');
    if (columns.indexOf(name, place + 1) > 0)
      throw new HttpError(400, 'COLUMN_TWICE', `the column ${JSON.stringify(name)} is there twice`);
    return place;
  });
  return rows.map((row, i) => {
    const values = listOf(row, `row ${i}`);
    if (values.length !== columns.length)
      throw new HttpError(400, 'RAGGED_ROWS', `row ${i} has ${values.length} values for ${columns.length} columns`, {
        row: i,
      });
    return places.map((place) => values[place]);
  });
}

/** Columns by name. */
export function fromColumns(columns: Plain, model: ServedModel): unknown {
  const lists = featuresOf(model).map((name) => {
    if (!Object.hasOwn(columns, name)) throw missing(name, '');
    return flat(columns[name], JSON.stringify(name));
  });
  const rows = lists[0]?.length ?? 0;
  const ragged = lists.findIndex(({ length }) => length !== rows);
  if (ragged >= 0)
    throw new HttpError(
      400,
      'RAGGED_ROWS',
      `column ${ragged} has ${lists[ragged]?.length} values, column 0 has ${rows}`,
    );
  return Array.from({ length: rows }, (_, i) => lists.map((list) => list[i]));
}

/** A list of values, or of lists of one value each. */
function flat(list: unknown, what: string): readonly unknown[] {
  return listOf(list, what).map((value) => (Array.isArray(value) && value.length === 1 ? value[0] : value));
}

function featuresOf({ features, name }: ServedModel): readonly string[] {
  if (features !== undefined) return features;
  throw new HttpError(
    400,
    'COLUMNS_UNNAMED',
    `the columns of model ${JSON.stringify(name)} have no names: send rows as lists`,
  );
}

function missing(name: string, where: string): HttpError {
  return new HttpError(400, 'COLUMN_MISSING', `the column ${JSON.stringify(name)} is missing${where}`);
}
