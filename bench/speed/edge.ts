// At the edge: how long until the first score, and how long a score takes, in Cloudflare's runtime and in
// Deno, for one row against a model of 10,000 × 32 loaded from bytes; beside plain JavaScript.
//
// Deno has a clock. In workerd it stands still while code runs, so everything is measured from outside:
// the cold start as the time until a new runtime's first answer, less that of a worker that does nothing;
// a score as the time of a request that scores REPEAT rows one by one, less that of the median request that
// scores none, divided by REPEAT (so that its p99 is over means of REPEAT).
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Miniflare, startWorker } from '../../test/runtimes/miniflare.js';
import { RUNTIMES, run } from '../../test/runtimes/programs.js';
import { against, gaussianData, printTable } from './support.js';

const { CAD } = await import('curvad');

const COLUMNS = 32;
const NEIGHBORS = 10;
const REPEAT = 50;
const REQUESTS = 100;
const STARTS = 7;

/** What both programs do, given the bytes of a model and its rows. */
const PREPARE = `
let cad;
let plain;
const rows = Float32Array.from({ length: 64 * ${COLUMNS} }, (_, i) => Math.sin(i * i));
const one = { data: new Float32Array(${COLUMNS}), rows: 1, columns: ${COLUMNS} };
const score = new Float64Array(1);
const sides = {
  none: () => 0,
  curvad: (i) => {
    one.data.set(rows.subarray((i % 64) * ${COLUMNS}, ((i % 64) + 1) * ${COLUMNS}));
    return cad.scoreInto(one, score)[0];
  },
  plain: (i) => plain(rows.subarray((i % 64) * ${COLUMNS}, ((i % 64) + 1) * ${COLUMNS})),
};
`;

const WORKER = `import { CAD } from 'curvad';
import { plainScorer } from './plain-scorer.js';
import model from './model.bin';
import training from './rows.bin';
${PREPARE}
export default {
  async fetch(request) {
    const { searchParams } = new URL(request.url);
    const side = searchParams.get('side');
    cad ??= CAD.load(new Uint8Array(model));
    if (side === 'plain') plain ??= plainScorer(new Float32Array(training), ${COLUMNS}, ${NEIGHBORS});
    let sum = 0;
    for (let i = 0; i < Number(searchParams.get('count')); i++) sum += sides[side](i);
    return new Response(String(sum));
  },
};`;

const EMPTY_WORKER = `export default { fetch: () => new Response('0') };`;

const DENO = `const start = performance.now();
const { CAD } = await import('curvad');
${PREPARE}
const read = performance.now();
const bytes = Deno.readFileSync('model.bin');
const training = new Float32Array(Deno.readFileSync('rows.bin').buffer);
const reading = performance.now() - read;
cad = CAD.load(bytes);
sides.curvad(0);
const first = performance.now() - start - reading;
const { plainScorer } = await import('./plain-scorer.js');
plain = plainScorer(training, ${COLUMNS}, ${NEIGHBORS});
const result = { first, sum: {}, times: {} };
for (const side of ['curvad', 'plain']) {
  for (let i = 0; i < 100; i++) sides[side](i);
  result.sum[side] = 0;
  for (let i = 0; i < ${REPEAT}; i++) result.sum[side] += sides[side](i);
  result.times[side] = Array.from({ length: 1000 }, (_, i) => {
    const from = performance.now();
    sides[side](i);
    return performance.now() - from;
  });
}
console.log(JSON.stringify(result));`;

interface DenoResult {
  first: number;
  sum: Record<string, number>;
  times: Record<string, number[]>;
}

const folder = mkdtempSync(join(tmpdir(), 'curvad-edge-'));

