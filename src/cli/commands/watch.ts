// curvad watch: scores a stream line by line and learns each line after it was scored.
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stderr, stdin, stdout } from 'node:process';
import { readSeparator } from '../../files/options.js';
import { CAD, KNN, LandmarkCAD, LOF } from '../../index.js';
import { SeriesDetector, SlidingWindow } from '../../streams/index.js';
import type { Arguments } from '../arguments.js';
import { COMMON_OPTIONS, type Command } from '../command.js';
import { count, DataError, failureOf, quote, UsageError } from '../errors.js';
import { leave, onInterrupt } from '../interrupts.js';
import { checkOutputs, writeOutput } from '../output.js';
import type { Terminal } from '../terminal.js';
import { linesOf, type Row, RowParser } from '../watch/lines.js';
import { LiveLine } from '../watch/live-line.js';

/** Scores rows and learns them. */
interface Watcher {
  readonly isAlarm: boolean;
  update(row: Row): number;
  toBytes(): Uint8Array;
}

const METHODS = { landmark: LandmarkCAD, lof: LOF, knn: KNN, cad: CAD } as const;
/** Neighbours; the library's default is too few for noisy streams. */
const NEIGHBORS = { lof: 20, knn: 20, cad: 20 } as const;
const METHOD_NAMES = Object.keys(METHODS) as Array<keyof typeof METHODS>;
/** Bad lines that are reported one by one. */
const TOLD = 5;

export const watch: Command = {
  name: 'watch',
  usage: 'FILE|- [options]',
  about: `Reads lines of CSV or JSON. For each it prints at once how unusual it is compared with earlier lines and whether it
  is an alarm, then learns it. "-" is standard input.`,
  options: {
    Lines: [
      { name: 'columns', value: 'A,B,…', help: 'columns to use (default: those with a number in the first row)' },
      { name: 'separator', value: 'CHAR', help: 'field separator of CSV (default: detected)' },
      { name: 'header', help: 'the first line of CSV names the columns (default: detected)' },
      { name: 'no-header', help: 'the first line of CSV is data; columns are called 1, 2, …' },
    ],
    Scoring: [
      { name: 'window', value: 'W', help: 'number of earlier rows to compare with (default 1000; with --series 2000)' },
      { name: 'method', value: 'NAME', help: `${METHOD_NAMES.join(', ')} (default landmark)` },
      { name: 'k', value: 'N', help: 'neighbors (default 20; 10 for landmark and --series)' },
      { name: 'standardize', help: 'scale columns to equal spread for lof, knn and cad; landmark always does' },
      { name: 'series', help: 'time series: detect unusual changes over time, not only unusual values' },
      { name: 'memory', value: 'S', help: 'number of earlier scores to rank a new one among (default 5000)' },
      { name: 'alarm-rank', value: 'R', help: 'alarm if the score is among the R highest of these (default 12)' },
      { name: 'warmup', value: 'N', help: 'raise no alarm for the first N rows (default 100)' },
      { name: 'keep-clean', help: 'do not learn alarms' },
    ],
    Output: [
      { name: 'alarms', help: 'print alarms only' },
      { name: 'save', value: 'FILE', help: 'save the state at the end and on a signal' },
      { name: 'resume', value: 'FILE', help: 'continue from a state written by --save; may be the same file' },
    ],
    General: [...COMMON_OPTIONS],
  },
  notes: `Answers are CSV (line, score, alarm), or JSON where the lines are JSON. A line with a missing value has no score and
is not learned; nor is one that cannot be read, which is told on standard error. The rows must be in order of time.
Columns with the name of a time are not used as values.`,
  examples: [
    ['tail -f sensor.csv | curvad watch - --window 5000', 'follow a file'],
    ['curvad watch cpu.csv --series --columns load --alarms', 'alarms of a time series'],
    ['curvad watch - --resume state.curvad --save state.curvad', 'stop and resume'],
  ],
  run,
};

async function run(given: Arguments, terminal: Terminal): Promise<void> {
  const [path, ...more] = given.positionals;
  if (path === undefined) throw new UsageError('watch needs a file, or - for standard input: curvad watch FILE');
  if (more.length > 0) throw new UsageError(`watch takes one file, got ${quote(more[0] as string)} too`);
  const save = given.text('save');
  if (save !== undefined) checkOutputs([save], path === '-' ? [] : [path]);
  const watcher = await watcherOf(given, terminal);
  const live = new LiveLine(!terminal.isQuiet && stderr.isTTY === true);
  const keep = async (): Promise<void> => {
    if (save !== undefined) await writeOutput(save, [watcher.toBytes()]);
  };
  let isStopped = false;
  onInterrupt((code) => {
    isStopped = true;
    live.end();
    keep().then(
      () => leave(code),
      (error) => {
        terminal.fail(failureOf(error).message);
        leave(failureOf(error).exitCode);
      },
    );
  });
  const bad = await answerLines(path === '-' ? stdin : createReadStream(path), given, {
    watcher,
    live,
    terminal,
    isStopped: () => isStopped,
  });
  if (isStopped) return;
  live.end();
  await keep();
  const unread = bad > 0 ? `, ${count(bad, 'line')} not read` : '';
  terminal.note(`${count(live.rows, 'row')}, ${count(live.alarms, 'alarm')}${unread}`);
  if (live.rows === 0) throw new DataError(path === '-' ? 'there were no rows' : `${quote(path)} has no rows`);
}

