// npm run bench:quality: what the default detector costs, by processor time and on one thread. LandmarkCAD beside PyOD's
// KNN (CURVAD_PYTHON names the Python that has it), in turns; what the landmarks add to a fit; and what it takes to
// explain a row, by every detector. The least of a few rounds counts (ROUNDS).
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { against, gaussianData, printTable, realData } from '../speed/support.js';
import { DETECTORS } from './detectors.js';

const { CAD, explainRows, LandmarkCAD } = await import('curvad');

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** Rows that are scored: so many of the training rows, moved a little. */
const FRESH = 5000;

interface Rows {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

interface Seconds {
  readonly fit: number;
  readonly score: number;
}

/** Seconds of the processor. */
function used(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

const least = (runs: readonly Seconds[], part: keyof Seconds): number => Math.min(...runs.map((run) => run[part]));
const shown = (seconds: number): string => `${(1000 * seconds).toFixed(0)} ms`;
let hasMissed = false;

function judged(text: string, isReached: boolean): string {
  hasMissed ||= !isReached;
  return text;
}

class PyodKnn {
  readonly #child;
  readonly #lines;
  readonly #folder = mkdtempSync(join(tmpdir(), 'curvad-quality-'));

  private constructor(python: string) {
    this.#child = spawn(python, [fileURLToPath(new URL('knn.py', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Undefined where there is no PyOD. */
  static async start(): Promise<PyodKnn | undefined> {
    const pyod = new PyodKnn(process.env['CURVAD_PYTHON'] ?? 'python3');
    const failed = new Promise<undefined>((resolve) => pyod.#child.once('error', () => resolve(undefined)));
    const hello = await Promise.race([pyod.#lines.next(), failed]);
    if (hello === undefined || hello.done) {
      console.log('PyOD is not measured: pip install -r bench/quality/requirements.txt, and CURVAD_PYTHON names it\n');
      return undefined;
    }
    console.log(`PyOD ${JSON.parse(hello.value).version}`);
    return pyod;
  }

  async run(train: Rows, fresh: Rows): Promise<Seconds> {
    const [rows, other] = [join(this.#folder, 'rows'), join(this.#folder, 'fresh')];
    writeFileSync(rows, train.data);
    writeFileSync(other, fresh.data);
    this.#child.stdin.write(`${JSON.stringify({ rows, fresh: other, columns: train.columns })}\n`);
    return JSON.parse((await this.#lines.next()).value as string) as Seconds;
  }

  stop(): void {
    this.#child.stdin.end();
    rmSync(this.#folder, { recursive: true });
  }
}

function ourRun(train: Rows, fresh: Rows): Seconds {
  using detector = new LandmarkCAD();
  return { fit: used(() => detector.fit(train)), score: used(() => detector.score(fresh)) };
}

/** Columns of PyOD's side are z-scored beforehand: it does not do that itself. */
function standardized({ data, rows, columns }: Rows): Rows {
  const result = data.slice();
  for (let j = 0; j < columns; j++) {
    const column = Float64Array.from({ length: rows }, (_, i) => data[i * columns + j] as number);
    const mean = column.reduce((sum, value) => sum + value, 0) / rows;
    const deviation = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows) || 1;
    for (const [i, value] of column.entries()) result[i * columns + j] = (value - mean) / deviation;
  }
  return { data: result, rows, columns };
}

/** New rows: some of the others, with a thousandth added. */
function freshFrom({ data, rows, columns }: Rows): Rows {
  const step = Math.max(1, Math.floor(rows / FRESH));
  const count = Math.min(FRESH, rows);
  const fresh = Float64Array.from({ length: count * columns }, (_, at) => {
    const value = data[Math.floor(at / columns) * step * columns + (at % columns)] as number;
    return value + 1e-3;
  });
  return { data: fresh, rows: count, columns };
}

async function besidePyod(shapes: ReadonlyArray<readonly [string, Rows, number]>): Promise<void> {
  const pyod = await PyodKnn.start();
  const table = [['rows', 'fit', 'score', 'PyOD KNN fit', 'score', 'ratio of both']];
  for (const [name, given, target] of shapes) {
    const train = standardized(given);
    const fresh = freshFrom(train);
    const [ours, theirs]: [Seconds[], Seconds[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(ourRun(train, fresh));
      if (pyod !== undefined && round < 2) theirs.push(await pyod.run(train, fresh));
    }
    const line = [`${name}, ${train.rows} × ${train.columns}`, shown(least(ours, 'fit')), shown(least(ours, 'score'))];
    if (theirs.length > 0) {
      const both = (runs: readonly Seconds[]): number => least(runs, 'fit') + least(runs, 'score');
      const ratio = both(theirs) / both(ours);
      line.push(
        shown(least(theirs, 'fit')),
        shown(least(theirs, 'score')),
        judged(against(ratio, target), ratio >= target),
      );
    }
    table.push(line);
  }
  pyod?.stop();
  printTable(table);
}

/** A fit with landmarks beside one of the same curvature without. */
function landmarkShare({ data, rows, columns }: Rows): void {
  const [withLandmarks, without]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    using full = new LandmarkCAD();
    withLandmarks.push(used(() => full.fit({ data, rows, columns })));
    using bare = new CAD({ standardize: true, precision: 'double', threshold: 'capped' });
    without.push(used(() => bare.fit({ data, rows, columns })));
  }
  const share = Math.min(...withLandmarks) / Math.min(...without) - 1;
  const text = `${(100 * share).toFixed(0)} % ${share <= 0.25 ? '✓' : '✗'} (≤ 25 %)`;
  console.log(`\nlandmarks add to a fit of ${rows} × ${columns}: ${judged(text, share <= 0.25)}`);
}

/** Explaining the rows with the highest scores, once the rows to compare with are prepared. */
function explaining({ data, rows, columns }: Rows): void {
  console.log(`\nexplaining a row of a model of ${rows} × ${columns}:`);
  for (const [title, make] of Object.entries(DETECTORS)) {
    using detector = make().fit({ data, rows, columns });
    const top = Array.from(detector.top(40), (i) => data.slice(i * columns, (i + 1) * columns));
    explainRows(detector, top.slice(0, 10));
    const milliseconds = (1000 * used(() => explainRows(detector, top.slice(10)))) / (top.length - 10);
    const isQuick = milliseconds < 20;
    const text = `${milliseconds.toFixed(1)} ms ${isQuick ? '✓' : '✗'} (< 20 ms)`;
    console.log(`  ${title.padEnd(16)} ${judged(text, isQuick)}`);
  }
}

const doubled = ({ data, rows, columns }: { data: Float32Array; rows: number; columns: number }): Rows => ({
  data: Float64Array.from(data),
  rows,
  columns,
});
const gaussian = doubled(gaussianData(20_000, 32));
const shuttle = realData('shuttle');
console.log(`Node ${process.versions.node}, processor time, one thread, least of ${ROUNDS}`);
await besidePyod([
  ['Gaussian', gaussian, 2.5],
  ...(shuttle === undefined ? [] : [['shuttle', doubled(shuttle), 10] as const]),
]);
landmarkShare(gaussian);
explaining(doubled(gaussianData(10_000, 32)));
if (hasMissed) process.exitCode = 1;
