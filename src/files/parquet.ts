// Parquet, read column by column through hyparquet. What a column holds, its type says; what hyparquet converts with
// a loss, or not at all (decimals, times, intervals), is converted here.
import type { Compressors, FileMetaData, SchemaTree } from 'hyparquet';
import { CurvadError } from '../core/errors.js';
import { type Column, distinctNames, type Table, type TimeUnit } from '../tables/table.js';
import { MAX_COLUMNS, MAX_ROWS, type ReadOptions } from './options.js';
import { type ByteSource, joined, MAX_BYTES, type Source, tooLarge } from './source.js';
import { type Content, decimalFrom, jsonText, timeFrom, typedColumn, type Values } from './typed.js';

export async function readParquet(
  source: Source,
  options: ReadOptions,
  onShare: (share: number) => void,
): Promise<Table> {
  const { parquetMetadataAsync, parquetScan, parquetSchema } = await import('hyparquet');
  const { compressors: unpackers } = await import('hyparquet-compressors');
  const file = source.bytes ?? inMemory(await source.all());
  source.forget();
  try {
    const parsers = {
      timestampFromMilliseconds: (value: bigint) => value,
      timestampFromMicroseconds: (value: bigint) => value,
      timestampFromNanoseconds: (value: bigint) => value,
      dateFromDays: (days: number) => days,
      jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes),
    };
    const metadata = await parquetMetadataAsync(file, { parsers, geoparquet: false });
    const { children } = parquetSchema(metadata);
    const rows = checkSize(metadata, children.length, options, source.name);
    checkGroups(metadata);
    const compressors = bounded(unpackers, options.maxBytes ?? MAX_BYTES, source.name);
    const contents = children.map(contentOf);
    for (const [j, { element }] of children.entries()) if (isReadHere(contents[j])) delete element.converted_type;
    const scan = await parquetScan({ file, metadata, compressors, parsers, geoparquet: false });
    const names = distinctNames(children.map(({ element }) => element.name));
    const columns: Column[] = [];
    for (const [j, { element }] of children.entries()) {
      const runs: Values[] = [];
      for (const range of scan.ranges) {
        options.signal?.throwIfAborted();
        runs.push(await scan.readColumn({ ...range, column: element.name }));
      }
      const found = runs.reduce((sum, { length }) => sum + length, 0);
      if (found !== rows) throw new Error(`column ${j + 1} has ${found} values where there are ${rows} rows`);
      columns.push(typedColumn(names[j] as string, contents[j] as Content, runs));
      onShare((j + 1) / children.length);
    }
    return { columns, rows, isNamed: true };
  } catch (error) {
    if (error instanceof CurvadError || options.signal?.aborted) throw error;
    const why = (error as Error).message;
    throw new CurvadError('FILE_DAMAGED', `${source.name} cannot be read as Parquet: ${why}`, { cause: error });
  }
}

function checkSize({ num_rows }: FileMetaData, columns: number, options: ReadOptions, name: string): number {
  const { maxRows = MAX_ROWS, maxColumns = MAX_COLUMNS } = options;
  const rows = Number(num_rows);
  if (rows <= 0 || columns === 0) throw new CurvadError('FILE_EMPTY', `${name} has no rows`);
  if (rows > maxRows) throw tooLarge(name, `it has ${rows} rows`, 'maxRows');
  if (columns > maxColumns) throw tooLarge(name, `it has ${columns} columns`, 'maxColumns');
  return rows;
}

/** Values of a column of lists in a row group at most: there is no other bound to what a file says. */
const MOST_LISTED = 2 ** 26;

/** A column has a value for each row of its group, unless it has lists. */
function checkGroups({ row_groups, num_rows }: FileMetaData): void {
  let total = 0;
  for (const group of row_groups) {
    const rows = Number(group.num_rows);
    if (!(rows >= 0)) throw new Error('a row group has no number of rows');
    total += rows;
    for (const { meta_data: column } of group.columns) {
      const values = Number(column?.num_values);
      const most = (column?.path_in_schema.length ?? 0) > 1 ? Math.max(rows, MOST_LISTED) : rows;
      if (!(values >= 0 && values <= most)) throw new Error(`a column has ${values} values in ${rows} rows`);
    }
  }
  if (total !== Number(num_rows)) throw new Error(`it says ${num_rows} rows, its row groups have ${total}`);
}

