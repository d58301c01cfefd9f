// Columns of Arrow tables, by their shape: those of apache-arrow and of flechette. Numbers are used as they lie in the
// Arrow buffers.

import { typedArrayName } from '../core/input/row-checks.js';
import type { Steps } from '../core/steps.js';
import { ColumnBuilder } from './builder.js';
import { columnOf, columnOfCells, KEEP_ALL } from './columns.js';
import type { Column, TimeUnit } from './table.js';

/** Numbers of Arrow's format. */
const [INT, FLOAT, DECIMAL, DATE, TIMESTAMP] = [2, 3, 7, 8, 10];
const HALF_PRECISION = 0;
const UNITS: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns'];

/** A column of either library. */
export interface ArrowColumn {
  readonly length: number;
  readonly nullCount: number;
  readonly type: {
    readonly typeId: number;
    readonly unit?: number;
    readonly precision?: number;
    readonly scale?: number;
  };
  readonly data: readonly ArrowChunk[];
  toArray(): ArrayLike<unknown>;
  get?(row: number): unknown;
  at?(row: number): unknown;
}

interface ArrowChunk {
  readonly length: number;
  readonly nullCount: number;
  readonly offset?: number;
  /** A bit for each row, 1 where there is a value; by its name in apache-arrow, and in flechette. */
  readonly nullBitmap?: Uint8Array | null;
  readonly validity?: Uint8Array | null;
}

export interface ArrowTable {
  readonly numRows: number;
  readonly names?: readonly string[];
  readonly schema: { readonly fields: ReadonlyArray<{ readonly name: string }> };
  getChildAt(place: number): ArrowColumn;
}

export function isArrowTable(value: object): value is ArrowTable {
  const { numRows, getChildAt, schema } = value as Partial<ArrowTable>;
  return typeof numRows === 'number' && typeof getChildAt === 'function' && Array.isArray(schema?.fields);
}

export function isArrowColumn(value: object): value is ArrowColumn {
  const { toArray, type, data } = value as Partial<ArrowColumn>;
  return typeof toArray === 'function' && typeof type?.typeId === 'number' && Array.isArray(data);
}

export function* arrowColumn(name: string, column: ArrowColumn): Steps<Column> {
  const { typeId, unit, precision, scale = 0 } = column.type;
  const isNumber = typeId === INT || (typeId === FLOAT && precision !== HALF_PRECISION);
  if (isNumber) {
    const values = column.toArray();
    if (typedArrayName(values) !== undefined)
      return yield* columnOf(name, values, column.nullCount > 0 ? nullsOf(column) : undefined);
  }
  const at = cellsOf(column);
  if (typeId === DATE || typeId === TIMESTAMP) {
    const finest = typeId === DATE ? (unit === 0 ? 'day' : 'ms') : (UNITS[unit ?? 1] as TimeUnit);
    return timesOf(name, column.length, at, finest);
  }
  if (typeId === DECIMAL) return yield* columnOfCells(name, column.length, (row) => decimal(at(row), scale));
  return yield* columnOfCells(name, column.length, at);
}

function cellsOf(column: ArrowColumn): (row: number) => unknown {
  return column.get === undefined ? (row) => column.at?.(row) : (row) => column.get?.(row);
}

/** Both libraries give times in milliseconds. */
function timesOf(name: string, rows: number, at: (row: number) => unknown, unit: TimeUnit): Column {
  const builder = new ColumnBuilder(name, KEEP_ALL);
  for (let row = 0; row < rows; row++) {
    const value = at(row);
    const time = value === null || value === undefined ? Number.NaN : Number(value);
    if (Number.isNaN(time)) builder.pushMissing();
    else builder.pushTime(time, unit);
  }
  return builder.finish();
}

/** apache-arrow gives the words of a decimal, flechette a number. */
function decimal(value: unknown, scale: number): unknown {
  if (typedArrayName(value) !== 'Uint32Array') return value;
  const words = value as Uint32Array;
  let whole = 0n;
  for (let i = words.length - 1; i >= 0; i--) whole = (whole << 32n) | BigInt(words[i] as number);
  return Number(`${BigInt.asIntN(32 * words.length, whole)}e${-scale}`);
}

/** Which rows have no value. */
function nullsOf(column: ArrowColumn): (row: number) => boolean {
  const chunks = column.data;
  let [chunk, start] = [0, 0];
  return (row) => {
    if (row < start) [chunk, start] = [0, 0];
    while (row >= start + (chunks[chunk] as ArrowChunk).length) start += (chunks[chunk++] as ArrowChunk).length;
    const { nullCount, nullBitmap, validity, offset = 0 } = chunks[chunk] as ArrowChunk;
    const bits = nullBitmap ?? validity;
    if (nullCount === 0 || bits === undefined || bits === null || bits.length === 0) return false;
    const place = offset + row - start;
    return (((bits[place >> 3] as number) >> (place & 7)) & 1) === 0;
  };
}
