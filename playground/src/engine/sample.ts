// Some rows of a column.
import type { Column } from 'curvad/files';

export function takeRows(column: Column, rows: Uint32Array): Column {
  switch (column.kind) {
    case 'number': {
      const values = Float64Array.from(rows, (row) => column.values[row] as number);
      return { ...column, values, missing: countMissing(values) };
    }
    case 'time':
      return { ...column, values: Float64Array.from(rows, (row) => column.values[row] as number) };
    case 'boolean':
      return { ...column, values: Uint8Array.from(rows, (row) => column.values[row] as number) };
    case 'text':
      return { ...column, codes: column.codes && Int32Array.from(rows, (row) => column.codes?.[row] as number) };
    default:
      return column;
  }
}

const countMissing = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
