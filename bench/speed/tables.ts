// How fast tables become rows: cells a second of processor time, of objects and of Arrow columns, as they are fitted
// and as they are scored. A matrix in one array is what there is to compare with.
import { tableFromArrays } from '@uwdata/flechette';
import { KNN, type NamedRows, type Rows, table } from 'curvad';

const ROWS = 200_000;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const data = Float64Array.from({ length: ROWS * NAMES.length }, (_, i) => Math.sin(i * 1.618) * (1 + (i % 7)));
const columns = Object.fromEntries(
  NAMES.map((name, j) => [name, Float64Array.from({ length: ROWS }, (_, i) => data[i * NAMES.length + j] as number)]),
);
const objects = Array.from({ length: ROWS }, (_, i) =>
  Object.fromEntries(NAMES.map((name, j) => [name, data[i * NAMES.length + j]])),
);
const inputs: ReadonlyArray<readonly [name: string, rows: Rows]> = [
  ['matrix', { data, rows: ROWS, columns: NAMES.length }],
  ['objects', objects],
  ['columns', columns],
  ['Arrow table', tableFromArrays(columns) as unknown as NamedRows],
];

/** Seconds of processor time: a fit that is refused for its k has read every row by then. */
function secondsToRead(rows: Rows): number {
  const start = process.cpuUsage();
  try {
    new KNN({ neighbors: ROWS }).fit(rows);
  } catch {}
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Seconds of processor time to score, less those of a matrix: what it takes to read. */
const scorer = new KNN({ neighbors: 1 }).fit(table(objects.slice(0, 50)));
function secondsToScore(rows: Rows): number {
  const start = process.cpuUsage();
  scorer.score(rows);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

for (const [title, measure] of [
  ['fit', secondsToRead],
  ['score', secondsToScore],
] as const) {
  const best = new Map<string, number>();
  for (let round = 0; round < 5; round++)
    for (const [name, rows] of inputs) best.set(name, Math.min(best.get(name) ?? Infinity, measure(rows)));
  const base = title === 'score' ? (best.get('matrix') as number) : 0;
  for (const [name, seconds] of best) {
    const rate = (ROWS * NAMES.length) / Math.max(1e-9, seconds - (name === 'matrix' ? 0 : base)) / 1e6;
    console.log(
      `${title.padEnd(6)} ${name.padEnd(12)} ${seconds.toFixed(3)} s  ${rate.toFixed(1)} million cells a second`,
    );
  }
}
