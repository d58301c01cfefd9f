// What people take away is what is on the screen: scores, model, report, picture, and code that is run here.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'curvad';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { drop, says, visitor } from './support.js';

const here = visitor();
/** A folder in which curvad is installed. */
const folder = mkdtempSync(join(tmpdir(), 'curvad-playground-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('.'), join(folder, 'node_modules/curvad'));
afterAll(() => rmSync(folder, { recursive: true }));

async function taken(page: Page, title: string): Promise<{ name: string; bytes: Buffer }> {
  await page.evaluate(() => {
    (document.getElementById('take') as HTMLDetailsElement).open = true;
  });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`#downloads button:has-text("${title}")`),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

interface Scored {
  readonly score: number;
  readonly anomaly: number;
}

async function scoresOf(page: Page): Promise<Scored[]> {
  const { bytes } = await taken(page, 'Scores (CSV)');
  const [head = '', ...lines] = bytes.toString().trim().split('\n');
  const names = head.trim().split(',');
  const at = (name: string): number => names.indexOf(name);
  return lines.map((line) => {
    const cells = line.trim().split(',');
    return { score: Number(cells[at('score')]), anomaly: Number(cells[at('anomaly')]) };
  });
}

/** Runs the code on the page with one more line, which prints what it computed. */
function printed(name: string, code: string, line: string): number[] {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `${code}\nconsole.log('RESULT' + JSON.stringify(${line}));`);
  const output = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(output.slice(output.lastIndexOf('RESULT') + 6));
}

it('gives scores, a model that scores alike, a report and a picture', async () => {
  const { page } = await here.visit('#set=sensors&points=200');
  await says(page, '#verdict', /is an anomaly/);
  const scores = await scoresOf(page);
  expect(scores).toHaveLength(200);
  expect(await page.textContent('#status')).toContain(`${scores.filter(({ anomaly }) => anomaly === 1).length} rows`);
  const model = await taken(page, 'Model');
  expect(model.name).toBe('sensors.curvad');
  expect([...load(model.bytes).scores]).toEqual(scores.map(({ score }) => score));
  const report = (await taken(page, 'Report')).bytes.toString();
  expect(report).toMatch(
    /Sensor readings: what does not belong.*data:image\/png;base64.*pressure bar.*is an anomaly.*new LandmarkCAD/s,
  );
  expect(report).not.toMatch(/<script|https?:/);
  const picture = await taken(page, 'Picture');
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
  await page.close();
});

const KINDS = `when,part,kind,size,note\n${Array.from({ length: 80 }, (_, i) => `2026-01-${String(1 + (i % 28)).padStart(2, '0')},${i},${i % 3},${i === 7 ? '' : (5 + Math.sin(i)).toFixed(3)},${i === 9 ? 'n/k' : (i * 37) % 11}`).join('\n')}\n`;

it('gives code that computes what is on the screen, whatever was made of the columns', async () => {
  const { page } = await here.visit();
  const cases: ReadonlyArray<readonly [name: string, says: string, prepare: () => Promise<unknown>]> = [
    ['as it comes', "ignore: ['when', 'part'", async () => {}],
    [
      'a threshold',
      'threshold: ',
      async () => {
        await page.focus('#threshold');
        await page.keyboard.press('ArrowLeft');
      },
    ],
    ['a share', 'contamination: 0.1', () => page.selectOption('#share', '0.1')],
    ['another method', "kernel: 'rbf'", () => page.selectOption('#method', 'kcad')],
    ['a category', "'value ' + cell", () => page.selectOption('[aria-label="kind is used as"]', 'category')],
    ['a date', 'getTime()', () => page.selectOption('[aria-label="when is used as"]', 'number')],
  ];
  await drop(page, 'kinds.csv', KINDS);
  await says(page, '#facts', /^kinds.csv: 80 rows/);
  writeFileSync(join(folder, 'kinds.csv'), KINDS);
  await page.click('#columns-details summary');
  await page.click('#take summary');
  for (const [name, part, prepare] of cases) {
    await prepare();
    await expect.poll(() => page.getAttribute('html', 'data-phase')).toBe('ready');
    await expect.poll(() => page.textContent('#code-javascript')).toContain(part);
    const scores = await scoresOf(page);
    const code = (await page.textContent('#code-javascript')) as string;
    const line = '[[...detector.scores], [...detector.labels]]';
    expect(printed(name, code, line), `${name}\n${code}`).toEqual([
      scores.map(({ score }) => score),
      scores.map(({ anomaly }) => anomaly),
    ]);
  }
  await page.close();
});

it('gives a command that computes what is on the screen, for every method', async () => {
  const { page } = await here.visit('#set=sensors&points=120');
  writeFileSync(join(folder, 'sensors.csv'), (await taken(page, 'Data (CSV)')).bytes);
  for (const method of ['landmark', 'cad', 'kcad', 'knn', 'lof', 'iforest', 'ocsvm', 'ee']) {
    await page.selectOption('#method', method);
    await expect
      .poll(() => page.textContent('#code-terminal'))
      .toContain(method === 'kcad' ? '--method cad --kernel' : `--method ${method}`);
    await expect.poll(() => page.getAttribute('html', 'data-phase')).toBe('ready');
    const scores = await scoresOf(page);
    const command = ((await page.textContent('#code-terminal')) as string).replace(
      /^npx curvad/,
      `node ${resolve('dist/cli.js')}`,
    );
    execFileSync('bash', ['-c', `${command} --quiet --out scored-${method}.csv`], { cwd: folder, stdio: 'pipe' });
    const [head = '', ...lines] = readFileSync(join(folder, `scored-${method}.csv`), 'utf8')
      .trim()
      .split('\n');
    const at = head.trim().split(',').indexOf('score');
    const told = lines.map((line) => Number(line.split(',')[at])).sort((a, b) => a - b);
    expect(told, command).toEqual(scores.map(({ score }) => score).sort((a, b) => a - b));
  }
  await page.close();
});

it('gives the code of the other views: prototypes and all detectors', async () => {
  const { page } = await here.visit('#set=clusters&points=90&view=prototypes&keep=0.3');
  writeFileSync(join(folder, 'clusters.csv'), (await taken(page, 'Data (CSV)')).bytes);
  for (const selector of ['icad', 'sdm', 'drop3']) {
    await page.selectOption('#selector', selector);
    const [, rows] = (await says(page, '#kept', /^\d+ of 90/)).match(/^(\d+)/) as RegExpMatchArray;
    const type = { icad: 'InverseCAD', sdm: 'SDM', drop3: 'DROP3' }[selector] as string;
    await expect.poll(() => page.textContent('#code-javascript')).toContain(`new ${type}(`);
    const code = (await page.textContent('#code-javascript')) as string;
    expect(printed(selector, code, '[...kept]'), code).toHaveLength(Number(rows));
  }
  await page.click('#tab-compare');
  await expect.poll(() => page.textContent('#code-javascript')).toContain('new EllipticEnvelope(');
  const code = (await page.textContent('#code-javascript')) as string;
  expect(printed('all', code, 'detectors.map((detector) => detector.scores.length)')).toEqual(Array(8).fill(90));
  await page.close();
});
