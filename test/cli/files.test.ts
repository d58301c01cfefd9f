// Files as the command meets them: detect, score and select read the same cells in the same way.
import { describe, expect, it } from 'vitest';
import { column, installedCli } from './support.js';

const cli = installedCli();

const lines = (cell: (i: number) => string) =>
  Array.from(
    { length: 120 },
    (_, i) => `${(20 + Math.sin(i)).toFixed(4)},${i % 3 === 0 ? 'True' : 'False'},${cell(i)}`,
  );
const file = (name: string, rows: readonly string[]) => cli.write(name, `temp,on,share\n${rows.join('\n')}\n`);
const percent = (i: number) => `${(i % 7) + 0.5}%`;

describe('a file of numbers, booleans and percents', () => {
  const rows = lines(percent);
  file('good.csv', rows);

  it('is scored from CSV as from NDJSON and Parquet, to the last bit', () => {
    const saved = cli.curvad(['detect', 'good.csv', '-m', 'iforest', '--save', 'm.curvad', '-q', '-o', 'scores.csv']);
    expect(saved.stderr).toBe('');
    cli.curvad(['select', 'good.csv', '--keep', '1', '-o', 'good.ndjson']);
    cli.curvad(['select', 'good.csv', '--keep', '1', '-o', 'good.parquet']);
    const scores = column(cli.curvad(['score', 'm.curvad', 'good.csv']).stdout, 'score');
    expect(scores).toHaveLength(120);
    expect(scores).toEqual(column(cli.shell('cat scores.csv').stdout, 'score'));
    for (const other of ['good.ndjson', 'good.parquet'])
      expect(column(cli.curvad(['score', 'm.curvad', other, '-f', 'csv']).stdout, 'score')).toEqual(scores);
  });

  it('with one bad cell is refused with row, column, cell and what helps', () => {
    file('bad.csv', ['ERR,True,1%', ...rows]);
    const bad = cli.curvad(['detect', 'bad.csv']);
    expect([bad.status, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toMatch(/row 0, column "temp" holds "ERR".*--na ERR.*--ignore/);
    expect(cli.curvad(['detect', 'bad.csv', '--ignore', 'temp', '-q']).status).toBe(0);
    const dropped = cli.curvad(['detect', 'bad.csv', '--na', 'ERR', '--missing', 'drop']);
    expect(dropped.stderr).toMatch(/left out 1 row of 121 that lack values: "temp" lacks 1/);
    expect(cli.curvad(['score', 'm.curvad', 'bad.csv']).stderr).toMatch(/line 2: column "temp" holds "ERR"/);
    expect(cli.curvad(['score', 'm.curvad', 'bad.csv', '--na', 'ERR']).stderr).toMatch(
      /line 2: column "temp" is missing/,
    );
  });

  it('says which columns number the rows', () => {
    cli.write('numbered.csv', `id,temp\n${rows.map((row, i) => `${i},${row.split(',')[0]}`).join('\n')}\n`);
    expect(cli.curvad(['detect', 'numbered.csv']).stderr).toMatch(/the column "id" counts the rows: --ignore id/);
    expect(cli.curvad(['detect', 'numbered.csv', '--id', 'id']).stderr).not.toMatch(/counts the rows/);
  });
});

it('64-bit ids and types survive select from Parquet to Parquet', () => {
  const ids = Array.from(
    { length: 30 },
    (_, i) => `${9007199254740993n + BigInt(2 * i)},${Math.sin(i)},${i % 2 === 0},2026-05-01 10:00:${10 + i}`,
  );
  cli.write('ids.csv', `id,v,on,at\n${ids.join('\n')}\n`);
  cli.curvad(['select', 'ids.csv', '--keep', '1', '-o', 'ids.parquet', '--ignore', 'id']);
  cli.curvad(['select', 'ids.parquet', '--keep', '1', '-o', 'again.parquet', '--ignore', 'id']);
  const back = cli
    .curvad(['select', 'again.parquet', '--keep', '1', '-f', 'ndjson', '--ignore', 'id'])
    .stdout.trim()
    .split('\n');
  expect(back).toHaveLength(30);
  expect(back[1]).toBe(`{"id":9007199254740995,"v":${Math.sin(1)},"on":false,"at":"2026-05-01T10:00:11.000Z"}`);
});

it('control characters in texts do not reach the terminal as they are', () => {
  cli.write(
    'evil.csv',
    `name,v\n${Array.from({ length: 30 }, (_, i) => `"n\u009b31m\u007f\u001b[2J${i}",${i * i}`).join('\n')}\n`,
  );
  const json = cli.curvad(['detect', 'evil.csv', '--id', 'name', '--json', '-q']).stdout;
  const isControl = (character: string) => character !== '\n' && /\p{Cc}/u.test(character);
  expect([...json].filter(isControl)).toEqual([]);
  expect(JSON.parse(json)).toBeTypeOf('object');
  expect(json).toContain('\\u009b31m');
});
