// How time and memory grow with the rows and columns, each size in a process of its own; the exponents of the fitted
// power laws are printed, by the time of the processors, which other programs change less than that of the clock.
// Clustered rows (clustered.ts), as real rows are, and independent normal numbers, whose pairs no search can leave out.
//   npm run bench:growth -- [--rows 10000,…] [--method KNN|LandmarkCAD|CAD] [--threads N] [--skip-noise]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { clusteredData } from './clustered.js';
import { type Data, gaussianData, milliseconds, printTable } from './support.js';

interface Cost {
  /** Seconds by the clock, and of the processors: the best of some fits. */
  readonly time: number;
  readonly cpu: number;
  /** At its highest, beyond a process that has the rows and was warmed up, and beyond the results. */
  readonly memory: number;
}

interface Job {
  readonly kind: 'clustered' | 'noise';
  readonly method: 'KNN' | 'LandmarkCAD' | 'CAD';
  readonly rows: number;
  readonly columns: number;
  /** Undefined for the synchronous call. */
  readonly threads: number | undefined;
  /** Bytes of a number as the rows are given. */
  readonly bytes: 4 | 8;
}

/** Bytes of a row's results: two scores and a label. */
const RESULTS = 17;
/** What memory may grow by with every byte of rows, and time with the rows. */
const ALLOWED = 2.5;
const ALLOWED_EXPONENT = 1.15;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,30000,100000,300000,1000000,3000000,10000000' },
    method: { type: 'string', default: 'LandmarkCAD' },
    threads: { type: 'string' },
    single: { type: 'boolean', default: false },
    'skip-noise': { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});

if (values.one !== undefined) await measureHere(JSON.parse(values.one) as Job);
else {
  const threads = values.threads === undefined ? undefined : Number(values.threads);
  const method = values.method as Job['method'];
  const bytes = values.single ? 4 : 8;
  const how = threads === undefined ? 'synchronous' : `${threads} threads`;
  console.log(
    `Node ${process.versions.node}; memory at its highest, beyond a process with its rows and the results, beside the bytes of the rows as they are given\n`,
  );
  console.log(`${method}, default options, clustered rows in Float${8 * bytes}Array, ${how}`);
  const sizes = values.rows.split(',').map(Number);
  const clustered = sizes.map((rows): Job => ({ kind: 'clustered', method, rows, columns: 8, threads, bytes }));
  series('rows', clustered, ALLOWED_EXPONENT);
  if (!values['skip-noise']) {
    const noise = (rows: number, columns: number): Job => {
      return { kind: 'noise', method: 'CAD', rows, columns, threads: undefined, bytes: 4 };
    };
    console.log('CAD, independent normal numbers in Float32Array, synchronous');
    series(
      'rows',
      [4096, 8192, 16384, 32768, 65536].map((rows) => noise(rows, 16)),
    );
    series(
      'columns',
      [8, 16, 32, 64, 128, 256, 512].map((columns) => noise(8192, columns)),
    );
  }
}

/** Prints one measurement as JSON: the best of some fits, and the memory at its highest. */
async function measureHere({ kind, method, rows, columns, threads, bytes }: Job): Promise<void> {
  const Detector = (await import('curvad'))[method];
  const make = kind === 'clustered' ? clusteredData : gaussianData;
  let [time, cpu] = [Infinity, Infinity];
  const measureFit = async (rows: ReturnType<typeof given>): Promise<void> => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const detector = new Detector();
    if (threads === undefined) detector.fit(rows);
    else await detector.fitAsync(rows, { threads });
    const used = process.cpuUsage(before);
    time = Math.min(time, (performance.now() - start) / 1000);
    cpu = Math.min(cpu, (used.user + used.system) / 1e6);
  };
  const data = given(make(rows, columns), bytes);
  await measureFit(given(make(1024, columns, 2), bytes));
  const before = process.memoryUsage.rss();
  time = cpu = Infinity;
  await measureFit(data);
  const memory = Math.max(0, process.resourceUsage().maxRSS * 1024 - before - RESULTS * rows);
  for (let round = 0; round < 2 && time < 3; round++) await measureFit(data);
  console.log(JSON.stringify({ time, cpu, memory } satisfies Cost));
  process.exit(); // threads rest for a second
}

function given({ data, rows, columns }: Data, bytes: 4 | 8) {
  return { data: bytes === 4 ? data : Float64Array.from(data), rows, columns };
}

function series(what: 'rows' | 'columns', jobs: readonly Job[], most?: number): void {
  const costs = jobs.map(measureApart);
  const sizes = jobs.map((job) => job[what]);
  const bytesOf = ({ rows, columns, bytes }: Job): number => rows * columns * bytes;
  printTable([
    ['rows', 'columns', 'time', 'processor', 'µs a row', 'memory MB', '× the rows'],
    ...jobs.map((job, i) => {
      const { time, cpu, memory } = costs[i] as Cost;
      return [
        job.rows.toLocaleString('en'),
        String(job.columns),
        milliseconds(time),
        milliseconds(cpu),
        ((cpu * 1e6) / job.rows).toFixed(1),
        (memory / 1e6).toFixed(1),
        (memory / bytesOf(job)).toFixed(2),
      ];
    }),
  ]);
  const exponent = slopeOf(
    sizes,
    costs.map(({ cpu }) => cpu),
  );
  const verdict = most === undefined ? '' : ` ${exponent <= most ? '✓' : '✗'} (≤ ${most})`;
  console.log(`time grows as ${what}^${exponent.toFixed(2)}${verdict}`);
  // What the engine takes for its own code and garbage does not grow.
  const { slope, start } = line(
    jobs.map(bytesOf),
    costs.map(({ memory }) => memory),
  );
  console.log(
    `memory grows by ${slope.toFixed(2)} bytes with every byte of rows ${slope <= ALLOWED ? '✓' : '✗'} (≤ ${ALLOWED}), from ${(start / 1e6).toFixed(1)} MB\n`,
  );
}

function measureApart(job: Job): Cost {
  const self = fileURLToPath(import.meta.url);
  const options = { encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, [...process.execArgv, self, '--one', JSON.stringify(job)], options);
  return JSON.parse(output) as Cost;
}

/** Slope of the line through the logarithms. */
function slopeOf(sizes: readonly number[], numbers: readonly number[]): number {
  return line(sizes.map(Math.log), numbers.map(Math.log)).slope;
}

/** The least-squares line. */
function line(x: readonly number[], y: readonly number[]): { slope: number; start: number } {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = mean(x.map((value, i) => (value - mx) * ((y[i] as number) - my)));
  const slope = covariance / mean(x.map((value) => (value - mx) ** 2));
  return { slope, start: my - slope * mx };
}
