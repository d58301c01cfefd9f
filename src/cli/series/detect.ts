// curvad detect --series: scores the rows of a file in time order, one after the other.
import { stdout } from 'node:process';
import { VERSION } from '../../core/version.js';
import type { OutputColumn } from '../../files/output-column.js';
import { formatRows, outputFormat, ROW_FORMATS, type RowFormat } from '../../files/write.js';
import { SeriesDetector } from '../../streams/index.js';
import { findColumn } from '../../tables/find.js';
import { textAt } from '../../tables/table.js';
import type { Arguments } from '../arguments.js';
import { clean, count, quote, UsageError } from '../errors.js';
import { type Input, readInput } from '../input.js';
import { METHOD_OPTIONS } from '../methods.js';
import { checkOutputs, jsonText, writeOutput } from '../output.js';
import { ranked } from '../ranking.js';
import { alignedTable, few, paint, type Terminal } from '../terminal.js';
import { alarmsInWords, type SeriesFindings, timeText } from './findings.js';
import { findTimes, inOrder, orderNotes, rowsAt } from './order.js';

/** Options that do not apply to a series. */
const NONE = ['method', 'explain', 'threads', 'label', 'positive', ...METHOD_OPTIONS.map(({ name }) => name)].filter(
  (name) => name !== 'k',
);
const SHOWN = 6;

export async function detectSeries(given: Arguments, paths: readonly string[], terminal: Terminal): Promise<void> {
  const none = NONE.find((name) => given.has(name));
  if (none !== undefined) throw new UsageError(`--${none} cannot be combined with --series`);
  const plan = {
    out: given.text('out'),
    save: given.text('save'),
    report: given.text('report'),
    top: given.wholeNumber('top', 1),
  };
  const asked = given.choice('format', ['table', ...ROW_FORMATS] as const);
  if (plan.report !== undefined) outputFormat(plan.report, ['html']);
  checkOutputs([plan.out, plan.save, plan.report], paths);
  const detector = new SeriesDetector(optionsOf(given));
  const id = given.text('id');
  const input = await readSeries(given, paths, terminal);
  const found = findingsOf(input, detector, given.text('time'), terminal);

  if (plan.out !== undefined || (asked !== undefined && asked !== 'table')) {
    const format = plan.out === undefined ? asked : outputFormat(plan.out, ROW_FORMATS, asked as RowFormat | undefined);
    const { columns, rows } = columnsOf(found, plan.top, idOf(input, id));
    await writeOutput(plan.out ?? '-', formatRows(columns, rows, format as RowFormat));
  }
  if (plan.save !== undefined) await writeOutput(plan.save, [detector.toBytes()]);
  if (plan.report !== undefined) {
    const { seriesReport } = await import('../report/series.js');
    const facts = { version: VERSION, commandLine: `curvad ${process.argv.slice(2).join(' ')}`, date: new Date() };
    await writeOutput(plan.report, [seriesReport(found, facts)]);
  }
  for (const [what, to] of Object.entries({ rows: plan.out, model: plan.save, report: plan.report }))
    if (to !== undefined && to !== '-') terminal.note(`${what} written to ${to}`);
  if (given.flag('json')) stdout.write(jsonText(summaryOf(found, plan.top ?? 10)));
  else if (asked === undefined || asked === 'table') printFindings(found, plan.top ?? 10);
}

function optionsOf(given: Arguments): { window?: number; neighbors?: number } {
  const [window, neighbors] = [given.wholeNumber('window', 2), given.wholeNumber('k', 1)];
  return { ...(window !== undefined && { window }), ...(neighbors !== undefined && { neighbors }) };
}

/** The value columns; rows with a missing value are omitted. */
function readSeries(given: Arguments, paths: readonly string[], terminal: Terminal): Promise<Input> {
  const time = given.text('time');
  const purposes = {
    reserved: { id: given.text('id') },
    reservedIn: (table: Input['table']) => {
      const name = findTimes(table, time)?.name;
      return name === undefined ? [] : [name];
    },
    missing: 'drop' as const,
  };
  return readInput(given, paths, purposes, terminal);
}

