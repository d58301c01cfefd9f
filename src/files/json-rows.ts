// The rows in a value of JSON: an array of rows, an object of columns, what pandas writes with each of its orients, the
// features of GeoJSON, or a table somewhere inside an answer of a service.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { BadLine } from './bad-line.js';
import { entriesOf } from './json-values.js';
import type { JsonRow } from './ndjson.js';

/** Rows, and where they were found if that may surprise. */
export interface FoundRows {
  readonly rows: readonly JsonRow[];
  readonly note?: string;
}

/** How deep a table may lie in objects. */
const DEEPEST = 4;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function rowsOf(value: unknown, name: string): FoundRows {
  if (Array.isArray(value)) return rowsOfArray(value);
  if (!isObject(value)) throw wrongShape(name);
  const entries = entriesOf(value);
  const [columns, data] = [entries.get('columns'), entries.get('data')];
  if (Array.isArray(columns) && Array.isArray(data)) return { rows: rowsOfSplit(columns, data, name) };
  if (entries.has('schema') && Array.isArray(data) && data.some(isObject)) return rowsOfArray(data);
  const found = tablesIn(entries, 1);
  const [only, another] = found;
  if (another !== undefined && only !== undefined) {
    const names = found.map(({ path }) => quote(path, 30)).join(', ');
    throw new CurvadError('FILE_FORMAT', `${name} holds several tables (${names}): save one of them alone`);
  }
  if (only !== undefined) {
    const { rows, note } = rowsOfArray(only.rows);
    const place = `its rows are in ${quote(only.path, 40)}`;
    return { rows, note: note === undefined ? place : `${place}, ${note}` };
  }
  return rowsOfEntries(entries, name);
}

function rowsOfArray(values: readonly unknown[]): FoundRows {
  if (values.length > 0 && values.every(isFeature)) return { rows: values.map(rowOfFeature) };
  const [first, ...others] = values;
  if (Array.isArray(first) && namesColumns(first, others)) {
    const rows = others.map((row) => new Map((row as unknown[]).map((cell, j) => [first[j] as string, cell])));
    return { rows, note: 'the first row names the columns' };
  }
  return { rows: values.map(rowOf) };
}

function rowOf(row: unknown, i: number): JsonRow {
  if (Array.isArray(row)) return row;
  if (isObject(row)) return entriesOf(row);
  throw new BadLine(i, 'it is neither an object nor an array');
}

/** A first row of different words above rows that hold something else, too. */
function namesColumns(first: readonly unknown[], others: readonly unknown[]): boolean {
  const areNames = first.every((name) => typeof name === 'string') && new Set(first).size === first.length;
  const areRows = others.length > 0 && others.every((row) => Array.isArray(row) && row.length === first.length);
  return areNames && areRows && others.some((row) => (row as unknown[]).some((cell) => typeof cell === 'number'));
}

interface Feature {
  readonly type: 'Feature';
  readonly properties: object | null;
  readonly geometry?: { readonly type?: unknown; readonly coordinates?: unknown } | null;
}

function isFeature(value: unknown): value is Feature {
  return isObject(value) && (value as Partial<Feature>).type === 'Feature' && 'properties' in value;
}

/** Properties, and the place of a point. */
function rowOfFeature({ properties, geometry }: Feature): JsonRow {
  const row = entriesOf(properties ?? {});
  const { type, coordinates } = geometry ?? {};
  if (type !== 'Point' || !Array.isArray(coordinates)) return row;
  for (const [i, name] of ['longitude', 'latitude', 'altitude'].entries())
    if (i < coordinates.length && !row.has(name)) row.set(name, coordinates[i]);
  return row;
}

interface FoundTable {
  readonly path: string;
  readonly rows: readonly unknown[];
}

/** Whether a table lies somewhere in an object. */
export function holdsRows(value: unknown): boolean {
  return isObject(value) && tablesIn(entriesOf(value), 1).length > 0;
}

/** Arrays of objects, or of equally long arrays, in an object. */
function tablesIn(entries: ReadonlyMap<string, unknown>, depth: number): FoundTable[] {
  return [...entries].flatMap(([key, value]) => {
    if (Array.isArray(value)) return isArrayOfRows(value) ? [{ path: key, rows: value }] : [];
    if (!isObject(value) || depth === DEEPEST) return [];
    return tablesIn(entriesOf(value), depth + 1).map(({ path, rows }) => ({ path: `${key}.${path}`, rows }));
  });
}

function isArrayOfRows(values: readonly unknown[]): boolean {
  if (values.length === 0) return false;
  if (values.every(isObject)) return true;
  const [first] = values;
  return (
    Array.isArray(first) &&
    values.length > 1 &&
    values.every((row) => Array.isArray(row) && row.length === first.length)
  );
}

/** What pandas writes as orient split. */
function rowsOfSplit(columns: readonly unknown[], data: readonly unknown[], name: string): JsonRow[] {
  const names = columns.map(String);
  return data.map((row) => {
    if (!Array.isArray(row)) throw wrongShape(name);
    return new Map(row.map((cell: unknown, j) => [names[j] ?? `column ${j + 1}`, cell]));
  });
}

/** { name: [values] }, { name: { index: value } }, or { index: { name: value } }. */
function rowsOfEntries(entries: ReadonlyMap<string, unknown>, name: string): FoundRows {
  const parts = [...entries].map(([key, values]) => {
    if (typeof values !== 'object' || values === null) throw wrongShape(name);
    return [key, entriesOf(values)] as const;
  });
  if ([...entries.values()].every(isObject) && areRows(parts))
    return { rows: parts.map(([, row]) => row), note: `each of its ${parts.length} objects is taken for a row` };
  const places = new Set(parts.flatMap(([, values]) => [...values.keys()]));
  const lacking = parts.find(([, values]) => values.size !== places.size);
  if (lacking !== undefined && Array.isArray(entries.get(lacking[0])))
    throw new CurvadError(
      'FILE_DAMAGED',
      `${name}: the column ${quote(lacking[0])} has ${lacking[1].size} values where ${places.size} are expected`,
    );
  return { rows: Array.from(places, (place) => new Map(parts.map(([key, values]) => [key, values.get(place)]))) };
}

type Entry = readonly [key: string, values: ReadonlyMap<string, unknown>];

/** Whether objects in an object are rows, rather than columns: their keys are names, and each name has one type. */
function areRows(parts: readonly Entry[]): boolean {
  const isCount = (key: string): boolean => /^\d+$/.test(key);
  const inner = new Set(parts.flatMap(([, values]) => [...values.keys()]));
  if (parts.length < 2 || [...inner].every(isCount)) return false;
  if (parts.every(([key]) => isCount(key))) return true;
  const typeOf = (value: unknown): string => (value === null ? '' : typeof value);
  const isOne = (values: readonly unknown[]): boolean =>
    new Set(values.map(typeOf).filter((type) => type !== '')).size < 2;
  const byName = [...inner].every((key) => isOne(parts.map(([, values]) => values.get(key) ?? null)));
  const byPart = parts.every(([, values]) => isOne([...values.values()]));
  return byName && (!byPart || parts.length > inner.size);
}

export function wrongShape(name: string): CurvadError {
  return new CurvadError(
    'FILE_FORMAT',
    `${name} is no table: JSON must be an array of objects or of arrays, or an object of columns`,
  );
}
