// From a file on the command line to rows of numbers: what detect, select and compare begin with.

import { originAt } from '../files/node.js';
import { MAX_BYTES } from '../files/options.js';
import { type OpenInput, openInput } from '../files/read.js';
import type { FlatMatrix } from '../index.js';
import { type Table, textAt } from '../tables/table.js';
import type { Arguments } from './arguments.js';
import { inputOptions, selection } from './command.js';
import { count, DataError, quote, UsageError } from './errors.js';
import type { Preparation } from './preparation.js';
import { apply, decide, findColumn } from './prepare.js';
import { readTableOf } from './read-table.js';
import type { Terminal } from './terminal.js';

export interface Input {
  /** As the user named it. */
  readonly path: string;
  readonly opened: OpenInput;
  readonly table: Table;
  readonly preparation: Preparation;
  readonly matrix: FlatMatrix & { readonly data: Float64Array };
  /** Which row of the file each row of the matrix is. */
  readonly rowNumbers: Uint32Array;
}

/** The one file a command is given. */
export function fileArgument(given: Arguments, command: string): string {
  const [path, ...more] = given.positionals;
  if (path === undefined)
    throw new UsageError(`${command} needs a file: curvad ${command} FILE, or - for standard input`);
  if (more.length > 0) throw new UsageError(`${command} takes one file, got ${quote(more[0] as string)} too`);
  return path;
}

export interface Purposes {
  /** Columns that are not features, by the option that names them. */
  readonly reserved: Readonly<Record<string, string | undefined>>;
  /** Keep every text, for output. */
  readonly keepsTexts?: boolean;
}

export async function readInput(
  given: Arguments,
  path: string,
  purposes: Purposes,
  terminal: Terminal,
): Promise<Input> {
  const reserved = Object.values(purposes.reserved);
  const chosen = selection(given, reserved);
  const options = inputOptions(given);
  const opened = await openInput(await originAt(path), { ...options, maxBytes: options.maxBytes ?? MAX_BYTES });
  const text = reserved.filter((name) => name !== undefined);
  const mostTexts = purposes.keepsTexts === true ? Infinity : chosen.mostCategories;
  const table = await readTableOf(opened, { text, ...(mostTexts < Infinity && { mostTexts }) }, terminal);
  for (const [option, name] of Object.entries(purposes.reserved)) {
    if (name !== undefined) findColumn(table, name, option);
  }
  const preparation = decide(table, chosen, terminal);
  const { data, rowNumbers, columns } = apply(preparation, table, opened.source.name);
  const dropped = table.rows - rowNumbers.length;
  if (dropped > 0) terminal.note(`left out ${count(dropped, 'row')} that lack values: ${gaps(table, preparation)}`);
  return { path, opened, table, preparation, matrix: { data, rows: rowNumbers.length, columns }, rowNumbers };
}

/** The columns that lack most values, with how many. */
function gaps(table: Table, preparation: Preparation): string {
  const places = preparation.locate(
    table.columns.map(({ name }) => name),
    table.isNamed,
    'the file',
  );
  const lacking = places
    .map((place) => table.columns[place] as Table['columns'][number])
    .filter(({ missing }) => missing > 0)
    .sort((a, b) => b.missing - a.missing);
  const shown = lacking.slice(0, 3).map(({ name, missing }) => `${quote(name, 30)} ${missing.toLocaleString('en')}`);
  return `${shown.join(', ')}${lacking.length > 3 ? `, and ${lacking.length - 3} more columns` : ''}`;
}

const POSITIVE = new Set([
  '1',
  'true',
  'yes',
  'y',
  'anomaly',
  'anomalous',
  'outlier',
  'abnormal',
  'fraud',
  'attack',
  'bad',
]);
const NEGATIVE = new Set(['0', 'false', 'no', 'n', 'normal', 'inlier', 'good', 'benign', 'ok']);

/** A column of labels as 1 for anomalies and 0 for others; `positive` is what anomalies are called. */
export function readLabels({ table, rowNumbers }: Input, name: string, positive: string | undefined): Uint8Array {
  const column = findColumn(table, name, 'label');
  const meanings = new Map<string, boolean>();
  const labels = Uint8Array.from(rowNumbers, (row) => {
    const text = textAt(column, row);
    if (text === null) throw new DataError(`row ${row} has no label in column ${quote(name)}`);
    let isPositive = meanings.get(text);
    if (isPositive === undefined) {
      isPositive = positive === undefined ? meaningOfLabel(text, name) : text === positive;
      meanings.set(text, isPositive);
    }
    return Number(isPositive);
  });
  if (positive !== undefined && !meanings.has(positive))
    throw new UsageError(`--positive: no row of ${quote(name)} holds ${quote(positive)}`);
  if (!labels.includes(0) || !labels.includes(1)) {
    const all = labels.includes(1) ? 'anomalies' : 'normal';
    throw new DataError(`all rows are ${all} by column ${quote(name)}: to measure a ranking both are needed`);
  }
  return labels;
}

function meaningOfLabel(text: string, name: string): boolean {
  const word = text.trim().toLowerCase();
  const number = Number(word);
  if (POSITIVE.has(word) || number === 1) return true;
  if (NEGATIVE.has(word) || (word !== '' && number === 0)) return false;
  throw new UsageError(
    `which rows of ${quote(name)} are anomalies? It holds ${quote(text, 20)}: name their value with --positive`,
  );
}
