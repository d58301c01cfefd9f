// How time and memory grow: rows and columns are doubled, each size in a process of its own, and the
// exponents of the fitted power laws are printed. Theory: time n²d, memory nd.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gaussianData, milliseconds, printTable, seconds } from './support.js';

interface Cost {
  readonly time: number;
  readonly memory: number;
}

/** Bytes of a row's results: two scores and a label. */
const RESULTS = 17;
/** What memory may grow by with every byte of data. */
const ALLOWED = 2.5;

if (process.argv[2] === 'one') await measureHere(Number(process.argv[3]), Number(process.argv[4]));
else {
  console.log(
    `Fit of CAD on Gaussian data, k = 10, one thread, Node ${process.versions.node}; memory at its highest, beyond an idle process, its input and the results\n`,
  );
  series(
    'rows',
    [4096, 8192, 16384, 32768, 65536].map((rows) => [rows, 16]),
  );
  series(
    'columns',
    [8, 16, 32, 64, 128, 256, 512].map((columns) => [8192, columns]),
  );
}

/** Prints one measurement as JSON: the best of three fits, and the memory at its highest. */
async function measureHere(rows: number, columns: number): Promise<void> {
  const { CAD } = await import('curvad');
  const data = gaussianData(rows, columns);
  new CAD().fit(gaussianData(1024, columns));
  const before = process.memoryUsage.rss();
  const first = seconds(() => new CAD().fit(data));
  const memory = Math.max(0, process.resourceUsage().maxRSS * 1024 - before - RESULTS * rows);
  const time = Math.min(first, ...(rows > 20_000 ? [] : [1, 2].map(() => seconds(() => new CAD().fit(data)))));
  console.log(JSON.stringify({ time, memory } satisfies Cost));
}

function series(what: 'rows' | 'columns', shapes: readonly number[][]): void {
  const costs = shapes.map(([rows, columns]) => measureApart(rows as number, columns as number));
  const sizes = shapes.map((shape) => shape[what === 'rows' ? 0 : 1] as number);
  printTable([
    ['rows', 'columns', 'time', '× before', 'memory MB', '× the data'],
    ...shapes.map(([rows, columns], i) => {
      const { time, memory } = costs[i] as Cost;
      const previous = costs[i - 1];
      return [
        String(rows),
        String(columns),
        milliseconds(time),
        previous ? (time / previous.time).toFixed(2) : '',
        (memory / 1e6).toFixed(1),
        (memory / ((rows as number) * (columns as number) * 4)).toFixed(2),
      ];
    }),
  ]);
  const times = exponent(
    sizes,
    costs.map(({ time }) => time),
  );
  const memories = exponent(
    sizes,
    costs.map(({ memory }) => Math.max(memory, 1)),
  );
  console.log(`time grows as ${what}^${times.toFixed(2)}, memory as ${what}^${memories.toFixed(2)}`);
  // What the engine takes for its own code and garbage does not grow.
  const { slope, start } = line(
    shapes.map(([rows, columns]) => (rows as number) * (columns as number) * 4),
    costs.map(({ memory }) => memory),
  );
  console.log(
    `memory grows by ${slope.toFixed(2)} bytes with every byte of data ${slope <= ALLOWED ? '✓' : '✗'} (≤ ${ALLOWED}), from ${(start / 1e6).toFixed(1)} MB\n`,
  );
}

function measureApart(rows: number, columns: number): Cost {
  const self = fileURLToPath(import.meta.url);
  const output = execFileSync(process.execPath, [...process.execArgv, self, 'one', String(rows), String(columns)], {
    encoding: 'utf8',
  });
  return JSON.parse(output) as Cost;
}

/** Slope of the line through the logarithms. */
function exponent(sizes: readonly number[], values: readonly number[]): number {
  return line(sizes.map(Math.log), values.map(Math.log)).slope;
}

/** The least-squares line. */
function line(x: readonly number[], y: readonly number[]): { slope: number; start: number } {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = mean(x.map((value, i) => (value - mx) * ((y[i] as number) - my)));
  const slope = covariance / mean(x.map((value) => (value - mx) ** 2));
  return { slope, start: my - slope * mx };
}
