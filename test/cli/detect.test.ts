// curvad detect: files of every kind give the scores the library gives.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import { averagePrecision, CAD, rocAuc } from '../../src/index.js';
import { column, installedCli, parseCsv, readings } from './support.js';

const cli = installedCli();
const data = readings();
const { rows, labels, names } = data;
const scores = [...new CAD({ standardize: true }).fit(rows).scores];
const COLUMNS = ['--standardize', '--columns', 'a,b,c'];
const columnOf = (j: number): number[] => rows.map((row) => row[j] as number);

/** A version 1 .npy file of float64. */
function npy(isColumnMajor = false): Buffer {
  const header = `{'descr': '<f8', 'fortran_order': ${isColumnMajor ? 'True' : 'False'}, 'shape': (${rows.length}, 3), }`;
  const text = `${header.padEnd(117)}\n`;
  const values = isColumnMajor ? [0, 1, 2].flatMap(columnOf) : rows.flat();
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([
    Buffer.from('\x93NUMPY\x01\x00', 'latin1'),
    length,
    Buffer.from(text),
    Buffer.from(Float64Array.from(values).buffer),
  ]);
}

const files: Record<string, string | Buffer> = {
  'plain.csv': data.csv,
  'packed.csv.gz': gzipSync(data.csv),
  'windows.csv': `\ufeff${data.csv.replaceAll('\n', '\r\n')}`,
  'tabs.tsv': data.csv.replaceAll(',', '\t'),
  'german.csv': data.csv.replaceAll(',', ';').replaceAll('.', ','),
  'quoted.csv': data.csv.replace(/^(r\d+),([^,]+)/gm, '"$1 ""x"", y\nz","$2"'),
  'lines.ndjson': rows.map(([a, b, c], i) => JSON.stringify({ name: names[i], c, b, a })).join('\n'),
  'arrays.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
  'rows.npy': npy(),
  'columns.npy': npy(true),
};

beforeAll(() => {
  const arrays = { name: [...names], a: columnOf(0), b: columnOf(1), c: columnOf(2) };
  files['arrow.arrow'] = Buffer.from(tableToIPC(tableFromArrays(arrays), { format: 'file' }) as Uint8Array);
  const columnData = Object.entries(arrays).map(([name, values]) => ({ name, data: values }));
  files['table.parquet'] = Buffer.from(parquetWriteBuffer({ columnData }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cli.path, name), content);
});

