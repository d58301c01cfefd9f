// npm run paper as someone at a terminal meets it, on a made-up data set in the place of wine: what it
// prints, what it writes, and what it says when it cannot.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { isClose, isWithinSpread } from '../../../bench/paper/agreement.js';
import { paper } from '../../../bench/paper/command.js';
import { readData } from '../../../bench/paper/data.js';
import { Progress } from '../../../bench/paper/progress.js';
import { METHOD_NAMES, published, TABLE_1, TABLE_2 } from '../../../bench/paper/published.js';
import { withSection } from '../../../bench/paper/results.js';
import { Random } from '../../support/data.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'curvad-paper-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A set of 120 rows, every second of them from a wider cloud. */
function makeData(name: string): void {
  const random = new Random(11);
  const labels = Array.from({ length: 120 }, (_, row) => row % 2);
  const values = Float64Array.from(labels.flatMap((label) => [1, 2, 3].map(() => random.gaussian() * (1 + 4 * label))));
  const bytes = new Uint8Array(values.buffer);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(folder, `${name}.bin`), bytes);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ n: 120, d: 3, dtype: 'float64', sha256, labels }));
}

/** A stream that keeps what is written to it. */
class Written {
  text = '';
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write(part: string): boolean {
    this.text += part;
    return true;
  }
}

describe('npm run paper', () => {
  it('runs a table on the data there is, and says which are missing', async () => {
    makeData('wine');
    const out = join(folder, 'table1.md');
    const stream = new Written(false);
    const output = await paper(['table1', '--as-published', '--out', out], folder, new Progress(stream));
    expect(stream.text).toMatch(/^1\/\d+ speech: no data\n/);
    expect(output).toMatch(/\| speech +\| train \| not measured: no data/);
    expect(output).toMatch(/\| speech +\| test {2}\| AUC, in the paper +\| +42\.07±10\.48 \|/);
    expect(output).toMatch(/\| wine +\| test {2}\| \*\*AUC, as defined\*\* +\| +\*\*\d+\.\d\d±\d+\.\d\d\*\* \|/);
    expect(output).toMatch(/\| wine +\| train \| AUC, as published +\| +\d+\.\d\d±\d+\.\d\d \|/);
    expect(output).toMatch(/^`npm run paper -- table1 --as-published`, curvad \d\S* \(\S+\), Node \d/m);
    expect(output).toMatch(/\*\*As published:\*\* \d+ of \d+ cells lie within/);
    expect(readFileSync(out, 'utf8')).toContain(output.trim());
    const lines = output.split('\n').filter((line) => line.startsWith('|'));
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(output).not.toContain(folder);
  });

  it('replaces its own section of the results, and no other', async () => {
    makeData('letter');
    const out = join(folder, 'table2.md');
    writeFileSync(out, 'old head\n<!-- later: begin -->\nkept\n<!-- later: end -->\n');
    const quiet = new Progress(new Written(false));
    for (const words of [['--as-published'], []])
      await paper(['table2', ...words, '--data', folder, '--out', out], undefined, quiet);
    const file = readFileSync(out, 'utf8');
    expect(file.match(/<!-- table2: begin -->/g)).toHaveLength(1);
    expect(file).toMatch(/^# The paper, measured again\n/);
    expect(file).toMatch(/<!-- later: begin -->\nkept\n<!-- later: end -->\n$/);
    expect(file).not.toMatch(/AUC, as published/);
  });

  it('lists the jobs and options on --help', async () => {
    const output = await paper(['--help'], undefined);
    expect(output).toMatch(/table1 +Table 1: .*\n +table2 +Table 2: /);
    expect(output).toMatch(/--as-published[\s\S]*--data DIR[\s\S]*--out FILE[\s\S]*--out DIR/);
  });

  // biome-ignore format: a table
  it.each([
    { words: ['table9'], message: 'there is no job "table9"; there are table1, table2' },
    { words: ['toString'], message: 'there is no job "toString"; there are table1, table2' },
    { words: [], message: 'which job? There are table1, table2' },
    { words: ['table1', '--slow'], message: "Unknown option '--slow'" },
    { words: ['table3', 'table1', '--quick'], message: 'table1 cannot be --quick' },
    { words: ['table3', '--processes', '0'], message: '--processes must be a whole number above 0, got 0' },
    { words: ['table2'], message: 'set CURVAD_DATA to the folder with the data sets, or give --data DIR' },
    { words: ['table2', '--data', 'nowhere'], message: 'there is no folder nowhere for the data sets' },
  ])('says what is wrong: $words', async ({ words, message }) => {
    await expect(paper(words, undefined, new Progress(new Written(false)))).rejects.toThrow(message);
  });

  it('ends with a message and a status where something is wrong', () => {
    const command = ['--import', 'tsx', 'bench/paper/main.ts', 'table9'];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^paper: there is no job "table9"/m);
  });
});

