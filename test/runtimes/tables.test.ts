// One table in many clothes: a model that was trained from CSV scores the same rows from Parquet, Arrow, NDJSON, JSON, objects
// and columns in Node, and from files that are chosen on a page in Chromium, with the same bits. Other people's data frames too.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../src/files/node.js';
import { type AnyDetector, CAD, LandmarkCAD, load, type Rows } from '../../src/index.js';
import { type AnyBrowser, CHROMIUM, launchChromium, type PageServer, servePages } from './pages.js';
import { describeRuntime, packedProject, RUNTIMES, run } from './support.js';

const COUNT = 90;
const rows = Array.from({ length: COUNT }, (_, i) => ({
  temp: i === 40 ? 70.25 : Math.sin(i) * 3 + 20,
  count: (i * 7) % 23,
  on: i % 3 === 0,
  kind: ['lathe', 'press', 'saw'][i % 3] as string,
}));
const names = ['temp', 'count', 'on', 'kind'] as const;
type Name = (typeof names)[number];
const columnOf = <N extends Name>(name: N) => rows.map((row) => row[name]);

const project = packedProject();
const at = (name: string) => join(project.path, name);
const FILES = ['t.csv', 'spaces.tsv', 't.ndjson', 't.json', 't.parquet', 't.arrow', 't.csv.gz'];
let model: Uint8Array;
let expected: number[];
const scoresOf = (input: Rows): number[] => [...load(model).score(input)];

const page = `<!doctype html><input type="file" id="file"><script type="module">
import { load } from './node_modules/curvad/dist/index.js';
import { readTable } from './node_modules/curvad/dist/files.js';
const input = document.getElementById('file');
input.addEventListener('change', async () => {
  const model = new Uint8Array(await (await fetch('./m.curvad')).arrayBuffer());
  const table = await readTable(input.files[0]).catch((error) => ({ error: String(error) }));
  globalThis.scores = table.error ?? [...load(model).score(table)];
});
globalThis.isReady = true;
</script>`;

beforeAll(() => {
  const cli = at('node_modules/curvad/dist/cli.js');
  const line = (separator: string) => (row: (typeof rows)[number]) =>
    names.map((name) => String(row[name])).join(separator);
  writeFileSync(at('t.csv'), `${names.join(',')}\n${rows.map(line(',')).join('\n')}\n`);
  writeFileSync(at('spaces.tsv'), `${names.join(' \t')}\n${rows.map(line(' \t ')).join('\n')}\n`);
  writeFileSync(at('t.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  writeFileSync(at('t.json'), JSON.stringify(rows));
  const arrow = tableFromArrays(Object.fromEntries(names.map((name) => [name, columnOf(name)])));
  writeFileSync(at('t.arrow'), tableToIPC(arrow, { format: 'file' }) as Uint8Array);
  run(process.execPath, [cli, 'detect', 't.csv', '-q', '--save', 'm.curvad', '-o', 'first.csv'], project.path);
  run(process.execPath, [cli, 'select', 't.csv', '--count', String(COUNT), '-q', '-o', 't.parquet'], project.path);
  run('gzip', ['-k', 't.csv'], project.path);
  project.write('page.html', page);
  model = readFileSync(at('m.curvad'));
  expected = [...new LandmarkCAD().fit(rows).score(rows)];
});

describe('a model that was trained from CSV at the command line', () => {
  it.each(FILES)('scores the rows of %s as the library scores the objects it was fitted on', async (name) => {
    expect(scoresOf(await readTable(at(name)))).toEqual(expected);
    const cli = at('node_modules/curvad/dist/cli.js');
    run(process.execPath, [cli, 'score', 'm.curvad', name, '-q', '--scores-only', '-o', 's.json'], project.path);
    const scored = JSON.parse(readFileSync(at('s.json'), 'utf8')) as { score: number }[];
    expect(scored.map(({ score }) => score)).toEqual(expected);
  });

  it('scores objects, columns, typed arrays and an Arrow table in memory with the same bits', () => {
    expect(scoresOf(rows)).toEqual(expected);
    expect(scoresOf(Object.fromEntries([...names].reverse().map((name) => [name, columnOf(name)])))).toEqual(expected);
    const typed = { kind: columnOf('kind'), on: columnOf('on'), count: Int32Array.from(columnOf('count')) };
    expect(scoresOf({ ...typed, temp: Float64Array.from(columnOf('temp')) })).toEqual(expected);
    expect(scoresOf(tableFromArrays(Object.fromEntries(names.map((name) => [name, columnOf(name)]))))).toEqual(
      expected,
    );
  });

  it('is the model that a program fits on the objects, and the other way round', () => {
    const own: AnyDetector = new CAD().fit(rows);
    writeFileSync(at('js.curvad'), own.toBytes());
    const cli = at('node_modules/curvad/dist/cli.js');
    run(process.execPath, [cli, 'score', 'js.curvad', 't.parquet', '-q', '-o', 'js.ndjson'], project.path);
    const scored = readFileSync(at('js.ndjson'), 'utf8').trim().split('\n');
    expect(scored.map((text) => (JSON.parse(text) as { score: number }).score)).toEqual([...own.score(rows)]);
  });
});

/** The frames of arquero, nodejs-polars and DuckDB's client, as their documentation has them. */
describe('data frames of others, by their methods', () => {
  const arrays = Object.fromEntries(names.map((name) => [name, columnOf(name)]));
  const frames: Record<string, object> = {
    arquero: { columnNames: () => [...names], array: (name: Name) => arrays[name], numRows: () => COUNT },
    polars: { columns: [...names], getColumn: (name: Name) => ({ toArray: () => arrays[name] }) },
    duckdb: { deduplicatedColumnNames: () => [...names], getColumnsJS: () => names.map((name) => arrays[name]) },
  };
  it.each(Object.keys(frames))('%s', (name) => {
    expect(scoresOf(frames[name] as Rows)).toEqual(expected);
    expect([...new LandmarkCAD().fit(frames[name] as Rows).score(rows)]).toEqual(expected);
  });
});

const entry = join(RUNTIMES, 'apache-arrow/package.json');
describeRuntime('apache-arrow', existsSync(entry) ? entry : undefined, () => {
  it('tables in memory and files it writes score with the same bits', async () => {
    const path = createRequire(join(RUNTIMES, 'x.js')).resolve('apache-arrow');
    const arrow = (await import(pathToFileURL(path).href)) as {
      tableFromJSON(rows: readonly object[]): Rows;
      tableToIPC(table: unknown, type: 'file' | 'stream'): Uint8Array;
    };
    const table = arrow.tableFromJSON(rows);
    expect(scoresOf(table)).toEqual(expected);
    expect([...new LandmarkCAD().fit(table).score(rows)]).toEqual(expected);
    for (const type of ['file', 'stream'] as const)
      expect(scoresOf(await readTable(arrow.tableToIPC(table, type)))).toEqual(expected);
  });
});

describeRuntime('Chromium', CHROMIUM, (binary) => {
  let browser: AnyBrowser;
  let server: PageServer;
  beforeAll(async () => {
    browser = await launchChromium(binary);
    server = await servePages(project.path, { plain: {} });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it.each(FILES)('%s, chosen on a page, scores with the same bits', async (name) => {
    const tab = (await browser.newPage()) as Page;
    await tab.goto(`${server.origin}/plain/page.html`);
    await tab.waitForFunction('globalThis.isReady');
    await tab.setInputFiles('#file', at(name));
    await tab.waitForFunction('globalThis.scores');
    expect(await tab.evaluate('globalThis.scores')).toEqual(expected);
    await tab.close();
  });
});
