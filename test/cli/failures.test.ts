// Everything that can go wrong at a terminal: one line that says what to do, the right exit code, no stack
// trace, and nothing half written.
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ABOUT_TIME } from '../support/timing.js';
import { installedCli, readings } from './support.js';

const cli = installedCli();
const data = readings(60);

beforeAll(() => {
  cli.write('good.csv', data.csv);
  cli.write('empty.csv', '');
  cli.write('blank.csv', '\n\n\n');
  cli.write('header.csv', 'a,b,c\n');
  cli.write('binary.csv', 'a,b\0c\x01\x02');
  cli.write('words.csv', 'a,b\nx1,y1\nx2,y2\nx3,y3\nx4,y4\nx5,y5\nx6,y6\nx7,y7\nx8,y8\nx9,y9\nx10,y10\nx11,y11\n');
  cli.write('wider.csv', data.csv.replace('r30,', 'r30,7,'));
  cli.write('infinite.csv', data.csv.replace(/^r30,[^,]+/m, 'r30,inf'));
  cli.write('broken.csv.gz', 'x');
  cli.write('wide.csv', Buffer.from('a,b\n1,2\n', 'utf16le').toString('latin1'));
  cli.write('bad.parquet', 'PAR1 this is not parquet');
  cli.write('bad.arrow', 'ARROW1\0\0 this is not arrow');
  writeFileSync(join(cli.path, 'bad.npy'), Buffer.from('\x93NUMPY', 'latin1'));
  cli.write('named.npy', 'a,b\n1,2\n');
  cli.write('named.parquet', 'a,b\n1,2\n');
  cli.write('bad.ndjson', '{"a":1,"b":2}\n{"a":1,\n');
  mkdirSync(join(cli.path, 'folder'));
  writeFileSync(join(cli.path, 'cut.csv.gz'), Buffer.from('1f8b0800000000000003', 'hex'));
  writeFileSync(
    join(cli.path, 'cut.npy'),
    Buffer.from(
      `\x93NUMPY\x01\x00\x40\x00${"{'descr': '<f8', 'fortran_order': False, 'shape': (99, 3), }".padEnd(63)}\n`,
      'latin1',
    ),
  );
});

/** A failure in one line. */
function expectFailure(args: readonly string[], exitCode: number, message: RegExp): void {
  const { status, stderr, stdout } = cli.curvad([...args, '-q']);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(/^curvad: /);
  expect(stdout).toBe('');
  expect(status).toBe(exitCode);
}

describe('what is wrong with the data, exit code 2', () => {
  it.each([
    ['nothing.csv', /no such file/],
    ['folder', /is a folder, not a file/],
    ['empty.csv', /is empty/],
    ['blank.csv', /is empty/],
    ['header.csv', /a header and no rows/],
    ['binary.csv', /binary file, not a table/],
    ['words.csv', /no column of numbers/],
    ['wider.csv', /line 32: it has 6 fields where 5 are expected/],
    ['infinite.csv', /row 30, column "a" is Infinity/],
    ['cut.csv.gz', /damaged or cut off/],
    ['bad.parquet', /cannot be read as Parquet/],
    ['bad.arrow', /cannot be read as Arrow/],
    ['bad.npy', /is cut off/],
    ['cut.npy', /is cut off/],
    ['named.npy', /is not an .npy file/],
    ['named.parquet', /cannot be read as Parquet/],
    ['bad.ndjson', /line 2: it is not JSON/],
  ])('%s', (file, message) => expectFailure(['detect', file], 2, message));

  it('labels that are all the same', () => {
    cli.write('calm.csv', data.csv.replace(/,1$/gm, ',0'));
    expectFailure(['detect', 'calm.csv', '--label', 'bad'], 2, /all rows are normal by column "bad"/);
  });

  it('no permission', () => {
    const path = cli.write('secret.csv', data.csv);
    chmodSync(path, 0);
    chmodSync(cli.path, 0o755);
    // Root may read everything: then somebody else tries.
    const { status, stderr } = cli.curvad(['detect', 'secret.csv'], process.getuid?.() === 0 ? { uid: 65534 } : {});
    expect(stderr).toBe('curvad: "secret.csv": you have no permission for it\n');
    expect(status).toBe(2);
  });

  it.each([
    [['--out', '/dev/full'], /"\/dev\/full": the disk is full/],
    [['--save', '/dev/full'], /the disk is full/],
    [['--out', 'folder'], /"folder" is a folder/],
    [['--out', 'nowhere/x.csv'], /"nowhere\/x.csv": no such file or folder/],
  ])('output that cannot be written: %j', (args, message) =>
    expectFailure(['detect', 'good.csv', ...args], 2, message),
  );

  it('standard output that is full', () => {
    const { status, stderr } = cli.shell('$curvad detect good.csv -q -f csv > /dev/full');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^curvad: output: the disk is full.*\n$/)]);
  });

  it('a file that is no model, and a model that was changed', () => {
    expectFailure(['inspect', 'good.csv'], 2, /not a curvad model file/);
    expectFailure(['score', 'good.csv', 'good.csv'], 2, /not a curvad model file/);
    expectFailure(['inspect', 'folder'], 2, /is a folder/);
  });
});

