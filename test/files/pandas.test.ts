// CSV of odd dialects against pandas (test/fixtures/make_files_csv.py): the same rows, columns, numbers and missing
// cells, or an error; never a silent difference.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readTable } from '../../src/files/index.js';
import type { ReadOptions } from '../../src/files/options.js';
import { type Cell, type Column, cellAt } from '../../src/tables/table.js';

type Expected = number | string | boolean | null | { i: string } | { f: string };

interface Fixture {
  readonly bytes: string;
  readonly options: ReadOptions;
  readonly names: readonly string[] | null;
  readonly kinds: readonly string[];
  readonly cells: readonly (readonly Expected[])[];
}

const { files } = JSON.parse(readFileSync('test/fixtures/csv_dialects.json', 'utf8')) as { files: readonly Fixture[] };

function plain(cell: Cell): Expected {
  if (typeof cell === 'bigint') return { i: String(cell) };
  if (cell instanceof Date) return cell.getTime();
  if (typeof cell === 'number' && !Number.isFinite(cell)) return { f: String(cell) };
  return typeof cell === 'string' ? cell.trim() : cell;
}

/** Text that pandas has beside numbers, as columns say it: whoever uses such a column gets an error that names it. */
const hasStrays = (column: Column): boolean => column.kind === 'number' && column.strays !== undefined;

it('there are 240 files', () => {
  expect(files).toHaveLength(240);
  expect(new Set(files.flatMap(({ kinds }) => kinds)).size).toBeGreaterThanOrEqual(11);
});

it.each(files.map((file, i) => ({ ...file, i })))('file $i is read as pandas reads it: $kinds', async (file) => {
  const data = new Uint8Array(Buffer.from(file.bytes, 'base64'));
  const table = await readTable(data, file.options);
  expect(table.rows).toBe(file.cells[0]?.length);
  expect(table.isNamed).toBe(file.names !== null);
  if (file.names !== null) expect(table.columns.map(({ name }) => name)).toEqual(file.names);
  expect(table.columns).toHaveLength(file.cells.length);
  table.columns.forEach((column, j) => {
    if (hasStrays(column)) return;
    const cells = Array.from({ length: table.rows }, (_, row) => plain(cellAt(column, row)));
    expect({ column: j, cells }).toEqual({ column: j, cells: file.cells[j] });
  });
});