interface Watching {
  readonly watcher: Watcher;
  readonly live: LiveLine;
  readonly terminal: Terminal;
  isStopped(): boolean;
}

/** Scores line by line; returns how many lines could not be read. */
async function answerLines(input: AsyncIterable<Uint8Array>, given: Arguments, watching: Watching): Promise<number> {
  const { watcher, live, terminal } = watching;
  const options = {
    separator: readSeparator(given.text('separator')),
    header: given.flag('header') ? true : given.flag('no-header') ? false : undefined,
    columns: given.list('columns'),
  };
  const areAlarmsOnly = given.flag('alarms');
  let parser: RowParser | undefined;
  let [number, bad] = [0, 0];
  for await (const line of linesOf(input)) {
    if (watching.isStopped()) break;
    number++;
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') continue;
    if (parser === undefined) {
      parser = new RowParser(text, options);
      if (!parser.isJson) await write('line,score,alarm\n');
    }
    let score = Number.NaN;
    try {
      const row = parser.read(text);
      if (row === undefined) continue;
      score = watcher.update(row);
      live.row(score, watcher.isAlarm);
    } catch (error) {
      if (!(error instanceof DataError) && (error as Error).name !== 'CurvadError') throw error;
      // The first row determines the columns, so it must be valid; a later one may be bad.
      if (live.rows === 0) throw new DataError(`line ${number}: ${(error as Error).message}`);
      live.clear();
      if (++bad <= TOLD) terminal.warn(`line ${number}: ${(error as Error).message}`);
      await write(answerOf(parser, number, Number.NaN, false));
      continue;
    }
    if (areAlarmsOnly && !watcher.isAlarm) continue;
    if (stdout.isTTY) live.clear();
    await write(answerOf(parser, number, score, watcher.isAlarm));
  }
  return bad;
}

function answerOf({ isJson }: RowParser, line: number, score: number, isAlarm: boolean): string {
  const known = Number.isNaN(score) ? null : score;
  if (isJson) return `${JSON.stringify({ line, score: known, alarm: isAlarm })}\n`;
  return `${line},${known ?? ''},${Number(isAlarm)}\n`;
}

/** Writes at once, and waits if the reader is slow. */
async function write(text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}

async function watcherOf(given: Arguments, terminal: Terminal): Promise<Watcher> {
  const isSeries = given.flag('series');
  const resume = given.text('resume');
  const none = ['method', 'standardize', 'keep-clean'].find((name) => given.has(name));
  if (isSeries && none !== undefined) throw new UsageError(`--series has no --${none}`);
  if (resume !== undefined && (existsSync(resume) || resume !== given.text('save'))) {
    const bytes = await readFile(resume);
    const told = ['window', 'method', 'k', 'standardize', 'memory', 'alarm-rank', 'warmup', 'keep-clean'].find((name) =>
      given.has(name),
    );
    if (told !== undefined)
      throw new UsageError(`--${told} is stored in ${quote(resume)}: remove it when using --resume`);
    return isSeries ? SeriesDetector.load(bytes) : SlidingWindow.load(bytes);
  }
  if (resume !== undefined) terminal.note(`${quote(resume)} does not exist yet: starting from scratch`);
  const common = optionsOf(given, { window: 2, memory: 2, alarmRank: 1, warmup: 0 });
  const k = given.wholeNumber('k', 1);
  if (isSeries) return new SeriesDetector({ ...common, ...(k !== undefined && { neighbors: k }) });
  const name = given.choice('method', METHOD_NAMES) ?? 'landmark';
  const neighbors = k ?? (name === 'landmark' ? undefined : NEIGHBORS[name]);
  const detector = new METHODS[name]({
    ...(neighbors !== undefined && { neighbors }),
    ...(given.flag('standardize') && { standardize: true }),
  });
  return new SlidingWindow(detector, {
    ...common,
    learnAnomalies: !given.flag('keep-clean'),
  });
}

/** The given options, under the library's names. */
function optionsOf(given: Arguments, least: Readonly<Record<string, number>>): Record<string, number> {
  const options: Record<string, number> = {};
  for (const [name, smallest] of Object.entries(least)) {
    const value = given.wholeNumber(
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      smallest,
    );
    if (value !== undefined) options[name] = value;
  }
  return options;
}
