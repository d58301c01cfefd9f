// The columns of a table on their way out again, for some of its rows.
import type { OutputColumn } from '../../files/output-column.js';
import { MISSING, type Table } from '../../files/table.js';

export function tableColumns(table: Table, rows: Uint32Array): OutputColumn[] {
  return table.columns.map(({ name, numbers, codes, texts }) => {
    if (numbers !== undefined) {
      const at = (i: number) => {
        const value = numbers[rows[i] as number] as number;
        return Number.isNaN(value) ? null : value;
      };
      return { name, type: 'number', at };
    }
    const at = (i: number) => {
      const code = codes?.[rows[i] as number] ?? MISSING;
      return code === MISSING ? null : (texts[code] as string);
    };
    return { name, type: 'text', at };
  });
}
