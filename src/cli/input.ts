// From files on the command line to rows of numbers: the first step of detect, select and compare.

import { finish } from '../core/steps.js';
import { canCopyRows } from '../files/copy-rows.js';
import { originAt } from '../files/node.js';
import { MAX_BYTES, type ReadOptions } from '../files/options.js';
import { type OpenInput, openInput } from '../files/read.js';
import { joinTables } from '../files/several.js';
import type { FlatMatrix } from '../index.js';
import { applyRecipe } from '../tables/apply.js';
import { findColumn } from '../tables/find.js';
import { learnRecipe } from '../tables/learn.js';
import type { TableSettings } from '../tables/options.js';
import { EncodedTable } from '../tables/reader.js';
import type { MissingPolicy, Recipe } from '../tables/recipe.js';
import { type Table, textAt } from '../tables/table.js';
import { AT_A_TERMINAL } from '../tables/wording.js';
import type { Arguments } from './arguments.js';
import { inputOptions, tableSettings } from './command.js';
import { DataError, quote, UsageError } from './errors.js';
import { filesIn } from './paths.js';
import { readTableOf } from './read-table.js';
import type { Terminal } from './terminal.js';

/** One file of an input. */
export interface InputFile {
  /** As the user named it. */
  readonly path: string;
  readonly opened: OpenInput;
  /** Index of its first row in the table. */
  readonly start: number;
}

export interface Input {
  /** Its name: a path, or the number of files. */
  readonly name: string;
  /** Its name in messages. */
  readonly where: string;
  readonly files: readonly InputFile[];
  readonly table: Table;
  /** How its columns are to be used. */
  readonly settings: TableSettings;
  readonly recipe: Recipe;
  /** The rows and their recipe, to fit on. */
  readonly encoded: EncodedTable;
  readonly matrix: FlatMatrix & { readonly data: Float64Array };
  /** The table row of each row of the matrix. */
  readonly rowNumbers: Uint32Array;
}

/** The files a command is given. */
export function fileArguments(given: Arguments, command: string): string[] {
  if (given.positionals.length === 0)
    throw new UsageError(`${command} needs a file: curvad ${command} FILE, or - for standard input`);
  return filesIn(given.positionals);
}

/** The file of a table row, and the row's number in it. */
export function placeOf({ files }: Pick<Input, 'files'>, row: number): { readonly path: string; readonly row: number } {
  let low = 0;
  for (let high = files.length - 1; low < high; ) {
    const middle = (low + high + 1) >> 1;
    if ((files[middle] as InputFile).start <= row) low = middle;
    else high = middle - 1;
  }
  const { path, start } = files[low] as InputFile;
  return { path, row: row - start };
}

export interface Purposes {
  /** Columns that are not features, by the option that names them. */
  readonly reserved: Readonly<Record<string, string | undefined>>;
  /** Further such columns, determined by the table. */
  reservedIn?(table: Table): readonly string[];
  /** How to treat missing values if --missing is not given. */
  readonly missing?: MissingPolicy;
  /** Keep every text, for output. */
  readonly keepsTexts?: boolean;
  /** Rows of text files are copied unchanged. */
  readonly copiesRows?: boolean;
}

