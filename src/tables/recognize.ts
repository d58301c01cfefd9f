// Columns of times and booleans, from numbers or from text that tells nothing else.
import {
  type BooleanColumn,
  type DateOrder,
  MISSING,
  MISSING_BOOLEAN,
  type TextColumn,
  type TimeColumn,
  type TimeUnit,
} from './table.js';
import { timesIn } from './times.js';
import { booleanOf, isMissingAmongNumbers } from './words.js';

/** A column of times from milliseconds, NaN where missing. */
export function timeColumn(name: string, values: Float64Array, missing: number, unit: TimeUnit): TimeColumn {
  return { kind: 'time', name, missing, values, unit };
}

/** A column of booleans from 0, 1 and NaN. */
export function booleanColumn(name: string, numbers: Float64Array, missing: number): BooleanColumn {
  const values = Uint8Array.from(numbers, (value) => (Number.isNaN(value) ? MISSING_BOOLEAN : value));
  return { kind: 'boolean', name, missing, values };
}

/** A column of times; texts that are none stand for missing ones. Undefined where there are no times at all. */
export function asTimes({ name, codes, texts, missing }: TextColumn, said?: DateOrder): TimeColumn | undefined {
  const found = codes === undefined ? undefined : timesIn(texts, said);
  if (codes === undefined || found === undefined || found === 'open') return undefined;
  const { times, unit, order } = found;
  if (texts.some((text, i) => Number.isNaN(times[i]) && !isMissingAmongNumbers(text))) return undefined;
  const values = Float64Array.from(codes, (code) => (code === MISSING ? Number.NaN : (times[code] as number)));
  const unknown = codes.reduce((sum, code) => sum + Number(code !== MISSING && Number.isNaN(times[code])), 0);
  return { kind: 'time', name, missing: missing + unknown, values, unit, ...(order !== undefined && { order }) };
}

/** A column of booleans; undefined where a text is something else. */
export function asBooleans({ name, codes, texts, missing }: TextColumn): BooleanColumn | undefined {
  const booleans = texts.map(booleanOf);
  if (codes === undefined || booleans.includes(undefined)) return undefined;
  const values = Uint8Array.from(codes, (code) => (code === MISSING ? MISSING_BOOLEAN : Number(booleans[code])));
  return { kind: 'boolean', name, missing, values };
}

/**
 * 0 and 1 where true and false are written as numbers too; undefined where there is anything else. What is beyond the end
 * of numbers and codes is missing.
 */
export function flagsIn(
  numbers: Float64Array,
  codes: Int32Array,
  texts: ReadonlyMap<string, number>,
): Float64Array | undefined {
  const flags = Array.from(texts.keys(), booleanOf);
  if (flags.includes(undefined)) return undefined;
  if (!numbers.every((value) => value === 0 || value === 1 || Number.isNaN(value))) return undefined;
  return Float64Array.from({ length: Math.max(numbers.length, codes.length) }, (_, row) => {
    const code = codes[row] ?? MISSING;
    return code === MISSING ? (numbers[row] ?? Number.NaN) : Number(flags[code]);
  });
}
