// curvad detect: reads a file, fits a detector, and shows, writes, saves and reports what it found.
import { stdout } from 'node:process';
import { VERSION } from '../../core/version.js';
import { ScoreDistribution } from '../../detectors/probability.js';
import { outputFormat, ROW_FORMATS, type RowFormat } from '../../files/write.js';
import { type AnyDetector, averagePrecision, rocAuc } from '../../index.js';
import { findColumn } from '../../tables/find.js';
import { textAt } from '../../tables/table.js';
import type { Arguments } from '../arguments.js';
import { COLUMN_OPTIONS, COMMON_OPTIONS, type Command, INPUT_OPTIONS, THREADS_OPTION } from '../command.js';
import { UsageError } from '../errors.js';
import { explainPositions, type RowExplanation } from '../explanations.js';
import { fileArguments, type Input, placeOf, readInput, readLabels } from '../input.js';
import { interruptible } from '../interrupts.js';
import { ABOUT_NUMBERS, chooseMethod, METHOD_NAMES, METHOD_OPTIONS, METHODS_IN_HELP } from '../methods.js';
import { checkOutputs, jsonText, writeOutput } from '../output.js';
import { ranked } from '../ranking.js';
import { scoredRows } from '../scored-output.js';
import { detectSeries } from '../series/detect.js';
import type { Terminal } from '../terminal.js';
import { printWarnings } from '../verdict.js';
import { type Detection, hintAtScale, jsonSummary, printSummary } from './detection.js';
import { fitInput, fittingOf } from './fitting.js';

const FORMATS = ['table', ...ROW_FORMATS] as const;
type Format = (typeof FORMATS)[number];
/** Wider rows are explained only on request, as it may take long. */
const MOST_EXPLAINED = 300;

export const detect: Command = {
  name: 'detect',
  usage: 'FILE… [options]',
  about: `Scores every row of a file and shows the anomalies. FILE may be - for standard input. Several files, or a
pattern such as 'logs/*.csv', are read as one table: their columns are matched by name.`,
  methods: METHODS_IN_HELP,
  options: {
    'Method options': [
      {
        name: 'method',
        short: 'm',
        value: 'NAME',
        help: 'one of the methods above (default landmark)',
      },
      ...METHOD_OPTIONS,
      { name: 'sample', value: 'N', help: 'fit on N rows drawn at random (--seed), then score all rows' },
    ],
    'Time series': [
      { name: 'series', help: 'score rows in time order, each against those before it, and raise alarms' },
      {
        name: 'time',
        value: 'COLUMN',
        help: 'with --series: the time column (default: found by its values or name)',
      },
      { name: 'window', value: 'W', help: 'with --series: number of earlier rows to compare with (default 2000)' },
    ],
    Columns: [
      ...COLUMN_OPTIONS,
      {
        name: 'label',
        value: 'COLUMN',
        help: 'the column of true labels: measures the ranking; not used to find anomalies',
      },
      {
        name: 'positive',
        value: 'VALUE',
        help: 'the label of anomalies (default: 1, true, anomaly, …)',
      },
      {
        name: 'id',
        value: 'COLUMN',
        help: 'the column that identifies rows in the output; not used to find anomalies',
      },
    ],
    Input: INPUT_OPTIONS,
    Output: [
      {
        name: 'top',
        value: 'N',
        help: 'only the N highest scores, highest first (default: all rows in a file, 10 in the table)',
      },
      { name: 'explain', help: 'show which columns make each top row stand out, and what would make it normal' },
      {
        name: 'out',
        short: 'o',
        value: 'FILE',
        help: 'write the rows with score, anomaly and probability appended; the extension determines the format',
      },
      {
        name: 'format',
        short: 'f',
        value: 'NAME',
        help: `${FORMATS.join(', ')} (default: from the extension of --out, else table)`,
      },
      {
        name: 'scores-only',
        help: 'write row number, score, anomaly and probability, without the columns of the file',
      },
      { name: 'json', help: 'print the summary as one JSON object' },
      { name: 'save', value: 'MODEL', help: 'save the fitted model, for curvad score and for load() in a program' },
      { name: 'report', value: 'REPORT.html', help: 'write a self-contained HTML report with charts' },
    ],
    General: [THREADS_OPTION, ...COMMON_OPTIONS],
  },
  notes: `${ABOUT_NUMBERS}
Rows are counted from 0. Columns without names are called "column 1", "column 2", …
Probability tells how unusual a score is among these rows, from 0 to 1. CSV rows are copied unchanged. From other
formats, text that a spreadsheet would run as a formula is prefixed with an apostrophe in CSV.`,
  examples: [
    ['curvad detect readings.csv', 'the ten most anomalous rows'],
    ['curvad detect readings.csv --label broken --report report.html', 'measure the ranking, and write a report'],
    ['curvad detect readings.parquet --method lof -k 20 --out scores.csv', 'all rows, scored'],
    ["curvad detect 'logs/*.csv' --top 20", 'the most anomalous rows of many files'],
    ['curvad detect cpu.csv --series --report report.html', 'alarms of a time series'],
    ['curvad detect readings.csv.gz --contamination 0.01 --save model.curvad', 'save a model for curvad score'],
  ],
  run,
};

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const paths = fileArguments(given, 'detect');
  if (given.flag('series')) return detectSeries(given, paths, terminal);
  const alone = ['time', 'window'].find((name) => given.has(name));
  if (alone !== undefined) throw new UsageError(`--${alone} is for --series`);
  const plan = outputPlan(given, paths);
  const chosen = chooseMethod(given, given.choice('method', METHOD_NAMES) ?? 'landmark');
  const fitting = fittingOf(given);
  const { explains } = plan;
  const detector = chosen.method.make(chosen.options);
  const [label, id] = [given.text('label'), given.text('id')];
  const writesRows = (plan.out !== undefined || plan.format !== 'table') && !plan.scoresOnly;
  const keepsTexts = (writesRows && plan.format === 'parquet') || plan.report !== undefined;
  const purposes = { reserved: { label, id }, keepsTexts, copiesRows: writesRows };
  const input = await readInput(given, paths, purposes, terminal);
  const labels = label === undefined ? undefined : readLabels(input, label, given.text('positive'));
  if (chosen.options.standardize !== true && !chosen.method.isScaleFree) hintAtScale(input, terminal);

  const { scores, seconds, rows: fittedRows } = await fitInput(detector, input, fitting, terminal);
  printWarnings(detector, terminal);
  const order = ranked(scores);
  const isShown = plan.report !== undefined || (plan.format === 'table' && !plan.json);
  const explanations =
    explains || (isShown && input.matrix.columns <= MOST_EXPLAINED)
      ? await explanationsOf(detector, input, order.subarray(0, plan.top ?? 10), explains, terminal)
      : new Map();
  const distribution = new ScoreDistribution(detector.scores);
  const detection: Detection = {
    input,
    chosen,
    detector,
    order,
    scored: {
      scores,
      probabilities: scores.map((score) => distribution.of(score)),
      threshold: detector.threshold,
      rowNumbers: input.rowNumbers,
      placeOf: input.files.length > 1 ? (row) => placeOf(input, row) : undefined,
      id: idOf(input, id),
      labels,
      labelName: label,
    },
    seconds,
    fittedRows,
    ...(labels !== undefined && {
      quality: { rocAuc: rocAuc(labels, scores), averagePrecision: averagePrecision(labels, scores) },
    }),
    explanations,
  };
  await deliver(detection, plan, terminal);
}