describe('a data set', () => {
  it('without labels has none, and with too few of them is refused', () => {
    makeData('film');
    const description = JSON.parse(readFileSync(join(folder, 'film.json'), 'utf8')) as { labels?: number[] };
    const labels = description.labels?.slice(1);
    delete description.labels;
    writeFileSync(join(folder, 'film.json'), JSON.stringify(description));
    expect(readData(folder, 'film')).toMatchObject({ rows: 120, columns: 3, labels: new Uint8Array() });
    writeFileSync(join(folder, 'film.json'), JSON.stringify({ ...description, labels }));
    expect(() => readData(folder, 'film')).toThrow('film.json does not fit film.bin');
  });

  it('that is not the one described is refused', () => {
    makeData('bent');
    writeFileSync(join(folder, 'bent.bin'), new Uint8Array(120 * 3 * 8));
    expect(() => readData(folder, 'bent')).toThrow('bent.bin is not the file that bent.json describes');
  });
});

describe('a section of the results', () => {
  const names = ['one', 'two'];

  it('goes to its place, whatever ran first', () => {
    const file = withSection(withSection('', 'two', ['b'], names), 'one', ['a'], names);
    const places = ['# The paper', '<!-- one: begin -->\na\n<!-- one: end -->', '<!-- two: begin -->\nb\n'];
    expect(places.map((text) => file.indexOf(text)).every((place, i, all) => place > (all[i - 1] ?? -1))).toBe(true);
  });

  it('is replaced, and written again it is the same', () => {
    const file = withSection(withSection('', 'one', ['a'], names), 'two', ['b'], names);
    expect(withSection(file, 'two', ['b'], names)).toBe(file);
    expect(withSection(file, 'two', ['c'], names)).toBe(file.replace('\nb\n', '\nc\n'));
  });
});

describe('the published numbers', () => {
  it('are complete, and can be read', () => {
    expect(TABLE_1.length).toBe(5 * 4);
    expect(TABLE_2.length).toBe(3 * 4);
    for (const table of [TABLE_1, TABLE_2]) {
      for (const [about, phase, quantity, ...cells] of table) {
        expect(cells.length).toBe(table === TABLE_1 ? 7 : 3);
        cells.forEach((text, i) => {
          const method = METHOD_NAMES[i] as (typeof METHOD_NAMES)[number];
          expect(published(table, about, phase, quantity, method)?.text).toBe(text);
        });
      }
    }
    expect(published(TABLE_1, 'Musk', 'test', 'AUC', 'EE')).toEqual({ mean: 100, std: 0, text: '100±0.00' });
    expect(published(TABLE_1, undefined, 'test', 'AUC', 'EE')).toBeUndefined();
  });

  it('agree with a cell within their standard deviation, or to the digit that was cut off', () => {
    const cell = (mean: number, paper: { mean: number; std: number; text: string }) =>
      ({ about: 'musk', phase: 'test', method: 'CAD', measured: { mean, std: 1 }, paper }) as const;
    const [exact, wide] = [
      { mean: 50, std: 0, text: '' },
      { mean: 40, std: 3, text: '' },
    ] as const;
    expect([50, 50.01, 50.02].map((mean) => isWithinSpread(cell(mean, exact)))).toEqual([true, true, false]);
    expect([37, 43, 43.1].map((mean) => isWithinSpread(cell(mean, wide)))).toEqual([true, true, false]);
    expect([39.81, 40.19, 40.3].map((mean) => isClose(cell(mean, wide)))).toEqual([true, true, false]);
  });
});

describe('progress', () => {
  const stepThrough = (isTTY: boolean): string => {
    const stream = new Written(isTTY);
    const progress = new Progress(stream);
    progress.plan(2);
    for (const label of ['first', 'second']) progress.step(label);
    progress.finish();
    return stream.text;
  };

  it('is a line per step where nobody watches', () => {
    expect(stepThrough(false)).toBe('1/2 first\n2/2 second\n');
  });

  it('is a bar that goes away on a terminal', () => {
    const bars = stepThrough(true).split('\r\x1b[K');
    expect(bars).toEqual(['', `${'░'.repeat(24)} 1/2 first`, `${'█'.repeat(12)}${'░'.repeat(12)} 2/2 second`, '']);
  });
});