describe('what is wrong with the call, exit code 1', () => {
  it.each([
    [['detect'], /needs a file/],
    [['detect', 'good.csv', 'good.csv'], /"good.csv" is given twice/],
    [['detect', 'good.csv', '--standardise'], /has no option "--standardise": did you mean --standardize\?/],
    [['detect', 'good.csv', '--method', 'loff'], /--method must be one of landmark, .* did you mean lof\?/],
    [['detect', 'good.csv', '-k', 'ten'], /--k must be a whole number/],
    [['detect', 'good.csv', '-k', '1'], /at least 2/],
    [['detect', 'good.csv', '--contamination', '0.9'], /--contamination must be a share above 0 and at most 0.5/],
    [['detect', 'good.csv', '--out'], /--out needs a value/],
    [['detect', 'good.csv', '--columns', 'aa'], /no column "aa", did you mean "a"\?/],
    [['detect', 'good.csv', '--label', 'name'], /which rows of "name" are anomalies\?.*--positive/],
    [['detect', 'good.csv', '--separator', 'ab'], /separator must be one character/],
    [['detect', 'good.csv', '--method', 'cad', '--kernel', 'rbff'], /kernel must be one of/],
    [['detect', 'good.csv', '--method', 'iforest', '-k', '5'], /--k does not apply to iforest/],
    [['score', 'good.csv'], /needs a model and a file/],
    [['detekt', 'good.csv'], /there is no command "detekt": did you mean detect\?/],
  ])('%j', (args, message) => expectFailure(args, 1, message));
});

