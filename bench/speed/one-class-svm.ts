// Fitting and scoring of the one-class SVM beside scikit-learn (LIBSVM) and libsvm-js, one thread, alternating,
// best of several. A fit of ours includes the scores and the threshold of the training rows; scikit-learn's
// does not, so that its fit is given alone and with the scores.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Peers, startPeers } from './peers.js';
import { against, type Data, gaussianData, milliseconds, printTable, realData, seconds } from './support.js';

const { OneClassSVM, defaultBackend } = await import('curvad');

export interface SvmCase {
  readonly name: string;
  readonly nu: number;
  readonly data: () => Data | undefined;
  /** libsvm-js needs minutes for large data: there it is left out. */
  readonly isSmall: boolean;
}

export const SVM_CASES: readonly SvmCase[] = [
  { name: 'optdigits, raw', nu: 0.5, data: () => realData('optdigits'), isSmall: true },
  { name: 'optdigits, standardized', nu: 0.5, data: standardizedDigits, isSmall: true },
  { name: 'optdigits, standardized', nu: 0.1, data: standardizedDigits, isSmall: true },
  { name: 'Gaussian 20,000 × 32', nu: 0.5, data: () => gaussianData(20_000, 32), isSmall: false },
];

/** Best seconds of each side, and how far decision values are apart as a share of their range. */
export interface SvmResult {
  readonly fit: number;
  readonly score: number;
  readonly sklearnFit: number;
  readonly sklearnScore: number;
  readonly libsvmJsFit: number | undefined;
  readonly difference: number;
}

/** Measures one case, all training rows scored; undefined where its data are missing. */
export async function measureSvm(one: SvmCase, peers: Peers, rounds: number): Promise<SvmResult | undefined> {
  const data = one.data();
  if (data === undefined) return undefined;
  const gamma = 1 / data.columns;
  const folder = mkdtempSync(join(tmpdir(), 'curvad-svm-'));
  const values = join(folder, 'values');
  await peers.load('svm', data.data, data.rows, data.columns);
  const best = { fit: Infinity, score: Infinity, sklearnFit: Infinity, sklearnScore: Infinity };
  let libsvmJsFit: number | undefined;
  let difference = 0;
  for (let round = 0; round < rounds; round++) {
    const svm = new OneClassSVM({ nu: one.nu, gamma });
    best.fit = Math.min(
      best.fit,
      seconds(() => svm.fit(data)),
    );
    let scores: Float64Array = new Float64Array();
    best.score = Math.min(
      best.score,
      seconds(() => {
        scores = svm.score(data);
      }),
    );
    svm.dispose();
    const fit = await peers.ask({ op: 'svm_fit', data: 'svm', nu: one.nu, gamma });
    const score = await peers.ask({ op: 'svm_score', rows: 'svm', values });
    best.sklearnFit = Math.min(best.sklearnFit, fit['seconds'] as number);
    best.sklearnScore = Math.min(best.sklearnScore, score['seconds'] as number);
    difference = differenceOf(scores, new Float32Array(new Uint8Array(readFileSync(values)).buffer));
    if (one.isSmall && round === 0) libsvmJsFit = await libsvmJs(data, one.nu, gamma);
  }
  rmSync(folder, { recursive: true });
  return { ...best, libsvmJsFit, difference };
}

/** Scores are minus the decision values. */
function differenceOf(scores: Float64Array, decisions: Float32Array): number {
  let largest = 0;
  let [low, high] = [Infinity, -Infinity];
  decisions.forEach((decision, i) => {
    largest = Math.max(largest, Math.abs(decision + (scores[i] as number)));
    low = Math.min(low, decision);
    high = Math.max(high, decision);
  });
  return largest / (high - low);
}

function standardizedDigits(): Data | undefined {
  const digits = realData('optdigits');
  if (digits === undefined) return undefined;
  const { rows, columns } = digits;
  const data = digits.data.slice();
  for (let j = 0; j < columns; j++) {
    const column = Float64Array.from({ length: rows }, (_, i) => data[i * columns + j] as number);
    const mean = column.reduce((a, b) => a + b, 0) / rows;
    const deviation = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rows) || 1;
    for (let i = 0; i < rows; i++) data[i * columns + j] = ((column[i] as number) - mean) / deviation;
  }
  return { data, rows, columns };
}

interface LibsvmJs {
  new (options: object): { train(rows: number[][], labels: number[]): void; free(): void };
  readonly SVM_TYPES: Record<string, number>;
  readonly KERNEL_TYPES: Record<string, number>;
}

/** Seconds that the WebAssembly build of libsvm-js takes to fit. */
async function libsvmJs({ data, rows, columns }: Data, nu: number, gamma: number): Promise<number> {
  const SVM = (await createRequire(import.meta.url)('libsvm-js')) as LibsvmJs;
  const type = SVM.SVM_TYPES['ONE_CLASS'];
  const svm = new SVM({ type, kernel: SVM.KERNEL_TYPES['RBF'], nu, gamma, cacheSize: 200, quiet: true });
  const lists = Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
  const labels = new Array<number>(rows).fill(1);
  const time = seconds(() => svm.train(lists, labels));
  svm.free();
  return time;
}

async function main(): Promise<void> {
  const rounds = Number(process.env['ROUNDS'] ?? 3);
  const peers = await startPeers();
  if (peers === undefined) return;
  console.log(`Node ${process.versions.node}, ${defaultBackend()}, best of ${rounds}; ${peers.versions}, libsvm-js`);
  console.log('Ratios are times of the peer divided by ours; all training rows are scored.\n');
  const header =
    'data,ν,fit,score,sklearn fit,sklearn score,fit ÷ fit,(fit + score) ÷ fit,score ÷ score,libsvm-js fit ÷ fit,values apart';
  for (const one of SVM_CASES) {
    const result = await measureSvm(one, peers, rounds);
    if (result === undefined) continue;
    const { fit, score, sklearnFit, sklearnScore, libsvmJsFit, difference } = result;
    const line = [
      one.name,
      String(one.nu),
      ...[fit, score, sklearnFit, sklearnScore].map(milliseconds),
      against(sklearnFit / fit, 1),
      ((sklearnFit + sklearnScore) / fit).toFixed(2),
      against(sklearnScore / score, 1),
      libsvmJsFit === undefined ? '–' : (libsvmJsFit / fit).toFixed(2),
      `${difference.toExponential(1)} of their range`,
    ];
    printTable([header.split(','), line]); // at once: large data take a while
  }
  await peers.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
