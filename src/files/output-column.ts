// A column on its way out, whatever the format.
import { type Column, cellAt, type TimeUnit, textAt } from '../tables/table.js';

/** Missing values are null. A time is a number of milliseconds since 1970. */
export type OutputCell = number | bigint | boolean | string | null;

export interface OutputColumn {
  readonly name: string;
  /** `integer` has 32 bits, `long` and `unsigned` 64. */
  readonly type: 'integer' | 'long' | 'unsigned' | 'number' | 'boolean' | 'time' | 'text';
  /** Of times: how finely they are written. */
  readonly unit?: TimeUnit;
  at(row: number): OutputCell;
}

/** A column of a table as it is written, all of its rows or some. */
export function outputColumn(column: Column, rows?: ArrayLike<number>): OutputColumn {
  const { name } = column;
  const rowOf = (i: number): number => (rows === undefined ? i : (rows[i] as number));
  switch (column.kind) {
    case 'number':
    case 'boolean':
    case 'integer': {
      const at = (i: number) => cellAt(column, rowOf(i)) as OutputCell;
      return { name, type: typeOf(column), at };
    }
    case 'time': {
      const at = (i: number) => {
        const value = column.values[rowOf(i)] as number;
        return Number.isNaN(value) ? null : value;
      };
      return { name, type: 'time', unit: column.unit, at };
    }
    default:
      return { name, type: 'text', at: (i) => textAt(column, rowOf(i)) };
  }
}

function typeOf(column: Column): OutputColumn['type'] {
  if (column.kind === 'boolean') return 'boolean';
  if (column.kind === 'integer') return column.values instanceof BigUint64Array ? 'unsigned' : 'long';
  return column.kind === 'number' && column.isWhole && isSafe(column.values) ? 'long' : 'number';
}

/** Whether whole numbers are exact: infinite ones and those beyond 2^53 are written as doubles. */
function isSafe(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value) && (!Number.isSafeInteger(value) || Object.is(value, -0))) return false;
  }
  return true;
}
