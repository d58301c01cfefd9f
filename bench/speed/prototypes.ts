// The prototype selectors: on segment beside straightforward versions, alternating, best of several, and beside the
// times the paper gives; on 50,000 rows of 10 classes, and how their time grows when the rows are doubled.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { straightforwardScores } from './straightforward.js';
import { straightforwardDrop3 } from './straightforward-drop3.js';
import { against, type Data, gaussianData, milliseconds, printTable, realData, seconds } from './support.js';

const { defaultBackend, DROP3, ENN, InverseCAD, IRMD, PSA, SDM, ShellExtraction, SOS } = await import('curvad');

const CLASSES = 10;
const MINUTE = 60;
/** Turns that two sides take, and how often the fast one runs in each. */
const TURNS = 15;
const RUNS = 25;

const best = (times: number, work: () => void): number =>
  Math.min(...Array.from({ length: times }, () => seconds(work)));

/** Classes around different means, so that they overlap a little. */
function classData(rows: number): { data: Data; labels: number[] } {
  const data = gaussianData(rows, 16);
  const labels = Array.from({ length: rows }, (_, i) => i % CLASSES);
  for (const [i, label] of labels.entries()) {
    for (let j = label; j < label + 3; j++) data.data[i * 16 + (j % 16)] = (data.data[i * 16 + (j % 16)] as number) + 2;
  }
  return { data, labels };
}

function membersOf({ data, columns }: Data, labels: readonly number[], label: number): Data {
  const rows = labels.flatMap((own, row) => (own === label ? [row] : []));
  const own = new Float32Array(rows.length * columns);
  for (const [i, row] of rows.entries()) own.set(data.subarray(row * columns, (row + 1) * columns), i * columns);
  return { data: own, rows: rows.length, columns };
}

function besideOthers(data: Data, labels: number[]): void {
  const classes = [...new Set(labels)].map((label) => membersOf(data, labels, label));
  const rank = () => new InverseCAD({ neighbors: 10 }).rank(data, labels);
  const plainly = () => classes.map((own) => Array.from(straightforwardScores(own, 10)).sort((a, b) => a - b));
  const reduce = () => new DROP3().retain(data, labels);
  const ranked = { ours: Infinity, plain: Infinity, paper: 6.25 };
  for (let turn = 0; turn < TURNS; turn++) {
    ranked.ours = Math.min(ranked.ours, best(RUNS, rank));
    ranked.plain = Math.min(ranked.plain, best(1, plainly));
  }
  let kept: number[] = [];
  // Once: nearly all of its half minute is spent in code that was optimised in its first second.
  const plain = seconds(() => {
    kept = straightforwardDrop3(data, labels, 3);
  });
  best(3, reduce);
  const reduced = { ours: best(5, reduce), plain, paper: 313 };
  const isSame = kept.join() === [...reduce()].join();
  const strictest = ({ ours, plain: other, paper }: typeof ranked) => Math.min(other, paper) / ours;
  printTable([
    ['segment 2310 × 19', 'curvad', 'straightforward', 'ratio', 'the paper', 'ratio', 'the stricter'],
    ...(
      [
        ['InverseCAD', ranked, 50],
        ['DROP3', reduced, 100],
      ] as const
    ).map(([name, times, target]) => [
      name,
      milliseconds(times.ours),
      milliseconds(times.plain),
      (times.plain / times.ours).toFixed(1),
      `${times.paper} s`,
      (times.paper / times.ours).toFixed(0),
      against(strictest(times), target),
    ]),
  ]);
  console.log(`DROP3 and its straightforward version keep ${isSame ? 'the same rows' : 'DIFFERENT ROWS'}\n`);
}

const SELECTORS: Array<[string, (data: Data, labels: number[]) => unknown]> = [
  ['InverseCAD', (data, labels) => new InverseCAD().rank(data, labels)],
  ['SDM', (data, labels) => new SDM().rank(data, labels)],
  ['SOS', (data, labels) => new SOS().rank(data, labels)],
  ['ENN', (data, labels) => new ENN().retain(data, labels)],
  ['ShellExtraction', (data, labels) => new ShellExtraction().rank(data, labels)],
  ['IRMD', (data, labels) => new IRMD().rank(data, labels)],
  ['PSA', (data, labels) => new PSA().rank(data, labels)],
  ['DROP3', (data, labels) => new DROP3().retain(data, labels)],
];

/** Time of each selector on 6,250 rows and on twice as many, up to 50,000. */
function growth(): void {
  const sizes = [6_250, 12_500, 25_000, 50_000];
  const problems = sizes.map(classData);
  const warmUp = classData(2_000);
  const lines = SELECTORS.map(([name, run]) => {
    run(warmUp.data, warmUp.labels);
    const times = problems.map(({ data, labels }) => seconds(() => run(data, labels)));
    const last = times[times.length - 1] as number;
    const factors = times.slice(1).map((time, i) => (time / (times[i] as number)).toFixed(2));
    return [name, ...times.map(milliseconds), factors.join(', '), last < MINUTE ? '✓ (< 1 min)' : '✗ (< 1 min)'];
  });
  printTable([[`× 16, ${CLASSES} classes`, ...sizes.map(String), 'each × the one before', 'at 50,000'], ...lines]);
}

console.log(`Prototype selectors, one thread, Node ${process.versions.node}, ${defaultBackend()}\n`);
const segment = realData('segment');
if (segment !== undefined) {
  const file = join(process.env['CURVAD_DATA'] as string, 'segment.json');
  besideOthers(segment, (JSON.parse(readFileSync(file, 'utf8')) as { labels: number[] }).labels);
}
growth();