function prepareFolder(): void {
  const training = gaussianData(10_000, COLUMNS);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/curvad'));
  copyFileSync('bench/speed/plain-scorer.js', join(folder, 'plain-scorer.js'));
  const files = {
    'package.json': '{ "private": true, "type": "module" }',
    'model.bin': new CAD({ neighbors: NEIGHBORS }).fit(training).toBytes(),
    'rows.bin': new Uint8Array(training.data.buffer),
    'worker.js': WORKER,
    'deno.js': DENO,
    'empty/empty.js': EMPTY_WORKER,
  };
  mkdirSync(join(folder, 'empty'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const options = ['--bundle', '--minify', '--format=esm', '--conditions=workerd,worker,browser', '--outdir=bundled'];
  const loaders = ['--loader:.wasm=copy', '--loader:.bin=copy', '--log-level=error'];
  run(join(RUNTIMES, '.bin/esbuild'), ['worker.js', ...options, ...loaders], folder);
  // The worker that does nothing comes with the same data, so that shipping it does not count.
  for (const name of readdirSync(join(folder, 'bundled')).filter((file) => file.endsWith('.bin')))
    copyFileSync(join(folder, 'bundled', name), join(folder, 'empty', name));
}

/** Milliseconds until a new runtime's first answer. */
async function startAndAsk(path: string, script: string): Promise<{ worker: Miniflare; time: number }> {
  const start = performance.now();
  const worker = await startWorker(join(folder, path), script);
  await answerOf(worker, 'curvad', 1);
  return { worker, time: performance.now() - start };
}

async function answerOf(worker: Miniflare, side: string, count: number): Promise<number> {
  const response = await worker.dispatchFetch(`http://curvad/?side=${side}&count=${count}`);
  if (!response.ok) throw new Error(await response.text());
  return Number(await response.text());
}

function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] as number;
}

async function coldStartInWorkerd(): Promise<number> {
  const best = { empty: Infinity, curvad: Infinity };
  for (let i = 0; i < STARTS; i++) {
    for (const [name, path, script] of [
      ['empty', 'empty', 'empty.js'],
      ['curvad', 'bundled', 'worker.js'],
    ] as const) {
      const { worker, time } = await startAndAsk(path, script);
      best[name] = Math.min(best[name], time);
      await worker.dispose();
    }
  }
  return best.curvad - best.empty;
}

/** Milliseconds of a score, side by side. */
async function scoresInWorkerd(): Promise<{ times: Record<string, number[]>; sum: Record<string, number> }> {
  const { worker } = await startAndAsk('bundled', 'worker.js');
  const times: Record<string, number[]> = { none: [], curvad: [], plain: [] };
  const sum: Record<string, number> = {};
  for (const side of Object.keys(times)) for (let i = 0; i < 5; i++) sum[side] = await answerOf(worker, side, REPEAT);
  for (let i = 0; i < REQUESTS; i++) {
    for (const [side, list] of Object.entries(times)) {
      const start = performance.now();
      await answerOf(worker, side, REPEAT);
      list.push(performance.now() - start);
    }
  }
  await worker.dispose();
  const overhead = percentile(times['none'] as number[], 0.5);
  const perScore = (side: string) => (times[side] as number[]).map((time) => (time - overhead) / REPEAT);
  return { times: { curvad: perScore('curvad'), plain: perScore('plain') }, sum };
}

function inDeno(): DenoResult {
  const options = ['run', '--quiet', '--no-prompt', '--allow-read', '--node-modules-dir=manual', 'deno.js'];
  const results = Array.from(
    { length: STARTS },
    () => JSON.parse(run(join(RUNTIMES, '.bin/deno'), options, folder)) as DenoResult,
  );
  const last = results.at(-1) as DenoResult;
  return { ...last, first: Math.min(...results.map(({ first }) => first)) };
}

function rowOf(name: string, first: number, { times, sum }: Pick<DenoResult, 'times' | 'sum'>): string[] {
  const [ours, plain] = [times['curvad'] as number[], times['plain'] as number[]];
  const p50 = percentile(ours, 0.5);
  const show = (value: number): string => `${value.toFixed(3)} ms`;
  const difference = Math.abs((sum['curvad'] as number) - (sum['plain'] as number));
  if (!(difference < 1e-3)) throw new Error(`the two sides differ by ${difference}: they do not compute the same`);
  return [
    name,
    `${first.toFixed(0)} ms`,
    show(p50),
    show(percentile(ours, 0.99)),
    show(percentile(plain, 0.5)),
    show(percentile(plain, 0.99)),
    against(percentile(plain, 0.5) / p50, 1),
  ];
}

prepareFolder();
console.log(
  `One row against 10,000 × ${COLUMNS}, k = ${NEIGHBORS}, model loaded from bytes; cold starts are the best of ${STARTS}\n`,
);
const table = [['', 'import to first score', 'p50', 'p99', 'plain p50', 'plain p99', 'ratio of p50']];
table.push(rowOf('workerd', await coldStartInWorkerd(), await scoresInWorkerd()));
const deno = inDeno();
table.push(rowOf('Deno', deno.first, deno));
printTable(table);
console.log(
  `\nworkerd: measured from outside, a score as a share of requests of ${REPEAT} scores, as its clock stands still`,
);
rmSync(folder, { recursive: true, force: true });
