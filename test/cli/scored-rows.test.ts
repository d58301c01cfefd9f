// What detect and score write: the rows of the file, every column as it was, with score, anomaly and probability behind.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { IsolationForest } from '../../src/index.js';
import { installedCli } from './support.js';

const cli = installedCli();
const at = (name: string) => join(cli.path, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const linesOf = (text: string) => text.trimEnd().split('\n');
const COUNT = 60;
const value = (i: number, seed = 0): number => Number((Math.sin(i + seed) * 3 + (i === 7 ? 40 : 0)).toFixed(3));
/** Everything that a rewriting would change: zeros in front and behind, quotes, digits beyond 2^53, spaces, words for nothing. */
const record = (i: number, seed = 0): string =>
  `${String(i).padStart(5, '0')},${value(i, seed).toFixed(4)},"a ""${i}"", b",${9007199254740993n + BigInt(i)}, x ,${i % 2 ? 'True' : 'FALSE'},NA`;
const HEADER = 'zip,v,note,big,pad,on,none';
const originals = Array.from({ length: COUNT }, (_, i) => record(i));
const USED = ['--columns', 'v', '-m', 'iforest', '-q'];
const forest = new IsolationForest().fit(Array.from({ length: COUNT }, (_, i) => [value(i)]));
const ending = (i: number): string => `${forest.scores[i]},${forest.labels[i]},${forest.probabilities[i]}`;

async function parquetRows(name: string): Promise<Record<string, unknown>[]> {
  const { buffer, byteOffset, length } = readFileSync(at(name));
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer });
}

beforeAll(() => {
  cli.write('in.csv', `${HEADER}\n${originals.join('\n')}\n`);
  cli.write('2.csv', `${HEADER}\n${originals.map((_, i) => record(i, 1)).join('\n')}\n`);
  expect(cli.curvad(['detect', 'in.csv', ...USED, '--save', 'm.curvad', '-o', 'first.csv']).status).toBe(0);
});

