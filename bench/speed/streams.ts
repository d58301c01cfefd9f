// npm run bench:streams: rows a second of a sliding window of 10,000 × 10, one thread, beside fitting anew for every row.
import { gaussianData, printTable } from './support.js';

const { CAD, KNN, LOF, defaultBackend } = await import('curvad');
const { SlidingWindow } = await import('curvad/streams');

const WINDOW = 10_000;
const COLUMNS = 10;
const ROWS = Number(process.argv[2] ?? 30_000);
const GOAL = { rate: 20_000, p99: 0.2 };

const start = gaussianData(WINDOW, COLUMNS);
const { data } = gaussianData(ROWS, COLUMNS, 2);
const rows = Array.from({ length: ROWS }, (_, i) => data.subarray(i * COLUMNS, (i + 1) * COLUMNS));

interface Measured {
  rate: number;
  p50: number;
  p99: number;
  worst: number;
}

function streamed(window: InstanceType<typeof SlidingWindow>): Measured {
  window.learn(start);
  for (const row of rows.slice(0, 3000)) window.update(row);
  const times = new Float64Array(ROWS);
  const cpu = process.cpuUsage();
  rows.forEach((row, i) => {
    const before = performance.now();
    window.update(row);
    times[i] = performance.now() - before;
  });
  const { user, system } = process.cpuUsage(cpu);
  times.sort();
  const at = (share: number): number => times[Math.floor(share * (ROWS - 1))] as number;
  return { rate: ROWS / ((user + system) / 1e6), p50: at(0.5), p99: at(0.99), worst: at(1) };
}

/** Milliseconds of fitting anew and scoring a row. */
function refitted(detector: { fit(rows: unknown): unknown; score(rows: Float32Array[]): Float64Array }): number {
  const times = rows.slice(0, 4).map((row) => {
    const before = performance.now();
    detector.fit(start);
    detector.score([row]);
    return performance.now() - before;
  });
  return Math.min(...times);
}

console.log(`window ${WINDOW} × ${COLUMNS}, ${ROWS} rows, ${defaultBackend()}, Node ${process.versions.node}`);
const lines = [['', 'rows/s of CPU', 'median ms', 'p99 ms', 'longest ms', 'fit anew ms', 'ratio']];
let isGood = true;
for (const [name, make] of [
  ['CAD', () => new CAD()],
  ['KNN', () => new KNN()],
  ['LOF', () => new LOF()],
  ['LOF, k = 20', () => new LOF({ neighbors: 20 })],
] as const) {
  const { rate, p50, p99, worst } = streamed(new SlidingWindow(make(), { window: WINDOW }));
  const anew = refitted(make() as never);
  if (name === 'CAD' || name === 'KNN') isGood &&= rate >= GOAL.rate && p99 < GOAL.p99;
  lines.push([
    name,
    rate.toFixed(0),
    p50.toFixed(3),
    p99.toFixed(3),
    worst.toFixed(2),
    anew.toFixed(0),
    (anew / p50).toFixed(0),
  ]);
}
printTable(lines);
if (!isGood) {
  console.error(`CAD or KNN is below ${GOAL.rate} rows/s, or its p99 is not below ${GOAL.p99} ms`);
  process.exitCode = 1;
}
