// What text means that stands where a number, a boolean or a time could stand.
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** Double precision as Fortran writes it: 1.5D+03. */
const FORTRAN = /^([+-]?(?:\d+\.\d*|\.\d+))d([+-]?\d+)$/i;

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
  const fortran = FORTRAN.exec(trimmed);
  if (fortran !== null) return Number(`${fortran[1]}e${fortran[2]}`);
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
