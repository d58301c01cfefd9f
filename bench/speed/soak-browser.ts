// The soak of bench:soak in Chromium: detectors are fitted and score on web workers for minutes, some aborted, some disposed
// of, now and then compared with synchronous calls. In the end the memory of the page's process must be flat, and the
// workers that were stopped must have ended. Before memory is measured the browser is told that there is little: it gives
// back what its allocators and caches only keep for later.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, chromium: { type: 'string', default: '/usr/bin/chromium' } },
});
const MINUTES = Number(values.minutes);
const TOLERANCE = 1.05;
const SECONDS_BETWEEN_SAMPLES = 10;
const MB = 2 ** 20;
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Runs in the page for some seconds; returns what was done, and what went wrong. */
const PROGRAM = `
import * as curvad from '/index.js';
const kinds = Object.entries(curvad).filter(([, value]) => typeof value === 'function' && 'fromModel' in value);
let state = 1;
const random = (limit) => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % limit;
};
const gaussian = () => Array.from({ length: 6 }, () => random(1e6) / 1e6 - 0.5).reduce((a, b) => a + b);
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
const counts = { fitted: 0, compared: 0, aborted: 0, disposed: 0 };
const wrong = [];
addEventListener('unhandledrejection', ({ reason }) => wrong.push('unhandled: ' + reason));
async function live() {
  const [name, Kind] = kinds[random(kinds.length)];
  const [rows, columns] = [50 + random(random(4) === 0 ? 6000 : 1500), 1 + random(20)];
  const table = { data: Float64Array.from({ length: rows * columns }, gaussian), rows, columns };
  const detector = new Kind({});
  const controller = new AbortController();
  const fate = random(6);
  if (fate === 0) setTimeout(() => controller.abort(), random(120));
  if (fate === 1) setTimeout(() => detector.dispose(), random(120));
  const options = { threads: random(3), signal: controller.signal };
  try {
    await detector.fitAsync(table, options);
    const scores = await detector.scoreAsync(table, options);
    counts.fitted++;
    if (random(8) === 0) {
      const other = new Kind({}).fit(table);
      if (!same(other.scores, detector.scores) || !same(other.score(table), scores)) wrong.push(name + ' differs');
      other.dispose();
      counts.compared++;
    }
  } catch (error) {
    if (error.name === 'AbortError') counts.aborted++;
    else if (error.code === 'DISPOSED') counts.disposed++;
    else wrong.push(name + ': ' + error);
  }
  if (random(2) === 0) detector.dispose();
}
window.run = async (seconds) => {
  const end = performance.now() + seconds * 1000;
  const worker = async () => { while (performance.now() < end) await live(); };
  await Promise.all([worker(), worker()]);
  curvad.stopThreads();
  return { counts, wrong };
};
window.isReady = true;
`;

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** dist/ and the page, isolated so that memory can be shared. */
const server = createServer((request, response) => {
  const path = normalize((request.url ?? '/').split('?')[0] as string);
  const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  const type = TYPES[extname(path)] ?? 'text/html';
  try {
    const page = '<!doctype html><script type="module" src="/soak.js"></script>';
    const body = path === '/' ? page : path === '/soak.js' ? PROGRAM : readFileSync(join(DIST, path));
    response.writeHead(200, { ...headers, 'content-type': type }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };

const browser = await chromium.launch({
  executablePath: values.chromium,
  args: ['--no-sandbox', '--js-flags=--expose-gc'],
});
const session = await browser.newBrowserCDPSession();
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${port}/`);
await page.waitForFunction('window.isReady');

/** The largest renderer: the process of the page, with its threads. */
function renderer(): { resident: number; threads: number } {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer')) return [];
        const parent = ancestorsOf(id);
        if (!parent.includes(process.pid)) return [];
        const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) * 1024;
        return [{ resident, threads: readdirSync(`/proc/${id}/task`).length }];
      } catch {
        return []; // it has ended
      }
    });
  return found.reduce((most, one) => (one.resident > most.resident ? one : most), { resident: 0, threads: 0 });
}

function ancestorsOf(id: string): number[] {
  const ids: number[] = [];
  for (let at = Number(id); at > 1; ) {
    at = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${at}/status`, 'utf8'))?.[1]);
    ids.push(at);
  }
  return ids;
}

interface Report {
  readonly counts: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

const samples: { resident: number; threads: number; workers: number }[] = [];
const start = performance.now();
let report: Report = { counts: {}, wrong: [] };
while (performance.now() - start < MINUTES * 60_000) {
  report = (await page.evaluate(`run(${SECONDS_BETWEEN_SAMPLES})`)) as Report;
  await page.waitForTimeout(1500);
  await page.evaluate('gc(); new Promise((resolve) => setTimeout(resolve, 100)).then(() => gc())');
  await session.send('Memory.simulatePressureNotification', { level: 'critical' });
  await page.waitForTimeout(1500);
  await page.evaluate('gc()');
  samples.push({ ...renderer(), workers: page.workers().length });
  const { resident, threads, workers } = samples.at(-1) as (typeof samples)[0];
  const done = Object.entries(report.counts).map(([name, count]) => `${count} ${name}`);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${seconds} s: ${done.join(', ')}; ${workers} workers, ${threads} threads, ${(resident / MB).toFixed(0)} MB`,
  );
}
const version = browser.version();
await browser.close();
server.close();

const quarter = (i: number): number => {
  const part = samples.slice(Math.floor((samples.length * i) / 4), Math.ceil((samples.length * (i + 1)) / 4));
  return part.reduce((sum, { resident }) => sum + resident, 0) / part.length;
};
const growth = quarter(3) / quarter(1);
const complaints = [...report.wrong];
console.log(`Chromium ${version}: memory of the last quarter over the second: ${growth.toFixed(3)} (≤ ${TOLERANCE})`);
if (!(growth <= TOLERANCE)) complaints.push('memory grew');
if ((samples.at(-1)?.workers ?? 0) > 0) complaints.push(`${samples.at(-1)?.workers} workers did not end`);
for (const complaint of complaints) console.log(`✗ ${complaint}`);
console.log(complaints.length === 0 ? '✓ nothing went wrong' : `✗ ${complaints.length} things went wrong`);
process.exitCode = complaints.length === 0 ? 0 : 1;