/** Unpacks no more than a limit altogether. */
function bounded(unpackers: Compressors, most: number, name: string): Compressors {
  let total = 0;
  return Object.fromEntries(
    Object.entries(unpackers).map(([codec, unpack]) => [
      codec,
      (bytes: Uint8Array, length: number) => {
        total += length;
        if (total > most) throw tooLarge(name, `it has more than ${most} bytes`, 'maxBytes');
        return unpack(bytes, length);
      },
    ]),
  );
}

/** Converted here, from what is stored. */
function isReadHere(content: Content | undefined): boolean {
  return content?.kind === 'other'
    ? content.what !== 'lists' && content.what !== 'objects'
    : content?.kind === 'number' && content.numberOf !== undefined;
}

const UNITS = { MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const;

/** What a column holds, by its type. */
function contentOf({ element, children }: SchemaTree): Content {
  const { type, converted_type: converted, logical_type: logical, scale = 0, repetition_type } = element;
  if (children.length > 0 || repetition_type === 'REPEATED') {
    const isList = converted === 'LIST' || logical?.type === 'LIST' || repetition_type === 'REPEATED';
    return { kind: 'other', what: isList ? 'lists' : 'objects', textOf: jsonText };
  }
  if (converted === 'INTERVAL' || logical?.type === 'INTERVAL')
    return { kind: 'other', what: 'intervals', textOf: intervalText };
  if (converted === 'BSON' || logical?.type === 'BSON') return { kind: 'other', what: 'bytes', textOf: hexText };
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const places = logical?.type === 'DECIMAL' ? logical.scale : scale;
    const read = decimalFrom(places);
    return { kind: 'number', isWhole: places === 0, numberOf: (value) => read(integerOf(value)) };
  }
  const unit = timeUnit(element);
  if (unit !== undefined) return { kind: 'time', unit, timeOf: timeFrom(unit) };
  if (logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY')
    return { kind: 'other', what: 'geometries', textOf: jsonText };
  switch (type) {
    case 'BOOLEAN':
      return { kind: 'boolean' };
    case 'INT64':
      return {
        kind: 'integer',
        isUnsigned: converted === 'UINT_64' || (logical?.type === 'INTEGER' && !logical.isSigned),
      };
    case 'INT32':
      return { kind: 'number', isWhole: true };
    case 'FLOAT':
    case 'DOUBLE':
      return { kind: 'number', isWhole: false };
    case 'FIXED_LEN_BYTE_ARRAY':
      if (logical?.type === 'FLOAT16') return { kind: 'number', isWhole: false };
      if (logical?.type === 'UUID' || converted === 'UTF8') return { kind: 'text' };
      return { kind: 'other', what: 'bytes', textOf: hexText };
    default:
      return { kind: 'text' };
  }
}

function timeUnit({
  type,
  converted_type: converted,
  logical_type: logical,
}: SchemaTree['element']): TimeUnit | undefined {
  if (converted === 'DATE' || logical?.type === 'DATE') return 'day';
  if (type === 'INT96') return 'ns';
  if (logical?.type === 'TIMESTAMP') return UNITS[logical.unit];
  if (converted === 'TIMESTAMP_MILLIS') return 'ms';
  return converted === 'TIMESTAMP_MICROS' ? 'us' : undefined;
}

/** The unscaled value of a decimal: a number, or the bytes of one. */
function integerOf(value: unknown): number | bigint {
  if (!(value instanceof Uint8Array)) return value as number | bigint;
  let integer = 0n;
  for (const byte of value) integer = (integer << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * value.length, integer);
}

/** Months, days and milliseconds, as ISO 8601 writes them. */
function intervalText(value: unknown): string {
  if (!(value instanceof Uint8Array) || value.length !== 12) return String(value);
  const view = new DataView(value.buffer, value.byteOffset, 12);
  const [months, days, millis] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number];
  return `P${months}M${days}DT${millis / 1000}S`;
}

function hexText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function inMemory(bytes: Uint8Array): ByteSource {
  const buffer = joined([bytes]);
  const { byteOffset, byteLength } = buffer;
  return {
    byteLength,
    slice: (from, to = byteLength) => buffer.buffer.slice(byteOffset + from, byteOffset + to) as ArrayBuffer,
  };
}