describe('what ends early', () => {
  it('a closed pipe is no failure', () => {
    cli.write('long.csv', readings(20_000).csv);
    const { stdout, stderr } = cli.shell(
      '$curvad detect long.csv -m iforest -q -f csv --scores-only | head -n 2; echo $PIPESTATUS',
    );
    expect(stdout.trimEnd().split('\n')).toEqual(['row,score,anomaly,probability', expect.stringMatching(/^0,/), '0']);
    expect(stderr).toBe('');
  });

  it('an interrupt stops at once, with 130, and leaves no half-written file', ABOUT_TIME, async () => {
    cli.write('longer.csv', readings(60_000).csv);
    const { status } = cli.curvad(['detect', 'good.csv', '--ignore', 'name', '--save', 'm.curvad', '-q']);
    expect(status).toBe(0);
    const before = readdirSync(cli.path);
    const child = cli.start(['score', 'm.curvad', '-', '--out', 'late.csv', '-q']);
    child.stdin?.write(data.csv);
    while (!readdirSync(cli.path).some((name) => name.endsWith('.tmp')))
      await new Promise((done) => setTimeout(done, 20));
    const fitting = cli.start([
      'detect',
      'longer.csv',
      '--method',
      'cad',
      '--kernel',
      'polynomial',
      '--ignore',
      'name',
      '--out',
      'fit.csv',
      '-q',
    ]);
    await new Promise((done) => setTimeout(done, 700));
    for (const process of [child, fitting]) {
      const start = performance.now();
      process.kill('SIGINT');
      expect(await new Promise((resolve) => process.once('exit', resolve))).toBe(130);
      expect(performance.now() - start).toBeLessThan(1000);
    }
    expect(readdirSync(cli.path)).toEqual(before);
  });

  it('a failure in the middle leaves the file that was there', () => {
    cli.write('old.csv', 'old');
    cli.curvad(['detect', 'good.csv', '--ignore', 'name', '--save', 'm2.curvad', '-q']);
    const input = `${data.csv}r60,oops,1,2,0\n`;
    const { status } = cli.curvad(['score', 'm2.curvad', '-', '--out', 'old.csv', '-q'], { input });
    expect(status).toBe(2);
    expect(cli.shell('cat old.csv').stdout).toBe('old');
    expect(readdirSync(cli.path).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('hostile files do no harm', () => {
  it('objects that never share a key', () => {
    const lines = Array.from({ length: 12_000 }, (_, i) => `{"a":${i},"k${i}":1}`);
    cli.write('keys.ndjson', lines.join('\n'));
    expectFailure(['detect', 'keys.ndjson'], 2, /different keys so far: rows must share their keys/);
  });

  it('a line of 10 MB, 100,000 columns, names of prototypes, formulas', () => {
    cli.write('long-line.csv', `${data.csv}${'x'.repeat(10_000_000)},1,2,3,0\n`);
    const long = cli.curvad(['detect', 'long-line.csv', '--id', 'name', '--top', '1', '--json', '-q']);
    expect(JSON.parse(long.stdout).rows).toBe(61);
    const names = Array.from({ length: 100_000 }, (_, j) => (j % 2 ? 'x' : `c${j}`));
    const line = (i: number) => names.map((_, j) => (i * j) % 7).join(',');
    cli.write('broad.csv', `${names.join(',')}\n${Array.from({ length: 12 }, (_, i) => line(i)).join('\n')}\n`);
    const broad = cli.curvad(['detect', 'broad.csv', '-k', '3', '-f', 'csv', '-q']);
    expect([broad.status, broad.stdout.trimEnd().split('\n').length]).toEqual([0, 13]);
    const header = '__proto__,constructor,toString,bad';
    cli.write('proto.csv', data.csv.replace(/^.*\n/, `name,${header}\n`));
    const proto = cli.curvad([
      'detect',
      'proto.csv',
      '--ignore',
      'bad',
      '--id',
      'name',
      '--save',
      'p.curvad',
      '--json',
      '-q',
    ]);
    expect(JSON.parse(proto.stdout).columns).toEqual(['__proto__', 'constructor', 'toString']);
    expect(cli.curvad(['score', 'p.curvad', 'proto.csv', '-q']).status).toBe(0);
    cli.write('proto.ndjson', data.rows.map(([a, b]) => `{"__proto__":${a},"b":${b}}`).join('\n'));
    const json = cli.curvad([
      'detect',
      'proto.ndjson',
      '--id',
      '__proto__',
      '--columns',
      'b',
      '-f',
      'ndjson',
      '--scores-only',
      '-q',
    ]).stdout;
    expect(json.split('\n')[0]).toMatch(/^\{"row":0,"__proto__":"/);
    cli.write('formula.csv', data.csv.replace('r3,', '"=cmd|\' /C calc\'!A0",').replace('r4,', '-4,'));
    const cells = cli
      .curvad(['detect', 'formula.csv', '--id', 'name', '-f', 'csv', '--scores-only', '-q'])
      .stdout.split('\n');
    expect(cells[4]).toMatch(/^3,'=cmd/);
    expect(cells[5]).toMatch(/^4,-4,/);
  });
});
