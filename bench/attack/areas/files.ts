// Files of every format, damaged: each ends in an error of curvad's, or in a table whose columns are whole, which is the
// same however its bytes come, and which can be written and read again.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import {
  type Cell,
  cellAt,
  type FileFormat,
  type ReadOptions,
  readTable,
  type Table,
  WRITE_FORMATS,
  writeTable,
} from 'curvad/files';
import { Random } from '../../../test/support/data.js';
import { type Area, type Attack, attack, codeOf, promise } from '../attack.js';
import { type Damage, damaged, drawDamage, joined } from '../bytes.js';
import { chance, EDGE_NUMBERS, pick, shorter } from '../values.js';

export interface File {
  readonly name: string;
  readonly format: FileFormat;
  readonly bytes: Uint8Array;
}

interface Plan {
  readonly file: number;
  readonly damages: readonly Damage[];
  readonly isPacked: boolean;
  /** Damage to the packed bytes. */
  readonly packedDamages: readonly Damage[];
  readonly options: ReadOptions;
  /** Sizes of the chunks in which the bytes come. */
  readonly chunk: number;
  readonly question: number;
}

const SEED = 19;
const QUESTIONS = 4;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What may stand in text where it should not. */
const WORDS: readonly Uint8Array[] = [
  ',',
  ';',
  '\t',
  '"',
  '""',
  '\n',
  '\r\n',
  '\r',
  '\0',
  '\ufeff',
  '#',
  'sep=;\n',
  'NaN',
  '1e999',
  '-0',
  '1,5',
  '1.234,5',
  '12%',
  '$5',
  '€ 1',
  'true',
  'null',
  '2024-01-31',
  '2024-02-30T25:61:00Z',
  '9007199254740993',
  '99999999999999999999',
  '0x10',
  '=1+1',
  '[',
  '{',
  ']',
  '}',
  '[[[[',
  '{"a":',
  ':',
  '\\',
  '\\u0000',
  '\\ud800',
  '__proto__',
  'constructor',
  'é',
  '\u{1f600}',
  'x'.repeat(300),
  ','.repeat(300),
  '\n'.repeat(30),
  '{}',
  '[]',
  '"a":1,',
]
  .map(encode)
  .concat(
    [
      [0xff],
      [0xff, 0xfe],
      [0xc3],
      [0x1f, 0x8b],
      [0, 0, 0, 0],
      [0xff, 0xff, 0xff, 0xff],
      [0x50, 0x41, 0x52, 0x31],
      [0x80, 0x80, 0x80, 0x80, 0x10],
    ].map((bytes) => Uint8Array.from(bytes)),
  );

const OPTIONS: ReadonlyArray<ReadOptions> = [
  {},
  {},
  {},
  {},
  { header: false },
  { header: true },
  { separator: ';' },
  { decimal: ',' },
  { encoding: 'utf-16le' },
  { encoding: 'windows-1252' },
  { skip: 1 },
  { comment: '#' },
  { units: true },
  { thousands: ',' },
  { percent: true },
  { currency: true },
  { na: ['x', '-1'] },
  { mostTexts: 2 },
  { maxRows: 5 },
  { maxColumns: 2 },
  { maxBytes: 200 },
  { text: ['a', 'b'] },
];

class Files implements Attack<Plan> {
  readonly #files: readonly File[];

  constructor(files: readonly File[]) {
    this.#files = files;
  }

