// A server for pages, and the browsers that open them.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { RUNTIMES } from './support.js';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export interface PageServer {
  readonly origin: string;
  close(): void;
}

/** Serves a folder under each of several names, with the headers that belong to the name. */
export async function servePages(
  folder: string,
  policies: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<PageServer> {
  const server = createServer((request, response) => {
    const [, policy = '', ...path] = new URL(request.url ?? '/', 'http://x').pathname.split('/');
    const file = join(folder, ...(path.at(-1) === '' ? path.with(-1, 'index.html') : path));
    const headers = policies[policy];
    if (headers === undefined || !existsSync(file)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '', ...headers }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** A tab, as far as both drivers have it. */
export interface Tab {
  goto(url: string): Promise<unknown>;
  evaluate<Argument, Result>(call: (argument: Argument) => Result, argument: Argument): Promise<Awaited<Result>>;
  on(event: 'pageerror' | 'console', listener: (event: unknown) => void): unknown;
  close(): Promise<void>;
}

export interface AnyBrowser {
  newPage(): Promise<unknown>;
  close(): Promise<void>;
}

function firstOf(...paths: (string | undefined)[]): string | undefined {
  return paths.find((path) => path !== undefined && existsSync(path));
}

export const CHROMIUM = firstOf(
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
);
/** puppeteer drives Firefox as distributions have it; playwright only its own build. Without it there is none. */
export const FIREFOX = existsSync(join(RUNTIMES, 'puppeteer-core'))
  ? firstOf(process.env['FIREFOX'], '/usr/bin/firefox-esr', '/usr/bin/firefox')
  : undefined;

export async function launchChromium(executablePath: string): Promise<AnyBrowser> {
  const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
}

export async function launchFirefox(executablePath: string): Promise<AnyBrowser> {
  const entry = createRequire(join(RUNTIMES, 'x.js')).resolve('puppeteer-core');
  const { default: puppeteer } = (await import(pathToFileURL(entry).href)) as {
    default: { launch(options: object): Promise<AnyBrowser> };
  };
  return puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
}

/** Opens a page, waits until `isReady` says so in it, and returns what `read` finds there. */
export async function inPage<Argument, Result>(
  browser: AnyBrowser,
  url: string,
  isReady: () => boolean,
  read: (argument: Argument) => Result,
  argument: Argument,
): Promise<Awaited<Result>> {
  const tab = (await browser.newPage()) as Tab;
  const complaints: string[] = [];
  tab.on('pageerror', (error) => {
    // Firefox also tells what a policy refused; whether the page copes is what its answer shows.
    if (!String(error).startsWith('Error: Content-Security-Policy:')) complaints.push(String(error));
  });
  try {
    await tab.goto(url);
    const end = Date.now() + 30_000;
    while (!(await tab.evaluate(isReady, undefined))) {
      if (Date.now() > end || complaints.length > 0) throw new Error(`${url} did not get ready: ${complaints.join()}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const result = await tab.evaluate(read, argument);
    if (complaints.length > 0) throw new Error(`${url} complained: ${complaints.join()}`);
    return result;
  } finally {
    await tab.close();
  }
}
