// A table that is written and read again keeps names, types and values, in every format.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/files/index.js';
import { numberIn } from '../../src/files/number.js';
import { RecordReader } from '../../src/files/records.js';
import { WRITE_FORMATS, type WriteFormat, writeTable } from '../../src/files/write.js';
import { ColumnBuilder } from '../../src/tables/builder.js';
import { type Cell, type Column, cellAt, distinctNames, type Table } from '../../src/tables/table.js';
import { collect } from './support.js';

type Kind = 'number' | 'integer' | 'boolean' | 'time' | 'text';

const oddText = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '\t', ' ', 'é', '😀', "'", '=', '-', '#', '\u2028', '\u0007'),
  }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '007',
    'NA',
    'true',
    '2020-01-01',
    '=1+1',
    '9007199254740993',
  ),
);
const oddNames = fc.array(oddText, { minLength: 1, maxLength: 4 });

/** Values of a kind. The first is there, as a column without values has no kind. */
function valuesOf(kind: Kind): fc.Arbitrary<Cell> {
  switch (kind) {
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'integer':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case 'boolean':
      return fc.boolean();
    case 'time':
      return fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    case 'text':
      return oddText;
  }
}

const columnOf = (rows: number): fc.Arbitrary<{ kind: Kind; cells: Cell[] }> =>
  fc.constantFrom<Kind>('number', 'integer', 'boolean', 'time', 'text').chain((kind) => {
    const first: fc.Arbitrary<Cell> = kind === 'integer' ? fc.constant(2n ** 60n + 1n) : valuesOf(kind);
    const others = fc.array(fc.option(valuesOf(kind), { nil: null }), { minLength: rows - 1, maxLength: rows - 1 });
    return fc.tuple(first, others).map(([cell, cells]) => ({ kind, cells: [cell, ...cells] }));
  });

const anyTable = fc.tuple(oddNames, fc.integer({ min: 1, max: 6 })).chain(([names, rows]) =>
  fc.array(columnOf(rows), { minLength: names.length, maxLength: names.length }).map((columns) => ({
    rows,
    columns: columns.map((column, j) => ({ ...column, name: distinctNames(names)[j] as string })),
  })),
);

type Plain = { rows: number; columns: { name: string; kind: Kind; cells: Cell[] }[] };

function tableOf({ rows, columns }: Plain): Table {
  return {
    rows,
    isNamed: true,
    columns: columns.map(({ name, kind, cells }): Column => {
      const builder = new ColumnBuilder(name, {
        verbatim: new Set(kind === 'text' ? [name] : []),
        mostTexts: Infinity,
      });
      for (const cell of cells) {
        if (cell === null) builder.pushMissing();
        else if (typeof cell === 'bigint') builder.pushInteger(cell);
        else if (typeof cell === 'number') builder.pushNumber(cell);
        else if (typeof cell === 'boolean') builder.pushBoolean(cell);
        else if (typeof cell === 'string') builder.pushText(cell);
        else builder.pushTime(cell.getTime());
      }
      return builder.finish();
    }),
  };
}

const plainOf = (table: Table): unknown => ({
  rows: table.rows,
  columns: table.columns.map((column) => ({
    name: column.name,
    kind: column.kind,
    cells: Array.from({ length: table.rows }, (_, row) => cellAt(column, row)),
  })),
});

async function again(table: Table, format: WriteFormat): Promise<Table> {
  const data = await collect(writeTable(table, format, { guardFormulas: false }));
  // Text formats do not tell text that looks like something else: the columns of text are named.
  const text = format === 'parquet' ? [] : table.columns.filter(({ kind }) => kind === 'text').map(({ name }) => name);
  return readTable(data, {
    format,
    text,
    ...(format === 'csv' && { header: true, separator: ',', encoding: 'utf-8' }),
  });
}

describe.each(WRITE_FORMATS)('%s', (format) => {
  it('keeps names, types and values', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (plain) => {
        const table = tableOf(plain);
        expect(plainOf(await again(table, format))).toEqual(plainOf(table));
      }),
      { numRuns: 150 },
    );
  });
});

it('numbers are those that Number reads, to the last bit, however many digits they have', () => {
  const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: max });
  const number = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      digits(20),
      fc.option(digits(20), { nil: undefined }),
      fc.option(fc.integer({ min: -330, max: 330 }), { nil: undefined }),
    )
    .map(
      ([sign, whole, fraction, power]) =>
        `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${power === undefined ? '' : `e${power}`}`,
    );
  const full = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
  const short = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value.toPrecision(17));
  fc.assert(
    fc.property(fc.oneof(number, full, short), (text) => {
      const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text);
      const expected = isNumber ? Number(text) : Number.NaN;
      expect(numberIn(text, 0x2e)).toBe(expected);
      const reader = new RecordReader(';', { point: 0x2c });
      reader.push(new TextEncoder().encode(`${text.replace('.', ',')};x\n`));
      expect(reader.next() && reader.numbers[0]).toBe(expected);
    }),
    { numRuns: 20_000 },
  );
});
