// The interface of a command, its help text, and the options that several commands share.

import { FORMATS, RAGGED_POLICIES, type ReadOptions, readSeparator } from '../files/options.js';
import { CATEGORY_CHOICES, DATE_CHOICES, type TableSettings } from '../tables/options.js';
import { MISSING_POLICIES } from '../tables/recipe.js';
import { DATE_ORDERS } from '../tables/table.js';
import { Arguments, type OptionSpec } from './arguments.js';
import { quote, UsageError } from './errors.js';
import { paint, type Terminal } from './terminal.js';

export interface Command {
  readonly name: string;
  /** The arguments, as in "FILE [options]". */
  readonly usage: string;
  readonly about: string;
  /** The values of --method, and what each does. */
  readonly methods?: Readonly<Record<string, { readonly about: string }>>;
  /** Options under headings. */
  readonly options: Readonly<Record<string, readonly OptionSpec[]>>;
  readonly notes?: string;
  readonly examples: ReadonlyArray<readonly [line: string, meaning: string]>;
  run(given: Arguments, terminal: Terminal): Promise<void>;
}

export const THREADS_OPTION: OptionSpec = {
  name: 'threads',
  value: 'N',
  help: 'worker threads; 0 for none (default: one per core)',
};

export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'quiet', short: 'q', help: 'print no notes and no progress' },
  { name: 'help', short: 'h', help: 'this text' },
];

export const INPUT_OPTIONS: readonly OptionSpec[] = [
  { name: 'input-format', value: 'NAME', help: `${FORMATS.join(', ')} (default: from content and name)` },
  { name: 'separator', value: 'CHAR', help: 'field separator: a character, blanks, or fixed (default: detected)' },
  { name: 'widths', value: 'A,B,…', help: 'widths of the columns of a fixed-width file, in characters' },
  {
    name: 'ragged',
    value: 'WHAT',
    help: 'lines with too few or too many fields: error (default), fill short ones, or skip',
  },
  { name: 'decimal', value: 'CHAR', help: 'decimal mark of CSV: . or , (default: detected)' },
  { name: 'header', help: 'the first line of CSV names the columns (default: detected)' },
  { name: 'no-header', help: 'the first line of CSV is data' },
  { name: 'skip', value: 'N', help: 'skip the first N lines of CSV' },
  { name: 'units', help: 'skip the line after the header, which holds units' },
  { name: 'comment', value: 'TEXT', help: 'skip lines of CSV that begin with TEXT (default: detected)' },
  { name: 'encoding', value: 'NAME', help: 'text encoding: utf-8, utf-16le, windows-1252, … (default: detected)' },
  {
    name: 'date-order',
    value: 'WHICH',
    help: 'day or month: which comes first in 5/6/2026 (default: from the column)',
  },
  { name: 'na', value: 'A,B,…', help: 'further texts that mean a missing value, such as ERR or -999' },
  { name: 'thousands', value: 'CHAR', help: 'thousands separator (default: accepted where a whole column uses it)' },
  { name: 'percent', help: 'read 12% as 0.12 in every column (default: where a whole column uses it)' },
  { name: 'currency', help: 'read $5 as 5 in every column (default: where a whole column uses it)' },
  { name: 'max-bytes', value: 'N', help: 'refuse files of more bytes, uncompressed (default 4294967296)' },
  { name: 'max-rows', value: 'N', help: 'refuse files of more rows (default 268435456)' },
  { name: 'max-columns', value: 'N', help: 'refuse files of more columns (default 100000)' },
];

