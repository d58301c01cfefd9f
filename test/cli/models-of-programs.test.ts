// A model and its recipe go both ways: from the command line to a program with objects, and back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CAD, load, table } from '../../src/index.js';
import { column, installedCli } from './support.js';

const cli = installedCli();
const rows = Array.from({ length: 80 }, (_, i) => ({
  a: Math.sin(i) * 3 + (i === 9 ? 40 : 0),
  on: i % 3 === 0,
  kind: 'xyz'[i % 3] as string,
}));
cli.write(
  'rows.csv',
  `a,on,kind\n${rows.map(({ a, on, kind }) => `${a},${on ? 'True' : 'FALSE'},${kind}`).join('\n')}\n`,
);
cli.write('rows.ndjson', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);

function scoresOf(model: string, file: string): number[] {
  const { stderr, status } = cli.curvad(['score', model, file, '-q', '-o', 'scores.csv']);
  expect(status, stderr).toBe(0);
  return column(readFileSync(join(cli.path, 'scores.csv'), 'utf8'), 'score');
}

describe('a model', () => {
  it('of the command line scores objects and columns in a program with the same bits', () => {
    expect(cli.curvad(['detect', 'rows.csv', '-m', 'cad', '-q', '--save', 'cli.curvad']).status).toBe(0);
    const detector = load(readFileSync(join(cli.path, 'cli.curvad')));
    expect(detector.columns?.map(({ name }) => name)).toEqual(['a', 'on', 'kind']);
    const scores = [...detector.score(rows)];
    expect(scoresOf('cli.curvad', 'rows.csv')).toEqual(scores);
    expect(scoresOf('cli.curvad', 'rows.ndjson')).toEqual(scores);
    const columns = { kind: rows.map(({ kind }) => kind), on: rows.map(({ on }) => on), a: rows.map(({ a }) => a) };
    expect([...detector.score(columns)]).toEqual(scores);
  });

  it('of a program that was fitted on objects scores files on the command line with the same bits', () => {
    const detector = new CAD().fit(rows);
    writeFileSync(join(cli.path, 'js.curvad'), detector.toBytes());
    expect(scoresOf('js.curvad', 'rows.csv')).toEqual([...detector.score(rows)]);
    expect(scoresOf('js.curvad', 'rows.ndjson')).toEqual([...detector.score(rows)]);
  });

  it('of a program with features the command line does not make is refused with the reason', () => {
    const gaps = rows.map((row, i) => (i === 0 ? { ...row, a: null } : row));
    writeFileSync(join(cli.path, 'marks.curvad'), new CAD().fit(table(gaps, { missing: 'indicator' })).toBytes());
    const { status, stderr } = cli.curvad(['score', 'marks.curvad', 'rows.csv']);
    expect(status).toBe(2);
    expect(stderr).toContain('marks missing values as only a program does');
  });
});
