// The report, opened in Chromium: what it shows, on any screen, and that nothing in it runs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAD, explain, rocAuc } from '../../src/index.js';
import { describeRuntime } from '../runtimes/support.js';
import { installedCli, readings } from './support.js';

const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

const ATTACK = '<script>window.ran = 1</script><img src=x onerror="window.ran = 2">';
const cli = installedCli();
const data = readings(150, 5);

beforeAll(() => {
  const quoted = `"${ATTACK.replaceAll('"', '""')}"`;
  const csv = data.csv.replace('name,a,b', `name,${quoted},b`).replace(/^r\d+,/gm, `${quoted},`);
  cli.write('hostile.csv', csv);
  cli.write('data.csv', data.csv);
  cli.write('two.csv', data.rows.map(([a, b]) => `${a},${b}`).join('\n'));
  // Too few normal rows to explain anything, and nothing but equal scores.
  cli.write('tiny.csv', `a,b\n${Array.from({ length: 14 }, (_, i) => `${i % 2},${i < 7 ? i * 100 : i}`).join('\n')}`);
  cli.write('same.csv', `a,b\n${'1,2\n'.repeat(20)}`);
  // An hour a row; row 77 is hot.
  const hours = Array.from({ length: 200 }, (_, i) => {
    const at = new Date(Date.UTC(2026, 4, 1, i)).toISOString().slice(0, 19).replace('T', ' ');
    return `${at},${i % 2 ? 'press' : 'lathe'},${i === 77 ? 61.5 : (20 + Math.sin(i)).toFixed(2)},${(5 + Math.cos(i)).toFixed(2)},n${i}`;
  });
  cli.write('times.csv', `at,kind,temp,load,note\n${hours.join('\n')}\n`);
  cli.write('many.csv', `a,b\n${data.rows.map(([a, b]) => `${a},${b}`).join('\n')}\n`);
  const runs = [
    [
      'detect',
      '--method',
      'cad',
      'hostile.csv',
      '--id',
      'name',
      '--label',
      'bad',
      '--contamination',
      '0.04',
      '--report',
      'hostile.html',
      '-q',
    ],
    [
      'detect',
      '--method',
      'cad',
      'data.csv',
      '--ignore',
      'name',
      '--label',
      'bad',
      '--method',
      'iforest',
      '--report',
      'forest.html',
      '-q',
    ],
    ['detect', '--method', 'cad', 'two.csv', '--report', 'two.html', '--top', '5', '-q'],
    ['detect', 'two.csv', '--report', 'lof.html', '--method', 'lof', '-q'],
    ['detect', '--method', 'cad', 'tiny.csv', '--report', 'tiny.html', '-q'],
    ['detect', '--method', 'cad', 'same.csv', '--report', 'same.html', '-q'],
    ['detect', 'times.csv', '--report', 'times.html', '-q'],
    ['detect', 'many.csv', '--threshold', '0.2', '--report', 'many.html', '-q'],
  ];
  for (const args of runs) expect(cli.curvad(args)).toMatchObject({ status: 0, stderr: '' });
});

