// The packed package in a real browser: loaded by a page without a bundler, and bundled by Vite and
// esbuild; with shared memory, without it, and under a policy that refuses WebAssembly and workers.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  describeRuntime,
  expectConformance,
  packedProject,
  type Report,
  RUNTIMES,
  reportHere,
  run,
} from './support.js';

const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' };
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const STRICT = { 'content-security-policy': "default-src 'self'; script-src 'self'" };

/** Headers by the first part of the path. */
const HEADERS: Record<string, Record<string, string>> = { isolated: ISOLATED, plain: {}, strict: STRICT };

const PROGRAM = `import * as curvad from 'curvad';
import { conform } from './conformance.js';
globalThis.conform = (models) => conform(curvad, models);`;
const UNBUNDLED = PROGRAM.replace("'curvad'", "'./node_modules/curvad/dist/index.js'");
const page = (script: string) => `<!doctype html><title>curvad</title><script type="module" src="${script}"></script>`;

const project = packedProject();
let here: Report;
let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  here = await reportHere();
  project.write('unbundled.js', UNBUNDLED);
  project.write('unbundled.html', page('./unbundled.js'));
  project.write('main.js', PROGRAM);
  project.write('index.html', page('./main.js'));
  project.write('esbuild.html', page('./esbuilt/main.js'));
  server = createServer((request, response) => {
    const [, policy = '', ...path] = new URL(request.url ?? '/', 'http://x').pathname.split('/');
    const file = join(project.path, ...path);
    const headers = HEADERS[policy];
    if (headers === undefined || !existsSync(file)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '', ...headers }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function reportOf(path: string): Promise<Report> {
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on('pageerror', (error) => complaints.push(String(error)));
  await tab.goto(`${origin}/${path}`);
  await tab
    .waitForFunction(() => 'conform' in globalThis, undefined, { timeout: 20_000 })
    .catch(() => {
      throw new Error(`the page did not load: ${complaints.join()}`);
    });
  const report = await tab.evaluate(
    (models) => (globalThis as unknown as { conform(models: object): Promise<Report> }).conform(models),
    here.models,
  );
  await tab.close();
  expect(complaints).toEqual([]);
  return report;
}

describeRuntime('Chromium', CHROMIUM, (executablePath) => {
  beforeAll(async () => {
    const quiet = ['--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
  });

  it('a page without a bundler conforms, on threads that share memory where it is isolated', async () => {
    const report = await reportOf('isolated/unbundled.html');
    expectConformance(report, here);
    expect(report.backend).toBe('wasm-relaxed');
    expect(report.execution).toEqual({ mode: 'shared', threads: 2 });
  });

  it('a page that is not isolated sends its threads copies', async () => {
    const report = await reportOf('plain/unbundled.html');
    expectConformance(report, here);
    expect(report.execution).toEqual({ mode: 'copied', threads: 2 });
  });

  it('a strict policy leaves plain TypeScript, in slices, with the same bits', async () => {
    const report = await reportOf('strict/unbundled.html');
    expectConformance(report, here);
    expect(report.backend).toBe('js');
    expect(report.execution).toEqual({ mode: 'sliced', threads: 0 });
  });

  it('a bundle of Vite conforms, without configuration', async () => {
    run(join(RUNTIMES, '.bin/vite'), ['build', '--base=./', '--outDir=vite', '--logLevel=warn'], project.path);
    const report = await reportOf('isolated/vite/index.html');
    expectConformance(report, here);
    expect(report.execution).toEqual({ mode: 'shared', threads: 2 });
  });

  it('a bundle of esbuild conforms, without configuration', async () => {
    run(
      join(RUNTIMES, '.bin/esbuild'),
      ['main.js', '--bundle', '--minify', '--format=esm', '--outdir=esbuilt', '--log-level=warning'],
      project.path,
    );
    const report = await reportOf('plain/esbuild.html');
    expectConformance(report, here);
    expect(report.execution).toEqual({ mode: 'copied', threads: 2 });
  });
});
