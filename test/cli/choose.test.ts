// curvad select and compare, and explanations: what the library says, in the form of files and tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { METHOD_NAMES } from '../../src/cli/methods.js';
import { SELECTOR_NAMES } from '../../src/cli/selectors.js';
import {
  CAD,
  compareRankings,
  crossValidate,
  ENN,
  explain,
  InverseCAD,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  OneClassSVM,
  SDM,
  table,
} from '../../src/index.js';
import { column, installedCli, readings } from './support.js';

const cli = installedCli();
const { csv, rows, labels, names } = readings(120, 3);
const classes = rows.map((row) => ((row[0] as number) > 5 ? 'far' : 'near'));
const lines = csv.trimEnd().split('\n').slice(1);
// Written as nobody else would: copies must not change it.
const odd = `name;a;b;c;where\r\n${lines.map((line, i) => line.replace(/,\d$/, `,"${classes[i]}"`).replaceAll(',', ' ;')).join('\r\n')}\r\n`;

beforeAll(() => {
  cli.write('data.csv', csv);
  cli.write('odd.csv', odd);
  writeFileSync(join(cli.path, 'odd.csv.gz'), gzipSync(odd));
  cli.write('data.ndjson', rows.map(([a, b, c]) => `{ "a": ${a}, "b": ${b}, "c": ${c} }`).join('\n'));
});

const ascending = (indices: ArrayLike<number>): number[] => Array.from(indices).sort((i, j) => i - j);

