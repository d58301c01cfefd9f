// npm run quality: how well every detector ranks the anomalies of the public sets in CURVAD_DATA. Training rows, no labels
// used, defaults; AUROC and average precision in percent, means over five seeds where a detector has one. With --peers
// PyOD's detectors run beside them (CURVAD_PYTHON names the Python that has them). --write puts it into docs/quality.md.
// --nested adds LandmarkCAD with other weights, and tells what the best of all is worth on sets it was not chosen on.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { dataDirectory, loadData } from '../../test/support/data.js';
import { printTable } from '../speed/support.js';
import { DETECTORS, SEEDED, WEIGHTED } from './detectors.js';
import { inHalves, leavingOneOut } from './nested.js';
import { SETS } from './sets.js';

const curvad = await import('curvad');
const { averagePrecision, rocAuc } = curvad;

const SEEDS = [0, 1, 2, 3, 4];

/** Of one detector on one set. */
interface Result {
  readonly auroc: number;
  readonly precision: number;
  readonly seconds: number;
  /** Share flagged by the default threshold, of our detectors. */
  readonly flagged?: number;
  readonly lowest: number;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What PyOD says of one detector. */
interface Answer {
  readonly scores?: number[];
  readonly seconds?: number;
  readonly error?: string;
}

class PyOD {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  versions = '';

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  static async start(): Promise<PyOD> {
    const python = process.env['CURVAD_PYTHON'] ?? 'python3';
    const child = spawn(python, [fileURLToPath(new URL('peers.py', import.meta.url))]);
    child.stderr.pipe(process.stderr);
    const pyod = new PyOD(child);
    pyod.versions = String((await pyod.#next())['versions']);
    return pyod;
  }

  async scores(set: string, seed: number) {
    this.#child.stdin.write(`${dataDirectory()}\t${set}\t${seed}\n`);
    return this.#next();
  }

  async stop(): Promise<void> {
    this.#child.stdin.end();
    await once(this.#child, 'close');
  }

  async #next(): Promise<Record<string, Answer>> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the peers ended: pip install -r bench/quality/requirements.txt, and name that Python');
    return JSON.parse(value as string);
  }
}

function merge(runs: ReadonlyArray<Omit<Result, 'lowest'>>): Result {
  const [first] = runs as [Omit<Result, 'lowest'>];
  return {
    auroc: mean(runs.map(({ auroc }) => auroc)),
    precision: mean(runs.map(({ precision }) => precision)),
    seconds: mean(runs.map(({ seconds }) => seconds)),
    lowest: Math.min(...runs.map(({ auroc }) => auroc)),
    ...(first.flagged !== undefined && { flagged: Math.max(...runs.map(({ flagged }) => flagged as number)) }),
  };
}

function judge(labels: readonly number[], scores: ArrayLike<number>, seconds: number) {
  const values = Float64Array.from(scores);
  return { auroc: 100 * rocAuc(labels, values), precision: 100 * averagePrecision(labels, values), seconds };
}

if (dataDirectory() === undefined) {
  console.log('npm run quality reads the data sets in the folder that CURVAD_DATA names; it is not set.');
  process.exit(0);
}
const isNested = process.argv.includes('--nested');
const ours = isNested ? { ...DETECTORS, ...WEIGHTED } : DETECTORS;
const seeded = isNested ? [...SEEDED, ...Object.keys(WEIGHTED)] : SEEDED;
const pyod = process.argv.includes('--peers') ? await PyOD.start() : undefined;
const results = new Map<string, Map<string, Result>>();
for (const set of SETS) {
  const { X, rows, columns, labels } = loadData(set);
  const ofSet = new Map<string, Array<Omit<Result, 'lowest'>>>();
  const note = (title: string, result: Omit<Result, 'lowest'>): void => {
    ofSet.set(title, [...(ofSet.get(title) ?? []), result]);
  };
  for (const seed of SEEDS) {
    for (const [title, make] of Object.entries(ours)) {
      if (seed !== SEEDS[0] && !seeded.includes(title)) continue;
      const start = performance.now();
      using detector = make(seed).fit({ data: X, rows, columns });
      const seconds = (performance.now() - start) / 1000;
      const flagged = detector.labels.reduce((sum, label) => sum + label, 0) / rows;
      note(`${title} (curvad)`, { ...judge(labels, detector.scores, seconds), flagged });
    }
    if (pyod === undefined) continue;
    for (const [title, { scores, seconds, error }] of Object.entries(await pyod.scores(set, seed))) {
      if (scores !== undefined) note(`${title} (PyOD)`, judge(labels, scores, seconds as number));
      else console.log(`${title} on ${set}: ${error}`);
    }
  }
  for (const [title, runs] of ofSet) {
    const all = results.get(title) ?? new Map<string, Result>();
    all.set(set, merge(runs));
    results.set(title, all);
  }
  console.log(
    `${set}: ${rows} × ${columns}, ${[...(results.get('LandmarkCAD (curvad)')?.values() ?? [])].at(-1)?.auroc.toFixed(1)} by LandmarkCAD`,
  );
}
await pyod?.stop();

const complete = [...results].filter(([, ofSets]) => ofSets.size === SETS.length);
const rankOn = (set: string, title: string): number => {
  const auroc = (other: string): number => results.get(other)?.get(set)?.auroc ?? 0;
  return 1 + complete.filter(([other]) => auroc(other) > auroc(title)).length;
};
const table = complete
  .map(([title, ofSets]) => {
    const all = [...ofSets.values()];
    const ranks = SETS.map((set) => rankOn(set, title));
    const flagged = all.map((result) => result.flagged ?? Number.NaN);
    return {
      title,
      auroc: mean(all.map(({ auroc }) => auroc)),
      precision: mean(all.map(({ precision }) => precision)),
      rank: mean(ranks),
      wins: ranks.filter((rank) => rank === 1).length,
      seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
      flagged: Math.max(...flagged),
    };
  })
  .sort((a, b) => b.auroc - a.auroc);
const header = ['detector', 'AUROC', 'average precision', 'mean rank', 'wins', 'seconds, all sets', 'most flagged'];
const cells = table.map(({ title, auroc, precision, rank, wins, seconds, flagged }) => [
  title,
  auroc.toFixed(1),
  precision.toFixed(1),
  rank.toFixed(1),
  String(wins),
  seconds.toFixed(2),
  Number.isNaN(flagged) ? '–' : `${(100 * flagged).toFixed(1)} %`,
]);
console.log('');
printTable([header, ...cells]);

const partial = [...results].filter(([, ofSets]) => ofSets.size < SETS.length);
const left = partial.map(([title, ofSets]) => `${title} scored only ${ofSets.size} of the sets`).join('; ');
if (left !== '') console.log(`\n${left}.`);

if (isNested) {
  const scores = new Map(
    complete.map(([title, ofSets]) => [title, new Map([...ofSets].map(([set, { auroc }]) => [set, auroc]))]),
  );
  const other = 'IsolationForest (curvad)';
  for (const [how, nested] of [
    ['chosen on all sets but one, measured on that one', leavingOneOut(scores, SETS, other)],
    ['chosen on half of the sets, measured on the others', inHalves(scores, SETS, other)],
  ] as const) {
    const { chosen, other: fixed, counts } = nested;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const often = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
    const names = often.map(([name, count]) => `${name} ${((100 * count) / total).toFixed(0)} %`);
    const lead = `${(chosen - fixed).toFixed(1)} more than ${other}`;
    console.log(`\n${how}: ${chosen.toFixed(1)}, ${lead} with ${fixed.toFixed(1)}; chosen: ${names.join(', ')}`);
  }
}

if (process.argv.includes('--write')) {
  const page = fileURLToPath(new URL('../../docs/quality.md', import.meta.url));
  const text = readFileSync(page, 'utf8');
  const markdown = [header, header.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
  const about = `${SETS.length} sets, Node ${process.versions.node}${pyod ? `, ${pyod.versions}` : ''}, ${new Date().toISOString().slice(0, 10)}, \`npm run quality -- ${process.argv.slice(2).join(' ')}\`:`;
  const block = `<!-- table -->\n\n${about}\n\n${markdown}\n\n${left === '' ? '' : `${left}.\n\n`}<!-- end of table -->`;
  writeFileSync(
    page,
    text.replace(/<!-- table -->[\s\S]*<!-- end of table -->/, () => block),
  );
}