describe('detect and score write', () => {
  it('the lines of CSV to the letter, with three fields more', () => {
    const truth = [`${HEADER},score,anomaly,probability`, ...originals.map((line, i) => `${line},${ending(i)}`)];
    expect(linesOf(read('first.csv'))).toEqual(truth);
    expect(linesOf(cli.curvad(['score', 'm.curvad', 'in.csv', '-q']).stdout)).toEqual(truth);
    const input = read('in.csv');
    expect(linesOf(cli.curvad(['detect', '-', ...USED, '-f', 'csv'], { input }).stdout)).toEqual(truth);
    expect(linesOf(cli.curvad(['score', 'm.curvad', '-', '-q'], { input }).stdout)).toEqual(truth);
  });

  it('CSV as NDJSON and JSON: digits, zeros and texts as they were, missing values as null', () => {
    const truth = {
      zip: '00007',
      v: value(7),
      note: 'a "7", b',
      big: 9007199254741000n,
      pad: 'x',
      on: true,
      none: null,
      score: forest.scores[7],
      anomaly: 1,
      probability: forest.probabilities[7],
    };
    const asText = JSON.stringify(truth, (_, part) => (typeof part === 'bigint' ? `<${part}>` : part))
      .replace(/"<(\d+)>"/, '$1')
      .replace(`"v":${value(7)}`, `"v":${value(7).toFixed(4)}`);
    for (const command of [
      ['detect', 'in.csv', ...USED],
      ['score', 'm.curvad', 'in.csv', '-q'],
    ]) {
      expect(linesOf(cli.curvad([...command, '-f', 'ndjson']).stdout)[7]).toBe(asText);
      const rows = JSON.parse(cli.curvad([...command, '-f', 'json']).stdout);
      expect(rows).toHaveLength(COUNT);
      expect(rows[7]).toMatchObject({ zip: '00007', note: 'a "7", b', none: null, anomaly: 1 });
    }
  });

  it('types in Parquet: 64-bit integers, booleans, days and timestamps, doubles, text', async () => {
    const line = (i: number) =>
      `{"big":${9007199254740993n + BigInt(i)},"v":${value(i)},"on":${i % 2 === 1},"day":"2026-05-${10 + (i % 9)}","at":"2026-05-01T10:00:00.00${i % 9}Z","note":"n${i}","whole":${i}}`;
    cli.write('typed.ndjson', originals.map((_, i) => line(i)).join('\n'));
    expect(cli.curvad(['detect', 'typed.ndjson', ...USED, '-o', 'typed.parquet']).status).toBe(0);
    for (const [command, ...args] of [
      ['detect', 'typed.parquet', ...USED],
      ['score', 'm.curvad', 'typed.parquet', '-q'],
    ] as const) {
      expect(cli.curvad([command, ...args, '-o', 'again.parquet']).stderr).toBe('');
      const { buffer, byteOffset, length } = readFileSync(at('again.parquet'));
      const { schema } = parquetMetadata(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);
      const types = Object.fromEntries(
        schema.slice(1).map(({ name, type, converted_type, logical_type }) => {
          return [name, [type, converted_type ?? logical_type?.type]];
        }),
      );
      expect(types).toMatchObject({
        big: ['INT64', undefined],
        v: ['DOUBLE', undefined],
        on: ['BOOLEAN', undefined],
        day: ['INT32', 'DATE'],
        at: ['INT64', 'TIMESTAMP'],
        note: ['BYTE_ARRAY', 'UTF8'],
        whole: ['INT64', undefined],
        score: ['DOUBLE', undefined],
      });
      const rows = await parquetRows('again.parquet');
      expect(rows[7]).toMatchObject({
        big: 9007199254741000n,
        on: true,
        day: new Date('2026-05-17'),
        at: new Date('2026-05-01T10:00:00.007Z'),
        'score (2)': forest.scores[7],
        'anomaly (2)': 1,
      });
      expect(Object.keys(rows[0] as object).slice(0, 7)).toEqual(['big', 'v', 'on', 'day', 'at', 'note', 'whole']);
    }
  });

  it('the highest scores first with --top, only anomalies with --anomalies, no rows that were left out', () => {
    const order = [...forest.top(3)];
    const top = linesOf(cli.curvad(['detect', 'in.csv', ...USED, '--top', '3', '-f', 'csv']).stdout).slice(1);
    expect(top).toEqual(order.map((i) => `${originals[i]},${ending(i)}`));
    const flagged = linesOf(cli.curvad(['score', 'm.curvad', 'in.csv', '-q', '--anomalies']).stdout).slice(1);
    expect(flagged).toEqual(originals.flatMap((line, i) => (forest.labels[i] ? [`${line},${ending(i)}`] : [])));
    cli.write('holes.csv', `v,w\n${originals.map((_, i) => (i === 5 ? ',1' : `${value(i)},1`)).join('\n')}\n`);
    const holes = cli.curvad(['detect', 'holes.csv', ...USED, '--missing', 'drop', '-f', 'csv']).stdout;
    expect(linesOf(holes)).toHaveLength(COUNT);
    expect(linesOf(holes)[6]).toMatch(new RegExp(`^${value(6)},1,`));
  });

  it('names of their own where the file has such names, and says so', () => {
    cli.write('taken.csv', `score,v,anomaly\n${originals.map((_, i) => `${i},${value(i)},no`).join('\n')}\n`);
    const { stdout, stderr } = cli.curvad(['detect', 'taken.csv', '--columns', 'v', '-f', 'csv']);
    expect(linesOf(stdout)[0]).toBe('score,v,anomaly,score (2),anomaly (2),probability');
    expect(stderr).toContain('in the output "score" is "score (2)", "anomaly" is "anomaly (2)"');
    const late = `{"v":1}\n{"v":2,"score":3}\n`;
    const refused = cli.curvad(['score', 'm.curvad', '-'], { input: late });
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/line 2: it has a key "score".*--scores-only/),
    ]);
    const known = cli.curvad(['score', 'm.curvad', '-', '-q'], { input: `{"v":1,"score":3}\n` });
    expect(known.stdout).toMatch(/^\{"v":1,"score":3,"score \(2\)":/);
  });

  it('decimal commas and semicolons where the file has them, commas for tabs', () => {
    const german = originals.map((_, i) => `${String(value(i)).replace('.', ',')};k${i}`);
    cli.write('german.csv', `v;k\n${german.join('\n')}\n`);
    const lines = linesOf(cli.curvad(['detect', 'german.csv', ...USED, '-f', 'csv']).stdout);
    expect(lines[0]).toBe('v;k;score;anomaly;probability');
    expect(lines[8]).toBe(`${german[7]};${ending(7).replaceAll(',', ';').replaceAll('.', ',')}`);
    cli.write('tabs.tsv', `v\tk\n${originals.map((_, i) => `${value(i)}\ta,${i}`).join('\n')}\n`);
    expect(linesOf(cli.curvad(['detect', 'tabs.tsv', ...USED, '-f', 'csv']).stdout)[8]).toBe(
      `${value(7)},"a,7",${ending(7)}`,
    );
  });

  it('NDJSON as CSV with the keys of the first line, lists as JSON', () => {
    const lines = originals.map((_, i) => `{"v":${value(i)},"k":"=n${i}","list":[1,{"a":2}]}`);
    cli.write('rows.ndjson', lines.join('\n'));
    const { stdout } = cli.curvad(['score', 'm.curvad', 'rows.ndjson', '-f', 'csv', '-q']);
    expect(linesOf(stdout)[0]).toBe('v,k,list,score,anomaly,probability');
    expect(linesOf(stdout)[8]).toBe(`${value(7)},'=n7,"[1,{""a"":2}]",${ending(7)}`);
    const same = cli.curvad(['score', 'm.curvad', 'rows.ndjson', '-q']).stdout;
    expect(linesOf(same)[7]?.startsWith(`${(lines[7] as string).slice(0, -1)},"score":`)).toBe(true);
  });

  it('rows as they come, before the input ends', async () => {
    const child = cli.start(['score', 'm.curvad', '-', '-q']);
    const next = () => new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data))));
    const seen = next();
    child.stdin?.write(`${HEADER}\n${originals[7]}\n${originals[8]?.slice(0, 9)}`);
    let text = await seen;
    while (!text.includes(`${originals[7]},${ending(7)}\n`)) text += await next();
    expect(text).not.toContain('00008');
    child.stdin?.end();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(2); // the last line is cut off
  });
});

