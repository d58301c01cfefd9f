// npm run bench:playground: how fast the page is in Chromium, from a dropped file to scores on the screen, while points
// are dragged, and with a million rows. Every number is measured in the page.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { preview } from 'vite';
import { Random } from '../../playground/src/data/random.js';

const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
const folder = mkdtempSync(join(tmpdir(), 'curvad-bench-'));

/** Rows around three centres in a few directions, and one in a thousand that is off in one column. */
function writeRows(rows: number, columns: number): string {
  const random = new Random(1);
  const lines = [Array.from({ length: columns }, (_, j) => `column${j}`).join(',')];
  for (let i = 0; i < rows; i++) {
    const [a, b, centre] = [random.normal(), random.normal(), 4 * random.below(3)];
    const line = Array.from({ length: columns }, (_, j) => {
      const value = centre * Math.cos(j) + a * Math.sin(j + 1) + b * Math.cos(2 * j) + 0.3 * random.normal();
      return (i % 1000 === 999 && j === i % columns ? value + 9 : value).toFixed(4);
    });
    lines.push(line.join(','));
  }
  const path = join(folder, `${rows}.csv`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Watched {
  longest: number;
  scored: number | undefined;
}

/** Watches for tasks of the page that are long, and for scores of so many rows on the screen. */
async function watch(page: Page, rows: number): Promise<void> {
  await page.evaluate((count) => {
    const watched: Watched = { longest: 0, scored: undefined };
    Object.assign(globalThis, { watched });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration);
    }).observe({ type: 'longtask' });
    const status = document.getElementById('status') as HTMLElement;
    const table = document.getElementById('rows-place') as HTMLElement;
    const look = (): void => {
      const isScored = status.textContent?.includes(`of ${count.toLocaleString('en')})`) && table.textContent !== '';
      if (isScored) watched.scored = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, rows);
}

/** From the file in the hand to scores on the screen. */
async function drop(page: Page, rows: number, columns: number): Promise<Watched & { seconds: number }> {
  const path = writeRows(rows, columns);
  await watch(page, rows);
  const begin = await page.evaluate(() => performance.now());
  await page.setInputFiles('#file', path);
  await page.waitForFunction(() => (globalThis as unknown as { watched: Watched }).watched.scored, undefined, {
    timeout: 180_000,
  });
  // What comes after the scores, such as the picture and the reasons of the first row, must not stall the page either.
  await page.waitForTimeout(2000);
  const watched = await page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched);
  return { ...watched, seconds: ((watched.scored as number) - begin) / 1000 };
}

interface Dragged {
  readonly frames: number;
  readonly cells: number;
}

/** Drags a point in circles for some seconds, and counts the landscapes that were drawn, and their cells. */
async function drag(page: Page, seconds: number): Promise<Dragged> {
  const box = (await (await page.$('#map'))?.boundingBox()) as { x: number; y: number; width: number; height: number };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  // There is a point under the hand: the one that was just drawn.
  await page.click('[data-tool="draw"]');
  await page.mouse.click(x, y);
  await page.waitForTimeout(1500);
  await page.click('[data-tool="move"]');
  await page.evaluate(() => {
    const drawn: number[] = [];
    Object.assign(globalThis, { drawn });
    const context = CanvasRenderingContext2D.prototype;
    const put = context.putImageData as (image: ImageData, left: number, top: number) => void;
    context.putImageData = function (this: CanvasRenderingContext2D, image: ImageData, left: number, top: number) {
      drawn.push(image.width);
      put.call(this, image, left, top);
    };
  });
  await page.mouse.move(x, y);
  await page.mouse.down();
  const end = Date.now() + 1000 * (seconds + 1);
  let from = 0;
  for (let step = 0; Date.now() < end; step++) {
    await page.mouse.move(x + 90 * Math.cos(step / 15), y + 60 * Math.sin(step / 15));
    await page.waitForTimeout(8);
    // In the first second the page finds out how many cells it can afford.
    if (from === 0 && Date.now() > end - 1000 * seconds) from = await page.evaluate(() => drawnSoFar().length);
  }
  const drawn = (await page.evaluate(() => drawnSoFar())).slice(from);
  await page.mouse.up();
  return { frames: drawn.length / seconds, cells: drawn.length === 0 ? 0 : Math.min(...drawn) };
}

declare function drawnSoFar(): number[];

/** Resident memory of all processes of pages, in MB, at its highest since they began. */
async function highestMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => `/proc/${id}/status`);
  const highest = pages.map((path) =>
    existsSync(path) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1]) : 0,
  );
  return Math.max(...highest) / 1024;
}

async function inBrowser<Result>(use: (page: Page, browser: Browser) => Promise<Result>, hash = ''): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM as string,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  // tsx gives functions their names by a helper that a page does not have.
  await page.addInitScript({ content: 'globalThis.__name = (named) => named; globalThis.drawnSoFar = () => drawn;' });
  try {
    await page.goto(origin + hash);
    await page.waitForSelector('html[data-phase="ready"]', { timeout: 60_000 });
    await page.waitForTimeout(1000);
    return await use(page, browser);
  } finally {
    await browser.close();
  }
}

function tell(what: string, measured: string, isMet: boolean, asked: string): void {
  console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${measured} (${asked} asked)`);
  if (!isMet) process.exitCode = 1;
}

if (CHROMIUM === undefined) throw new Error('install Chromium, or name it by CHROMIUM');
const server = await preview({
  root: 'playground',
  configFile: 'playground/vite.config.ts',
  logLevel: 'error',
  preview: { port: 0, host: '127.0.0.1' },
});
const origin = server.resolvedUrls?.local[0] as string;
const only = process.argv[2];
try {
  if (only === undefined || only === 'drop') {
    const { seconds, longest } = await inBrowser((page) => drop(page, 100_000, 8));
    tell('100,000 x 8, dropped to scores on the screen', `${seconds.toFixed(2)} s`, seconds < 3, '3 s');
    tell(
      'longest task of the page meanwhile',
      longest === 0 ? 'none of 50 ms' : `${longest} ms`,
      longest < 50,
      '50 ms',
    );
  }
  for (const method of only === undefined || only === 'drag' ? (['cad', 'landmark'] as const) : []) {
    const { frames, cells } = await inBrowser((page) => drag(page, 4), `#set=moons&points=999&method=${method}`);
    const asked = method === 'cad' ? '20 a second of 400 x 400' : '20 a second';
    const isMet = frames >= 20 && (method !== 'cad' || cells >= 400);
    tell(
      `landscapes over 1,000 points while one is dragged, ${method}`,
      `${frames.toFixed(1)} a second of ${cells} x ${cells}`,
      isMet,
      asked,
    );
  }
  if (only === undefined || only === 'million') {
    const { seconds, longest, memory } = await inBrowser(async (page, browser) => {
      const dropped = await drop(page, 1_000_000, 10);
      return { ...dropped, memory: await highestMemory(browser) };
    });
    tell(
      '1,000,000 x 10',
      `scores after ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB at most`,
      memory < 2048,
      '2 GB, no crash',
    );
    console.log(`       longest task of the page meanwhile: ${longest === 0 ? 'none of 50 ms' : `${longest} ms`}`);
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}
