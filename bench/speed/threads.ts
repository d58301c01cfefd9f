// What threads are worth: two against one and against the synchronous call, what it costs to start them,
// to call them for nothing, and to stop them; and how long a page is held up meanwhile. The sides take
// turns and the best of each counts, as other programs can only make them slower.
import { availableParallelism } from 'node:os';
import { printBlocking } from './blocking.js';
import { against, gaussianData, milliseconds, printTable } from './support.js';

const { CAD, defaultBackend, stopThreads } = await import('curvad');

const ROUNDS = 4;
const TARGET = 1.7;

async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** The best of several rounds of each side, in turns. */
async function best(sides: readonly (() => unknown)[], rounds: number): Promise<number[]> {
  for (const side of sides) await side();
  const times = sides.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [i, side] of sides.entries()) times[i] = Math.min(times[i] as number, await secondsOf(side));
  }
  return times;
}

async function printGain(): Promise<void> {
  const training = gaussianData(16_384, 64);
  const cad = new CAD().fit(gaussianData(10_000, 32, 2));
  const rows = gaussianData(100_000, 32, 3);
  const table = [['', 'synchronous', 'one thread', 'two threads', 'two against one', 'two against synchronous']];
  const jobs = {
    'fit 16,384 × 64': [
      () => new CAD().fit(training),
      () => new CAD().fitAsync(training, { threads: 1 }),
      () => new CAD().fitAsync(training, { threads: 2 }),
    ],
    'score 100,000 × 32, model 10,000': [
      () => cad.score(rows),
      () => cad.scoreAsync(rows, { threads: 1 }),
      () => cad.scoreAsync(rows, { threads: 2 }),
    ],
  };
  for (const [name, sides] of Object.entries(jobs)) {
    const [alone, one, two] = (await best(sides, ROUNDS)) as [number, number, number];
    const times = [alone, one, two].map(milliseconds);
    table.push([name, ...times, against(one / two, TARGET), (alone / two).toFixed(2)]);
  }
  printTable(table);
}

async function printStart(): Promise<void> {
  const rows = gaussianData(6000, 16, 4);
  const warm = (await best([() => new CAD().fitAsync(rows, { threads: 2 })], ROUNDS))[0] as number;
  const first = () => {
    stopThreads();
    return new CAD().fitAsync(rows, { threads: 2 });
  };
  const cold = (await best([first], ROUNDS))[0] as number;
  console.log(`starting two threads   ${milliseconds(cold - warm)} (a first call of ${milliseconds(cold)})`);
}

async function printLittle(): Promise<void> {
  const rows = gaussianData(100, 8, 5);
  const cad = new CAD().fit(rows);
  const one = gaussianData(1, 8, 6);
  const repeat = (call: () => unknown) => async () => {
    for (let i = 0; i < 200; i++) await call();
  };
  const sides = [() => cad.score(one), () => cad.scoreAsync(one), () => new CAD().fit(rows)];
  const all = [...sides, () => new CAD().fitAsync(rows)].map(repeat);
  const times = (await best(all, ROUNDS)).map((time) => `${((time / 200) * 1e6).toFixed(1)} µs`);
  console.log(`score one row          ${times[0]} synchronous, ${times[1]} asynchronous`);
  console.log(`fit 100 × 8            ${times[2]} synchronous, ${times[3]} asynchronous`);
}

async function printAbort(): Promise<void> {
  const rows = gaussianData(30_000, 32, 7);
  for (const threads of [0, 1, 2]) {
    const times: number[] = [];
    for (let i = 0; i < 10; i++) times.push(await secondsToReject(rows, threads, 20 + 23 * i));
    times.sort((a, b) => a - b);
    const [median, longest] = [times[5] as number, times[9] as number];
    const verdict = longest < 0.05 ? '✓' : '✗';
    console.log(
      `abort, ${threads} threads       rejects after ${milliseconds(median)} (median), ${milliseconds(longest)} (longest) ${verdict} (< 50 ms)`,
    );
  }
}

/** From abort, which comes some milliseconds after the start, to the rejection. */
async function secondsToReject(rows: ReturnType<typeof gaussianData>, threads: number, after: number): Promise<number> {
  const controller = new AbortController();
  let start = 0;
  setTimeout(() => {
    start = performance.now();
    controller.abort();
  }, after);
  return new CAD().fitAsync(rows, { threads, signal: controller.signal }).then(
    () => {
      throw new Error('it was done before it could be aborted');
    },
    () => (performance.now() - start) / 1000,
  );
}

console.log(
  `CAD, k = 10, ${availableParallelism()} cores, Node ${process.versions.node}, ${defaultBackend()}; best of ${ROUNDS} in turns, idle machine assumed\n`,
);
await printGain();
console.log();
await printStart();
await printLittle();
await printAbort();
console.log();
await printBlocking();
stopThreads();
