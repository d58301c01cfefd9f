// What a field of CSV or a value of JSON is, as a cell.
import { meaningOf } from '../tables/words.js';
import { numberBetween, numberIn } from './number.js';
import type { RecordReader } from './records.js';

/** The number in a field, spaces around it or not; NaN where it is something else. */
export function numberInField(reader: RecordReader, field: number, point: number): number {
  return point === reader.point
    ? (reader.numbers[field] as number)
    : numberBetween(reader.bytes, reader.starts[field] as number, reader.ends[field] as number, point);
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
