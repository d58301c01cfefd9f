// From a file on the command line to rows of numbers: what detect, select and compare begin with.

import { finish } from '../core/steps.js';
import { originAt } from '../files/node.js';
import { MAX_BYTES } from '../files/options.js';
import { type OpenInput, openInput } from '../files/read.js';
import type { FlatMatrix } from '../index.js';
import { applyRecipe } from '../tables/apply.js';
import { findColumn } from '../tables/find.js';
import { learnRecipe } from '../tables/learn.js';
import type { TableSettings } from '../tables/options.js';
import { EncodedTable } from '../tables/reader.js';
import type { Recipe } from '../tables/recipe.js';
import { type Table, textAt } from '../tables/table.js';
import { AT_A_TERMINAL } from '../tables/wording.js';
import type { Arguments } from './arguments.js';
import { inputOptions, tableSettings } from './command.js';
import { DataError, quote, UsageError } from './errors.js';
import { readTableOf } from './read-table.js';
import type { Terminal } from './terminal.js';

export interface Input {
  /** As the user named it. */
  readonly path: string;
  readonly opened: OpenInput;
  readonly table: Table;
  /** How its columns are to be used. */
  readonly settings: TableSettings;
  readonly recipe: Recipe;
  /** The rows and their recipe, to fit on. */
  readonly encoded: EncodedTable;
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
  const text = reserved.filter((name) => name !== undefined);
  const settings = tableSettings(given);
  const options = inputOptions(given);
  const opened = await openInput(await originAt(path), { ...options, maxBytes: options.maxBytes ?? MAX_BYTES });
  const keepsTexts = purposes.keepsTexts === true || settings.categories === 'frequency';
  const mostTexts = keepsTexts ? Infinity : settings.mostCategories;
  const table = await readTableOf(opened, { text, ...(mostTexts < Infinity && { mostTexts }) }, terminal);
  for (const [option, name] of Object.entries(purposes.reserved)) {
    if (name !== undefined) findColumn(table, name, `--${option}`);
  }
  const wording = AT_A_TERMINAL;
  const used = { ...settings, ignore: [...settings.ignore, ...text] };
  const { recipe, notes } = finish(learnRecipe(table, used, wording));
  const encoded = finish(applyRecipe(table, { recipe, where: opened.source.name, wording }));
  for (const note of [...notes, ...encoded.notes]) terminal.warn(note);
  const { data, rows, columns, kept } = encoded;
  return {
    path,
    opened,
    table,
    settings: used,
    recipe,
    encoded: new EncodedTable(recipe, encoded, table.rows),
    matrix: { data, rows, columns },
    rowNumbers: kept ?? Uint32Array.from({ length: rows }, (_, row) => row),
  };
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
  const column = findColumn(table, name, '--label');
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
