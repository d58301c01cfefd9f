// What messages about tables recommend: options are spelt differently in a program and at a terminal.
import { clean, quote } from '../core/messages.js';
import { dressedNumber } from './dress.js';

export interface Wording {
  /** After a sentence about missing values. */
  readonly missing: string;
  /** Reasons for which columns are left out, and what would keep them. */
  readonly dates: string;
  readonly dateOrder: string;
  readonly many: string;
  readonly identities: string;
  readonly decimals: string;
  /** After a sentence about a column that cannot be used. */
  ignore(name: string): string;
  /** After a sentence about text in a column of numbers. */
  stray(text: string, name: string): string;
  /** After a sentence about a column that looks like labels. */
  label(name: string): string;
  /** After a sentence about a number that may stand for missing values. */
  sentinel(text: string): string;
  /** After that, where it is the first row. */
  readonly unitsBelowNames: string;
  /** How an option is written. */
  option(name: string): string;
  readonly nothing: string;
}

export const IN_A_PROGRAM: Wording = {
  missing:
    "fit on table(rows, { missing: 'median' }) to fill such cells, 'indicator' to mark them too, 'drop' to leave their rows out",
  dates: "dates: 'epoch', 'cycles' or 'both' uses them",
  dateOrder: "make Dates of them (dateOrder: 'day' or 'month' where files are read)",
  many: "categories: 'frequency' uses it",
  identities: 'name it in columns to use it',
  decimals: 'numbers with a decimal comma must be read as numbers',
  ignore: (name) => `fit on table(rows, { ignore: [${JSON.stringify(name)}] }) to leave it out`,
  stray: (_, name) => `fit on table(rows, { ignore: [${JSON.stringify(name)}] }) to leave the column out`,
  label: (name) => `fit on table(rows, { ignore: [${JSON.stringify(name)}] }) to leave it out`,
  sentinel: (text) => `make it NaN if that means missing (na: ['${text}'] where files are read)`,
  unitsBelowNames: '',
  option: (name) => name,
  nothing: 'table(rows, options) says how others can be used',
};

export const AT_A_TERMINAL: Wording = {
  missing: '--missing drop leaves such rows out, --missing median fills them in, --missing indicator marks them too',
  dates: '--dates epoch, cycles or both uses them',
  dateOrder: '--date-order day or month decides',
  many: '--categories frequency uses it',
  identities: '--columns uses it if it is named there',
  decimals: '--decimal , reads it as numbers',
  ignore: (name) => `--ignore ${argument(name)} leaves the column out`,
  stray: (text, name) => `${asNumber(text)}--na ${argument(text)} if that means missing, or --ignore ${argument(name)}`,
  label: (name) => `--label ${argument(name)} measures the ranking by it, --ignore ${argument(name)} leaves it out`,
  sentinel: (text) => `--na ${text} if that means missing`,
  unitsBelowNames: '; --units if the line below the names holds units',
  option: (name) => `--${name}`,
  nothing: 'check --columns, --ignore, --separator and --decimal',
};

/** For whoever drives `curvad worker` from Python. */
export const IN_PYTHON: Wording = {
  missing: "missing='median' fills such cells in, 'indicator' marks them too, 'drop' leaves their rows out",
  dates: "dates='epoch', 'cycles' or 'both' uses them",
  dateOrder: 'make dates of them',
  many: "categories='frequency' uses it",
  identities: 'make floats of it to use it',
  decimals: 'numbers with a decimal comma must be read as numbers',
  ignore: () => 'drop the column to leave it out',
  stray: () => 'replace such cells, or drop the column',
  label: () => 'drop the column to leave it out',
  sentinel: (text) => `make ${text} NaN if that means missing`,
  unitsBelowNames: '',
  option: (name) => name,
  nothing: 'dates= and categories= say how others can be used',
};

/** The option by which a text is a number. */
function asNumber(text: string): string {
  const dress = dressedNumber(text, '.');
  if (dress === undefined || dress.isAccounting) return '';
  if (dress.isPercent) return `--percent reads it as ${dress.value}, `;
  if (dress.currency !== '') return `--currency reads it as ${dress.value}, `;
  return dress.separator === '' ? '' : `--thousands "${dress.separator}" reads it as ${dress.value}, `;
}

/** Text as it is written in a list of the command line: commas are doubled, and a shell finds nothing of its own in it. */
function argument(text: string): string {
  const listed = clean(text, 30).replaceAll(',', ',,');
  if (/^[\w.,@%+/-]+$/.test(listed)) return listed;
  return /[$`\\!"]/.test(listed) ? `'${listed.replaceAll("'", "'\\''")}'` : quote(listed, 40);
}

/** Names in a list, the first few of them. */
export function listOf(names: readonly string[], most = 8): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
