// curvad compare: every detector on labelled rows, by cross-validation. It follows crossValidate of the library
// step by step, but without blocking, so that threads help and Ctrl-C is heard.

import { stdout } from 'node:process';
import { averagePrecision, type FlatMatrix, type Fold, kFold, rocAuc } from '../../index.js';
import type { Arguments } from '../arguments.js';
import { COLUMN_OPTIONS, COMMON_OPTIONS, type Command, INPUT_OPTIONS, THREADS_OPTION } from '../command.js';
import { count, failureOf, UsageError } from '../errors.js';
import { fileArgument, readInput, readLabels } from '../input.js';
import {
  type ChosenMethod,
  chooseMethod,
  METHOD_NAMES,
  METHOD_OPTIONS,
  METHODS,
  type Method,
  type MethodName,
  methodOptions,
} from '../methods.js';
import { jsonText } from '../output.js';
import { alignedTable, duration, type Terminal } from '../terminal.js';

const THRESHOLD: readonly string[] = ['contamination', 'threshold', 'cap'];

export const compare: Command = {
  name: 'compare',
  usage: 'FILE --label COLUMN [options]',
  about: `Fits every detector on parts of the rows and measures how well it ranks the others, by cross-validation with
the same folds for all. FILE may be - for standard input.`,
  methods: METHODS,
  options: {
    'Method options': [
      { name: 'label', value: 'COLUMN', help: 'the column of true labels: required' },
      {
        name: 'positive',
        value: 'VALUE',
        help: 'what anomalies are called in the label column (default: 1, true, anomaly, …)',
      },
      { name: 'methods', value: 'A,B,…', help: 'those of the methods above to compare (default: all)' },
      { name: 'folds', value: 'N', help: 'parts of the rows, each of which is left out once and ranked (default 10)' },
      // Nothing that is measured here depends on the threshold.
      ...METHOD_OPTIONS.filter(({ name }) => !THRESHOLD.includes(name)),
    ],
    Columns: COLUMN_OPTIONS,
    Input: INPUT_OPTIONS,
    General: [{ name: 'json', help: 'as JSON, for programs' }, THREADS_OPTION, ...COMMON_OPTIONS],
  },
  notes: `Each option is given to the methods that have it; --kernel to kcad and ocsvm, while cad beside them stays linear.`,
  examples: [
    ['curvad compare readings.csv --label broken --standardize', 'which detector is best here?'],
    ['curvad compare readings.csv --label broken --methods cad,lof -k 20 --folds 5', 'two of them, quickly'],
  ],
  run,
};

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

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const path = fileArgument(given, 'compare');
  const label = given.text('label');
  if (label === undefined) throw new UsageError('compare needs the true labels: --label COLUMN');
  const chosen = methodsIn(given);
  const threads = given.wholeNumber('threads', 0);
  const folds = given.wholeNumber('folds', 2) ?? 10;
  const input = await readInput(given, path, { reserved: { label } }, terminal);
  const labels = readLabels(input, label, given.text('positive'));
  const parts = kFold(input.matrix.rows, { folds, stratify: labels, seed: given.wholeNumber('seed', 0) ?? 0 });
  const progress = terminal.progress('Comparing', chosen.length * folds, 'fits');
  const results: Result[] = [];
  for (const [i, method] of chosen.entries()) {
    const onFold = (fold: number) => progress.update((i * folds + fold) / (chosen.length * folds));
    results.push(await evaluate(method, input.matrix, labels, parts, threads, onFold));
  }
  progress.end();
  results.sort((a, b) =>
    Number.isNaN(a.rocAuc.mean) ? 1 : Number.isNaN(b.rocAuc.mean) ? -1 : b.rocAuc.mean - a.rocAuc.mean,
  );
  const anomalies = labels.reduce((sum, value) => sum + value, 0);
  if (given.flag('json')) stdout.write(jsonText({ file: path, rows: labels.length, anomalies, folds, results }));
  else print(results, labels.length, anomalies, folds);
}

/** The methods to compare, each with the options that mean something to it. */
function methodsIn(given: Arguments): ChosenMethod[] {
  const names = given.list('methods') ?? METHOD_NAMES;
  const wrong = names.find((name) => !METHOD_NAMES.includes(name as MethodName));
  if (wrong !== undefined)
    throw new UsageError(`--methods: there is no ${wrong}; there are ${METHOD_NAMES.join(', ')}`);
  const options = methodOptions(given);
  if (names.length === 1) return [chooseMethod(given, names[0] as MethodName)];
  return (names as MethodName[]).map((name) => {
    const method: Method = METHODS[name];
    const own = Object.entries(options).filter(([option]) => method.options.includes(option as keyof typeof options));
    const isPlainCad = name === 'cad'; // kernels are kcad's here, or the two would be the same
    return {
      name,
      method,
      options: Object.fromEntries(isPlainCad ? own.filter(([option]) => option !== 'kernel') : own),
    };
  });
}

async function evaluate(
  { name, method, options }: ChosenMethod,
  rows: FlatMatrix,
  labels: Uint8Array,
  folds: readonly Fold[],
  threads: number | undefined,
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
    for (const [i, { train, test }] of folds.entries()) {
      onFold(i);
      using detector = method.make(options);
      const asynchronous = threads === undefined ? {} : { threads };
      const [trainRows, testRows] = [pick(rows, train), pick(rows, test)];
      const start = performance.now();
      await detector.fitAsync(trainRows, asynchronous);
      const fitted = performance.now();
      const scores = await detector.scoreAsync(testRows, asynchronous);
      values.scoreSeconds.push((performance.now() - fitted) / 1000);
      values.fitSeconds.push((fitted - start) / 1000);
      const testLabels = Uint8Array.from(test, (row) => labels[row] as number);
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

function pick({ data, columns }: FlatMatrix, which: Uint32Array): FlatMatrix {
  const picked = new Float64Array(which.length * columns);
  which.forEach((row, i) => {
    picked.set(data.subarray(row * columns, (row + 1) * columns), i * columns);
  });
  return { data: picked, rows: which.length, columns };
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
