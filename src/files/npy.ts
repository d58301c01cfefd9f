// NumPy's .npy: a header in Python's notation and the numbers of one array of one or two dimensions.
import { CurvadError } from '../core/errors.js';
import { numberedNames, type Table } from '../tables/table.js';
import type { Source } from './source.js';

type Reader = (view: DataView, at: number, isLittle: boolean) => number;

const READERS: Readonly<Record<string, readonly [size: number, read: Reader]>> = {
  f8: [8, (view, at, isLittle) => view.getFloat64(at, isLittle)],
  f4: [4, (view, at, isLittle) => view.getFloat32(at, isLittle)],
  f2: [2, (view, at, isLittle) => half(view.getUint16(at, isLittle))],
  i8: [8, (view, at, isLittle) => Number(view.getBigInt64(at, isLittle))],
  u8: [8, (view, at, isLittle) => Number(view.getBigUint64(at, isLittle))],
  i4: [4, (view, at, isLittle) => view.getInt32(at, isLittle)],
  u4: [4, (view, at, isLittle) => view.getUint32(at, isLittle)],
  i2: [2, (view, at, isLittle) => view.getInt16(at, isLittle)],
  u2: [2, (view, at, isLittle) => view.getUint16(at, isLittle)],
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  b1: [1, (view, at) => view.getUint8(at)],
};

interface Header {
  readonly type: string;
  readonly isLittle: boolean;
  readonly isColumnMajor: boolean;
  readonly rows: number;
  readonly columns: number;
  readonly dataAt: number;
}

export async function readNpy(source: Source): Promise<Table> {
  const bytes = await source.all();
  const header = readHeader(bytes, source.name);
  const { rows, columns, dataAt, isLittle, isColumnMajor } = header;
  const [size, read] = READERS[header.type] as readonly [number, Reader];
  const expected = dataAt + rows * columns * size;
  if (bytes.length < expected)
    throw new CurvadError(
      'FILE_DAMAGED',
      `${source.name} is cut off: it has ${bytes.length} bytes, ${expected} are needed`,
    );
  if (rows === 0 || columns === 0) throw new CurvadError('FILE_EMPTY', `${source.name} has no rows`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (i: number, j: number) => dataAt + size * (isColumnMajor ? j * rows + i : i * columns + j);
  return {
    columns: numberedNames(columns).map((name, j) => {
      const numbers = Float64Array.from({ length: rows }, (_, i) => read(view, at(i, j), isLittle));
      const missing = numbers.reduce((sum, value) => sum + Number(Number.isNaN(value)), 0);
      const isWhole = !header.type.startsWith('f');
      return { kind: 'number', name, values: numbers, isWhole, missing };
    }),
    rows,
    isNamed: false,
  };
}

function readHeader(bytes: Buffer, name: string): Header {
  if (bytes.toString('latin1', 0, 6) !== '\x93NUMPY')
    throw new CurvadError('FILE_FORMAT', `${name} is not an .npy file, whatever its name`);
  const isLong = (bytes[6] ?? 0) >= 2;
  const start = isLong ? 12 : 10;
  if (bytes.length < start) throw new CurvadError('FILE_DAMAGED', `${name} is cut off: its header is not complete`);
  const length = isLong ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const text = bytes.toString('latin1', start, Math.min(bytes.length, start + length));
  const [, order, type] = /'descr':\s*'([<>|=])([a-z]\d+)'/.exec(text) ?? [];
  const shape = /'shape':\s*\(([\d, ]*)\)/.exec(text)?.[1];
  if (order === undefined || type === undefined || shape === undefined)
    throw new CurvadError(
      'FILE_FORMAT',
      `${name} has a header that cannot be read: plain numbers are needed, not records`,
    );
  if (!Object.hasOwn(READERS, type))
    throw new CurvadError('FILE_FORMAT', `${name} holds values of type ${type}: real or whole numbers are needed`);
  const sizes = shape
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
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
