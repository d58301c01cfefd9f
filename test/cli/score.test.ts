// curvad score: what a saved model says of new rows, as a stream.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { METHOD_NAMES } from '../../src/cli/methods.js';
import { CAD, load } from '../../src/index.js';
import { column, installedCli, parseCsv, readings } from './support.js';

const cli = installedCli();
const train = readings(200, 1);
const fresh = readings(300, 2);
let model: CAD;
let scores: number[];

beforeAll(() => {
  cli.write('train.csv', train.csv);
  cli.write('fresh.csv', fresh.csv);
  const { status } = cli.curvad([
    'detect',
    '--method',
    'cad',
    'train.csv',
    '--ignore',
    'name,bad',
    '--standardize',
    '--save',
    'model.curvad',
    '-q',
  ]);
  expect(status).toBe(0);
  model = new CAD({ standardize: true }).fit(train.rows);
  scores = [...model.score(fresh.rows)];
});

describe('curvad score', () => {
  it('gives the scores and verdicts of the library, bit for bit, from a file and from a pipe', () => {
    const fromFile = cli.curvad(['score', 'model.curvad', 'fresh.csv', '--id', 'name', '--scores-only']);
    expect(fromFile.stderr).toBe('');
    expect(column(fromFile.stdout, 'score')).toEqual(scores);
    expect(column(fromFile.stdout, 'anomaly')).toEqual([...model.predict(fresh.rows)]);
    expect(parseCsv(fromFile.stdout).map(({ name }) => name)).toEqual(fresh.names);
    const piped = cli.curvad(['score', 'model.curvad', '-', '--id', 'name', '--scores-only'], { input: fresh.csv });
    expect(piped.stdout).toBe(fromFile.stdout);
    const packed = cli.curvad(['score', 'model.curvad', '-', '--id', 'name', '--scores-only'], {
      input: gzipSync(fresh.csv),
    });
    expect(packed.stdout).toBe(fromFile.stdout);
  });

  it('saves models that the library loads in any program', () => {
    const bytes = readFileSync(join(cli.path, 'model.curvad'));
    expect([...load(bytes).score(fresh.rows)]).toEqual(scores);
  });

  it('scores with models that a program saved, by the place of columns', () => {
    writeFileSync(join(cli.path, 'program.curvad'), model.toBytes());
    const bare = fresh.rows.map((row) => row.join(',')).join('\n');
    const { stdout } = cli.curvad(['score', 'program.curvad', '-'], { input: bare });
    expect(column(stdout, 'score')).toEqual(scores);
  });

  it('finds columns by name, in any order, among others', () => {
    const lines = fresh.rows.map(([a, b, c]) => `${c},x,${a},${b}`);
    const { stdout } = cli.curvad(['score', 'model.curvad', '-'], { input: `c,other,a,b\n${lines.join('\n')}` });
    expect(column(stdout, 'score')).toEqual(scores);
  });

  it('reads and writes NDJSON', () => {
    const input = fresh.rows.map(([a, b, c], i) => JSON.stringify({ id: i * 2, b, a, c })).join('\n');
    const { stdout } = cli.curvad(['score', 'model.curvad', '-', '--id', 'id', '--scores-only'], { input });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ score }) => score)).toEqual(scores);
    const probability = model.probability(fresh.rows)[7];
    expect(rows[7]).toEqual({ row: 7, id: '14', score: scores[7], anomaly: model.predict(fresh.rows)[7], probability });
  });

  it('writes the format that the name of the output stands for', () => {
    for (const name of ['fresh.jsonl', 'scores.ndjson'])
      expect(cli.curvad(['score', 'model.curvad', 'fresh.csv', '-o', name, '-q', '--scores-only']).status).toBe(0);
    const text = readFileSync(join(cli.path, 'fresh.jsonl'), 'utf8');
    expect(JSON.parse(text.split('\n')[7] as string)).toMatchObject({ row: 7, score: scores[7] });
    expect(readFileSync(join(cli.path, 'scores.ndjson'), 'utf8')).toBe(text);
  });

  it.each(METHOD_NAMES)('repeats the scores of detect unless it searches for neighbours: %s', (name) => {
    const args = ['train.csv', '--ignore', 'name,bad', '-m', name, '--save', 'same.curvad', '-o', 'same.csv', '-q'];
    expect(cli.curvad(['detect', ...args]).status).toBe(0);
    const detected = column(readFileSync(join(cli.path, 'same.csv'), 'utf8'), 'score');
    const again = column(cli.curvad(['score', 'same.curvad', 'train.csv']).stdout, 'score');
    expect(again.every((score, i) => score === detected[i])).toBe(
      !['landmark', 'cad', 'kcad', 'knn', 'lof'].includes(name),
    );
  });

  it('warns in its help of the methods that do not', () => {
    const help = cli.curvad(['score', '--help']).stdout.replaceAll('\n', ' ');
    expect(help).toContain('does not give the scores of detect for landmark, cad, kcad, knn and lof');
  });

  it('scores rows as they come, before the input ends', async () => {
    const child = cli.start(['score', 'model.curvad', '-', '--scores-only']);
    const [head, first, second] = fresh.csv.split('\n');
    const next = () => new Promise<string>((resolve) => child.stdout?.once('data', (data) => resolve(String(data))));
    const header = next();
    child.stdin?.write(`${head}\n${first}\n${second?.slice(0, 5)}`);
    let seen = await header;
    while (!seen.includes(`0,${scores[0]},`)) seen += await next();
    expect(seen).not.toContain(`\n1,`);
    child.stdin?.write(`${second?.slice(5)}\n`);
    while (!seen.includes(`1,${scores[1]},`)) seen += await next();
    child.stdin?.end();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });

  it('stops at a bad line with its number, after the scores of the rows before it', () => {
    const lines = fresh.csv.trimEnd().split('\n');
    lines[5] = 'r4,1,oops,3,0';
    const { stdout, stderr, status } = cli.curvad(['score', 'model.curvad', '-'], { input: lines.join('\n') });
    expect(status).toBe(2);
    expect(stderr).toBe('curvad: standard input, line 6: column "b" holds "oops", a number is needed\n');
    expect(column(stdout, 'score')).toEqual(scores.slice(0, 4));
  });

  it('skips bad lines, names and counts them, and keeps the numbers of the others', () => {
    const lines = fresh.csv.trimEnd().split('\n');
    const bad = { 3: 'r2,1,oops,3,0', 10: 'r9,1,2', 20: '"r19"x,1,2,3,0', 30: 'r29,1,,3,0', 40: 'r39,1,1e999,3,0' };
    for (const [line, text] of Object.entries(bad)) lines[Number(line) - 1] = text;
    const args = ['score', 'model.curvad', '-', '--on-error', 'skip', '--scores-only'];
    const { stdout, stderr, status } = cli.curvad(args, { input: lines.join('\n') });
    expect(status).toBe(0);
    const left = new Set(Object.keys(bad).map((line) => Number(line) - 2));
    expect(column(stdout, 'row')).toEqual(scores.flatMap((_, i) => (left.has(i) ? [] : [i])));
    expect(column(stdout, 'score')).toEqual(scores.filter((_, i) => !left.has(i)));
    for (const line of Object.keys(bad)) expect(stderr).toContain(`line ${line} is skipped`);
    expect(stderr).toContain('skipped 5 lines');
  });

  it('treats categories and missing values as it learned', () => {
    const kinds = ['x', 'y', 'z'];
    const line = (row: readonly number[], i: number, kind = kinds[i % 3]) =>
      `${row[0]},${kind},${i % 10 === 4 ? '' : row[1]}`;
    cli.write('kinds.csv', `a,kind,b\n${train.rows.map((row, i) => line(row, i)).join('\n')}\n`);
    cli.curvad(['detect', '--method', 'cad', 'kinds.csv', '--missing', 'median', '--save', 'kinds.curvad', '-q']);
    const sorted = train.rows.flatMap((row, i) => (i % 10 === 4 ? [] : [row[1] as number])).sort((p, q) => p - q);
    const median = ((sorted[89] as number) + (sorted[90] as number)) / 2;
    const encode = (row: readonly number[], i: number, kind = kinds[i % 3]) => [
      row[0] as number,
      ...kinds.map((known) => Number(known === kind)),
      i % 10 === 4 ? median : (row[1] as number),
    ];
    const cad = new CAD().fit(train.rows.map((row, i) => encode(row, i)));
    const kindOf = (i: number) => (i === 9 ? 'unknown' : kinds[i % 3]);
    const input = `a,kind,b\n${fresh.rows.map((row, i) => line(row, i, kindOf(i))).join('\n')}`;
    const { stdout, stderr } = cli.curvad(['score', 'kinds.curvad', '-'], { input });
    expect(column(stdout, 'score')).toEqual([...cad.score(fresh.rows.map((row, i) => encode(row, i, kindOf(i))))]);
    expect(stderr).toContain('1 cell held categories the model does not know');
  });

  it('tells what a model holds', () => {
    const { stdout } = cli.curvad(['inspect', 'model.curvad']);
    expect(stdout).toMatch(/detector +CAD/);
    expect(stdout).toMatch(/trained on +200 rows, 3 columns/);
    const { features, threshold } = JSON.parse(cli.curvad(['inspect', 'model.curvad', '--json']).stdout);
    expect(features).toEqual(['a', 'b', 'c']);
    expect(threshold).toBe(model.threshold);
  });

  it('names the column a file lacks, and refuses a file without header for a model with names', () => {
    const lacking = cli.curvad(['score', 'model.curvad', '-'], { input: 'a,c\n1,2\n' });
    expect([lacking.status, lacking.stderr]).toEqual([
      2,
      expect.stringContaining('has no column "b", which the model needs'),
    ]);
    const bare = cli.curvad(['score', 'model.curvad', '-'], { input: '1,2,3\n' });
    expect([bare.status, bare.stderr]).toEqual([1, expect.stringContaining('has no header')]);
    const placed = cli.curvad(['score', 'model.curvad', '-', '--no-header'], {
      input: `${fresh.rows[0]?.join(',')}\n`,
    });
    expect(column(placed.stdout, 'score')).toEqual([scores[0]]);
  });
});
