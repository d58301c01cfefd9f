// Columns out of arrays and typed arrays. Typed arrays are taken as they are, without a copy.

import { checkBuffer, typedArrayName } from '../core/input/row-checks.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { ColumnBuilder } from './builder.js';
import { pushCell } from './cells.js';
import type { Keeping } from './keeping.js';
import type { Column, Numbers } from './table.js';

/** All texts are kept: which are too many is decided later. */
export const KEEP_ALL: Keeping = { verbatim: new Set(), mostTexts: Infinity };

const WHOLE = new Set(['Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array']);

/** A column of values; `isNull` says which of a typed array are none. */
export function* columnOf(name: string, values: ArrayLike<unknown>, isNull?: (row: number) => boolean): Steps<Column> {
  const type = typedArrayName(values);
  if (type === undefined) return yield* columnOfCells(name, values.length, (row) => values[row]);
  checkBuffer(values as unknown as ArrayBufferView);
  if (type === 'BigInt64Array' || type === 'BigUint64Array') return bigColumn(name, values as BigInt64Array, isNull);
  const isWhole = WHOLE.has(type);
  const isKnown = isWhole || type === 'Float64Array' || type === 'Float32Array';
  const numbers = isKnown && isNull === undefined ? (values as Numbers) : Float64Array.from(values as Numbers);
  if (isNull !== undefined) for (let row = 0; row < numbers.length; row++) if (isNull(row)) numbers[row] = Number.NaN;
  return { kind: 'number', name, values: numbers, isWhole, missing: isWhole && !isNull ? 0 : countMissing(numbers) };
}

/** A column of values that come one by one. */
export function* columnOfCells(name: string, rows: number, at: (row: number) => unknown): Steps<Column> {
  const builder = new ColumnBuilder(name, KEEP_ALL);
  yield* inBlocks(rows, 4, (from, to) => {
    for (let row = from; row < to; row++) pushCell(builder, at(row));
  });
  return builder.finish();
}

function bigColumn(
  name: string,
  values: BigInt64Array | BigUint64Array,
  isNull: ((row: number) => boolean) | undefined,
): Column {
  const numbers = Float64Array.from(values, Number);
  const isSafe = numbers.every((value, row) => Number.isSafeInteger(value) || isNull?.(row) === true);
  const present = isNull && Uint8Array.from(values, (_, row) => Number(!isNull(row)));
  const missing = present === undefined ? 0 : present.reduce((sum, is) => sum + 1 - is, 0);
  if (!isSafe) return { kind: 'integer', name, values, present: missing > 0 ? present : undefined, missing };
  if (present !== undefined) for (const [row, is] of present.entries()) if (is === 0) numbers[row] = Number.NaN;
  return { kind: 'number', name, values: numbers, isWhole: true, missing };
}

function countMissing(numbers: Numbers): number {
  let missing = 0;
  for (let i = 0; i < numbers.length; i++) if (Number.isNaN(numbers[i])) missing++;
  return missing;
}
