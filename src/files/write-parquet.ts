// Parquet, written through hyparquet-writer with the types of the columns.
import type { SchemaElement } from 'hyparquet';
import type { TimeUnit } from '../tables/table.js';
import type { OutputCell, OutputColumn } from './output-column.js';

/** A Parquet file with these rows. */
export async function parquetBytes(columns: readonly OutputColumn[], rows: number): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const elements = columns.map(elementOf);
  const buffer = parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...elements],
    columnData: columns.map((column) => ({
      name: column.name,
      data: Array.from({ length: rows }, (_, i) => stored(column, column.at(i))),
    })),
  });
  return new Uint8Array(buffer);
}

const TYPES = {
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  unsigned: { type: 'INT64', converted_type: 'UINT_64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const;

const UNITS = { s: 'MILLIS', ms: 'MILLIS', us: 'MICROS', ns: 'NANOS' } as const;

function elementOf({ name, type, unit = 'ms' }: OutputColumn): SchemaElement {
  const repetition_type = type === 'integer' ? 'REQUIRED' : 'OPTIONAL';
  if (type !== 'time') return { name, repetition_type, ...TYPES[type] };
  if (unit === 'day') return { name, repetition_type, type: 'INT32', converted_type: 'DATE' };
  const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: UNITS[unit] } as const;
  return { name, repetition_type, type: 'INT64', logical_type };
}

/** A cell as Parquet stores it. */
function stored({ type, unit = 'ms' }: OutputColumn, cell: OutputCell): OutputCell {
  if (cell === null) return null;
  if (type === 'long' || type === 'unsigned') return BigInt.asIntN(64, BigInt(cell as number | bigint));
  return type === 'time' ? timeIn(cell as number, unit) : cell;
}

/** Milliseconds in another unit: whole days as a number, others as a bigint. */
function timeIn(time: number, unit: TimeUnit): number | bigint {
  if (unit === 'day') return Math.floor(time / 86_400_000);
  if (unit === 's' || unit === 'ms') return BigInt(Math.round(time));
  const whole = Math.floor(time);
  const perMillisecond = unit === 'us' ? 1000 : 1_000_000;
  return BigInt(whole) * BigInt(perMillisecond) + BigInt(Math.round((time - whole) * perMillisecond));
}
