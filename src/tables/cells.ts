// Values of JavaScript, as objects, JSON and data frames have them, on their way into a column.
import type { ColumnBuilder } from './builder.js';
import { meaningOf, numberOf } from './words.js';

const LONG_INTEGER = /^[+-]?\d{16,20}$/;
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Adds a value to a column. Text that is written as a number is a number. */
export function pushCell(column: ColumnBuilder, value: unknown): void {
  switch (typeof value) {
    case 'number':
      if (Number.isNaN(value)) column.pushMissing();
      else column.pushNumber(value);
      break;
    case 'boolean':
      column.pushBoolean(value);
      break;
    case 'string':
      pushText(column, value);
      break;
    case 'bigint':
      if (value < LEAST || value > MOST) column.pushNumber(Number(value));
      else column.pushInteger(value);
      break;
    default:
      if (value === null || value === undefined) column.pushMissing();
      else pushObject(column, value);
  }
}

function pushText(column: ColumnBuilder, text: string): void {
  if (column.isVerbatim) {
    column.pushText(text);
    return;
  }
  const trimmed = text.trim();
  const number = numberOf(trimmed);
  const meaning = Number.isNaN(number) ? meaningOf(trimmed) : number;
  if (meaning === undefined) column.pushMissing();
  else if (typeof meaning === 'string') column.pushText(meaning);
  else if (LONG_INTEGER.test(trimmed)) pushCell(column, BigInt(trimmed.replace('+', '')));
  else column.pushNumber(meaning);
}

function pushObject(column: ColumnBuilder, value: unknown): void {
  if (isDate(value)) {
    const time = value.getTime();
    if (Number.isNaN(time)) column.pushMissing();
    else column.pushTime(time);
    return;
  }
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  column.pushOther(isList ? 'lists' : typeof value === 'object' ? 'objects' : `${typeof value}s`, text ?? '');
}

/** Of this realm or another. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}
