// A table of an array of objects: a column for each key, in order of appearance.
import { CurvadError, describe } from '../core/errors.js';
import { isLine } from '../core/input/row-checks.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { ColumnBuilder } from './builder.js';
import { pushCell } from './cells.js';
import { KEEP_ALL } from './columns.js';
import type { Table } from './table.js';

/** Where keys are new all the time, few objects would fill a large table: cells at which that is noticed. */
const MOST_CELLS = 2 ** 26;

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !isLine(value);
}

export function checkRow(value: unknown, row: number): Row {
  if (isRow(value)) return value;
  throw new CurvadError('ROW_TYPE', `row ${row} must be an object as row 0 is, got ${describe(value)}`, { row });
}

export function* tableOfObjects(rows: readonly unknown[]): Steps<Table> {
  const columns = new Map<string, ColumnBuilder>();
  let names: readonly string[] = [];
  let builders: readonly ColumnBuilder[] = [];
  const push = (value: unknown, at: number): void => {
    const row = checkRow(value, at);
    const keys = Object.keys(row);
    if (!isSame(keys, names)) {
      for (const key of keys) {
        if (columns.has(key)) continue;
        if (columns.size * at > MOST_CELLS)
          throw new CurvadError('RAGGED_ROWS', `there are ${columns.size} different keys up to row ${at}`, { row: at });
        columns.set(key, new ColumnBuilder(key, KEEP_ALL));
      }
      names = keys;
      builders = keys.map((key) => columns.get(key) as ColumnBuilder);
    }
    for (let j = 0; j < names.length; j++) {
      const builder = builders[j] as ColumnBuilder;
      if (builder.rows < at) builder.padTo(at);
      const cell = row[names[j] as string];
      if (typeof cell === 'number' && !Number.isNaN(cell)) builder.pushNumber(cell);
      else pushCell(builder, cell);
    }
  };
  yield* inBlocks(rows.length, Math.max(1, Object.keys(checkRow(rows[0], 0)).length), (from, to) => {
    for (let at = from; at < to; at++) push(rows[at], at);
  });
  for (const column of columns.values()) column.padTo(rows.length);
  return { columns: Array.from(columns.values(), (column) => column.finish()), rows: rows.length, isNamed: true };
}

function isSame(keys: readonly string[], names: readonly string[]): boolean {
  if (keys.length !== names.length) return false;
  for (let j = 0; j < keys.length; j++) if (keys[j] !== names[j]) return false;
  return true;
}