function findingsOf(
  input: Input,
  detector: SeriesDetector,
  time: string | undefined,
  terminal: Terminal,
): SeriesFindings {
  const { table, matrix, rowNumbers } = input;
  const times = findTimes(table, time);
  if (times === undefined) terminal.note('there is no time column: rows are taken in file order');
  else if (time === undefined) terminal.note(`the time column is ${quote(times.name)} (choose another with --time)`);
  const places = times === undefined ? Uint32Array.from(rowNumbers, (_, place) => place) : inOrder(times, rowNumbers);
  for (const note of times === undefined ? [] : orderNotes(places, rowNumbers.length, times)) terminal.warn(note);
  const values = rowsAt(matrix, places);
  const scores = new Float64Array(places.length);
  const areAlarms = new Uint8Array(places.length);
  for (let i = 0; i < places.length; i++) {
    scores[i] = detector.update(values.subarray(i * matrix.columns, (i + 1) * matrix.columns));
    areAlarms[i] = Number(detector.isAlarm);
  }
  if (!detector.isReady) terminal.warn(`${count(places.length, 'row')} are fewer than the 100 needed to start`);
  return {
    name: input.name,
    names: input.recipe.features,
    values,
    times,
    rowNumbers: places.map((place) => rowNumbers[place] as number),
    scores,
    areAlarms,
  };
}

/** Alarms first, each group by descending score. */
function highest({ scores, areAlarms }: SeriesFindings, top: number): number[] {
  return [...ranked(scores.map((score, i) => score + (areAlarms[i] as number))).subarray(0, top)];
}

type Id = { readonly name: string; at(row: number): string | null } | undefined;

function idOf({ table }: Input, name: string | undefined): Id {
  if (name === undefined) return undefined;
  const column = findColumn(table, name, '--id');
  return { name, at: (row) => textAt(column, row) };
}

function columnsOf(found: SeriesFindings, top: number | undefined, id: Id): { columns: OutputColumn[]; rows: number } {
  const { times, rowNumbers, scores, areAlarms } = found;
  const some = top === undefined ? undefined : highest(found, top).sort((a, b) => a - b);
  const at = (i: number): number => some?.[i] ?? i;
  const columns: OutputColumn[] = [
    { name: 'row', type: 'integer', at: (i) => rowNumbers[at(i)] as number },
    { name: 'score', type: 'number', at: (i) => scores[at(i)] as number },
    { name: 'alarm', type: 'integer', at: (i) => areAlarms[at(i)] as number },
  ];
  if (id !== undefined)
    columns.splice(1, 0, { name: id.name, type: 'text', at: (i) => id.at(rowNumbers[at(i)] as number) });
  if (times !== undefined) columns.splice(1, 0, { name: times.name, type: 'text', at: (i) => timeText(found, at(i)) });
  return { columns, rows: some?.length ?? scores.length };
}

function printFindings(found: SeriesFindings, top: number): void {
  const { names, values, times, rowNumbers, scores, areAlarms } = found;
  const shown = names.slice(0, SHOWN);
  const rows = highest(found, top).map((i) => [
    String(rowNumbers[i]),
    ...(times === undefined ? [] : [timeText(found, i)]),
    few(scores[i] as number),
    areAlarms[i] === 1 ? 'alarm' : '',
    ...shown.map((_, j) => few(values[i * names.length + j] as number)),
  ]);
  const head = ['row', ...(times === undefined ? [] : [clean(times.name, 20)]), 'score', ''];
  const lines = alignedTable([...head, ...shown.map((name) => clean(name, 16))], rows);
  lines.push('', `${alarmsInWords(found)}`, paint('dim', `SeriesDetector; ${count(names.length, 'value')} over time`));
  stdout.write(`${lines.join('\n')}\n`);
}

function summaryOf(found: SeriesFindings, top: number): unknown {
  const { name, names, times, rowNumbers, scores, areAlarms } = found;
  return {
    file: name,
    method: 'series',
    rows: scores.length,
    columns: names,
    time: times?.name ?? null,
    alarms: areAlarms.reduce((sum, is) => sum + is, 0),
    top: highest(found, top).map((i) => ({
      row: rowNumbers[i],
      ...(times !== undefined && { time: timeText(found, i) }),
      score: scores[i],
      alarm: areAlarms[i] === 1,
    })),
  };
}
