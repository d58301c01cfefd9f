// Some rows of a table, as if the others had never been there: a category that only they had is none.
import { type Column, isMissing, MISSING, type Table, type TextColumn } from './table.js';

export function selectRows(table: Table, which: Uint32Array): Table {
  return { ...table, columns: table.columns.map((column) => selectCells(column, which)), rows: which.length };
}

function selectCells(column: Column, which: Uint32Array): Column {
  const missing = column.missing === 0 ? 0 : which.reduce((sum, row) => sum + Number(isMissing(column, row)), 0);
  switch (column.kind) {
    case 'number':
      return { ...column, missing, values: Float64Array.from(which, (row) => column.values[row] as number) };
    case 'time':
      return { ...column, missing, values: Float64Array.from(which, (row) => column.values[row] as number) };
    case 'boolean':
      return { ...column, missing, values: Uint8Array.from(which, (row) => column.values[row] as number) };
    case 'integer': {
      const { values, present } = column;
      const picked =
        values instanceof BigInt64Array ? new BigInt64Array(which.length) : new BigUint64Array(which.length);
      for (const [i, row] of which.entries()) picked[i] = values[row] as bigint;
      return {
        ...column,
        missing,
        values: picked,
        present: present && Uint8Array.from(which, (row) => present[row] as number),
      };
    }
    case 'text':
      return { ...column, missing, ...selectTexts(column, which) };
    case 'other': {
      const { values } = column;
      return { ...column, missing, values: values && Array.from(which, (row) => values[row] as string | null) };
    }
  }
}

function selectTexts({ codes, texts }: TextColumn, which: Uint32Array): Pick<TextColumn, 'codes' | 'texts'> {
  if (codes === undefined) return { codes, texts };
  const places = new Map<number, number>();
  const picked = Int32Array.from(which, (row) => {
    const code = codes[row] as number;
    if (code === MISSING) return MISSING;
    const place = places.get(code) ?? places.size;
    places.set(code, place);
    return place;
  });
  return { codes: picked, texts: Array.from(places.keys(), (code) => texts[code] as string) };
}
