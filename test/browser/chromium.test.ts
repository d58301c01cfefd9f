// The bundle in a real browser, loaded by a page without a bundler: same scores as here, and plain
// TypeScript where a strict content security policy refuses WebAssembly.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAD } from '../../src/index.js';

const executablePath = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
const isRequired = process.env['CI'] === 'true';
if (executablePath === undefined && !isRequired) {
  console.warn('Browser tests did not run: no Chromium found. Install one, or set CHROMIUM to its path.');
}

const PAGE = "import * as curvad from '/index.js'; globalThis.curvad = curvad;";

interface Outcome {
  backend: string;
  scores: number[];
  loaded: number[];
  code: string;
}

const rows = Array.from({ length: 300 }, (_, i) => [Math.sin(i) * 3, Math.cos(i * 1.7), (i % 17) / 5, Math.sqrt(i)]);

/** Runs in the page. */
function work(input: { rows: number[][]; model: number[] }): Outcome {
  const { CAD, load, CurvadError } = (globalThis as unknown as { curvad: typeof import('../../src/index.js') }).curvad;
  const cad = new CAD().fit(input.rows);
  let code = '';
  try {
    cad.score([[Number.NaN, 0, 0, 0]]);
  } catch (error) {
    if (error instanceof CurvadError) code = error.code;
  }
  const loaded = load(new Uint8Array(input.model)).score(input.rows.slice(0, 20));
  return { backend: cad.backend, scores: Array.from(cad.scores), loaded: Array.from(loaded), code };
}

describe.skipIf(executablePath === undefined && !isRequired)('in Chromium', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  const here = new CAD().fit(rows);

  beforeAll(async () => {
    expect(executablePath, 'CI must install Chromium').toBeDefined();
    server = createServer((request, response) => {
      if (request.url === '/index.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync('dist/index.js'));
      } else if (request.url === '/page.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(PAGE);
      } else {
        const policy =
          request.url === '/strict' ? { 'content-security-policy': "default-src 'self'; script-src 'self'" } : {};
        const html = '<!doctype html><title>curvad</title><script type="module" src="/page.js"></script>';
        response.writeHead(200, { 'content-type': 'text/html', ...policy }).end(html);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ];
    browser = await chromium.launch({ executablePath: executablePath as string, args });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function outcomeOf(path: string): Promise<Outcome> {
    const page = await browser.newPage();
    await page.goto(`${origin}${path}`);
    await page.waitForFunction(() => 'curvad' in globalThis);
    const outcome = await page.evaluate(work, { rows, model: Array.from(here.toBytes()) });
    await page.close();
    return outcome;
  }

  it('gives the scores of Node bit for bit, on WebAssembly', async () => {
    const outcome = await outcomeOf('/');
    expect(outcome.backend).toMatch(/^wasm-(relaxed|simd)$/);
    expect(outcome.scores).toEqual(Array.from(here.scores));
    expect(outcome.loaded).toEqual(Array.from(here.score(rows.slice(0, 20))));
    expect(outcome.code).toBe('NAN_VALUE');
  });

  it('falls back to plain TypeScript with the same scores under a strict content security policy', async () => {
    const outcome = await outcomeOf('/strict');
    expect(outcome.backend).toBe('js');
    expect(outcome.scores).toEqual(Array.from(here.scores));
    expect(outcome.loaded).toEqual(Array.from(here.score(rows.slice(0, 20))));
  });
});
