// curvad detect --sample: fitted on some rows, and all are scored by them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { load } from '../../src/index.js';
import { column, installedCli, readings } from './support.js';

const cli = installedCli();
const { rows, csv } = readings(600);
cli.write('readings.csv', csv);
const ascending = (values: Iterable<number>) => [...values].sort((a, b) => a - b);

function detect(...args: string[]): number[] {
  const { status, stderr, stdout } = cli.curvad(['detect', 'readings.csv', '--columns', 'a,b,c', '-f', 'csv', ...args]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return column(stdout, 'score').map(Number);
}

describe('curvad detect --sample', () => {
  it.each([['landmark'], ['knn'], ['iforest']])('%s: scores by a model of so many rows', (method) => {
    const scores = detect('--sample', '100', '--method', method, '--save', 'sample.curvad', '-q');
    const model = load(readFileSync(join(cli.path, 'sample.curvad')));
    expect(model.scores.length).toBe(100);
    expect(scores.length).toBe(600);
    // Rows of the sample have the scores of the fit, in which no row is its own neighbour; all others are new rows.
    const asNew = model.score({ a: rows.map(([a]) => a), b: rows.map(([, b]) => b), c: rows.map(([, , c]) => c) });
    const differing = scores.flatMap((score, row) => (score === asNew[row] ? [] : [row]));
    expect(differing.length).toBeLessThanOrEqual(100);
    const inModel = new Set(model.scores);
    for (const row of differing) expect(inModel.has(scores[row] as number)).toBe(true);
    const kept = scores.filter((score) => inModel.has(score));
    expect(kept.length).toBeGreaterThanOrEqual(100);
    expect(ascending(new Set(kept))).toEqual(ascending(inModel));
  });

  it('draws other rows for another seed, and the same for the same', () => {
    const [one, again, other] = [['1'], ['1'], ['2']].map(([seed]) =>
      detect('--sample', '60', '--seed', seed as string, '-q'),
    );
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
  });

  it('is a plain fit where there are no more rows', () => {
    expect(detect('--sample', '600', '-q')).toEqual(detect('-q'));
  });

  it('says so, and refuses samples that say nothing', () => {
    const { stdout } = cli.curvad(['detect', 'readings.csv', '--columns', 'a,b,c', '--sample', '100']);
    expect(stdout).toContain('fitted on 100 rows');
    const json = cli.curvad(['detect', 'readings.csv', '--columns', 'a,b,c', '--sample', '100', '--json']).stdout;
    expect(JSON.parse(json)).toMatchObject({ rows: 600, fittedRows: 100 });
    const few = cli.curvad(['detect', 'readings.csv', '--sample', '3']);
    expect(few.status).toBe(1);
    expect(few.stderr).toContain('--sample');
  });
});
