// Parquet and Arrow of pyarrow, polars and duckdb (test/fixtures/make_files_typed.py) keep their types and values.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readTable } from '../../src/files/index.js';
import type { Cell } from '../../src/tables/table.js';
import { cellsOf } from './support.js';

interface Fixture {
  readonly name: string;
  readonly bytes: string;
  readonly columns: Readonly<Record<string, { kind: string; cells: readonly unknown[] | null }>>;
}

const { files } = JSON.parse(readFileSync('test/fixtures/files_typed.json', 'utf8')) as { files: readonly Fixture[] };

const plain = (cell: Cell): unknown =>
  typeof cell === 'bigint' ? { i: String(cell) } : cell instanceof Date ? cell.getTime() : cell;

it.each(files)('$name is read with its types and values', async ({ bytes, columns }) => {
  const table = await readTable(new Uint8Array(Buffer.from(bytes, 'base64')));
  expect(table.columns.map(({ name, kind }) => [name, kind])).toEqual(
    Object.entries(columns).map(([name, { kind }]) => [name, kind]),
  );
  for (const [name, { kind, cells }] of Object.entries(columns)) {
    if (cells === null) continue;
    const column = table.columns.find((candidate) => candidate.name === name);
    const found =
      kind === 'time' && column?.kind === 'time'
        ? Array.from(column.values, (value) => (Number.isNaN(value) ? null : value))
        : cellsOf(table, name).map(plain);
    expect({ name, cells: found }).toEqual({ name, cells });
    expect({ name, missing: column?.missing }).toEqual({ name, missing: cells.filter((cell) => cell === null).length });
  }
});

it('an interval is told as what it is, and blocks nothing', async () => {
  const { bytes } = files.find(({ name }) => name === 'duckdb-interval.parquet') as Fixture;
  const table = await readTable(new Uint8Array(Buffer.from(bytes, 'base64')));
  expect(table.columns[0]).toMatchObject({ kind: 'other', what: 'intervals', values: ['P0M3DT0S', 'P2M0DT0S'] });
});
