// curvad score: scores rows from files or standard input with a saved model, in order. Text formats are read as a
// stream, in constant memory.

import { ScoreDistribution } from '../../detectors/probability.js';
import { originAt } from '../../files/node.js';
import { openInput } from '../../files/read.js';
import { outputFormat, ROW_FORMATS } from '../../files/write.js';
import type { Arguments } from '../arguments.js';
import { COMMON_OPTIONS, type Command, INPUT_OPTIONS, inputOptions, THREADS_OPTION } from '../command.js';
import { count, UsageError } from '../errors.js';
import { openModel } from '../model.js';
import { checkOutputs, openOutput } from '../output.js';
import { filesIn } from '../paths.js';
import type { Terminal } from '../terminal.js';
import { Carrier } from './carrier.js';
import { scoreTable } from './score-table.js';
import { ScoreWriter } from './score-writer.js';
import { ERROR_POLICIES, Scoring } from './scoring.js';

export const score: Command = {
  name: 'score',
  usage: 'MODEL FILE… [options]',
  about: `Scores new rows with a model saved by detect --save, or by toBytes() in a program, and writes them with score,
  anomaly and probability appended. FILE may be - for standard input, or a pattern such as 'logs/*.csv'.
  CSV and NDJSON are read as a stream: rows are scored as they arrive, in constant memory.`,
  options: {
    Input: [
      ...INPUT_OPTIONS,
      { name: 'id', value: 'COLUMN', help: 'with --scores-only: the column that identifies rows' },
      { name: 'on-error', value: 'WHAT', help: 'what to do with a line that cannot be scored: stop (default) or skip' },
    ],
    Output: [
      { name: 'out', short: 'o', value: 'FILE', help: 'output file (default: standard output)' },
      {
        name: 'format',
        short: 'f',
        value: 'NAME',
        help: `${ROW_FORMATS.join(', ')} (default: from the extension of --out, else as the input)`,
      },
      {
        name: 'scores-only',
        help: 'write row number, score, anomaly and probability, without the columns of the file',
      },
      { name: 'anomalies', help: "write only the rows above the model's threshold" },
    ],
    General: [THREADS_OPTION, ...COMMON_OPTIONS],
  },
  notes: `Every row is treated as new. Scoring the file that the model was fitted on therefore does not give the scores of
detect for landmark, cad, kcad, knn and lof: there each row is its own nearest neighbour. For those, keep what
detect wrote.

Columns are matched by name, or by position if there are no names. A category unknown to the model counts as none.
Skipped lines are counted; the first 20 are reported on standard error with the reason.`,
  examples: [
    ['curvad score model.curvad new.csv --out scores.csv', 'score a file'],
    ['tail -f log.ndjson | curvad score model.curvad - --anomalies', 'follow a log'],
    ['curvad score model.curvad huge.csv.gz --on-error skip | head', 'the first scores, without reading the rest'],
  ],
  run,
};

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const [modelPath, ...positionals] = given.positionals;
  if (modelPath === undefined || positionals.length === 0)
    throw new UsageError('score needs a model and a file: curvad score MODEL FILE, or - for standard input');
  const paths = filesIn(positionals);
  const out = given.text('out') ?? '-';
  const asked = outputFormat(out, ROW_FORMATS, given.choice('format', ROW_FORMATS));
  const policy = given.choice('on-error', ERROR_POLICIES) ?? 'stop';
  const threads = given.wholeNumber('threads', 0);
  const [id, scoresOnly, onlyAnomalies] = [given.text('id'), given.flag('scores-only'), given.flag('anomalies')];
  checkOutputs([out], [modelPath, ...paths]);
  const model = await openModel(modelPath);
  const distribution = new ScoreDistribution(model.detector.scores);
  const probabilityOf = (score: number): number => distribution.of(score);
  if (asked === 'parquet' && !scoresOnly) {
    if (policy === 'skip')
      throw new UsageError('--on-error skip needs --scores-only, or an output of CSV, NDJSON or JSON');
    const rows = { paths, options: inputOptions(given), out, id, threads, onlyAnomalies, probabilityOf };
    const total = await scoreTable(model, rows, terminal);
    if (out !== '-') terminal.note(`${count(total, 'scored row')} written to ${out}`);
    return;
  }
  const output = openOutput(out);
  try {
    let carrier: Carrier | undefined;
    let writer: ScoreWriter | undefined;
    let total = 0;
    for (const path of paths) {
      const input = await openInput(await originAt(path), inputOptions(given), true);
      const format = asked ?? (input.format === 'ndjson' ? 'ndjson' : 'csv');
      carrier ??= new Carrier({ format, scoresOnly, id, hasFiles: paths.length > 1, recipe: model.recipe });
      const { threshold } = model.detector;
      writer ??= new ScoreWriter(output, carrier, { threshold, probabilityOf, onlyAnomalies });
      writer.file = path;
      const scoring = new Scoring(model, input, { carrier, writer, policy, threads }, terminal);
      await scoring.run();
      total += scoring.total;
      scoring.tell();
    }
    await writer?.end();
    output.close();
    if (out !== '-') terminal.note(`${count(total, 'scored row')} written to ${out}`);
  } catch (error) {
    output.discard();
    throw error;
  }
}
