// NumPy's .npy: a header in Python's notation and the numbers of one array of one or two dimensions.
import { CurvadError } from '../core/errors.js';
import { type Column, numberedNames, type Table } from '../tables/table.js';
import { MAX_COLUMNS, MAX_ROWS, type ReadOptions } from './options.js';
import { type Source, tooLarge } from './source.js';
import { type Content, typedColumn } from './typed.js';

type Read = (view: DataView, at: number, isLittle: boolean) => number | bigint | boolean;

const NUMBER: Content = { kind: 'number', isWhole: false };
const WHOLE: Content = { kind: 'number', isWhole: true };

const TYPES: Readonly<Record<string, readonly [size: number, content: Content, read: Read]>> = {
  f8: [8, NUMBER, (view, at, isLittle) => view.getFloat64(at, isLittle)],
  f4: [4, NUMBER, (view, at, isLittle) => view.getFloat32(at, isLittle)],
  f2: [2, NUMBER, (view, at, isLittle) => half(view.getUint16(at, isLittle))],
  i8: [8, { kind: 'integer', isUnsigned: false }, (view, at, isLittle) => view.getBigInt64(at, isLittle)],
  u8: [8, { kind: 'integer', isUnsigned: true }, (view, at, isLittle) => view.getBigUint64(at, isLittle)],
  i4: [4, WHOLE, (view, at, isLittle) => view.getInt32(at, isLittle)],
  u4: [4, WHOLE, (view, at, isLittle) => view.getUint32(at, isLittle)],
  i2: [2, WHOLE, (view, at, isLittle) => view.getInt16(at, isLittle)],
  u2: [2, WHOLE, (view, at, isLittle) => view.getUint16(at, isLittle)],
  i1: [1, WHOLE, (view, at) => view.getInt8(at)],
  u1: [1, WHOLE, (view, at) => view.getUint8(at)],
  b1: [1, { kind: 'boolean' }, (view, at) => view.getUint8(at) !== 0],
};

interface Header {
  readonly type: string;
  readonly isLittle: boolean;
  readonly isColumnMajor: boolean;
  readonly rows: number;
  readonly columns: number;
  readonly dataAt: number;
}

export async function readNpy(source: Source, options: ReadOptions): Promise<Table> {
  const bytes = await source.all();
  source.forget();
  const { type, rows, columns, dataAt, isLittle, isColumnMajor } = readHeader(bytes, source.name);
  const [size, content, read] = TYPES[type] as (typeof TYPES)[string];
  const expected = dataAt + rows * columns * size;
  if (bytes.length < expected) {
    throw new CurvadError(
      'FILE_DAMAGED',
      `${source.name} is cut off: it has ${bytes.length} bytes, ${expected} are needed`,
    );
  }
  const { maxRows = MAX_ROWS, maxColumns = MAX_COLUMNS } = options;
  if (rows === 0 || columns === 0) throw new CurvadError('FILE_EMPTY', `${source.name} has no rows`);
  if (rows > maxRows) throw tooLarge(source.name, `it has ${rows} rows`, 'maxRows');
  if (columns > maxColumns) throw tooLarge(source.name, `it has ${columns} columns`, 'maxColumns');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (i: number, j: number) => dataAt + size * (isColumnMajor ? j * rows + i : i * columns + j);
  const columnOf = (name: string, j: number): Column => {
    const cells = content.kind === 'number' ? new Float64Array(rows) : new Array<number | bigint | boolean>(rows);
    for (let i = 0; i < rows; i++) cells[i] = read(view, at(i, j), isLittle) as number;
    return typedColumn(name, content, [cells]);
  };
  return { columns: numberedNames(columns).map(columnOf), rows, isNamed: false };
}

function readHeader(bytes: Uint8Array, name: string): Header {
  const latin1 = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (latin1(0, 6) !== '\x93NUMPY')
    throw new CurvadError('FILE_FORMAT', `${name} is not an .npy file, whatever its name`);
  const isLong = (bytes[6] ?? 0) >= 2;
  const start = isLong ? 12 : 10;
  const cutOff = () => new CurvadError('FILE_DAMAGED', `${name} is cut off: its header is not complete`);
  if (bytes.length < start) throw cutOff();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = isLong ? view.getUint32(8, true) : view.getUint16(8, true);
  if (bytes.length < start + length) throw cutOff();
  const text = latin1(start, start + Math.min(length, 4096));
  const [, order, type] = /'descr':\s*'([<>|=])([a-z]\d+)'/.exec(text) ?? [];
  const shape = /'shape':\s*\(([\d, ]*)\)/.exec(text)?.[1];
  if (order === undefined || type === undefined || shape === undefined) {
    throw new CurvadError(
      'FILE_FORMAT',
      `${name} has a header that cannot be read: plain numbers are needed, not records`,
    );
  }
  if (!Object.hasOwn(TYPES, type)) {
    throw new CurvadError('FILE_FORMAT', `${name} holds values of type ${type}: real or whole numbers are needed`);
  }
  const sizes = shape
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  if (!sizes.every(Number.isSafeInteger))
    throw new CurvadError('FILE_DAMAGED', `${name} has the shape (${shape}), which is none`);
  if (sizes.length < 1 || sizes.length > 2)
    throw new CurvadError('FILE_FORMAT', `${name} has ${sizes.length} dimensions: rows and columns are needed`);
  return {
    type,
    isLittle: order !== '>',
    isColumnMajor: /'fortran_order':\s*True/.test(text),
    rows: sizes[0] as number,
    columns: sizes[1] ?? 1,
    dataAt: start + length,
  };
}

/** A half-precision number from its bits. */
function half(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
