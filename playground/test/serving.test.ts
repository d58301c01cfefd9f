// How the page is served and what it needs: its size, its policy, with and without isolation, without a network, and for
// how long it holds what it does not need any more.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ISOLATED, servePages } from '../../test/runtimes/pages.js';
import { Random } from '../src/data/random.js';
import { drop, ready, says, visitor } from './support.js';

const here = visitor();
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
const KB = 1024;
const LARGEST = 250 * KB;
/** As a strict server would say it, beside what the page says itself. */
const STRICT = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

it('loads at most 250 KB, compressed, before the first picture', async () => {
  const { page, requests } = await here.visit();
  await says(page, '#verdict', /is an anomaly/);
  // What comes after the first picture is the service worker's, for visits to come.
  const files = [...new Set(requests)].filter((url) => !url.startsWith('blob:'));
  const loaded = files.map((url) => new URL(url).pathname.replace(/^\/$/, '/index.html'));
  const sizeOf = (compress: (bytes: Buffer) => Buffer): number =>
    loaded.reduce((sum, path) => sum + compress(readFileSync(DIST + path)).length, 0);
  const [gzip, brotli] = [
    sizeOf((bytes) => gzipSync(bytes, { level: 9 })),
    sizeOf((bytes) => brotliCompressSync(bytes)),
  ];
  console.log(
    `first load: ${loaded.length} files, ${(gzip / KB).toFixed(1)} KB gzip, ${(brotli / KB).toFixed(1)} KB brotli`,
  );
  expect(gzip).toBeLessThanOrEqual(LARGEST);
  expect(loaded.filter((path) => /parquet|flechette|arrow|npy|csv|files/.test(path))).toEqual([]);
  await page.close();
});

it('runs with and without isolation, under a strict policy, with the same scores', async () => {
  const server = await servePages(DIST, { isolated: { ...ISOLATED, ...STRICT }, plain: STRICT });
  const told: string[] = [];
  try {
    for (const [policy, sentence] of [
      ['isolated', /on \d+ threads that share memory/],
      ['plain', /on \d+ threads with copies/],
    ] as const) {
      const { page } = await here.visit('#set=rings&points=400', {}, `${server.origin}/${policy}/index.html`);
      const random = new Random(2);
      const lines = Array.from({ length: 8000 }, () =>
        Array.from({ length: 12 }, () => random.next().toFixed(3)).join(','),
      );
      await drop(page, 'noise.csv', `a,b,c,d,e,f,g,h,i,j,k,l\n${lines.join('\n')}\n`);
      await says(page, '#facts', /noise.csv: 8,000 rows/);
      await says(page, '#runs', sentence);
      await says(page, '#verdict', /is/);
      told.push((await page.textContent('#rows tbody')) as string);
      await page.close();
    }
  } finally {
    server.close();
  }
  expect(told[0]).toBe(told[1]);
});

it('works without a network after the first visit: sets, files of every format, models', async () => {
  const context = await here.browser.newContext();
  const page = await context.newPage();
  await page.goto(here.origin);
  await ready(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await context.setOffline(true);
  await page.reload();
  await ready(page);
  await page.selectOption('#set', 'rings');
  await says(page, '#facts', /^Rings/);
  await drop(
    page,
    'a.csv',
    `a,b\n${Array.from({ length: 40 }, (_, i) => `${Math.sin(i)},${Math.cos(i)}`).join('\n')}\n`,
  );
  await says(page, '#facts', /^a.csv: 40 rows/);
  // Readers that were never used are there, too: what is wrong is the file.
  await drop(page, 'b.parquet', 'PAR1 no Parquet');
  await says(page, '#message', /cannot be read as Parquet/);
  await context.close();
});

it('holds no more memory after 50 fits than after 10, and no thread when it is left', async () => {
  const { page } = await here.visit('#set=clusters&points=20000&landscape=none&method=knn');
  const session = await page.context().newCDPSession(page);
  const browser = await here.browser.newBrowserCDPSession();
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return ((await session.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize / MB;
  };
  /** Resident memory of the processes of pages and their workers. */
  const resident = async (): Promise<number> => {
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    return pages.reduce((sum, id) => sum + rss(id), 0);
  };
  const elements = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
  const fits = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      const neighbors = 5 + (turn % 2);
      await page.fill('#option-neighbors', String(neighbors));
      await page.press('#option-neighbors', 'Tab');
      await expect
        .poll(() => page.textContent('#code-javascript'), { interval: 15 })
        .toContain(`neighbors: ${neighbors},`);
      await expect.poll(() => page.getAttribute('html', 'data-phase'), { interval: 15 }).toBe('ready');
    }
  };
  await page.click('#take summary');
  await fits(10);
  await says(page, '#verdict', /^Row/);
  await page.waitForSelector('#cancel', { state: 'hidden' });
  const before = { heap: await heap(), elements: await elements(), resident: await resident() };
  await fits(40);
  // The explanation follows the scores.
  await expect.poll(elements).toBe(before.elements);
  const after = { heap: await heap(), resident: await resident() };
  const told = [before.heap, after.heap, before.resident, after.resident].map((megabytes) => megabytes.toFixed(1));
  console.log(
    `after 10 and 50 fits: ${told[0]} and ${told[1]} MB in the page, ${told[2]} and ${told[3]} MB with workers`,
  );
  expect(after.heap).toBeLessThan(1.15 * before.heap + 1);
  // A model of 20,000 rows has more than 2 MB: 40 of them would show.
  expect(after.resident).toBeLessThan(before.resident + 50);
  expect(page.workers().length).toBeGreaterThan(0);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false })));
  await expect.poll(() => page.workers().length).toBe(0);
  await page.close();
});

const MB = 2 ** 20;

/** Of a process, in MB, where the system tells it. */
function rss(id: number): number {
  const file = `/proc/${id}/status`;
  return existsSync(file) ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024 : 0;
}
