// What a second thread is worth on rows that have shape, and what the asynchronous way costs where there is no second: the
// synchronous call, one thread and two take turns, and the best of each counts, as other programs can only make them
// slower. Slices on the calling thread are compared by the time of the processor.
//   npm run bench:gain -- [--rows 1000000] [--only http] [--skip-threads] [--skip-slices]
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { clusteredData } from './clustered.js';
import { standardized } from './standardized.js';
import { against, type Data, gaussianData, milliseconds, printTable, realData } from './support.js';

const { CAD, KNN, LandmarkCAD, LOF, stopThreads } = await import('curvad');

const METHODS = { CAD, KNN, LOF, LandmarkCAD } as const;
const ROUNDS = 3;
const TARGET = 1.7;
/** What slices cost at least beside the synchronous call, which must not be slower. */
const AS_FAST = 0.95;
/** New rows that are scored. */
const FRESH = 200_000;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    'skip-threads': { type: 'boolean', default: false },
    'skip-slices': { type: 'boolean', default: false },
  },
});

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} cores; best of ${ROUNDS} in turns, an idle machine assumed\n`,
);
if (!values['skip-threads']) await printThreads();
if (!values['skip-slices']) await printSlices();
stopThreads();

type Call = () => unknown;

async function secondsOf(call: Call): Promise<number> {
  const start = performance.now();
  await call();
  return (performance.now() - start) / 1000;
}

async function processorSecondsOf(call: Call): Promise<number> {
  const start = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** The best of each side. */
async function best(sides: readonly Call[], clock: typeof secondsOf, rounds = ROUNDS): Promise<number[]> {
  const times = sides.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [i, side] of sides.entries()) times[i] = Math.min(times[i] as number, await clock(side));
  }
  return times;
}

async function printThreads(): Promise<void> {
  const table = [['', 'synchronous', 'one thread', 'two threads', 'two against one', 'two against synchronous']];
  const measure = async (name: string, sides: readonly [Call, Call, Call]): Promise<void> => {
    const [alone, one, two] = (await best(sides, secondsOf)) as [number, number, number];
    table.push([name, ...[alone, one, two].map(milliseconds), against(one / two, TARGET), (alone / two).toFixed(2)]);
    console.error(table.at(-1)?.join('  '));
  };
  for (const [set, rows] of sets()) {
    for (const [method, Detector] of Object.entries(METHODS)) {
      const onThreads = (threads: number) => () => new Detector().fitAsync(rows, { threads });
      await measure(`${method} fit, ${set}`, [() => new Detector().fit(rows), onThreads(1), onThreads(2)]);
      if (set.startsWith('shuttle') || method === 'LOF') continue;
      const detector = new Detector().fit(rows);
      const fresh = sample(rows, FRESH);
      const score = (threads: number) => () => detector.scoreAsync(fresh, { threads });
      await measure(`${method} score ${FRESH.toLocaleString('en')}, ${set}`, [
        () => detector.score(fresh),
        score(1),
        score(2),
      ]);
      detector.dispose();
    }
  }
  printTable(table);
  console.log();
}

/** Rows that lie near others: those of the set, in even distances, moved a little. */
function sample({ data, rows, columns }: Data, count: number): Data {
  const noise = gaussianData(count, columns, 7);
  for (let i = 0; i < count; i++) {
    const from = Math.floor((i * rows) / count) * columns;
    for (let j = 0; j < columns; j++)
      noise.data[i * columns + j] = (data[from + j] as number) + 0.01 * (noise.data[i * columns + j] as number);
  }
  return noise;
}

function sets(): Array<[name: string, rows: Data]> {
  const all: Array<[string, Data]> = [];
  const add = (name: string, make: () => Data | undefined): void => {
    if (!name.includes(values.only)) return;
    const data = make();
    if (data !== undefined) all.push([`${name} ${data.rows.toLocaleString('en')} × ${data.columns}`, data]);
  };
  add('clustered', () => clusteredData(Number(values.rows), 8));
  for (const name of ['cover', 'http', 'shuttle']) {
    add(name, () => realData(name) && standardized(name));
  }
  return all;
}

async function printSlices(): Promise<void> {
  const table = [['CAD', 'search', 'synchronous', 'slices', 'slices ÷ synchronous']];
  for (const [kind, make, sizes] of [
    ['clustered × 8', (rows: number) => clusteredData(rows, 8), [1000, 3000, 10_000, 30_000, 100_000, 300_000]],
    ['noise × 8', (rows: number) => gaussianData(rows, 8), [1000, 3000, 10_000, 30_000, 100_000]],
    ['noise × 16', (rows: number) => gaussianData(rows, 16), [1000, 3000, 10_000, 30_000, 60_000]],
  ] as const) {
    for (const count of sizes) {
      const rows = make(count);
      const repeats = Math.max(1, Math.round(30_000 / count));
      const repeated = (call: Call) => async () => {
        for (let i = 0; i < repeats; i++) await call();
      };
      const sides = [() => new CAD().fit(rows), () => new CAD().fitAsync(rows, { threads: 0 })].map(repeated);
      const [alone, sliced] = (await best(sides, processorSecondsOf)) as [number, number];
      const { search } = new CAD().fit(rows).search ?? {};
      const times = [alone, sliced].map((time) => milliseconds(time / repeats));
      table.push([
        `${kind}, ${count.toLocaleString('en')}`,
        String(search),
        ...times,
        against(sliced / alone, AS_FAST),
      ]);
      console.error(table.at(-1)?.join('  '));
    }
  }
  printTable(table);
}
