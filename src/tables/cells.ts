// Values of JavaScript, as objects, JSON and data frames have them, as cells and on their way into a column.
import type { ColumnBuilder } from './builder.js';
import type { Cell } from './table.js';
import { meaningOf, numberOf } from './words.js';

const LONG_INTEGER = /^[+-]?\d{16,20}$/;
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n];

/** What a value is. Text that is written as a number is a number; lists and objects are the text of their JSON. */
export function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case 'number':
      return Number.isNaN(value) ? null : value;
    case 'boolean':
      return value;
    case 'string':
      return cellOfText(value.trim());
    case 'bigint':
      return value < LEAST || value > MOST ? Number(value) : value;
    default:
      if (value === null || value === undefined) return null;
      if (isDate(value)) return Number.isNaN(value.getTime()) ? null : new Date(value);
      return textOf(value);
  }
}

function cellOfText(text: string): Cell {
  const number = numberOf(text);
  if (Number.isNaN(number)) return meaningOf(text) ?? null;
  return LONG_INTEGER.test(text) ? cellOf(BigInt(text.replace('+', ''))) : number;
}

/** Adds a value to a column. */
export function pushCell(column: ColumnBuilder, value: unknown): void {
  if (typeof value === 'object' && value !== null && !isDate(value)) {
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    column.pushOther(isList ? 'lists' : 'objects', textOf(value));
    return;
  }
  if (typeof value === 'string' && column.isVerbatim) {
    column.pushText(value);
    return;
  }
  const cell = cellOf(value);
  if (cell === null) column.pushMissing();
  else if (typeof cell === 'number') column.pushNumber(cell);
  else if (typeof cell === 'bigint') column.pushInteger(cell);
  else if (typeof cell === 'boolean') column.pushBoolean(cell);
  else if (cell instanceof Date) column.pushTime(cell.getTime());
  else column.pushText(cell);
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return ''; // it goes in circles, say; such columns are left out
  }
}

/** Of this realm or another. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}