describe('curvad select', () => {
  const oddLines = odd.split('\r\n');
  const expected = (kept: ArrayLike<number>) =>
    [oddLines[0], ...ascending(kept).map((i) => oddLines[i + 1])].join('\n');

  it('keeps a share of each class, as it is written', () => {
    const kept = new InverseCAD().select(rows, classes, { keep: 0.2 });
    for (const file of ['odd.csv', 'odd.csv.gz']) {
      const { stdout, stderr } = cli.curvad(['select', file, '--ignore', 'name', '--class', 'where', '--keep', '0.2']);
      expect(stdout.trimEnd()).toBe(expected(kept));
      expect(stderr).toContain(`kept ${kept.length} rows of 120`);
    }
  });

  it('keeps a number of rows, or as many as the method decides', () => {
    const few = cli.curvad(['select', 'odd.csv', '--columns', 'a,b,c', '--count', '7', '--method', 'sdm', '-q']).stdout;
    expect(few.trimEnd()).toBe(expected(new SDM().select(rows, { count: 7 })));
    const edited = cli.curvad(['select', 'odd.csv', '--ignore', 'name', '--class', 'where', '-m', 'enn', '-q']).stdout;
    expect(edited.trimEnd()).toBe(expected(new ENN().retain(rows, classes)));
  });

  it('writes other formats, with the numbers of rows', async () => {
    const kept = ascending(new InverseCAD({ standardize: true }).select(rows, { keep: 0.1 }));
    const args = ['--columns', 'a,b,c', '--keep', '0.1', '--standardize', '-q'];
    const numbered = cli.curvad(['select', 'data.csv', ...args, '--number']).stdout;
    expect(column(numbered, 'row')).toEqual(kept);
    expect(column(numbered, 'b')).toEqual(kept.map((i) => rows[i]?.[1]));
    expect(cli.curvad(['select', 'data.csv', ...args, '-f', 'parquet', '-o', 'kept.parquet']).status).toBe(0);
    const file = readFileSync(join(cli.path, 'kept.parquet'));
    const objects = await parquetReadObjects({
      file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer,
    });
    expect(objects.map((row) => row['name'])).toEqual(kept.map((i) => names[i]));
    expect(cli.curvad(['select', 'data.csv', ...args, '-o', 'named.parquet']).status).toBe(0);
    expect(readFileSync(join(cli.path, 'named.parquet')).equals(file), 'the name tells the format').toBe(true);
    const json = cli.curvad(['select', 'data.ndjson', '--keep', '0.1', '--standardize', '-q']).stdout;
    const source = readFileSync(join(cli.path, 'data.ndjson'), 'utf8').split('\n');
    expect(json).toBe(kept.map((i) => `${source[i]}\n`).join(''));
  });

  it.each(SELECTOR_NAMES)('runs %s', (name) => {
    const amount = name === 'enn' || name === 'drop3' ? [] : ['--keep', '0.5'];
    const { status, stderr, stdout } = cli.curvad([
      'select',
      'odd.csv',
      '--ignore',
      'name',
      '--class',
      'where',
      '-m',
      name,
      ...amount,
      '-q',
    ]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').length).toBeGreaterThan(3);
  });

  it.each([
    [['--keep', '0.5', '-m', 'drop3', '--class', 'where'], /decides by itself/],
    [['-m', 'sos'], /needs to know how many/],
    [['-m', 'enn'], /needs the class of each row/],
    [['--keep', '2'], /--keep must be a share/],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = cli.curvad(['select', 'odd.csv', ...args]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('curvad compare', () => {
  it('measures every method as cross-validation in the library does', () => {
    const args = [
      'compare',
      'data.csv',
      '--label',
      'bad',
      '--ignore',
      'name',
      '--folds',
      '4',
      '--seed',
      '2',
      '--standardize',
      '-k',
      '5',
    ];
    const { results } = JSON.parse(cli.curvad([...args, '--json', '-q']).stdout) as {
      results: { name: string; rocAuc: { mean: number; std: number }; averagePrecision: { mean: number } }[];
    };
    expect(results.map(({ name }) => name).sort()).toEqual([...METHOD_NAMES].sort());
    const means = results.map(({ rocAuc }) => rocAuc.mean);
    expect(means).toEqual([...means].sort((p, q) => q - p));
    const makers = {
      cad: () => new CAD({ neighbors: 5, standardize: true }),
      kcad: () => new CAD({ neighbors: 5, standardize: true, kernel: 'rbf' }),
      lof: () => new LOF({ neighbors: 5, standardize: true }),
      iforest: () => new IsolationForest({ seed: 2, standardize: true }),
      ocsvm: () => new OneClassSVM({ standardize: true }),
    };
    for (const [name, make] of Object.entries(makers)) {
      const metrics = ['rocAuc', 'averagePrecision'] as const;
      const truth = crossValidate(make, rows, labels, { folds: 4, seed: 2, metrics }).metrics;
      const found = results.find((result) => result.name === name);
      expect(found?.rocAuc.mean).toBeCloseTo(truth.rocAuc.test.mean, 12);
      expect(found?.rocAuc.std).toBeCloseTo(truth.rocAuc.test.std, 12);
      expect(found?.averagePrecision.mean).toBeCloseTo(truth.averagePrecision.test.mean, 12);
    }
  });

  it('prints a table, and why a method has no numbers', () => {
    const args = [
      'compare',
      'data.csv',
      '--label',
      'bad',
      '--columns',
      'a,b',
      '--folds',
      '3',
      '--methods',
      'knn,iforest',
      '-k',
      '100',
    ];
    const { stdout, status } = cli.curvad(args);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^iforest +Isolation Forest +[01]\.\d{4} ± 0\.\d{4}/m);
    expect(stdout).toMatch(/^knn: 100 neighbors need at least 101 rows/m);
  });

  it('fills missing values by what the training rows of each fold tell', () => {
    const holes = rows.map((row, i) => ({ a: i % 4 === 0 ? null : row[0], b: row[1], c: row[2], bad: labels[i] }));
    cli.write('holes.csv', `a,b,c,bad\n${holes.map(({ a, b, c, bad }) => `${a ?? ''},${b},${c},${bad}`).join('\n')}\n`);
    const args = ['compare', 'holes.csv', '--label', 'bad', '--missing', 'median', '--folds', '3', '--methods', 'knn'];
    const { results } = JSON.parse(cli.curvad([...args, '--json', '-q']).stdout) as {
      results: { rocAuc: { mean: number } }[];
    };
    const given = table(
      holes.map(({ bad: _, ...row }) => row),
      { missing: 'median' },
    );
    const truth = crossValidate(() => new KNN(), given, labels as number[], { folds: 3 }).metrics.rocAuc.test.mean;
    expect(results[0]?.rocAuc.mean).toBeCloseTo(truth, 12);
  });
});

describe('curvad compare without labels', () => {
  const args = ['compare', 'data.csv', '--columns', 'a,b,c', '--standardize'];
  const makers = {
    landmark: () => new LandmarkCAD({ standardize: true }),
    knn: () => new KNN({ standardize: true }),
    iforest: () => new IsolationForest({ standardize: true }),
  };
  const scores = Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make().fit(rows).scores]));

  it('tells how far methods agree, and the rows they agree on, as the library does', () => {
    const names = Object.keys(makers).join(',');
    const found = JSON.parse(cli.curvad([...args, '--methods', names, '--top', '6', '--json', '-q']).stdout) as {
      pairs: unknown;
      agreed: { row: number; methods: string[] }[];
      methods: { name: string; anomalies: number }[];
      meaning: string;
    };
    const truth = compareRankings(scores, { top: 6 });
    expect(found.pairs).toEqual(truth.pairs);
    expect(found.agreed).toEqual(truth.rows.map(({ row, names: methods }) => ({ row, methods })));
    expect(found.methods.map(({ name }) => name)).toEqual(Object.keys(makers));
    expect(found.meaning).toMatch(/^Two methods share \d\.\d of their top 6 rows on average: /);
  });

  it('prints one table of all pairs, and what it means', () => {
    const { stdout, status } = cli.curvad([...args, '-k', '100', '--methods', 'landmark,knn,iforest,ee']);
    expect(status).toBe(0);
    const line = (name: string) => stdout.split('\n').find((text) => text.startsWith(name)) as string;
    expect(line('iforest')).toMatch(/Isolation Forest +\d+ +\d+ +· +0\.\d\d/);
    expect(line('landmark')).toMatch(/LandmarkCAD +· +0\.\d\d/);
    expect(stdout).toMatch(/^Two methods share .* of their top 10 rows on average: /m);
    expect(stdout).toMatch(/^In the top 10 of more than half of the methods, by how many: \d+ \(\d\)/m);
  });

  it('says why a method has no numbers, and compares the others', () => {
    const { stdout, status } = cli.curvad([...args, '--methods', 'knn,landmark,iforest', '-k', '119']);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Two methods share/m)]);
    const few = cli.curvad([...args, '--methods', 'knn,lof,iforest', '-k', '500']);
    expect([few.status, few.stdout]).toEqual([0, expect.stringMatching(/^knn: 500 neighbors need at least 501 rows/m)]);
  });

  it.each([
    [['--folds', '3'], /--folds needs labels: add --label COLUMN/],
    [['--positive', '1'], /--positive needs labels/],
    [['--methods', 'knn'], /without labels, methods are compared with each other/],
    [['--top', '3', '--label', 'bad'], /--top cannot be combined with --label/],
    [['--top', '0'], /--top must be/],
    [['--top', '121'], /top must be a whole number from 1 to the number of rows, 120/],
  ])('refuses %j', (more, message) => {
    const { status, stderr } = cli.curvad(['compare', 'data.csv', ...more]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});

describe('explanations', () => {
  it('tell what would have to change, in tables, cells and JSON', () => {
    const cad = new CAD({ standardize: true, contamination: 0.05 }).fit(rows);
    const args = [
      'detect',
      '--method',
      'cad',
      'data.csv',
      '--ignore',
      'name,bad',
      '--standardize',
      '--contamination',
      '0.05',
      '--explain',
      '--top',
      '3',
      '-q',
    ];
    const order = [...cad.scores.keys()].sort((i, j) => (cad.scores[j] as number) - (cad.scores[i] as number));
    const { top } = JSON.parse(cli.curvad([...args, '--json']).stdout) as {
      top: { row: number; changes: { name: string; change: number }[] }[];
    };
    for (const [i, { row, changes }] of top.entries()) {
      expect(row).toBe(order[i]);
      const truth = explain(cad, rows[row] as number[]).changes;
      expect(changes.map(({ name, change }) => [name, change])).toEqual(
        truth.map(({ feature, change }) => [['a', 'b', 'c'][feature], change]),
      );
    }
    expect(cli.curvad(args).stdout).toMatch(
      new RegExp(
        `row ${order[0]} stands out by [abc] \\S+ \\(usually \\S+\\).*; would be normal with [abc] \\S+ → \\S+`,
      ),
    );
    expect(cli.curvad([...args, '-f', 'csv', '--scores-only']).stdout.split('\n')[1]).toMatch(
      /^\d+,[\d.]+,1,.*[abc] \S+ \(usually \S+\)/,
    );
    expect(cli.curvad([...args, '--method', 'IForest']).stdout).toMatch(/row \d+ stands out by [abc] /);
  });

  it('change categories as a whole', () => {
    // Row 0 has the kind of rows that are far from where it is.
    const lines = rows.map(([a, b], i) =>
      i === 0 ? `${a},${b},y` : i % 2 ? `${a},${b},x` : `${1000 + (a as number)},${1000 + (b as number)},y`,
    );
    cli.write('kinds.csv', `a,b,kind\n${lines.join('\n')}\n`);
    const args = ['detect', 'kinds.csv', '-m', 'knn', '--standardize', '--explain', '--json', '-q', '--top', '100'];
    const { top } = JSON.parse(cli.curvad(args).stdout) as {
      top: { row: number; changes: { name: string; from: number; to: number }[] }[];
    };
    const kinds = top.flatMap(({ changes }) => {
      const all = changes.filter(({ name }) => name.startsWith('kind='));
      for (const { from, to } of all) expect([from, to].sort()).toEqual([0, 1]);
      return [all.length];
    });
    expect(new Set(kinds)).toEqual(new Set([0, 2]));
  });
});
