// What text means that stands where a number, a boolean or a time could stand.
import type { TimeUnit } from './table.js';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Texts that stand for a missing value in every column, in whatever case. */
export const MISSING_MARKERS: readonly string[] = [
  ...['', 'na', 'n/a', '#n/a', '#n/a n/a', '#na', '<na>', 'nan', '-nan', 'nat', 'null', 'none', 'nil', '\\n'],
  ...['?', '-', '.', '1.#ind', '-1.#ind', '1.#qnan', '-1.#qnan'],
];
/** Texts that stand for a missing value where the other cells are numbers or times; elsewhere they are text. */
export const MISSING_AMONG_NUMBERS: readonly string[] = [
  ...['--', '---', '..', '*', 'n.a.', 'missing', 'unknown', 'undefined', 'not available', 'not applicable'],
  ...['#div/0!', '#value!', '#ref!', '#name?', '#num!', '#null!', '#error!', '#calc!', '#spill!'],
];
const EVERYWHERE: ReadonlySet<string> = new Set(MISSING_MARKERS);
const AMONG_NUMBERS: ReadonlySet<string> = new Set(MISSING_AMONG_NUMBERS);
const LONGEST_MARKER = 16;
const INFINITE = /^([+-]?)inf(inity)?$/i;
/** ISO 8601, with a space for the T and slashes for the hyphens too. */
const TIME =
  /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** The number that a text is written as, or NaN. */
export function numberOf(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII.
const IS_ASCII = /^[\u0000-\u007f]*$/;

/** The number in text with characters that only look like those of numbers: a minus of typesetters, wide digits. Or NaN. */
export function foreignNumberOf(text: string): number {
  if (text.length > 40 || IS_ASCII.test(text)) return Number.NaN;
  return numberOf(text.normalize('NFKC').replace('\u2212', '-').trim());
}

/** What text is that is not a plain number: infinite, missing (undefined), or text. */
export function meaningOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed.length <= LONGEST_MARKER && EVERYWHERE.has(trimmed.toLowerCase())) return undefined;
  const infinite = INFINITE.exec(trimmed);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  const foreign = foreignNumberOf(text);
  return Number.isNaN(foreign) ? trimmed : foreign;
}

/** Whether text stands for a missing value where the other cells are numbers or times. */
export function isMissingAmongNumbers(text: string): boolean {
  return text.length <= LONGEST_MARKER && AMONG_NUMBERS.has(text.toLowerCase());
}

/** true, false, True, FALSE, …: whether a text is a boolean, and which. */
export function booleanOf(text: string): boolean | undefined {
  const word = text.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : undefined;
}

/** The time that a text is written as, in milliseconds since 1970; without an offset it is taken as UTC. Or NaN. */
export function timeOf(text: string): number {
  const parts = TIME.exec(text);
  if (parts === null) return Number.NaN;
  const [, year, , month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = parts;
  const time = Date.UTC(0, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(time);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day)); // Date.UTC takes years below 100 for 19xx
  const isThere =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  if (!isThere) return Number.NaN;
  const milliseconds = fraction === '' ? 0 : Number(`${fraction.padEnd(9, '0').slice(0, 9)}e-6`);
  return date.getTime() + milliseconds - offsetOf(zone);
}

function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || 0);
  return (zone[0] === '-' ? -1 : 1) * minutes * 60_000;
}

/** The coarsest unit that tells every time of a column. */
export function unitOf(texts: readonly string[]): TimeUnit {
  let digits = -1;
  for (const text of texts) {
    const fraction = /[.,](\d+)/.exec(text)?.[1];
    if (fraction !== undefined) digits = Math.max(digits, fraction.length);
    else if (text.length > 10) digits = Math.max(digits, 0);
  }
  return digits < 0 ? 'day' : digits === 0 ? 's' : digits <= 3 ? 'ms' : digits <= 6 ? 'us' : 'ns';
}
