// A model and its recipe go both ways: from the command line to a program with objects, and back.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CAD, KNN, load, table } from '../../src/index.js';
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

  it('with marks of missing values, dates and frequencies means the same to both', () => {
    const odd = rows.map((row, i) => ({
      ...row,
      a: i % 9 === 0 ? null : row.a,
      at: new Date(1.7e12 + i * 7_200_000),
      name: `n${i % 20}`,
    }));
    const options = { missing: 'indicator', dates: 'both', categories: 'frequency' } as const;
    const detector = new KNN().fit(table(odd, options));
    writeFileSync(join(cli.path, 'odd.curvad'), detector.toBytes());
    const lines = odd.map(({ a, on, kind, at, name }) => `${a ?? 'NA'},${on},${kind},${at.toISOString()},${name}`);
    cli.write('odd.csv', `a,on,kind,at,name\n${lines.join('\n')}\n`);
    cli.write('odd.ndjson', `${odd.map((row) => JSON.stringify(row)).join('\n')}\n`);
    const scores = [...detector.score(odd)];
    expect(scoresOf('odd.curvad', 'odd.csv')).toEqual(scores);
    expect(scoresOf('odd.curvad', 'odd.ndjson')).toEqual(scores);
    const asked = ['--missing', 'indicator', '--dates', 'both', '--categories', 'frequency'];
    const { status, stderr } = cli.curvad(['detect', 'odd.csv', '-m', 'knn', '-q', ...asked, '--save', 'own.curvad']);
    expect(status, stderr).toBe(0);
    const own = load(readFileSync(join(cli.path, 'own.curvad')));
    expect(own.recipe?.features).toEqual(detector.recipe?.features);
    expect([...own.score(odd)]).toEqual(scores);
  });
});
