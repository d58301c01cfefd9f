// How long a page is held up while it fits: Chromium's Long Tasks API names every task of 50 ms and more;
// shorter ones show as gaps between the turns of a message channel that never rests. Other programs hold a
// page up too: the gaps of several pages are printed and the tasks of the one that was left alone most, and
// beside them what the longest task took of the processor, from a trace, which does not depend on others.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { printTable } from './support.js';

const LIMIT = 50;
const ROWS = 50_000;
const COLUMNS = 32;
const ROUNDS = 2;
const CALLS = [
  { call: 'fit', threads: 2, asLines: false, rows: ROWS },
  { call: 'fit', threads: 2, asLines: true, rows: ROWS },
  { call: 'fit', threads: 0, asLines: true, rows: 10_000 },
  { call: 'score', threads: 2, asLines: true, rows: 4 * ROWS },
];

const CHROMIUM = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

interface Measured {
  longTasks: number[];
  longestGap: number;
  total: number;
  /** Milliseconds of the processor that the longest task took. */
  processor: number;
  mode: string;
  threads: number;
}

/** Runs in the page; kept as text, as nothing of this file exists there. */
const MEASURE = `async ({ rows, columns, threads, asLines, call }) => {
  const { CAD } = await import('/dist/index.js');
  let state = 1;
  const data = Float32Array.from({ length: rows * columns }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31 + (state >> 8) / 2 ** 24;
  });
  const input = asLines
    ? Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns)))
    : { data, rows, columns };
  const cad = new CAD();
  if (call === 'score') cad.fit({ data: data.subarray(0, 2000 * columns), rows: 2000, columns });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
  let longest = 0;
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    port2.postMessage(0);
  };
  port2.postMessage(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  longTasks.length = longest = 0;
  performance.mark('curvad-start');
  const start = performance.now();
  await (call === 'fit' ? cad.fitAsync(input, { threads }) : cad.scoreAsync(input, { threads }));
  const total = performance.now() - start;
  performance.mark('curvad-end');
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { longTasks: [...longTasks], longestGap: longest, total, ...cad.execution };
}`;

/** A server of the built library. */
async function serve(): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    if (path.startsWith('/dist/')) {
      const file = join('.', path);
      if (existsSync(file)) response.writeHead(200, { 'content-type': 'text/javascript', ...ISOLATED });
      else response.writeHead(404);
      response.end(existsSync(file) ? readFileSync(file) : '');
    } else {
      response.writeHead(200, { 'content-type': 'text/html', ...(path === '/isolated' ? ISOLATED : {}) });
      response.end('<!doctype html><title>curvad</title>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function measure(browser: Browser, url: string, options: object): Promise<Measured> {
  const page = await browser.newPage();
  await page.goto(url);
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  const found = (await page.evaluate(`(${MEASURE})(${JSON.stringify(options)})`)) as Measured;
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  await page.close();
  return { ...found, processor: longestOnProcessor(traceEvents) };
}

/** Of a trace in microseconds. */
interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Time on the processor, which is counted in ticks: sometimes more than `dur`. */
  tdur?: number;
}

function longestOnProcessor(events: readonly TraceEvent[]): number {
  const start = events.find(({ name }) => name === 'curvad-start') as TraceEvent;
  const end = events.find(({ name }) => name === 'curvad-end') as TraceEvent;
  return events
    .filter(({ pid, tid, name }) => pid === start.pid && tid === start.tid && name.endsWith('RunTask'))
    .filter(({ ts, dur = 0 }) => ts + dur >= start.ts && ts <= end.ts)
    .reduce((most, { dur = 0, tdur = dur }) => Math.max(most, Math.min(dur, tdur) / 1000), 0);
}

/** Prints the longest tasks of a page that fits and scores, with shared memory and without. */
export async function printBlocking(): Promise<void> {
  const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) {
    console.log('Blocking in a page: not measured, there is no Chromium (set CHROMIUM to its path)');
    return;
  }
  console.log('A page of Chromium meanwhile, two threads or slices on its own:');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const { origin, close } = await serve();
  const table = [['page', 'call', 'rows as', 'mode', 'took', 'longest gaps', 'longest task (API)', 'on the processor']];
  for (const path of ['isolated', 'plain']) {
    for (const { call, threads, asLines, rows } of CALLS) {
      const rounds: Measured[] = [];
      for (let i = 0; i < ROUNDS; i++) {
        const options = { rows, columns: COLUMNS, threads, asLines, call };
        rounds.push(await measure(browser, `${origin}/${path}`, options));
      }
      const [best] = rounds.sort((a, b) => a.longestGap - b.longestGap) as [Measured];
      const longest = Math.max(0, ...best.longTasks);
      table.push([
        path,
        `${call} ${rows} × ${COLUMNS}`,
        asLines ? 'arrays' : 'typed array',
        `${best.mode}, ${best.threads} threads`,
        `${(best.total / 1000).toFixed(1)} s`,
        `${rounds.map(({ longestGap }) => longestGap.toFixed(0)).join(', ')} ms`,
        longest < LIMIT ? `none of ${LIMIT} ms ✓` : `${longest.toFixed(0)} ms ✗ (< ${LIMIT})`,
        `${Math.max(...rounds.map(({ processor }) => processor)).toFixed(0)} ms`,
      ]);
    }
  }
  printTable(table);
  await browser.close();
  close();
}
