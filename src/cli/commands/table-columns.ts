// The columns of a table, as written to an output, for some of its rows.
import { type OutputColumn, outputColumn } from '../../files/output-column.js';
import type { Table } from '../../tables/table.js';

export function tableColumns(table: Table, rows: Uint32Array): OutputColumn[] {
  return table.columns.map((column) => outputColumn(column, rows));
}
