// Checks rows: of equal length, finite, and in memory that is neither shared nor detached.
import { CurvadError, describe } from '../errors.js';

export function checkLines(lines: ReadonlyArray<unknown>, columns: number, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const line = checkLine(lines[i], i);
    if (line.length !== columns) {
      throw new CurvadError('RAGGED_ROWS', `row ${i} has ${line.length} columns, row 0 has ${columns}`, { row: i });
    }
    for (let j = 0; j < columns; j++) checkValue(line[j], i, j);
  }
}

export function checkCount(value: unknown, what: 'rows' | 'columns'): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 32) return value;
  if (value === 0) {
    throw what === 'rows'
      ? new CurvadError('EMPTY_INPUT', 'there are no rows')
      : new CurvadError('NO_COLUMNS', 'there are no columns');
  }
  const code = what === 'rows' ? 'ROWS_INVALID' : 'COLUMNS_INVALID';
  throw new CurvadError(code, `${what} must be a whole number from 1 to 4294967295, got ${describe(value)}`);
}

/** Recognizes typed arrays, also of another realm (a vm context, an iframe), where instanceof fails. */
export function typedArrayName(value: unknown): string | undefined {
  if (!ArrayBuffer.isView(value)) return undefined;
  const name = (value as Uint8Array)[Symbol.toStringTag] as string;
  return name === 'DataView' ? undefined : name;
}

export function isLine(line: unknown): boolean {
  return Array.isArray(line) || typedArrayName(line) !== undefined;
}

export function checkLine(line: unknown, row: number): ArrayLike<unknown> {
  if (isLine(line)) {
    if (ArrayBuffer.isView(line)) checkBuffer(line, row);
    return line as ArrayLike<unknown>;
  }
  throw new CurvadError('ROW_TYPE', `row ${row} must be an array of numbers, got ${describe(line)}`, { row });
}

/** Shared memory may change while it is read, and a transferred buffer reads as empty. */
export function checkBuffer(view: ArrayBufferView, row?: number): void {
  const place = row === undefined ? {} : { row };
  const where = row === undefined ? 'data' : `row ${row}`;
  if (!(view.buffer instanceof ArrayBuffer) && view.buffer[Symbol.toStringTag] === 'SharedArrayBuffer') {
    throw new CurvadError(
      'SHARED_MEMORY',
      `${where} is shared memory, which may change while it is read: pass a copy`,
      place,
    );
  }
  if (isDetached(view)) {
    throw new CurvadError('DETACHED_BUFFER', `${where} is in a buffer that was transferred`, place);
  }
}

function isDetached(view: ArrayBufferView): boolean {
  if (view.byteLength > 0 || view.buffer.byteLength > 0) return false;
  try {
    new Uint8Array(view.buffer); // throws for a detached buffer, not for an empty one
    return false;
  } catch {
    return true;
  }
}

/** Tests four values at once: 0 × value is 0 only if the value is finite. */
export function checkFlat(data: Float32Array | Float64Array, columns: number, from: number, to: number): void {
  const end = to * columns;
  let i = from * columns;
  for (; i + 3 < end; i += 4) {
    const first = 0 * (data[i] as number) + 0 * (data[i + 1] as number);
    const second = 0 * (data[i + 2] as number) + 0 * (data[i + 3] as number);
    if (first + second !== 0) break;
  }
  for (; i < end; i++) checkValue(data[i], Math.floor(i / columns), i % columns);
}

export function checkValue(value: unknown, row: number, column: number): void {
  if (typeof value === 'number' && value - value === 0) return;
  const place = { row, column };
  const where = `row ${row}, column ${column}`;
  if (typeof value !== 'number') {
    throw new CurvadError('NOT_A_NUMBER', `${where} must be a number, got ${describe(value)}`, place);
  }
  if (Number.isNaN(value)) {
    throw new CurvadError('NAN_VALUE', `${where} is NaN: drop or fill missing values first`, place);
  }
  throw new CurvadError('INFINITE_VALUE', `${where} is ${value}: values must be finite`, place);
}