/** Explanations, when requested or cheap enough for the report. */
async function explanationsOf(
  detector: AnyDetector,
  input: Input,
  positions: Uint32Array,
  isAsked: boolean,
  terminal: Terminal,
): Promise<Map<number, RowExplanation>> {
  try {
    return await explainPositions(detector, input, positions, terminal);
  } catch (error) {
    if (isAsked || (error as Error).name !== 'CurvadError') throw error;
    return new Map();
  }
}

interface OutputPlan {
  readonly out: string | undefined;
  readonly format: Format;
  readonly scoresOnly: boolean;
  readonly top: number | undefined;
  readonly json: boolean;
  readonly save: string | undefined;
  readonly report: string | undefined;
  readonly explains: boolean;
  readonly isQuiet: boolean;
}

/** Where results go; checked to be writable before the work starts. */
function outputPlan(given: Arguments, inputs: readonly string[]): OutputPlan {
  const isToTerminal = given.text('out') === '-';
  const out = isToTerminal ? undefined : given.text('out');
  const asked = given.choice('format', FORMATS);
  if (out !== undefined && asked === 'table') throw new UsageError('--format table is for the terminal: remove --out');
  const named = out === undefined ? asked : outputFormat(out, ROW_FORMATS, asked as RowFormat | undefined);
  const format = named ?? (out === undefined && !isToTerminal ? 'table' : 'csv');
  if (given.flag('json') && out === undefined && format !== 'table')
    throw new UsageError('--json and --format both write to standard output: give --out for the rows');
  const plan: OutputPlan = {
    out,
    format,
    scoresOnly: given.flag('scores-only'),
    top: given.wholeNumber('top', 1),
    json: given.flag('json'),
    save: given.text('save'),
    report: given.text('report'),
    explains: given.flag('explain'),
    isQuiet: given.flag('quiet'),
  };
  if (plan.report !== undefined) outputFormat(plan.report, ['html']);
  checkOutputs([plan.out, plan.save, plan.report], inputs);
  return plan;
}

function idOf({ table }: Input, name: string | undefined): Detection['scored']['id'] {
  if (name === undefined) return undefined;
  const column = findColumn(table, name, '--id');
  return { name, at: (row) => textAt(column, row) };
}

async function deliver(detection: Detection, plan: OutputPlan, terminal: Terminal): Promise<void> {
  const { scored, order } = detection;
  const positions = plan.top === undefined ? undefined : order.subarray(0, plan.top);
  const reasons = plan.explains ? detection.explanations : undefined;
  if (plan.out !== undefined || plan.format !== 'table') {
    const output = { format: plan.format as RowFormat, scoresOnly: plan.scoresOnly, positions, reasons };
    await writeOutput(plan.out ?? '-', scoredRows(detection.input, scored, output, terminal));
  }
  if (plan.save !== undefined) await writeOutput(plan.save, [detection.detector.toBytes()]);
  if (plan.report !== undefined) {
    const { reportOf } = await import('../report/report.js');
    const facts = { version: VERSION, commandLine: `curvad ${process.argv.slice(2).join(' ')}`, date: new Date() };
    await writeOutput(plan.report, [interruptible(() => reportOf(detection, plan.top ?? 10, facts))]);
  }
  if (plan.json) stdout.write(jsonText(jsonSummary(detection, plan.top ?? 10, plan.explains)));
  else if (plan.format === 'table' || plan.out !== undefined) {
    if (!plan.isQuiet || plan.out === undefined) printSummary(detection, plan.top ?? 10, plan.explains);
  }
  for (const [what, path] of [
    ['rows', plan.out],
    ['model', plan.save],
    ['report', plan.report],
  ] as const) {
    if (path !== undefined && path !== '-') terminal.note(`${what} written to ${path}`);
  }
}
