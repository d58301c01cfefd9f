// npm run bench:streams: rows a second of a sliding window of 10,000 × 10, one thread, beside fitting anew for every row,
// and, where CURVAD_PYTHON has them, beside River's LocalOutlierFactor and HalfSpaceTrees, and PyOD's detectors fitted
// anew.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gaussianData, printTable } from './support.js';

const { CAD, KNN, LandmarkCAD, LOF, defaultBackend } = await import('curvad');
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
/** CPU seconds a row by what Python has. */
function peers(): Record<string, number> {
  const python = process.env['CURVAD_PYTHON'];
  if (python === undefined) return {};
  const folder = mkdtempSync(join(tmpdir(), 'curvad-streams-'));
  try {
    const file = join(folder, 'rows.bin');
    const all = Float64Array.from([...start.data, ...data.subarray(0, 2000 * COLUMNS)]);
    writeFileSync(file, new Uint8Array(all.buffer));
    const env = { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' };
    const args = ['bench/speed/streams.py', file, String(COLUMNS), String(WINDOW)];
    return JSON.parse(execFileSync(python, args, { encoding: 'utf8', env })) as Record<string, number>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const lines = [['', 'rows/s of CPU', 'median ms', 'p99 ms', 'longest ms', 'fit anew ms', 'ratio']];
let isGood = true;
const rates = new Map<string, number>();
for (const [name, make] of [
  ['CAD', () => new CAD()],
  ['KNN', () => new KNN()],
  ['LOF', () => new LOF()],
  ['LOF, k = 20', () => new LOF({ neighbors: 20 })],
  ['CAD, single', () => new CAD({ precision: 'single' })],
  ['LandmarkCAD', () => new LandmarkCAD()],
] as const) {
  const { rate, p50, p99, worst } = streamed(new SlidingWindow(make(), { window: WINDOW }));
  rates.set(name, rate);
  const anew = refitted(make() as never);
  if (!name.includes(',')) isGood &&= rate >= GOAL.rate && p99 < GOAL.p99;
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
for (const [name, seconds] of Object.entries(peers())) {
  const own = /LOF/.test(name) ? 'LOF' : 'KNN';
  const ratio = (rates.get(own) as number) * seconds;
  console.log(
    `${name}: ${(1 / seconds).toFixed(1)} rows/s of CPU; the window of ${own} has ${Number(ratio.toPrecision(2))} times that`,
  );
}
if (!isGood) {
  console.error(`a detector with its defaults is below ${GOAL.rate} rows/s, or its p99 is not below ${GOAL.p99} ms`);
  process.exitCode = 1;
}
