// What a command is, and how its help reads. Options that several commands share are here.

import { FORMATS, type ReadOptions, readSeparator } from '../files/options.js';
import { CATEGORY_CHOICES, DATE_CHOICES, type TableSettings } from '../tables/options.js';
import { MISSING_POLICIES } from '../tables/recipe.js';
import { Arguments, type OptionSpec } from './arguments.js';
import { paint, type Terminal } from './terminal.js';

export interface Command {
  readonly name: string;
  /** The arguments, as in "FILE [options]". */
  readonly usage: string;
  readonly about: string;
  /** What --method can be, and what each does. */
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
  help: 'threads beside the main one, 0 for none (default: one per core)',
};

export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: 'quiet', short: 'q', help: 'no remarks and no progress' },
  { name: 'help', short: 'h', help: 'this text' },
];

export const INPUT_OPTIONS: readonly OptionSpec[] = [
  { name: 'input-format', value: 'NAME', help: `${FORMATS.join(', ')} (default: by its content and name)` },
  { name: 'separator', value: 'CHAR', help: 'what is between the fields of CSV (default: detected)' },
  { name: 'decimal', value: 'CHAR', help: 'the decimal mark of CSV: . or , (default: detected)' },
  { name: 'header', help: 'the first line of CSV names the columns (default: detected)' },
  { name: 'no-header', help: 'the first line of CSV is a row' },
  { name: 'skip', value: 'N', help: 'lines of CSV to pass over before the first' },
  { name: 'units', help: 'the line after the names holds units: pass over it' },
  { name: 'comment', value: 'TEXT', help: 'lines of CSV that begin with TEXT are passed over' },
  { name: 'encoding', value: 'NAME', help: 'of text: utf-8, utf-16le, windows-1252, … (default: detected)' },
  { name: 'na', value: 'A,B,…', help: 'more texts that stand for a missing value, such as ERR or -999' },
  { name: 'thousands', value: 'CHAR', help: 'the separator of thousands (default: where a whole column has it)' },
  { name: 'percent', help: '12% is 0.12 in any column (default: where a whole column has it)' },
  { name: 'currency', help: '$5 is 5 in any column (default: where a whole column has it)' },
  { name: 'max-bytes', value: 'N', help: 'bytes to read at most, unpacked (default 4294967296)' },
  { name: 'max-rows', value: 'N', help: 'rows to read at most: a file of more is refused (default 268435456)' },
  { name: 'max-columns', value: 'N', help: 'columns to read at most: a file of more is refused (default 100000)' },
];

export const COLUMN_OPTIONS: readonly OptionSpec[] = [
  { name: 'columns', value: 'A,B,…', help: 'columns to use (default: all); a comma in a name is doubled' },
  { name: 'ignore', value: 'A,B,…', help: 'columns to leave out' },
  {
    name: 'missing',
    value: 'WHAT',
    help: 'missing values: median fills them in, indicator marks them too, drop leaves rows out, error',
  },
  { name: 'max-categories', value: 'N', help: 'text columns of up to N values become columns of 0 and 1 (default 10)' },
  {
    name: 'categories',
    value: 'WHAT',
    help: 'text of more values: omit (default), or frequency, its share of the rows',
  },
  { name: 'dates', value: 'WHAT', help: 'omit (default), epoch (days), cycles (hour and weekday), or both' },
];

export function parse(command: Command, args: readonly string[]): Arguments {
  return new Arguments(args, Object.values(command.options).flat(), command.name);
}

export function inputOptions(given: Arguments): ReadOptions {
  return {
    format: given.choice('input-format', FORMATS),
    separator: readSeparator(given.text('separator')),
    decimal: given.choice('decimal', ['.', ','] as const),
    header: given.flag('header') ? true : given.flag('no-header') ? false : undefined,
    skip: given.wholeNumber('skip', 0),
    units: given.flag('units') || undefined,
    comment: given.text('comment'),
    encoding: given.text('encoding'),
    na: given.list('na'),
    thousands: given.text('thousands'),
    percent: given.flag('percent') || undefined,
    currency: given.flag('currency') || undefined,
    maxBytes: limitOf(given, 'max-bytes'),
    maxRows: limitOf(given, 'max-rows'),
    maxColumns: limitOf(given, 'max-columns'),
  };
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