export async function readInput(
  given: Arguments,
  paths: readonly string[],
  purposes: Purposes,
  terminal: Terminal,
): Promise<Input> {
  const reserved = Object.values(purposes.reserved);
  const text = reserved.filter((name) => name !== undefined);
  const settings = tableSettings(given);
  const keepsTexts = purposes.keepsTexts === true || settings.categories === 'frequency' || paths.length > 1;
  const mostTexts = keepsTexts ? Infinity : settings.mostCategories;
  const keeping = { text, ...(mostTexts < Infinity && { mostTexts }) };
  const used = { ...settings, ignore: [...settings.ignore, ...text] };
  const joining = { keeping, unused: unusedBy(used), copiesRows: purposes.copiesRows === true };
  const { table, files } = await readFiles(paths, inputOptions(given), joining, terminal);
  for (const [option, name] of Object.entries(purposes.reserved)) {
    if (name !== undefined) findColumn(table, name, `--${option}`);
  }
  const wording = AT_A_TERMINAL;
  const name = nameOf(paths);
  const reservedHere = purposes.reservedIn?.(table) ?? [];
  const learned = { ...used, ignore: [...used.ignore, ...reservedHere] };
  const { recipe, notes } = given.has('missing')
    ? finish(learnRecipe(table, learned, wording))
    : learnUntold(table, learned, purposes.missing);
  const where = files.length === 1 ? (files[0] as InputFile).opened.source.name : name;
  const encoded = finish(applyRecipe(table, { recipe, where, wording }));
  for (const note of [...notes, ...encoded.notes]) terminal.warn(note);
  const { data, rows, columns, kept } = encoded;
  return {
    name,
    where,
    files,
    table,
    settings: used,
    recipe,
    encoded: new EncodedTable(recipe, encoded, table.rows),
    matrix: { data, rows, columns },
    rowNumbers: kept ?? Uint32Array.from({ length: rows }, (_, row) => row),
  };
}

/**
 * Without --missing, values are filled in where there are missing ones. Where there are none, a model refuses rows that
 * lack values: it learned nothing of them.
 */
function learnUntold(table: Table, settings: TableSettings, missing: MissingPolicy = 'median') {
  const learned = finish(learnRecipe(table, settings, AT_A_TERMINAL));
  const lacksValues = learned.recipe.columns.some(({ index }) => (table.columns[index]?.missing ?? 0) > 0);
  return lacksValues ? finish(learnRecipe(table, { ...settings, missing }, AT_A_TERMINAL)) : learned;
}

function nameOf(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  if (others.length === 0) return first;
  return `${paths.length} files (${first}${others.length > 1 ? ', …' : ''}, ${others.at(-1)})`;
}

/** Columns that are not used, whatever they hold. */
function unusedBy({ columns, ignore }: TableSettings): (name: string) => boolean {
  return (name) => ignore.includes(name) || (columns !== undefined && !columns.includes(name));
}

interface Joining {
  readonly keeping: Pick<ReadOptions, 'text' | 'mostTexts'>;
  /** Columns whose type may differ between files. */
  unused(name: string): boolean;
  /** Rows of text files will be read again; of others all texts are kept. */
  readonly copiesRows?: boolean;
}

/** Reads files, one below the other where there are several. */
export async function readFiles(
  paths: readonly string[],
  options: ReadOptions,
  { keeping, unused, copiesRows = false }: Joining,
  terminal: Terminal,
): Promise<{ readonly table: Table; readonly files: InputFile[] }> {
  const opened: OpenInput[] = [];
  const tables: Table[] = [];
  for (const path of paths) {
    const file = await openInput(await originAt(path), { ...options, maxBytes: options.maxBytes ?? MAX_BYTES });
    opened.push(file);
    if (copiesRows) file.source.keep();
    const isEnough = !copiesRows || (canCopyRows(file) && !file.source.isLive);
    tables.push(await readTableOf(file, isEnough ? keeping : { text: keeping.text }, terminal));
  }
  const names = opened.map(({ source }) => source.name);
  const { table, starts } = joinTables(tables, names, unused);
  const files = paths.map((path, i) => ({ path, opened: opened[i] as OpenInput, start: starts[i] as number }));
  return { table, files };
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

/** A label column as 1 for anomalies and 0 for others; `positive` is the label of anomalies. */
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
    throw new DataError(`all rows are ${all} by column ${quote(name)}: measuring a ranking needs both kinds`);
  }
  return labels;
}

function meaningOfLabel(text: string, name: string): boolean {
  const word = text.trim().toLowerCase();
  const number = Number(word);
  if (POSITIVE.has(word) || number === 1) return true;
  if (NEGATIVE.has(word) || (word !== '' && number === 0)) return false;
  throw new UsageError(
    `which rows of ${quote(name)} are anomalies? It holds ${quote(text, 20)}: say which value with --positive`,
  );
}
