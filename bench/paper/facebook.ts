// The Facebook metrics (Moro et al. 2016) as the paper splits them: 7 inputs known before a post is
// published, 12 outputs measured afterwards. The five rows with missing values are left out: 495 remain.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTable, type Table } from './models/model.js';

export interface RegressionData {
  readonly X: Table;
  readonly Y: Table;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

interface Description {
  n: number;
  d: number;
  columns: string[];
  inputColumns: number[];
  outputColumns: number[];
  rowsWithMissing: number[];
}

/** Reads facebook.json and facebook.bin from a folder: the given one, or the one CURVAD_DATA names. */
export function facebook(folder = process.env['CURVAD_DATA']): RegressionData {
  if (folder === undefined) throw new Error('where is the data? Set CURVAD_DATA to its folder');
  const path = (ending: string) => join(folder, `facebook.${ending}`);
  for (const ending of ['json', 'bin']) if (!existsSync(path(ending))) throw new Error(`there is no ${path(ending)}`);
  const { n, d, columns, inputColumns, outputColumns, rowsWithMissing } = JSON.parse(
    readFileSync(path('json'), 'utf8'),
  ) as Description;
  const values = new Float32Array(new Uint8Array(readFileSync(path('bin'))).buffer);
  if (values.length !== n * d) throw new Error(`${path('bin')} has ${values.length} values, expected ${n * d}`);
  const missing = new Set(rowsWithMissing);
  const rows = Array.from({ length: n }, (_, i) => i).filter((i) => !missing.has(i));
  const select = (chosen: readonly number[]): Table => {
    const table = emptyTable(rows.length, chosen.length);
    rows.forEach((row, i) => {
      chosen.forEach((column, j) => {
        table.data[i * chosen.length + j] = values[row * d + column] as number;
      });
    });
    return table;
  };
  const names = (chosen: readonly number[]) => chosen.map((column) => columns[column] as string);
  return {
    X: select(inputColumns),
    Y: select(outputColumns),
    inputs: names(inputColumns),
    outputs: names(outputColumns),
  };
}