describe('several files', () => {
  it('are one table, and each row tells its file, for detect and score, by names and by patterns', () => {
    const both = linesOf(cli.curvad(['detect', 'in.csv', '2.csv', ...USED, '-f', 'csv']).stdout);
    expect(both).toHaveLength(2 * COUNT + 1);
    expect(both[0]).toBe(`${HEADER},score,anomaly,probability,file`);
    expect(both[8]).toMatch(/,in\.csv$/);
    expect(both[COUNT + 8]?.startsWith(record(7, 1))).toBe(true);
    expect(both[COUNT + 8]).toMatch(/,2\.csv$/);
    const matched = linesOf(cli.curvad(['detect', '{in,2}.csv', ...USED, '-f', 'csv']).stdout);
    expect([...matched].sort()).toEqual([...both].sort());
    const scored = linesOf(cli.curvad(['score', 'm.curvad', 'in.csv', '2.csv', '-q']).stdout);
    expect(scored[8]).toBe(`${originals[7]},${ending(7)},in.csv`);
    expect(scored[COUNT + 8]?.startsWith(`${record(7, 1)},`)).toBe(true);
    const alone = linesOf(cli.curvad(['score', 'm.curvad', 'in.csv', '2.csv', '-q', '--scores-only']).stdout);
    expect(alone[COUNT + 1]).toMatch(/^0,[\d.]+,0,[\d.]+,2\.csv$/);
  });

  it('of other formats and with columns in another order are joined by name', async () => {
    cli.write('order.ndjson', originals.map((_, i) => `{"w":${i},"v":${value(i)}}`).join('\n'));
    cli.write(
      'order.csv',
      `v;w\n${originals
        .map((_, i) => `${value(i)};${i}`)
        .join('\n')
        .replaceAll('.', ',')}\n`,
    );
    const { stdout, stderr } = cli.curvad(['score', 'm.curvad', 'order.csv', 'order.ndjson', '-f', 'ndjson', '-q']);
    expect(stderr).toBe('');
    const rows = linesOf(stdout).map((line) => JSON.parse(line));
    expect(rows[7]).toEqual({ ...rows[COUNT + 7], file: 'order.csv' });
    expect(cli.curvad(['detect', 'order.csv', 'order.ndjson', ...USED, '-o', 'order.parquet']).status).toBe(0);
    const typed = await parquetRows('order.parquet');
    expect(typed[7]).toEqual({ ...typed[COUNT + 7], file: 'order.csv' });
  });

  it('are told apart in the table, and differ loudly where they differ', () => {
    const { stdout } = cli.curvad(['detect', 'in.csv', '2.csv', '--columns', 'v', '--top', '2']);
    expect(stdout).toMatch(/^row +file +score/);
    expect(stdout).toMatch(/^ *7 +in\.csv /m);
    expect(stdout).toMatch(/^ *7 +2\.csv /m);
    cli.write('other.csv', `v,w\n${originals.map((_, i) => `${value(i)},x`).join('\n')}\n`);
    const differs = cli.curvad(['detect', 'in.csv', 'other.csv', '--columns', 'v']);
    expect([differs.status, differs.stderr]).toEqual([2, expect.stringContaining('"other.csv" has no column "zip"')]);
    cli.write('words.csv', `v,w\n${originals.map((_, i) => `${value(i)},${i}`).join('\n')}\n`);
    expect(cli.curvad(['detect', 'other.csv', 'words.csv']).stderr).toMatch(/"w" holds text in .* and numbers in/);
    expect(cli.curvad(['detect', 'other.csv', 'words.csv', '--ignore', 'w']).status).toBe(0);
    writeFileSync(at('odd*.csv'), read('in.csv'));
    expect(cli.curvad(['detect', 'odd*.csv', '-q', '--columns', 'v']).status).toBe(0);
    const none = cli.curvad(['detect', 'nothing*.csv']);
    expect([none.status, none.stderr]).toEqual([2, 'curvad: "nothing*.csv": no file matches\n']);
  });
});

it('a long file in windows-1252 that looks like UTF-8 for a megabyte is written as it was read', () => {
  const lines = Array.from({ length: 150_000 }, (_, i) => `${i % 7},${(i * 37) % 11},${i === 140_000 ? 'Öl' : 'gas'}`);
  writeFileSync(at('late.csv'), Buffer.from(`a,b,kind\n${lines.join('\n')}\n`, 'latin1'));
  const flags = ['--columns', 'a,b', '-m', 'iforest', '--sample', '500', '-q'];
  for (const name of ['late-out.csv', 'late-out.json']) {
    const { status, stderr } = cli.curvad(['detect', 'late.csv', ...flags, '-o', name]);
    expect([status, stderr]).toEqual([0, '']);
  }
  expect(linesOf(read('late-out.csv'))[140_001]).toMatch(/^0,1,Öl,/);
  expect((JSON.parse(read('late-out.json')) as { kind: string }[])[140_000]?.kind).toBe('Öl');
  const kept = cli.curvad(['select', 'late.csv', '-m', 'irmd', '--columns', 'a,b', '--count', '2', '-q']);
  expect([kept.status, kept.stderr]).toEqual([0, '']);
});
