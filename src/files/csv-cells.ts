// Cells of CSV that are not plain numbers, on their way into a column.
import type { ColumnBuilder } from '../tables/builder.js';
import { dressedNumber } from '../tables/dress.js';
import { meaningOf } from '../tables/words.js';
import type { Dialect } from './options.js';
import type { RecordReader } from './records.js';

export type PushCell = (column: ColumnBuilder, reader: RecordReader, field: number) => void;

const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n];

/** What a field becomes that is no plain number, or too long for one, or in a column of text. */
export function cellReader(options: Dialect): PushCell {
  const missing = new Set(options.na);
  const numberIn = dressReader(options);
  return (column, reader, field) => {
    const text = reader.text(field);
    const trimmed = text.trim();
    if (missing.has(trimmed)) column.pushMissing();
    else if (column.isVerbatim) pushVerbatim(column, text, reader.quotes[field] !== 0);
    else if (Number.isNaN(reader.numbers[field])) {
      const meaning = numberIn(trimmed) ?? meaningOf(text);
      if (meaning === undefined) column.pushMissing();
      else if (typeof meaning === 'number') column.pushNumber(meaning);
      else column.pushText(reader.quotes[field] === 0 ? trimmed : text);
    } else pushLong(column, trimmed, reader.numbers[field] as number);
  };
}

/** The number that a text is by the options thousands, percent and currency. */
function dressReader({ thousands, percent, currency, decimal = '.' }: Dialect): (text: string) => number | undefined {
  if (thousands === undefined && percent !== true && currency !== true) return () => undefined;
  return (text) => {
    const dress = dressedNumber(text, decimal);
    if (dress === undefined || (dress.isPercent && percent !== true)) return undefined;
    if (dress.currency !== '' && currency !== true) return undefined;
    return dress.separator !== '' && dress.separator !== thousands ? undefined : dress.value;
  };
}

/** What fields are where the kind of their column is known elsewhere, as in a model. */
export interface FieldCells {
  /** In a column of numbers. */
  numberOrText(reader: RecordReader, field: number): number | string | null;
  /** In a column of text, booleans or times. */
  text(reader: RecordReader, field: number): string | null;
}

export function fieldCells(options: Dialect, isDressed: readonly boolean[]): FieldCells {
  const missing = new Set(options.na);
  const { decimal = '.' } = options;
  const dressed = dressReader(options);
  return {
    numberOrText(reader, field) {
      const number = reader.numbers[field] as number;
      if (missing.size === 0 && !Number.isNaN(number)) return number;
      const written = reader.text(field);
      const text = written.trim();
      if (missing.has(text)) return null;
      if (!Number.isNaN(number)) return number;
      return (isDressed[field] ? dressedNumber(text, decimal)?.value : dressed(text)) ?? meaningOf(written) ?? null;
    },
    text(reader, field) {
      const text = reader.text(field);
      const trimmed = text.trim();
      if (missing.has(trimmed) || meaningOf(trimmed) === undefined) return null;
      return reader.quotes[field] === 0 ? trimmed : text;
    },
  };
}

/** As it is written; nothing at all is a missing value, quotes with nothing in them an empty text. */
function pushVerbatim(column: ColumnBuilder, text: string, isQuoted: boolean): void {
  if (isQuoted) column.pushText(text);
  else if (text.trim() === '') column.pushMissing();
  else column.pushText(text.trim());
}

/** A number beyond 2^53: an integer of 64 bits is kept exactly, a longer one as text. */
function pushLong(column: ColumnBuilder, text: string, number: number): void {
  if (!/^[+-]?\d+$/.test(text)) {
    column.pushNumber(number);
    return;
  }
  const integer = BigInt(text.replace('+', ''));
  if (integer < LEAST || integer > MOST) column.pushText(text);
  else column.pushInteger(integer);
}