describe('curvad detect', () => {
  it.each([
    ['plain.csv', COLUMNS],
    ['packed.csv.gz', COLUMNS],
    ['windows.csv', COLUMNS],
    ['tabs.tsv', COLUMNS],
    ['german.csv', [...COLUMNS, '--decimal', ',']],
    ['quoted.csv', COLUMNS],
    ['lines.ndjson', COLUMNS],
    ['arrays.jsonl', ['--standardize']],
    ['rows.npy', ['--standardize']],
    ['columns.npy', ['--standardize']],
    ['arrow.arrow', COLUMNS],
    ['table.parquet', COLUMNS],
  ])('reads %s', (file, args) => {
    const { stdout, stderr, status } = cli.curvad([
      'detect',
      '--method',
      'cad',
      '--threshold',
      'capped',
      file,
      ...args,
      '--format',
      'csv',
      '--scores-only',
    ]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(column(stdout, 'row')).toEqual(rows.map((_, i) => i));
    expect(column(stdout, 'score')).toEqual(scores);
  });

  it('writes rows in every format, with names, labels and verdicts', async () => {
    const cad = new CAD({ standardize: true, contamination: 0.04 }).fit(rows);
    const args = [
      'detect',
      '--method',
      'cad',
      'plain.csv',
      '--standardize',
      '--contamination',
      '0.04',
      '--label',
      'bad',
      '--id',
      'name',
      '--scores-only',
      '-q',
    ];
    const expected = rows.map((_, i) => ({
      row: i,
      name: names[i],
      score: cad.scores[i],
      anomaly: cad.labels[i],
      probability: cad.probabilities[i],
      label: labels[i],
    }));
    for (const file of ['o.csv', 'o.json', 'o.ndjson', 'o.parquet']) {
      const { status, stderr, stdout } = cli.curvad([...args, '--out', file]);
      expect([status, stderr, stdout]).toEqual([0, '', '']);
      const bytes = readFileSync(join(cli.path, file));
      const text = bytes.toString();
      if (file === 'o.csv')
        expect(parseCsv(text)).toEqual(
          expected.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)]))),
        );
      if (file === 'o.json') expect(JSON.parse(text)).toEqual(expected);
      if (file === 'o.ndjson')
        expect(
          text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line)),
        ).toEqual(expected);
      if (file === 'o.parquet') {
        const { buffer, byteOffset, byteLength } = bytes;
        const copy = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
        expect(await parquetReadObjects({ file: copy })).toEqual(expected);
      }
    }
  });

  it('tells programs everything in one object, and people in a table', () => {
    const args = [
      'detect',
      '--method',
      'cad',
      'plain.csv',
      '--standardize',
      '--label',
      'bad',
      '--id',
      'name',
      '--top',
      '3',
    ];
    const summary = JSON.parse(cli.curvad([...args, '--json']).stdout);
    const order = scores.map((_, i) => i).sort((i, j) => (scores[j] as number) - (scores[i] as number) || i - j);
    expect(summary.quality.rocAuc).toBe(rocAuc(labels, scores));
    expect(summary.quality.averagePrecision).toBe(averagePrecision(labels, scores));
    expect(summary.columns).toEqual(['a', 'b', 'c']);
    expect(summary.top.map(({ row }: { row: number }) => row)).toEqual(order.slice(0, 3));
    const { stdout } = cli.curvad(args);
    for (const row of order.slice(0, 3))
      expect(stdout).toMatch(new RegExp(`^ *${row} +r${row} .*(anomaly|normal)`, 'm'));
    expect(stdout).toContain(`AUC ${rocAuc(labels, scores).toFixed(4)}`);
    expect(stdout).not.toContain('\x1b');
  });

  it('makes columns of 0 and 1 of few categories, and names the columns it ignores', () => {
    const kinds = ['x', 'y', 'z'];
    const lines = rows.map((row, i) => `${row[0]},${kinds[i % 3]},text ${i},${row[1]}`);
    cli.write('kinds.csv', `a,kind,note,b\n${lines.join('\n')}\n`);
    const { stdout, stderr } = cli.curvad(['detect', '--method', 'cad', 'kinds.csv', '-f', 'csv']);
    const encoded = rows.map((row, i) => [row[0], ...kinds.map((_, j) => Number(i % 3 === j)), row[1]] as number[]);
    expect(column(stdout, 'score')).toEqual([...new CAD().fit(encoded).scores]);
    expect(stderr).toContain('ignored the column "note"');
    expect(stderr).not.toContain('kind');
  });

  it('fills in missing values and says so, or refuses or drops them', () => {
    const holes = rows.map((row, i) => (i % 50 === 3 ? [row[0], i % 100 === 3 ? '' : 'NA', row[2]] : row));
    cli.write('holes.csv', `a,b,c\n${holes.map((row) => row.join(',')).join('\n')}\n`);
    const refused = cli.curvad(['detect', 'holes.csv', '--missing', 'error']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(
      /row 3, column "b" is missing, and 3 other cells too \("b" lacks 4\): --missing drop .* --missing median/,
    );
    const kept = rows.filter((_, i) => i % 50 !== 3);
    const dropped = cli.curvad([
      'detect',
      '--method',
      'cad',
      'holes.csv',
      '--missing',
      'drop',
      '-f',
      'csv',
      '--scores-only',
    ]).stdout;
    expect(column(dropped, 'score')).toEqual([...new CAD().fit(kept).scores]);
    expect(column(dropped, 'row')).toEqual(rows.flatMap((_, i) => (i % 50 === 3 ? [] : [i])));
    const sorted = kept.map((row) => row[1] as number).sort((x, y) => x - y);
    const median = ((sorted[97] as number) + (sorted[98] as number)) / 2;
    const filled = rows.map((row, i) => (i % 50 === 3 ? [row[0] as number, median, row[2] as number] : row));
    const medians = cli.curvad(['detect', '--method', 'cad', 'holes.csv', '-f', 'csv']);
    expect(column(medians.stdout, 'score')).toEqual([...new CAD().fit(filled).scores]);
    expect(medians.stderr).toContain('filled in 4 missing values: "b" lacks 4');
  });

  it('takes a first line of numbers for a row, unless told that it is a header', () => {
    const lines = rows.map((row) => row.join(','));
    cli.write('bare.csv', `${lines.join('\n')}\n`);
    const bare = cli.curvad(['detect', '--method', 'cad', 'bare.csv', '-f', 'csv']);
    expect(column(bare.stdout, 'score')).toEqual([...new CAD().fit(rows).scores]);
    expect(bare.stderr).toContain('no header');
    const headed = cli.curvad(['detect', '--method', 'cad', 'bare.csv', '-f', 'csv', '--header', '-q']);
    expect(column(headed.stdout, 'score')).toEqual([...new CAD().fit(rows.slice(1)).scores]);
  });
});