describe('the report', () => {
  it('is one file that names no other', () => {
    for (const name of ['hostile.html', 'forest.html', 'two.html']) {
      const text = readFileSync(join(cli.path, name), 'utf8');
      expect(text).not.toMatch(/<script|<link|@import|url\(|href="(?!data:)|src="/i);
      expect(text).toContain('content="default-src &#39;none&#39;;');
      expect(text.length).toBeLessThan(500_000);
    }
  });
});

describeRuntime('Chromium', CHROMIUM, (executablePath) => {
  let browser: Browser;
  const requests: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, ...options });
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => expect.fail(String(error)));
    await page.goto(pathToFileURL(join(cli.path, name)).href);
    return page;
  }

  it('shows what a hostile cell or header holds, and does not run it', async () => {
    const page = await open('hostile.html');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('script, img').count()).toBe(0);
    const heads = await page.locator('thead th').allTextContents();
    expect(heads.some((text) => text.startsWith('<script>window.ran = 1'))).toBe(true);
    const names = await page.locator('tbody td').allTextContents();
    expect(names.some((text) => text.startsWith('<script>window.ran = 1'))).toBe(true);
    expect(requests.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
    await page.close();
  });

  it('has all pictures, each with words for those who do not see it, and the numbers of the run', async () => {
    const page = await open('hostile.html');
    const cad = new CAD({ contamination: 0.04 }).fit(data.rows);
    const titles = await page.locator('figure:not(.card) figcaption strong').allTextContents();
    expect(titles).toEqual([
      'By row',
      'Scores, highest first',
      'Distribution of scores',
      'The rows in two dimensions',
      'ROC curve',
      'Precision and recall',
    ]);
    for (const label of await page
      .locator('svg[role=img]')
      .evaluateAll((all) => all.map((svg) => svg.getAttribute('aria-label'))))
      expect(label).toMatch(/\w/);
    expect(await page.locator('main').textContent()).toContain(rocAuc(data.labels, cad.scores).toFixed(4));
    const anomalies = cad.labels.reduce((sum, label) => sum + label, 0);
    expect(await page.locator('.verdict').textContent()).toContain(`${anomalies} anomalies in 150 rows`);
    const order = [...cad.scores.keys()].sort((i, j) => (cad.scores[j] as number) - (cad.scores[i] as number) || i - j);
    expect(await page.locator('tbody th').allTextContents()).toEqual(order.slice(0, 10).map(String));
    expect(await page.locator('circle.dot').count()).toBe(150);
    expect(await page.locator('circle:not(.dot)').count()).toBe(150);
    expect(await page.locator('circle.dot.hot').count()).toBe(anomalies);
    expect(await page.locator('.card').count()).toBe(anomalies);
    await page.close();
  });

  it('explains each of the highest scores by the signed changes that make it normal', async () => {
    const page = await open('hostile.html');
    const cad = new CAD({ contamination: 0.04 }).fit(data.rows);
    const flagged = [...cad.top(150)].filter((row) => cad.labels[row] === 1);
    const explained = flagged.map((row) => explain(cad, data.rows[row] as number[]).changes);
    const [changes = []] = explained;
    const card = page.locator('.card').first();
    const bars = await card
      .locator('rect')
      .evaluateAll((all) => all.map((bar) => [bar.getAttribute('class'), Number(bar.getAttribute('width'))]));
    // Of all cards: a bar means the same wherever it is.
    const longest = Math.max(3, ...explained.flat().map(({ inDeviations }) => Math.abs(inDeviations ?? 0)));
    expect(bars.map(([direction]) => direction)).toEqual(changes.map(({ change }) => (change < 0 ? 'down' : 'up')));
    bars.forEach(([, width], i) => {
      expect(width as number).toBeCloseTo((100 * Math.abs(changes[i]?.inDeviations as number)) / longest, 0);
    });
    await page.close();
  });

  it('draws the landscape of two features, and what sets rows apart for other detectors', async () => {
    const two = await open('two.html');
    expect(await two.locator('image').count()).toBe(1);
    expect(await two.locator('image').evaluate((image: SVGImageElement) => image.href.baseVal)).toMatch(
      /^data:image\/png;base64,/,
    );
    expect(await two.locator('figure').allTextContents()).toContainEqual(
      expect.stringContaining('The anomaly landscape'),
    );
    await two.close();
    const lof = await open('lof.html');
    expect(await lof.locator('image').count()).toBe(1);
    await lof.close();
    const forest = await open('forest.html');
    expect(await forest.locator('.card').first().textContent()).toMatch(/usually .*It would be normal/s);
    expect(await forest.locator('image').count()).toBe(0);
    await forest.close();
    const tiny = await open('tiny.html');
    expect(await tiny.locator('.card').count()).toBeGreaterThan(0);
    expect(await tiny.locator('#why + p').textContent()).toContain('makes it stand out');
    await tiny.close();
    const same = await open('same.html');
    expect(await same.locator('.verdict').textContent()).toBe('No anomaly in 20 rows: all scores are equal.');
    await same.close();
  });

  it('shows original values with the telling columns first and marked, and the scores along time', async () => {
    const page = await open('times.html');
    const heads = await page.locator('thead th').allTextContents();
    expect(heads.slice(0, 4)).toEqual(['row', 'score', 'verdict', 'temp']);
    expect([...heads].sort()).toEqual(['at', 'kind', 'load', 'note', 'row', 'score', 'temp', 'verdict']);
    const first = page.locator('tbody tr').first();
    expect(await first.locator('th').textContent()).toBe('77');
    expect(await first.locator('td.odd').allTextContents()).toEqual(['61.5']);
    expect(await first.locator('td').allTextContents()).toContain('2026-05-04T05:00:00Z');
    expect(await first.locator('td').allTextContents()).toContain('press');
    const along = page.locator('figure', { hasText: 'Over time' });
    const ticks = await along.locator('.tick').allTextContents();
    expect(ticks).toContain('2026-05-05');
    const hot = along.locator('circle.hot');
    const [x, y] = await Promise.all([hot.first().getAttribute('cx'), hot.first().getAttribute('cy')]);
    const others = await along
      .locator('circle:not(.hot)')
      .evaluateAll((all) => all.map((dot) => dot.getAttribute('cy')));
    expect(Math.min(...others.map(Number))).toBeGreaterThan(Number(y));
    expect(Number(x)).toBeGreaterThan(52 + 0.3 * 376);
    expect(Number(x)).toBeLessThan(52 + 0.45 * 376);
    const verdict = await page.locator('.verdict + p').textContent();
    expect(verdict).toMatch(/^A row is called an anomaly if its score is above [\d.]+: at most about 5 % of rows/);
    await page.close();
  });

  it('calls many flagged rows doubtful, and few rows a hint', async () => {
    const many = await open('many.html');
    expect(await many.locator('.verdict').textContent()).toMatch(/are above the threshold: too many to be anomalies/);
    await many.close();
    const tiny = await open('tiny.html');
    expect(await tiny.locator('.verdict').textContent()).toMatch(/^14 rows are few .* treat the order as a hint/);
    await tiny.close();
  });

  it.each([
    ['a phone', { viewport: { width: 360, height: 700 } }],
    ['a phone in the dark', { viewport: { width: 360, height: 700 }, colorScheme: 'dark' as const }],
    ['a wide screen', { viewport: { width: 1600, height: 900 } }],
  ])('fits %s, with text that stands out from what is behind it', async (_, options) => {
    const page = await open('hostile.html', options);
    const { width, inner } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      inner: innerWidth,
    }));
    expect(width).toBeLessThanOrEqual(inner);
    const colours = await page.evaluate(() => [
      getComputedStyle(document.body).color,
      getComputedStyle(document.body).backgroundColor,
    ]);
    const [ink, ground] = colours.map((colour) =>
      (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0),
    );
    expect(Math.abs((ink as number) - (ground as number))).toBeGreaterThan(450);
    expect((ground as number) < 382).toBe('colorScheme' in options);
    await page.close();
  });

  it('lets the keyboard reach and scroll the table', async () => {
    const page = await open('hostile.html', { viewport: { width: 360, height: 700 } });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('The highest scores');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.activeElement?.scrollLeft ?? 0) > 0);
    expect(await page.locator('th:not([scope])').count()).toBe(0);
    await page.close();
  });

  it('is printed dark on white, whatever the screen', async () => {
    const page = await open('hostile.html', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    await page.close();
  });
});
