// The columns of a table on their way out again, for some of its rows.
import type { OutputColumn } from '../../files/output-column.js';
import { type Table, textAt } from '../../tables/table.js';

export function tableColumns(table: Table, rows: Uint32Array): OutputColumn[] {
  return table.columns.map((column) => {
    if (column.kind === 'number') {
      const at = (i: number) => {
        const value = column.values[rows[i] as number] as number;
        return Number.isNaN(value) ? null : value;
      };
      return { name: column.name, type: 'number', at };
    }
    return { name: column.name, type: 'text', at: (i) => textAt(column, rows[i] as number) };
  });
}
