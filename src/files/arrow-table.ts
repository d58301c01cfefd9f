// Tables from the bytes of Arrow IPC, through flechette.
import type { Column as ArrowColumn, DataType } from '@uwdata/flechette';
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { distinctNames, type Table } from '../tables/table.js';
import { dictionariesFirst } from './arrow-blocks.js';
import { checkCells } from './arrow-cells.js';
import { checkArrow } from './arrow-check.js';
import { MAX_COLUMNS, MAX_ROWS, type ReadOptions } from './options.js';
import { tooLarge } from './source.js';
import { type Content, decimalFrom, jsonText, timeFrom, typedColumn } from './typed.js';

/** The table in the bytes of a file or a stream; `file` is what messages call it. Packed ones need codecs: see arrow.ts. */
export async function tableOfArrow(
  bytes: Uint8Array,
  file: string,
  options: ReadOptions,
  onShare: (share: number) => void,
): Promise<Table> {
  const { tableFromIPC, Type } = await import('@uwdata/flechette');
  const { maxRows = MAX_ROWS, maxColumns = MAX_COLUMNS } = options;
  try {
    checkArrow(bytes);
    const table = tableFromIPC(dictionariesFirst(bytes), {
      useBigInt: true,
      useBigIntTimestamp: true,
      useDecimalInt: true,
    });
    if (table.numRows === 0) throw new CurvadError('FILE_EMPTY', `${file} has no rows`);
    if (table.numRows > maxRows) throw tooLarge(file, `it has ${table.numRows} rows`, 'maxRows');
    if (table.numCols > maxColumns) throw tooLarge(file, `it has ${table.numCols} columns`, 'maxColumns');
    const columns = distinctNames(table.names.map(String)).map((name, j) => {
      options.signal?.throwIfAborted();
      const column: ArrowColumn<unknown> = table.getChildAt(j);
      if (column.length !== table.numRows)
        throw new CurvadError(
          'FILE_DAMAGED',
          `${file} is damaged: column ${quote(name)} has ${column.length} rows of ${table.numRows}`,
        );
      checkCells(column.data, Type, bytes.length);
      const result = typedColumn(name, contentOf(column.type, Type), [column.toArray()]);
      onShare((j + 1) / table.numCols);
      return result;
    });
    return { columns, rows: table.numRows, isNamed: true };
  } catch (error) {
    if (error instanceof CurvadError || options.signal?.aborted) throw error;
    const why = (error as Error).message;
    throw new CurvadError('FILE_DAMAGED', `${file} cannot be read as Arrow: ${why}`, { cause: error });
  }
}

const UNITS = ['s', 'ms', 'us', 'ns'] as const;

function contentOf(type: DataType, types: typeof import('@uwdata/flechette').Type): Content {
  switch (type.typeId) {
    case types.Dictionary:
      return contentOf((type as DataType & { dictionary: DataType }).dictionary, types);
    case types.RunEndEncoded: {
      const [, values] = (type as DataType & { children: ReadonlyArray<{ type: DataType }> }).children;
      return contentOf((values as { type: DataType }).type, types);
    }
    case types.Null:
      return { kind: 'number', isWhole: false };
    case types.Bool:
      return { kind: 'boolean' };
    case types.Int: {
      const { bitWidth, signed } = type as DataType & { bitWidth: number; signed: boolean };
      return bitWidth < 64 ? { kind: 'number', isWhole: true } : { kind: 'integer', isUnsigned: !signed };
    }
    case types.Float:
      return { kind: 'number', isWhole: false };
    case types.Decimal: {
      const { scale } = type as DataType & { scale: number };
      return { kind: 'number', isWhole: scale <= 0, numberOf: decimalFrom(scale) };
    }
    case types.Date:
      return { kind: 'time', unit: 'day', timeOf: Number };
    case types.Timestamp: {
      const unit = UNITS[(type as DataType & { unit: number }).unit] ?? 'ms';
      return { kind: 'time', unit, timeOf: timeFrom(unit) };
    }
    case types.Time:
    case types.Duration:
      return { kind: 'integer', isUnsigned: false };
    case types.Utf8:
    case types.LargeUtf8:
    case types.Utf8View:
      return { kind: 'text' };
    case types.Interval:
      return { kind: 'other', what: 'intervals', textOf: jsonText };
    case types.Struct:
    case types.Map:
      return { kind: 'other', what: 'objects', textOf: jsonText };
    case types.Binary:
    case types.LargeBinary:
    case types.FixedSizeBinary:
    case types.BinaryView:
      return { kind: 'other', what: 'bytes', textOf: jsonText };
    default:
      return { kind: 'other', what: 'lists', textOf: jsonText };
  }
}
