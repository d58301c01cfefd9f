// Sorts the rows of a table by time, for time-series detectors.
import type { FlatMatrix } from '../../index.js';
import { findColumn } from '../../tables/find.js';
import type { Column, Table } from '../../tables/table.js';
import { count, DataError, quote } from '../errors.js';
import { isNameOfTime } from './times.js';

/** The time column of a table. */
export interface Times {
  readonly name: string;
  readonly values: ArrayLike<number>;
  /** Whether they are dates, in milliseconds since 1970, and not just numbers. */
  readonly areDates: boolean;
}

/** The named column, else the first of dates, else the first of numbers with the name of a time. */
export function findTimes(table: Table, name: string | undefined): Times | undefined {
  if (name === undefined) {
    const found = table.columns.find(({ kind }) => kind === 'time') ?? table.columns.find(isNumberNamedTime);
    return found && timesOf(found);
  }
  const times = timesOf(findColumn(table, name, '--time'));
  if (times === undefined) throw new DataError(`--time: ${quote(name)} contains neither times nor numbers`);
  return times;
}

function isNumberNamedTime({ kind, name }: Column): boolean {
  return isNameOfTime(name) && (kind === 'number' || kind === 'integer');
}

function timesOf(column: Column): Times | undefined {
  const { name, kind } = column;
  if (kind === 'time' || kind === 'number') return { name, values: column.values, areDates: kind === 'time' };
  if (kind !== 'integer') return undefined;
  const values = Float64Array.from(column.values, (value, row) =>
    column.present?.[row] === 0 ? Number.NaN : Number(value),
  );
  return { name, values, areDates: false };
}

/** Row indices by time, equal times in file order; rows without a time are omitted. */
export function inOrder({ values }: Times, rowNumbers: Uint32Array): Uint32Array {
  const at = (place: number): number => values[rowNumbers[place] as number] as number;
  const places = Uint32Array.from(rowNumbers, (_, place) => place).filter((place) => !Number.isNaN(at(place)));
  return places.sort((a, b) => at(a) - at(b) || a - b);
}

/** Notes on how the order was changed. */
export function orderNotes(places: Uint32Array, rows: number, times: Times): string[] {
  const notes = [];
  if (places.length < rows)
    notes.push(`omitted ${count(rows - places.length, 'row')} without a time in ${quote(times.name)}`);
  const moved = places.reduce((sum, place, i) => sum + Number(i > 0 && place < (places[i - 1] as number)), 0);
  if (moved > 0) notes.push(`sorted rows by ${quote(times.name)}`);
  return notes;
}

/** Selected rows of a matrix, reordered. */
export function rowsAt({ data, columns }: FlatMatrix, places: Uint32Array): Float64Array {
  const rows = new Float64Array(places.length * columns);
  places.forEach((place, i) => {
    for (let j = 0; j < columns; j++) rows[i * columns + j] = data[place * columns + j] as number;
  });
  return rows;
}
