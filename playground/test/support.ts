// The built page in a browser, and what it must never do: complain, or ask another origin for something.
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { preview } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import { CHROMIUM } from '../../test/runtimes/pages.js';

export interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the built page as `npm run playground` does. */
export async function servePage(): Promise<Served> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const server = await preview({
    root,
    configFile: `${root}vite.config.ts`,
    logLevel: 'error',
    preview: { port: 0, host: '127.0.0.1' },
  });
  return { origin: server.resolvedUrls?.local[0] as string, close: () => server.close() };
}

export interface Visit {
  readonly page: Page;
  /** What the console and the network had to complain about. */
  readonly complaints: string[];
  /** Requests, by their address. */
  readonly requests: string[];
  /** Where it is served from. */
  readonly origin: string;
}

export interface Visitor {
  /** Opens the page at an address after the #, and waits until scores are there. */
  visit(hash?: string, options?: Parameters<Browser['newPage']>[0], address?: string): Promise<Visit>;
  readonly browser: Browser;
  readonly origin: string;
}

/** A browser and a server while the tests of a file run. Every visit is checked for complaints when it is over. */
export function visitor(): Visitor {
  let browser: Browser;
  let server: Served;
  const visits: Visit[] = [];
  beforeAll(async () => {
    if (CHROMIUM === undefined) throw new Error('install Chromium, or name it by CHROMIUM');
    server = await servePage();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(visits.flatMap(({ complaints }) => complaints)).toEqual([]);
    const foreign = visits.flatMap(({ requests, origin }) => requests.filter((url) => !isOwn(url, origin)));
    expect(foreign).toEqual([]);
  });
  return {
    get browser() {
      return browser;
    },
    get origin() {
      return server.origin;
    },
    async visit(hash = '', options = {}, address = server.origin) {
      const page = await browser.newPage({ viewport: { width: 1360, height: 860 }, ...options });
      const visit: Visit = { page, complaints: [], requests: [], origin: new URL(address).origin };
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') visit.complaints.push(message.text());
      });
      page.on('pageerror', (error) => visit.complaints.push(error.message));
      page.on('request', (request) => visit.requests.push(request.url()));
      visits.push(visit);
      await page.goto(address + hash);
      await ready(page);
      return visit;
    },
  };
}

const isOwn = (url: string, origin: string): boolean =>
  url.startsWith(origin) || url.startsWith(`blob:${origin.replace(/\/$/, '')}`) || url.startsWith('data:');

/** Waits until scores are there. */
export async function ready(page: Page): Promise<void> {
  await page.waitForSelector('html[data-phase="ready"]', { timeout: 30_000 });
}

/** What an element says, when it says it. */
export async function says(page: Page, selector: string, expected: RegExp): Promise<string> {
  await expect.poll(() => page.textContent(selector), { timeout: 20_000 }).toMatch(expected);
  return (await page.textContent(selector)) as string;
}

/** Drops a file on the page, as a folder would. */
export async function drop(page: Page, name: string, content: string | Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([title, text]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(text as string), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], title as string));
      return data;
    },
    [name, Buffer.from(content as string).toString('base64')],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

/** Where an element is on the screen. */
export async function boxOf(
  page: Page,
  selector: string,
): Promise<{ x: number; y: number; width: number; height: number }> {
  const element = await page.waitForSelector(selector);
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${selector} is not on the screen`);
  return box;
}

/** How many colours a canvas shows. */
export function coloursOf(page: Page, selector: string): Promise<number> {
  return page.$eval(selector, (shown) => {
    const { width, height } = shown as HTMLCanvasElement;
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context?.drawImage(shown as HTMLCanvasElement, 0, 0);
    return new Set(new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? [])).size;
  });
}

/** What a canvas shows, to be compared. */
export function pictureOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (shown) => (shown as HTMLCanvasElement).toDataURL());
}
