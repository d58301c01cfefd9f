// What a command is, and how its help reads. Options that several commands share are here.

import { readSeparator } from '../files/csv.js';
import { INPUT_FORMATS, type InputOptions } from '../files/read.js';
import { Arguments, type OptionSpec } from './arguments.js';
import { MISSING_POLICIES } from './preparation.js';
import type { Selection } from './prepare.js';
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
  { name: 'input-format', value: 'NAME', help: `${INPUT_FORMATS.join(', ')} (default: by its content and name)` },
  { name: 'separator', value: 'CHAR', help: 'what is between the fields of CSV (default: detected)' },
  { name: 'decimal', value: 'CHAR', help: 'the decimal mark of CSV: . or , (default .)' },
  { name: 'header', help: 'the first line of CSV names the columns (default: detected)' },
  { name: 'no-header', help: 'the first line of CSV is a row' },
];

export const COLUMN_OPTIONS: readonly OptionSpec[] = [
  { name: 'columns', value: 'A,B,…', help: 'columns to use (default: all); a comma in a name is doubled' },
  { name: 'ignore', value: 'A,B,…', help: 'columns to leave out' },
  { name: 'missing', value: 'WHAT', help: 'rows that lack values: error (default), drop, or median to fill it in' },
  { name: 'max-categories', value: 'N', help: 'text columns of up to N values become columns of 0 and 1 (default 10)' },
];

export function parse(command: Command, args: readonly string[]): Arguments {
  return new Arguments(args, Object.values(command.options).flat(), command.name);
}

export function inputOptions(given: Arguments): InputOptions {
  return {
    format: given.choice('input-format', INPUT_FORMATS),
    separator: readSeparator(given.text('separator')),
    decimal: given.choice('decimal', ['.', ','] as const),
    header: given.flag('header') ? true : given.flag('no-header') ? false : undefined,
  };
}

export function selection(given: Arguments, reserved: ReadonlyArray<string | undefined>): Selection {
  return {
    columns: given.list('columns'),
    ignore: given.list('ignore') ?? [],
    reserved: reserved.filter((name) => name !== undefined),
    missing: given.choice('missing', MISSING_POLICIES) ?? 'error',
    mostCategories: given.wholeNumber('max-categories', 2) ?? 10,
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
