// curvad worker: reads Arrow IPC streams on standard input and answers each with one on standard output. Other engines
// (Spark, Ray, DuckDB, a shell pipe) run it as a child process.
import process from 'node:process';
import type { Arguments } from '../arguments.js';
import { COLUMN_OPTIONS, COMMON_OPTIONS, type Command, THREADS_OPTION, tableSettings } from '../command.js';
import { quote, UsageError } from '../errors.js';
import { stopListening } from '../interrupts.js';
import { chooseMethod, METHOD_NAMES, METHOD_OPTIONS, type MethodName } from '../methods.js';
import { readModelFile } from '../model.js';
import { DescriptorSource } from '../worker/bytes.js';
import { MessageReader } from '../worker/messages.js';
import type { Request } from '../worker/request.js';
import { Session } from '../worker/session.js';

export const worker: Command = {
  name: 'worker',
  usage: '[MODEL] [options]',
  about: `Reads any number of Arrow IPC streams from standard input and answers each with one on standard output: the
  scores of its rows, batch by batch, in constant memory. With --fit, a model is fitted to each stream.`,
  options: {
    Rows: [
      { name: 'columns', value: 'A,B,…', help: 'columns to use (default: those of the model, or all but --id)' },
      { name: 'id', value: 'COLUMN', help: 'a column to pass through' },
    ],
    Fitting: [
      { name: 'fit', value: 'METHOD', help: `fit instead of scoring: ${METHOD_NAMES.join(', ')}` },
      { name: 'save', value: 'FILE', help: 'save the fitted model' },
      ...METHOD_OPTIONS,
      ...COLUMN_OPTIONS.filter(({ name }) => name !== 'columns'),
    ],
    General: [{ ...THREADS_OPTION, help: 'worker threads (default 0)' }, ...COMMON_OPTIONS],
  },
  notes: `The answer has the columns id (with --id), score, label (1 above the model's threshold) and error. An error in a
  batch ends the answer with one row whose error column describes it as JSON, with the batch and the row; the next
  stream is still answered. docs/worker.md describes the protocol and all calls.`,
  examples: [
    ['curvad worker model.curvad < rows.arrows > scores.arrows', 'score a stream'],
    ['curvad worker --fit lof --k 20 --save lof.curvad < rows.arrows > scores.arrows', 'fit a stream'],
  ],
  run,
};

/** The class of each method. */
const CLASSES: Readonly<Record<MethodName, string>> = {
  landmark: 'LandmarkCAD',
  cad: 'CAD',
  kcad: 'CAD',
  knn: 'KNN',
  lof: 'LOF',
  iforest: 'IsolationForest',
  ocsvm: 'OneClassSVM',
  ee: 'EllipticEnvelope',
};

async function run(given: Arguments): Promise<void> {
  const [path, ...more] = given.positionals;
  if (more.length > 0) throw new UsageError(`worker takes one model, got ${quote(more[0] as string)} too`);
  const method = given.choice('fit', METHOD_NAMES);
  if (path !== undefined && method !== undefined)
    throw new UsageError('give a model to score with, or --fit, not both');
  if (method === undefined && given.has('save')) throw new UsageError('--save needs --fit');
  const session = new Session(usualRequest(given, path, method), given.text('save'));
  if (path !== undefined) session.keep('', await readModelFile(path));
  stopListening(); // reading keeps the event loop waiting
  await session.serve(new MessageReader(new DescriptorSource(0, () => process.stdin)), write);
}

function usualRequest(given: Arguments, path: string | undefined, name: MethodName | undefined): Request | undefined {
  if (path === undefined && name === undefined) return undefined;
  const columns = given.list('columns');
  const id = given.text('id');
  const common = {
    ...(columns && { columns }),
    ...(id !== undefined && { id }),
    threads: given.wholeNumber('threads', 0) ?? 0,
  };
  if (name === undefined) return { call: 'score', ...common };
  const { options } = chooseMethod(given, name);
  const defaults = name === 'kcad' ? { kernel: 'rbf' } : {};
  const { columns: _, ...table } = tableSettings(given);
  return {
    call: 'fit',
    detector: CLASSES[name],
    options: { ...defaults, ...options },
    table,
    isAtTerminal: true,
    ...common,
  };
}

/** Writes, and waits until all is gone: reading keeps this thread, so nothing would be written meanwhile. */
function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
