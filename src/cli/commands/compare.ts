// curvad compare: helps to choose a method. With labels it measures how well each ranks, without them how far they agree.
import type { Arguments } from '../arguments.js';
import { COLUMN_OPTIONS, COMMON_OPTIONS, type Command, INPUT_OPTIONS, THREADS_OPTION } from '../command.js';
import { UsageError } from '../errors.js';
import { fileArguments, readInput, readLabels } from '../input.js';
import {
  ABOUT_NUMBERS,
  type ChosenMethod,
  chooseMethod,
  METHOD_NAMES,
  METHOD_OPTIONS,
  METHODS,
  METHODS_IN_HELP,
  type Method,
  type MethodName,
  methodOptions,
} from '../methods.js';
import type { Terminal } from '../terminal.js';
import { compareByAgreement } from './compare-by-agreement.js';
import { compareByLabels } from './compare-by-labels.js';
import { hintAtScale } from './detection.js';

const THRESHOLD: readonly string[] = ['contamination', 'threshold', 'cap'];

export const compare: Command = {
  name: 'compare',
  usage: 'FILE… [--label COLUMN] [options]',
  about: `Which method? With --label: every method is fitted on parts of the rows and measured by how well it ranks the others
(cross-validation, the same folds for all). Without: how far methods agree, by the correlation of their ranks and the
rows that several have on top. FILE may be - for standard input.`,
  methods: METHODS_IN_HELP,
  options: {
    'Method options': [
      { name: 'label', value: 'COLUMN', help: 'the column of true labels, if there is one' },
      {
        name: 'positive',
        value: 'VALUE',
        help: 'the label of anomalies (default: 1, true, anomaly, …)',
      },
      { name: 'methods', value: 'A,B,…', help: 'the methods to compare (default: all of the above)' },
      {
        name: 'folds',
        value: 'N',
        help: 'with --label: number of folds (default 10)',
      },
      { name: 'top', value: 'N', help: 'without --label: how many rows count as the top (default 10)' },
      // No measure used here depends on the threshold.
      ...METHOD_OPTIONS.filter(({ name }) => !THRESHOLD.includes(name)),
    ],
    Columns: COLUMN_OPTIONS,
    Input: INPUT_OPTIONS,
    General: [{ name: 'json', help: 'as JSON, for programs' }, THREADS_OPTION, ...COMMON_OPTIONS],
  },
  notes: `${ABOUT_NUMBERS}
Each option applies to the methods that have it; --kernel applies to kcad and ocsvm, while cad stays linear.`,
  examples: [
    ['curvad compare readings.csv', 'without labels: which rows do several methods find?'],
    ['curvad compare readings.csv --label broken --standardize', 'which detector ranks best?'],
    ['curvad compare readings.csv --label broken --methods cad,lof -k 20 --folds 5', 'two methods, quickly'],
  ],
  run,
};

const WITH_LABELS = ['positive', 'folds'];

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const paths = fileArguments(given, 'compare');
  const label = given.text('label');
  const idle = label === undefined ? WITH_LABELS.find((name) => given.has(name)) : undefined;
  if (idle !== undefined) throw new UsageError(`--${idle} needs labels: add --label COLUMN`);
  if (label !== undefined && given.has('top'))
    throw new UsageError('--top cannot be combined with --label: leave one out');
  const chosen = methodsIn(given);
  if (label === undefined && chosen.length < 2)
    throw new UsageError('without labels, methods are compared with each other: give at least two, or --label COLUMN');
  const threads = given.wholeNumber('threads', 0);
  const isJson = given.flag('json');
  const top = given.wholeNumber('top', 1);
  const input = await readInput(given, paths, { reserved: { label } }, terminal);
  if (!given.flag('standardize') && chosen.some(({ method }) => method.isScaleFree !== true))
    hintAtScale(input, terminal);
  if (label === undefined) return compareByAgreement(chosen, input, { top, threads, isJson }, terminal);
  const labels = readLabels(input, label, given.text('positive'));
  const folds = given.wholeNumber('folds', 2) ?? 10;
  const seed = given.wholeNumber('seed', 0) ?? 0;
  await compareByLabels(chosen, input, { labels, folds, seed, threads, isJson }, terminal);
}

/** The methods to compare, each with the options that apply to it. */
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