export const COLUMN_OPTIONS: readonly OptionSpec[] = [
  { name: 'columns', value: 'A,B,…', help: 'columns to use (default: all); write a comma within a name twice' },
  { name: 'ignore', value: 'A,B,…', help: 'columns to leave out' },
  {
    name: 'missing',
    value: 'WHAT',
    help: 'missing values: median fills in, indicator also marks, drop omits the rows, error refuses',
  },
  { name: 'max-categories', value: 'N', help: 'one-hot encode text columns of up to N values (default 10)' },
  {
    name: 'categories',
    value: 'WHAT',
    help: 'text columns of more values: omit (default), or frequency (share of rows with the value)',
  },
  {
    name: 'dates',
    value: 'WHAT',
    help: 'date columns: omit (default), epoch (days), cycles (hour and weekday), or both',
  },
];

export function parse(command: Command, args: readonly string[]): Arguments {
  return new Arguments(args, Object.values(command.options).flat(), command.name);
}

export function inputOptions(given: Arguments): ReadOptions {
  return {
    format: given.choice('input-format', FORMATS),
    separator: readSeparator(given.text('separator')),
    widths: widthsOf(given),
    ragged: given.choice('ragged', RAGGED_POLICIES),
    decimal: given.choice('decimal', ['.', ','] as const),
    header: given.flag('header') ? true : given.flag('no-header') ? false : undefined,
    skip: given.wholeNumber('skip', 0),
    units: given.flag('units') || undefined,
    comment: given.text('comment'),
    encoding: given.text('encoding'),
    dateOrder: given.choice('date-order', DATE_ORDERS),
    na: given.list('na'),
    thousands: given.text('thousands'),
    percent: given.flag('percent') || undefined,
    currency: given.flag('currency') || undefined,
    maxBytes: limitOf(given, 'max-bytes'),
    maxRows: limitOf(given, 'max-rows'),
    maxColumns: limitOf(given, 'max-columns'),
  };
}

function widthsOf(given: Arguments): number[] | undefined {
  const widths = given.list('widths')?.map(Number);
  if (widths?.every((width) => Number.isSafeInteger(width) && width > 0) ?? true) return widths;
  throw new UsageError(`--widths must be whole numbers such as 5,10,8, got ${quote(given.text('widths') ?? '')}`);
}

function limitOf(given: Arguments, name: string): number | undefined {
  return given.number(name, 'a whole number above 0', (limit) => Number.isSafeInteger(limit) && limit > 0);
}

export function tableSettings(given: Arguments): TableSettings {
  return {
    columns: given.list('columns'),
    ignore: given.list('ignore') ?? [],
    missing: given.choice('missing', MISSING_POLICIES) ?? 'error',
    mostCategories: given.wholeNumber('max-categories', 0) ?? 10,
    categories: given.choice('categories', CATEGORY_CHOICES) ?? 'omit',
    dates: given.choice('dates', DATE_CHOICES) ?? 'omit',
  };
}

export function helpOf(command: Command): string {
  const lines = [`${paint('bold', 'Usage')}  curvad ${command.name} ${command.usage}`, '', command.about];
  if (command.methods !== undefined) {
    lines.push('', paint('bold', 'Methods'));
    const width = Math.max(...Object.keys(command.methods).map(({ length }) => length));
    for (const [name, { about }] of Object.entries(command.methods)) lines.push(`  ${name.padEnd(width)}  ${about}`);
  }
  for (const [heading, options] of Object.entries(command.options)) {
    lines.push('', paint('bold', heading));
    const names = options.map(({ name, short, value }) => {
      const long = name === short ? '' : `--${name}`;
      return `${[short === undefined ? '' : `-${short}`, long].filter((part) => part !== '').join(', ')}${value ? ` ${value}` : ''}`;
    });
    const width = Math.max(...names.map(({ length }) => length));
    options.forEach(({ help }, i) => {
      lines.push(`  ${(names[i] as string).padEnd(width)}  ${help}`);
    });
  }
  if (command.notes !== undefined) lines.push('', command.notes);
  lines.push('', paint('bold', 'Examples'));
  for (const [line, meaning] of command.examples) lines.push(`  ${line}`, `      ${paint('dim', meaning)}`);
  return `${lines.join('\n')}\n`;
}