  draw(random: Random): Plan {
    const list = (most: number): Damage[] =>
      Array.from({ length: random.integer(most + 1) }, () => drawDamage(random, WORDS));
    const isPacked = chance(random, 0.15);
    const file = random.integer(this.#files.length);
    const isForced = chance(random, 0.2);
    return {
      file,
      damages: list(3),
      isPacked,
      packedDamages: isPacked && chance(random, 0.5) ? list(2) : [],
      options: { ...pick(random, OPTIONS), ...(isForced && { format: (this.#files[file] as File).format }) },
      chunk: 1 + random.integer(200),
      question: random.integer(QUESTIONS),
    };
  }

  async run(plan: Plan): Promise<string> {
    const bytes = this.#bytes(plan);
    const before = process.cpuUsage();
    const options = { ...plan.options, name: (this.#files[plan.file] as File).name };
    const read = await outcome(() => readTable(bytes, options));
    if (plan.question === 0) await checkChunks(bytes, options, plan.chunk, read);
    if (plan.question === 1 && typeof read !== 'string') await checkWriting(read);
    const { user, system } = process.cpuUsage(before);
    promise(user + system < 5e6, () => `a file of ${bytes.length} bytes took ${(user + system) / 1e6} s`);
    return typeof read === 'string' ? read : 'read';
  }

  *smaller(plan: Plan): Generator<Plan> {
    for (const damages of shorter(plan.damages)) yield { ...plan, damages };
    for (const packedDamages of shorter(plan.packedDamages)) yield { ...plan, packedDamages };
    if (plan.isPacked && plan.packedDamages.length === 0) yield { ...plan, isPacked: false };
    for (const name of Object.keys(plan.options)) {
      const { [name as keyof ReadOptions]: _, ...options } = plan.options;
      yield { ...plan, options };
    }
  }

  evidence(plan: Plan): Record<string, Uint8Array> {
    return { [(this.#files[plan.file] as File).name.split('.').at(-1) as string]: this.#bytes(plan) };
  }

  #bytes(plan: Plan): Uint8Array<ArrayBuffer> {
    const bytes = damaged((this.#files[plan.file] as File).bytes, plan.damages);
    return plan.isPacked ? damaged(gzipSync(bytes), plan.packedDamages) : bytes;
  }
}

/** The table, or the code of the error. */
async function outcome(read: () => Promise<Table>): Promise<Table | string> {
  let table: Table;
  try {
    table = await read();
  } catch (error) {
    return codeOf(error);
  }
  checkTable(table);
  return table;
}

function checkTable(table: Table): void {
  promise(table.rows > 0, () => 'a table has no rows');
  const names = new Set(table.columns.map(({ name }) => name));
  promise(names.size === table.columns.length, () => 'two columns have one name');
  for (const column of table.columns) {
    const { kind, name } = column;
    const values = column.kind === 'text' ? column.codes : column.values;
    promise(
      values === undefined || values.length === table.rows,
      () => `${kind} column ${name} has ${values?.length} cells of ${table.rows}`,
    );
    if (values === undefined || table.rows > 5000) continue;
    const cells = cellsOf(column, table.rows);
    const missing = cells.filter((cell) => cell === null).length;
    promise(
      missing === column.missing,
      () => `${kind} column ${name} lacks ${missing} cells, and says ${column.missing}`,
    );
    promise(
      cells.every((cell) => cell !== undefined),
      () => `${kind} column ${name} has an undefined cell`,
    );
  }
}

const cellsOf = (column: Table['columns'][number], rows: number): Cell[] =>
  Array.from({ length: rows }, (_, row) => cellAt(column, row));

/** A table in plain values, to compare. */
function plain(table: Table | string): string {
  if (typeof table === 'string') return table;
  const cell = (value: Cell): unknown =>
    value instanceof Date
      ? value.getTime()
      : typeof value === 'bigint'
        ? `${value}n`
        : Object.is(value, -0)
          ? '-0'
          : value;
  return JSON.stringify(
    table.columns.map((column) => [column.name, column.kind, cellsOf(column, table.rows).map(cell)]),
  );
}

/** Bytes that come in pieces, at any place, make the same table. */
async function checkChunks(bytes: Uint8Array, options: ReadOptions, size: number, read: Table | string): Promise<void> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  }
  const other = await outcome(() => readTable(chunks(), options));
  if (typeof read !== 'string' && read.rows > 5000) return;
  const [a, b] = [plain(read), plain(other)];
  promise(a === b, () => `in chunks it is another table: ${difference(a, b)}`);
}

/** A table that was read can be written in every format, and Parquet is read as the same. */
async function checkWriting(table: Table): Promise<void> {
  if (table.rows * table.columns.length > 20_000) return;
  for (const format of WRITE_FORMATS) {
    const pieces: Uint8Array[] = [];
    try {
      for await (const piece of writeTable(table, format))
        pieces.push(typeof piece === 'string' ? encode(piece) : piece);
    } catch (error) {
      codeOf(error);
      continue;
    }
    const again = await outcome(() => readTable(joined(...pieces), { format }));
    promise(
      typeof again === 'string' || again.rows === table.rows,
      () => `as ${format} it has ${(again as Table).rows} rows of ${table.rows}`,
    );
    if (format === 'parquet') promise(typeof again !== 'string', () => `as Parquet it is refused: ${again}`);
  }
}

function difference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `${a.slice(Math.max(0, at - 20), at + 60)} and ${b.slice(Math.max(0, at - 20), at + 60)}`;
}

export async function corpus(): Promise<File[]> {
  const random = new Random(SEED);
  const texts = [0, 1, 2].flatMap((style) => textFiles(random, style));
  const { files } = JSON.parse(
    readFileSync(new URL('../../../test/fixtures/files_typed.json', import.meta.url), 'utf8'),
  ) as { files: Array<{ name: string; bytes: string }> };
  const typed = files.map(({ name, bytes }) => ({
    name,
    format: (name.includes('parquet') ? 'parquet' : 'arrow') as FileFormat,
    bytes: new Uint8Array(Buffer.from(bytes, 'base64')),
  }));
  const table = await readTable(encode(csvText(random, 30)));
  const parquet: Uint8Array[] = [];
  for await (const piece of writeTable(table, 'parquet')) parquet.push(piece as Uint8Array);
  const columns = {
    a: Float64Array.from({ length: 20 }, () => random.gaussian()),
    b: Array.from({ length: 20 }, (_, i) => `t${i % 4}`),
  };
  const arrow = (format: 'file' | 'stream') => tableToIPC(tableFromArrays(columns), { format }) as Uint8Array;
  return [
    ...texts,
    ...typed,
    { name: 'ours.parquet', format: 'parquet', bytes: joined(...parquet) },
    { name: 'ours.arrow', format: 'arrow', bytes: arrow('file') },
    { name: 'ours.arrows', format: 'arrow', bytes: arrow('stream') },
    ...['<f8', '<f4', '<i4', '|u1', '<i8'].map((type) => ({
      name: `${type.slice(1)}.npy`,
      format: 'npy' as const,
      bytes: npy(random, type),
    })),
  ];
}

function cells(random: Random, i: number): unknown[] {
  return [
    chance(random, 0.05) ? pick(random, EDGE_NUMBERS.filter(Number.isFinite)) : random.gaussian(),
    i,
    pick(random, ['red', 'green', 'a "b", c', 'ü']),
    i % 2 === 0,
    `2024-0${1 + (i % 9)}-1${i % 10}`,
    chance(random, 0.1) ? null : random.integer(100),
    `100000000000000${i}${i % 7}21`,
  ];
}

const HEADER = ['a', 'b', 'c d', 'on', 'day', 'gap', 'id'];

function csvText(random: Random, rows: number, separator = ',', ending = '\n'): string {
  const field = (value: unknown): string =>
    /[",;\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value === null ? '' : String(value);
  const lines = [HEADER, ...Array.from({ length: rows }, (_, i) => cells(random, i))];
  return lines.map((line) => line.map(field).join(separator) + ending).join('');
}

function textFiles(random: Random, style: number): File[] {
  const rows = [3, 12, 40][style] as number;
  const objects = Array.from({ length: rows }, (_, i) =>
    Object.fromEntries(cells(random, i).map((value, j) => [HEADER[j] as string, value])),
  );
  const columns = Object.fromEntries(HEADER.map((name) => [name, objects.map((object) => object[name])]));
  const utf16 = new Uint8Array(Buffer.from(`\ufeff${csvText(random, rows)}`, 'utf16le'));
  const text = (name: string, format: FileFormat, content: string): File => ({ name, format, bytes: encode(content) });
  return [
    text('t.csv', 'csv', csvText(random, rows, [',', ';', '|'][style], style === 1 ? '\r\n' : '\n')),
    text('t.tsv', 'tsv', csvText(random, rows, '\t')),
    { name: 'wide.csv', format: 'csv', bytes: utf16 },
    text('t.json', 'json', JSON.stringify(style === 2 ? columns : objects, undefined, style === 1 ? 2 : undefined)),
    text('t.ndjson', 'ndjson', objects.map((object) => `${JSON.stringify(object)}\n`).join('')),
  ];
}

function npy(random: Random, type: string): Uint8Array {
  const [rows, columns] = [7, 3];
  const Values = { f8: Float64Array, f4: Float32Array, i4: Int32Array, u1: Uint8Array, i8: BigInt64Array }[
    type.slice(1)
  ] as Float64ArrayConstructor;
  const numbers = Array.from({ length: rows * columns }, () => random.integer(200));
  const values = Values === (BigInt64Array as unknown) ? BigInt64Array.from(numbers, BigInt) : Values.from(numbers);
  const text = `{'descr': '${type}', 'fortran_order': ${type === '<f4' ? 'True' : 'False'}, 'shape': (${rows}, ${columns}), }`;
  const padded = `${text.padEnd(64 * Math.ceil((text.length + 11) / 64) - 11)}\n`;
  return joined(
    Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
    new Uint8Array([padded.length % 256, padded.length >> 8]),
    encode(padded),
    new Uint8Array(values.buffer),
  );
}

export const files: Area = {
  name: 'files',
  about: 'damaged CSV, TSV, JSON, NDJSON, Parquet, Arrow, npy and gzip end in an error, or in a whole table',
  share: 14,
  begin: async () => attack(new Files(await corpus())),
};
