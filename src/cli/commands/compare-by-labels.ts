// curvad compare --label: how well each method ranks unseen rows, by cross-validation. It does what crossValidate of the
// library does, but asynchronously, so that it uses threads and Ctrl-C works.
import { stdout } from 'node:process';
import { finish } from '../../core/steps.js';
import { averagePrecision, type Fold, kFold, rocAuc } from '../../index.js';
import { type PartedRows, partTable } from '../../tables/folds-of-rows.js';
import { AT_A_TERMINAL } from '../../tables/wording.js';
import { count, failureOf } from '../errors.js';
import type { Input } from '../input.js';
import type { ChosenMethod, MethodName } from '../methods.js';
import { jsonText } from '../output.js';
import { alignedTable, duration, type Terminal } from '../terminal.js';

export interface LabelledOptions {
  readonly labels: Uint8Array;
  readonly folds: number;
  readonly seed: number;
  readonly threads: number | undefined;
  readonly isJson: boolean;
}

interface Result {
  readonly name: MethodName;
  readonly title: string;
  readonly rocAuc: Spread;
  readonly averagePrecision: Spread;
  readonly fitSeconds: Spread;
  readonly scoreSeconds: Spread;
  /** Why there are no numbers. */
  readonly failure?: string;
}

/** Mean and population standard deviation over the folds. */
interface Spread {
  readonly mean: number;
  readonly std: number;
}

export async function compareByLabels(
  chosen: readonly ChosenMethod[],
  input: Input,
  { labels, folds, seed, threads, isJson }: LabelledOptions,
  terminal: Terminal,
): Promise<void> {
  const parts = kFold(input.matrix.rows, { folds, stratify: labels, seed });
  const progress = terminal.progress('Comparing', chosen.length * folds, 'fits');
  const results: Result[] = [];
  for (const [i, method] of chosen.entries()) {
    const onFold = (fold: number) => progress.update((i * folds + fold) / (chosen.length * folds));
    results.push(await evaluate(method, { input, labels, parts, threads }, onFold));
  }
  progress.end();
  results.sort((a, b) =>
    Number.isNaN(a.rocAuc.mean) ? 1 : Number.isNaN(b.rocAuc.mean) ? -1 : b.rocAuc.mean - a.rocAuc.mean,
  );
  const anomalies = labels.reduce((sum, value) => sum + value, 0);
  if (isJson) stdout.write(jsonText({ file: input.name, rows: labels.length, anomalies, folds, results }));
  else print(results, labels.length, anomalies, folds);
}

interface Trial {
  readonly input: Input;
  readonly labels: Uint8Array;
  readonly parts: readonly Fold[];
  readonly threads: number | undefined;
}

async function evaluate(
  { name, method, options }: ChosenMethod,
  { input, labels, parts, threads }: Trial,
  onFold: (fold: number) => void,
): Promise<Result> {
  const values = {
    rocAuc: [] as number[],
    averagePrecision: [] as number[],
    fitSeconds: [] as number[],
    scoreSeconds: [] as number[],
  };
  let failure: string | undefined;
  try {
    for (const [i, fold] of parts.entries()) {
      onFold(i);
      using detector = method.make(options);
      const asynchronous = threads === undefined ? {} : { threads };
      const { train, test } = rowsOf(input, fold);
      const start = performance.now();
      await detector.fitAsync(train, asynchronous);
      const fitted = performance.now();
      const scores = await detector.scoreAsync(test, asynchronous);
      values.scoreSeconds.push((performance.now() - fitted) / 1000);
      values.fitSeconds.push((fitted - start) / 1000);
      const testLabels = Uint8Array.from(fold.test, (row) => labels[row] as number);
      values.rocAuc.push(rocAuc(testLabels, scores));
      values.averagePrecision.push(averagePrecision(testLabels, scores));
    }
  } catch (error) {
    failure = failureOf(error).message;
  }
  const spreads = Object.fromEntries(
    Object.entries(values).map(([key, list]) => [key, spread(failure === undefined ? list : [])]),
  ) as Record<keyof typeof values, Spread>;
  return { name, title: method.title, ...spreads, ...(failure !== undefined && { failure }) };
}

/** Both parts of a fold, encoded by a recipe learned from its training rows; without rows dropped for missing values. */
function rowsOf({ table, settings, rowNumbers, where }: Input, { train, test }: Fold): PartedRows {
  const inTable = (rows: Uint32Array): Uint32Array => rows.map((row) => rowNumbers[row] as number);
  const use = { settings, where, wording: AT_A_TERMINAL };
  return finish(partTable(table, { train: inTable(train), test: inTable(test) }, use));
}

function spread(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, std: Math.sqrt(square) };
}

function print(results: readonly Result[], rows: number, anomalies: number, folds: number): void {
  const cells = results.map(({ name, title, failure, ...result }) => [
    name,
    title,
    ...(failure === undefined
      ? [
          `${result.rocAuc.mean.toFixed(4)} ± ${result.rocAuc.std.toFixed(4)}`,
          `${result.averagePrecision.mean.toFixed(4)} ± ${result.averagePrecision.std.toFixed(4)}`,
          duration(result.fitSeconds.mean),
          duration(result.scoreSeconds.mean),
        ]
      : ['–', '–', '–', '–']),
  ]);
  const head = ['method', '', 'AUC', 'average precision', 'fit', 'score'];
  const lines = alignedTable(head, cells);
  for (const { name, failure } of results) if (failure !== undefined) lines.push(`${name}: ${failure}`);
  lines.push(
    '',
    `${count(rows, 'row')}, ${count(anomalies, 'anomaly', 'anomalies')}, ${folds} folds; mean ± standard deviation over folds, times per fold`,
  );
  stdout.write(`${lines.join('\n')}\n`);
}
