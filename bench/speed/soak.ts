// Mixed asynchronous calls for minutes: random detectors, sizes and threads, some aborted, some disposed
// of while they run, several at a time. Now and then a result is compared with the synchronous call. In
// the end memory must be flat, threads and handles at rest as many as in the beginning, and nothing may have been
// rejected without anybody noticing.
//
// It runs itself with one arena of the C library's allocator (MALLOC_ARENA_MAX=1). With an arena for each of its threads,
// glibc keeps what was freed in all of them: resident memory then grows for half an hour and shrinks by chance, while
// nothing is held. `--arenas all` leaves it as the system has it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gaussianData } from './support.js';

const curvad = await import('curvad');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    arenas: { type: 'string', default: '1' },
  },
});
if (values.arenas !== 'all' && process.env['MALLOC_ARENA_MAX'] !== values.arenas) {
  const env = { ...process.env, MALLOC_ARENA_MAX: values.arenas };
  const args = [...process.execArgv, ...process.argv.slice(1)];
  process.exit(spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1);
}
const MINUTES = Number(values.minutes);
const SEED = Number(values.seed ?? 1);
/** Calls under way at a time. */
const AT_ONCE = 3;
/** How much more memory the last quarter may need than the second. */
const TOLERANCE = 1.05;
const MB = 2 ** 20;

type Detector = InstanceType<typeof curvad.CAD>;
type Kind = new (options: object) => Detector;
const KINDS = Object.entries(curvad).filter(([, value]) => typeof value === 'function' && 'fromModel' in value);

let state = SEED;
function random(limit: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % limit;
}

const counts = { fitted: 0, scored: 0, compared: 0, aborted: 0, disposed: 0, stopped: 0 };
const complaints: string[] = [];
process.on('unhandledRejection', (reason) => complaints.push(`unhandled rejection: ${reason}`));
process.on('warning', (warning) => complaints.push(`warning: ${warning.message}`));

/** One detector's life. */
async function live(): Promise<void> {
  const [name, Kind] = KINDS[random(KINDS.length)] as [string, unknown];
  const rows = gaussianData(50 + random(random(4) === 0 ? 12_000 : 2000), 1 + random(40), random(1e9));
  const detector = new (Kind as Kind)({});
  const threads = random(4);
  const fate = random(6);
  const controller = new AbortController();
  if (fate === 0) setTimeout(() => controller.abort(), random(120));
  if (fate === 1) setTimeout(() => detector.dispose(), random(120));
  if (fate === 2 && random(20) === 0) setTimeout(stopAll, random(120));
  const stopsBefore = counts.stopped;
  const what = `${name} on ${rows.rows} × ${rows.columns} with ${threads} threads`;
  try {
    const options = { threads, signal: controller.signal };
    await detector.fitAsync(rows, options);
    counts.fitted++;
    const fresh = { ...rows, data: rows.data.map((value) => value + 0.5) };
    const scores = await detector.scoreAsync(fresh, options);
    counts.scored++;
    if (random(8) === 0) compare(what, new (Kind as Kind)({}).fit(rows), detector, fresh, scores);
  } catch (error) {
    explain(what, error, counts.stopped > stopsBefore);
  }
  if (random(2) === 0) detector.dispose(); // otherwise the garbage collector finds it
}

function stopAll(): void {
  curvad.stopThreads();
  counts.stopped++;
}

function compare(what: string, expected: Detector, detector: Detector, fresh: object, scores: Float64Array): void {
  const same = (a: Float64Array, b: Float64Array): boolean => a.length === b.length && a.every((x, i) => x === b[i]);
  if (!same(expected.scores, detector.scores)) complaints.push(`${what}: other scores than the synchronous fit`);
  if (expected.threshold !== detector.threshold) complaints.push(`${what}: another threshold`);
  if (!same(expected.score(fresh as never), scores)) complaints.push(`${what}: other scores of new rows`);
  expected.dispose();
  counts.compared++;
}

/** Only what was asked for may go wrong. */
function explain(what: string, error: unknown, wereStopped: boolean): void {
  const { name, code } = error as { name: string; code?: string };
  if (name === 'AbortError') counts.aborted++;
  else if (code === 'DISPOSED') counts.disposed++;
  else if (code === 'THREAD_FAILED' && wereStopped) return;
  else complaints.push(`${what}: ${error}`);
}

const start = performance.now();
const end = start + MINUTES * 60_000;
const samples: number[] = [];
/** Threads of the process at rest, its own included, and open files. */
const threads: number[] = [];
const handles: number[] = [];

/** While a measurement is under way nobody begins anything. */
let measurement: Promise<void> | undefined;
let alive = 0;

async function worker(): Promise<void> {
  while (performance.now() < end) {
    await measurement;
    alive++;
    await live();
    alive--;
  }
}

/** Leaves the process at rest: how much its threads need depends on how long ago they were started. */
async function bringToRest(): Promise<void> {
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  while (alive > 0) await pause(5);
  curvad.stopThreads();
  await pause(1500); // they rest before they end
  const least = Math.min(...threads); // on a busy machine they take their time
  for (let waited = 0; count('task') > least && waited < 30_000; waited += 100) await pause(100);
  collectGarbage();
  await pause(50); // finalizers
  collectGarbage();
}

/** What this process has of something, as Linux tells; 0 elsewhere. */
function count(what: 'task' | 'fd'): number {
  const folder = `/proc/self/${what}`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

async function watch(): Promise<void> {
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, Math.max(0, end - performance.now()))));
    measurement = bringToRest();
    await measurement;
    measurement = undefined;
    const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
    samples.push(rss);
    threads.push(count('task'));
    handles.push(count('fd'));
    const memory = `${threads.at(-1)} threads, ${handles.at(-1)} handles, ${(rss / MB).toFixed(0)} MB resident, ${(heapUsed / MB).toFixed(1)} heap, ${(arrayBuffers / MB).toFixed(1)} buffers`;
    const done = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    console.log(`${((performance.now() - start) / 1000).toFixed(0)} s: ${done.join(', ')}; ${memory}`);
  }
}

console.log(
  `${MINUTES} minutes of ${KINDS.map(([name]) => name).join(', ')}, seed ${SEED}, ${curvad.defaultBackend()}, Node ${process.versions.node}`,
);
await Promise.all([watch(), ...Array.from({ length: AT_ONCE }, worker)]);

const quarter = (i: number): number => {
  const part = samples.slice(Math.floor((samples.length * i) / 4), Math.ceil((samples.length * (i + 1)) / 4));
  return part.reduce((sum, value) => sum + value, 0) / part.length;
};
const growth = quarter(3) / quarter(1);
console.log(`memory of the last quarter over the second: ${growth.toFixed(3)} (≤ ${TOLERANCE})`);
if (!(growth <= TOLERANCE)) complaints.push('memory grew');
/** How many more there were at rest later than in the first quarter. */
const more = (counted: readonly number[]): number => {
  const first = Math.ceil(counted.length / 4);
  return Math.max(...counted.slice(first)) - Math.max(...counted.slice(0, first));
};
if (more(threads) > 0) complaints.push(`${more(threads)} threads did not end`);
if (more(handles) > 0) complaints.push(`${more(handles)} handles were not closed`);
for (const complaint of complaints) console.log(`✗ ${complaint}`);
console.log(complaints.length === 0 ? '✓ nothing went wrong' : `✗ ${complaints.length} things went wrong`);
curvad.stopThreads();
process.exitCode = complaints.length === 0 ? 0 : 1;
