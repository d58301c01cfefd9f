// npm run bench:streams-memory: ten million rows (or so many as are told) through a window and through SeriesDetector, one
// after the other, and how much memory the process has on the way. It must stay flat.
import { printTable } from './support.js';

const { LandmarkCAD, LOF } = await import('curvad');
const { SeriesDetector, SlidingWindow } = await import('curvad/streams');

const ROWS = Number(process.argv[2] ?? 10_000_000);
const SAMPLES = 20;
const GROWTH = 1.1;
const COLUMNS = 3;

let state = 1;
function uniform(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

const row = new Float64Array(COLUMNS);
/** Slow waves, noise, and now and then a value far off: in one array that is used again. */
function nextRow(t: number): Float64Array {
  for (let j = 0; j < COLUMNS; j++) row[j] = Math.sin(t / (1000 * (j + 1))) + uniform() + uniform();
  if (t % 9973 === 0) row[t % COLUMNS] = 20;
  return row;
}

interface Stream {
  update(row: Float64Array): number;
  readonly isAlarm: boolean;
}

function streamed(name: string, stream: Stream): string[] {
  const memory: number[] = [];
  const start = process.cpuUsage();
  let alarms = 0;
  for (let t = 0; t < ROWS; t++) {
    stream.update(nextRow(t));
    if (stream.isAlarm) alarms++;
    if ((t + 1) % Math.floor(ROWS / SAMPLES) === 0) memory.push(process.memoryUsage.rss() / 2 ** 20);
  }
  const { user, system } = process.cpuUsage(start);
  const quarter = (q: number): number => {
    const part = memory.slice((q * memory.length) / 4, ((q + 1) * memory.length) / 4);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  };
  const growth = quarter(3) / quarter(1);
  if (!(growth <= GROWTH)) process.exitCode = 1;
  const rate = ROWS / ((user + system) / 1e6);
  return [name, rate.toFixed(0), String(alarms), ...[0, 1, 2, 3].map((q) => quarter(q).toFixed(1)), growth.toFixed(3)];
}

console.log(`${ROWS} rows of ${COLUMNS} columns, windows of 1,000 rows, Node ${process.versions.node}`);
const lines = [['', 'rows/s of CPU', 'alarms', 'MB, first quarter', 'second', 'third', 'last', 'last / second']];
for (const [name, make] of [
  ['LandmarkCAD', () => new SlidingWindow(new LandmarkCAD())],
  ['LOF', () => new SlidingWindow(new LOF())],
  ['SeriesDetector', () => new SeriesDetector({ window: 1000 })],
] as const)
  lines.push(streamed(name, make()));
printTable(lines);
