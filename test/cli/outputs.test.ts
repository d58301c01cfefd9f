// Outputs do no harm: they never replace an input, keep permissions, follow no link that was planted, leave nothing
// behind, and have the format their name stands for.
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, installedCli, readings } from './support.js';

const cli = installedCli();
const data = readings(60);
const at = (name: string) => join(cli.path, name);
const DETECT = ['detect', 'in.csv', '--columns', 'a,b,c', '-q'];

beforeAll(() => {
  cli.write('in.csv', data.csv);
  expect(cli.curvad([...DETECT, '--save', 'm.curvad', '-o', 'first.csv']).status).toBe(0);
});

describe('an output', () => {
  it.each(['in.csv', './in.csv', 'soft.csv', 'hard.csv'])('is refused where it is the input: %s', (name) => {
    if (name === 'soft.csv') symlinkSync('in.csv', at(name));
    if (name === 'hard.csv') linkSync(at('in.csv'), at(name));
    for (const args of [
      [...DETECT, '-o', name],
      [...DETECT, '--save', name],
      ['select', 'in.csv', '--columns', 'a,b,c', '--keep', '0.5', '-o', name],
      ['score', 'm.curvad', 'in.csv', '-o', name],
    ]) {
      const { status, stderr } = cli.curvad(args);
      expect([status, stderr]).toEqual([1, expect.stringMatching(/is the input: write the output to another file/)]);
    }
    expect(readFileSync(at('in.csv'), 'utf8')).toBe(data.csv);
  });

  it('is refused where it is the model, the file on standard input, or another output', () => {
    const model = readFileSync(at('m.curvad'));
    expect(cli.curvad(['score', 'm.curvad', 'in.csv', '-o', 'm.curvad', '-f', 'csv']).status).toBe(1);
    writeFileSync(at('model'), model);
    expect(cli.curvad(['score', 'model', 'in.csv', '-o', 'model']).stderr).toMatch(/is the input/);
    expect(readFileSync(at('model')).equals(model)).toBe(true);
    expect(cli.shell('$curvad detect - --columns a,b,c -o in.csv < in.csv').stderr).toMatch(/is the input/);
    expect(readFileSync(at('in.csv'), 'utf8')).toBe(data.csv);
    expect(cli.curvad([...DETECT, '-o', 'x.csv', '--save', './x.csv']).stderr).toMatch(/named for two outputs/);
  });

  it('keeps the permissions of the file it replaces, rows and models alike', () => {
    for (const [option, name, mode] of [
      ['-o', 'private.csv', 0o600],
      ['--save', 'private.curvad', 0o600],
      ['-o', 'shared.csv', 0o666],
    ] as const) {
      cli.write(name, 'old');
      chmodSync(at(name), mode);
      expect(cli.curvad([...DETECT, option, name]).status).toBe(0);
      expect(statSync(at(name)).mode & 0o777).toBe(mode);
      expect(statSync(at(name)).size).toBeGreaterThan(100);
    }
  });

  it('is refused where it is a dangling link, and written through a link that leads somewhere', () => {
    symlinkSync('nowhere.csv', at('dangling.csv'));
    const { status, stderr } = cli.curvad([...DETECT, '-o', 'dangling.csv']);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/is a link to a file that does not exist/)]);
    expect(readlinkSync(at('dangling.csv'))).toBe('nowhere.csv');
    cli.write('target.csv', 'old');
    symlinkSync('target.csv', at('through.csv'));
    expect(cli.curvad([...DETECT, '-o', 'through.csv']).status).toBe(0);
    expect(lstatSync(at('through.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('target.csv'), 'utf8')).toMatch(/^name,a,b,c,bad,score,anomaly,probability\n/);
  });

  it('does not mind what an earlier run with the same process id left behind', () => {
    // In a container every run may be process 1. bash keeps its id through exec, so that the name is known before.
    cli.write('victim.csv', 'precious');
    const plant = 'ln -s victim.csv ".left.csv.$$.tmp"';
    const { status } = cli.shell(`${plant}; exec $curvad detect in.csv --columns a,b,c -q -o left.csv`);
    expect(status).toBe(0);
    expect(readFileSync(at('victim.csv'), 'utf8')).toBe('precious');
    expect(readFileSync(at('left.csv'), 'utf8')).toBe(readFileSync(at('first.csv'), 'utf8'));
  });

  it('leaves no other file behind, whether it works out or not', () => {
    const before = new Set(readdirSync(cli.path));
    cli.curvad([...DETECT, '-o', 'done.csv']);
    cli.curvad(['score', 'm.curvad', '-', '-o', 'failed.csv'], { input: 'a,b,c\n1,2,3\n1,oops,3\n' });
    expect(readdirSync(cli.path).filter((name) => !before.has(name))).toEqual(['done.csv']);
  });
});

describe('the name of an output', () => {
  it('decides the format of score', async () => {
    const scores = column(cli.curvad(['score', 'm.curvad', 'in.csv', '-q']).stdout, 'score');
    const run = (...args: string[]) =>
      cli.curvad(['score', 'm.curvad', 'in.csv', '--id', 'name', '--scores-only', '-q', ...args]);
    const truth = scores.map((score, i) => ({ row: i, name: data.names[i], score }));
    expect(run('-o', 's.json').status).toBe(0);
    expect(JSON.parse(readFileSync(at('s.json'), 'utf8'))).toMatchObject(truth);
    expect(run('-o', 's.parquet').status).toBe(0);
    const { buffer, byteOffset, length } = readFileSync(at('s.parquet'));
    const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer;
    expect(await parquetReadObjects({ file })).toMatchObject(truth);
    expect(JSON.parse(cli.curvad(['score', 'm.curvad', '-', '-f', 'json'], { input: 'a,b,c\n' }).stdout)).toEqual([]);
  });

  it.each([
    [[...DETECT, '-o', 'x.xlsx'], /"x.xlsx": .xlsx cannot be written; end the name in .csv, .json, .ndjson, .parquet/],
    [[...DETECT, '--report', 'x.pdf'], /"x.pdf": .pdf cannot be written; end the name in .html/],
    [['score', 'm.curvad', 'in.csv', '-o', 'x.xlsx'], /.xlsx cannot be written/],
    [['select', 'in.csv', '--keep', '0.5', '-o', 'x.csv.gz'], /.gz cannot be written/],
    [['example', '-o', 'x.xlsx'], /.xlsx cannot be written/],
    [[...DETECT, '-o', 'x.parquet', '-f', 'csv'], /stands for parquet, --format asks for csv/],
  ])('is refused where it stands for nothing that can be written: %j', (args, message) => {
    const before = readdirSync(cli.path);
    const { status, stderr } = cli.curvad(args);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(readdirSync(cli.path)).toEqual(before);
  });
});
