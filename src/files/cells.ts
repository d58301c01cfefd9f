// What a cell of text means: a number, nothing, or text.

import { meaningOf } from '../tables/words.js';
import { numberIn, parseNumber } from './number.js';
import type { RecordReader } from './records.js';

const [SPACE, TAB] = [0x20, 0x09];

/** The number in a field, spaces around it or not; NaN where it is something else. */
export function numberInField(reader: RecordReader, field: number, point: number): number {
  const { bytes } = reader;
  let start = reader.starts[field] as number;
  let end = reader.ends[field] as number;
  while (start < end && (bytes[start] === SPACE || bytes[start] === TAB)) start++;
  while (end > start && (bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end--;
  return parseNumber(bytes, start, end, point);
}

/** A value of JSON or of a typed column, as a cell. */
export function cellOf(value: unknown): number | string | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isNaN(value) ? undefined : value;
    case 'bigint':
      return Number(value);
    case 'boolean':
      return Number(value);
    case 'string': {
      const number = numberIn(value.trim(), 0x2e);
      return Number.isNaN(number) ? meaningOf(value) : number;
    }
    default:
      if (value === null || value === undefined) return undefined;
      if (value instanceof Date) return value.toISOString();
      return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
  }
}
