// A zoo of messy files, as people have them: the kinds below, each with several seeds. The generator knows what it wrote, so
// the truth is its own numbers: a column of them, a column that is told to be text, or an error that names the place.
import { describe, expect, it } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { readTable } from '../../src/files/index.js';
import type { ReadOptions } from '../../src/files/options.js';
import { applyRecipe } from '../../src/tables/apply.js';
import { learnRecipe } from '../../src/tables/learn.js';
import { checkTableOptions } from '../../src/tables/options.js';
import { AT_A_TERMINAL } from '../../src/tables/wording.js';
import { Random } from '../support/data.js';
import { bytes, cellsOf, latin1, utf16 } from './support.js';

const SEEDS = [1, 2, 3, 4];
const ROWS = 40;

interface Exhibit {
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly options?: ReadOptions;
  /** What columns hold; those that are not named here may hold anything. */
  readonly truth?: Readonly<Record<string, ReadonlyArray<number | string | boolean | Date | null>>>;
  /** What is noted, when it is read or when columns are chosen. */
  readonly note?: RegExp;
  /** Why it is refused, at the latest when it is used. */
  readonly error?: RegExp;
}

type Kind = (random: Random) => Exhibit;

const cents = (value: number): number => Number(value.toFixed(2));

/** Numbers of two decimals, and how they are written. */
function numbers(random: Random, size = 100): number[] {
  return Array.from({ length: ROWS }, () => cents(random.gaussian() * size + 3 * size));
}

/** One number for each row below 1, 1,000 and 1,000,000 at least. */
function large(random: Random): number[] {
  return Array.from({ length: ROWS }, (_, i) => cents(random.uniform() * 10 ** (3 + (i % 5)) + (i % 5 ? 1000 : 1)));
}

const grouped = (value: number, comma: string, point: string, decimals = 2): string => {
  const [whole = '', fraction = ''] = Math.abs(value).toFixed(decimals).split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, comma);
  return `${value < 0 ? '-' : ''}${groups}${decimals > 0 ? point + fraction : ''}`;
};
const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const letters = (i: number): string => ['red', 'green', 'blue'][i % 3] as string;

/** A file of two columns: x as it is written, and a plain one beside it. */
function file(write: (value: number, i: number) => string, values: readonly number[], separator = ','): string {
  const cell = (text: string): string => (separator === ',' ? quoted(text) : text);
  return `x${separator}plain\n${values.map((value, i) => `${cell(write(value, i))}${separator}${i}`).join('\n')}\n`;
}

/** The name of the first column is 日本 in Shift-JIS. */
const sjis = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array([0x93, 0xfa, 0x96, 0x7b, 0x81, 0x45, ...bytes(text.slice(1))]);

/** Numbers that are written in a way of their own in all cells. */
const all =
  (write: (value: number, i: number) => string, { separator = ',', make = numbers } = {}): Kind =>
  (random) => {
    const values = make(random);
    return { text: file(write, values, separator), truth: { x: values } };
  };

/** Some cells that are no numbers: the column is told not to be one, or the cell is named. */
const some =
  (write: (value: number, i: number) => string, expected: Pick<Exhibit, 'note' | 'error'>): Kind =>
  (random) => ({ text: file(write, numbers(random)), ...expected });

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');
const iso = (at: number): string => new Date(at).toISOString().slice(0, 19);
const dated = (at: number, write: (year: number, month: number, day: number) => string): string => {
  const date = new Date(at);
  return write(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
};
const halfDay = (at: number): string => {
  const hour = new Date(at).getUTCHours();
  return `${hour % 12 || 12}:${iso(at).slice(14)} ${hour < 12 ? 'AM' : 'PM'}`;
};
/** Moments of 40 years, to the second, and the first of them on the last day of a month. */
const moments = (random: Random): number[] =>
  Array.from({ length: ROWS }, (_, i) => Date.UTC(1990 + i, 0, 31) + Math.floor(random.uniform() * (i && 3e7)) * 1000);
const DAYS = (random: Random): number[] => moments(random).map((at) => Math.floor(at / 864e5) * 864e5);
const monthsFrom = (random: Random): number[] => {
  const first = Math.floor(random.uniform() * 600);
  return Array.from({ length: ROWS }, (_, i) => Date.UTC(1970, first + i, 1));
};

/** Times that are written in a way of their own in all cells. */
const times =
  (
    write: (at: number, i: number) => string,
    make: (random: Random) => number[] = (random) => whole(moments(random)),
  ): Kind =>
  (random) => {
    const values = make(random);
    return { text: file((at, i) => write(at, i), values), truth: { x: values.map((at) => new Date(at)) } };
  };

/** To the minute, for ways of writing that have no seconds. */
const whole = (values: readonly number[]): number[] => values.map((at) => Math.floor(at / 60e3) * 60e3);

/** Rows in a shape of JSON; a long text in the first keeps it from ending in what is looked at. */
const json =
  (shape: (rows: ReadonlyArray<{ x: number; plain: number }>) => unknown, note?: RegExp): Kind =>
  (random) => {
    const values = numbers(random);
    const text = JSON.stringify(shape(values.map((x, i) => ({ x, plain: i }))));
    const filler = random.uniform() < 0.5 ? ' '.repeat(70_000) : '';
    return {
      text: text.replace(':', `:${filler}`),
      truth: { x: values, plain: values.map((_, i) => i) },
      ...(note && { note }),
    };
  };

const KINDS: Readonly<Record<string, Kind>> = {
  'plain numbers': all(String),
  'numbers with spaces around': all((value) => `  ${value} `),
  'numbers in quotes': all((value) => `"${value}"`.replaceAll('"', '')),
  'numbers with a plus': all((value) => (value < 0 ? String(value) : `+${value}`)),
  'scientific notation': all((value) => value.toExponential(10)),
  'decimal commas': all((value) => value.toFixed(2).replace('.', ','), { separator: ';' }),
  'decimal commas and tabs': all((value) => value.toFixed(2).replace('.', ','), { separator: '\t' }),
  '1.234,56': all((value) => grouped(value, '.', ','), { separator: ';', make: large }),
  '1.234,56 where all are large': all((value) => grouped(value, '.', ','), {
    separator: ';',
    make: (random) => large(random).map((value) => cents(value + 1000)),
  }),
  '1,234.56 in quotes': all((value) => grouped(value, ',', '.'), { make: large }),
  '1 234,56': all((value) => grouped(value, '\u00a0', ','), { separator: ';', make: large }),
  '1 234 with narrow spaces': all((value) => grouped(value, '\u202f', '.', 0), {
    make: (random) => large(random).map(Math.round),
  }),
  "1'234.56": all((value) => grouped(value, "'", '.'), { make: large }),
  percents: (random) => {
    const values = numbers(random);
    return { text: file((value) => `${value}%`, values), truth: { x: values.map((value) => Number(`${value}e-2`)) } };
  },
  'percents with decimal commas': (random) => {
    const values = numbers(random);
    const text = file((value) => `${String(value).replace('.', ',')} %`, values, ';');
    return { text, truth: { x: values.map((value) => Number(`${value}e-2`)) } };
  },
  dollars: all((value) => `${value < 0 ? '-' : ''}$${grouped(Math.abs(value), ',', '.')}`, { make: large }),
  'euros behind': all((value) => `${grouped(value, '.', ',')} €`, { separator: ';', make: large }),
  'codes of currencies': all((value) => `CHF ${value}`.replace('CHF -', '-CHF ')),
  'a unit in every cell': all((value) => `${value} kg`),
  degrees: all((value) => `${value}°C`),
  'brackets for negative numbers': all((value, i) => (i % 4 ? String(value) : `(${Math.abs(value)})`), {
    make: (random) => numbers(random).map((value, i) => (i % 4 ? Math.abs(value) : -Math.abs(value))),
  }),
  'a minus behind': all((value, i) => (i % 4 ? String(value) : `${Math.abs(value)}-`), {
    make: (random) => numbers(random).map((value, i) => (i % 4 ? Math.abs(value) : -Math.abs(value))),
  }),
  'the minus of typesetters': all((value) => String(value).replace('-', '\u2212'), {
    make: (random) => numbers(random).map((value) => cents(value - 300)),
  }),
  'spaces that do not break': all((value) => `${value}\u00a0`),
  'wide digits': all((value) => String(value).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))),
  'words for nothing': (random) => {
    const words = ['', 'NA', 'n/a', '-', 'null', 'NaN', '#N/A', 'None', '--', '#DIV/0!'];
    const values = numbers(random).map((value, i) => (i % 5 === 2 ? null : value));
    const text = file(
      (_, i) => (values[i] === null ? (words[(i / 5) | 0] as string) : String(values[i])),
      values.map(Number),
    );
    return { text, truth: { x: values } };
  },
  'one cell of text': some((value, i) => (i === 7 ? 'ERR' : String(value)), {
    error: /row 7, column "x" holds "ERR".*--na ERR/,
  }),
  'one percent, one sum of money, one thousand': (random) => {
    const [odd, hint] = [
      ['12%', '--percent reads it as 0.12, --na 12%'],
      ['$5', "--currency reads it as 5, --na '\\$5'"],
      ['1,234', '--thousands "," reads it as 1234'],
    ][Math.floor(random.uniform() * 3)] as [string, string];
    const text = file((value, i) => (i === 7 ? odd : String(value)), numbers(random));
    return { text, error: new RegExp(`row 7, column "x" holds ".*${hint}`) };
  },
  'text in every tenth cell': some((value, i) => (i % 10 === 7 ? '<0.5' : String(value)), {
    note: /ignored the column "x" \(numbers and text such as "<0.5"; --na/,
  }),
  'stars behind some numbers': some((value, i) => (i % 10 === 3 ? `${value}*` : String(value)), {
    note: /ignored the column "x" \(numbers and text such as/,
  }),
  'a unit in one cell': some((value, i) => (i === 9 ? `${value} kg` : String(value)), {
    error: /row 9, column "x" holds .* kg"/,
  }),
  'text on a scale of numbers': (random) => ({
    text: file((_, i) => (i % 5 === 4 ? '5 - good' : String(1 + (i % 5))), numbers(random)),
    note: /the column "x" is taken for categories, as "5 - good" among its numbers is none/,
  }),
  '-999 for nothing': some((value, i) => (i % 11 === 5 ? '-999' : String(value / 1000)), {
    note: /the column "x" holds -999 \d times, far from all else: --na -999/,
  }),
  booleans: (random) => {
    const values = Array.from({ length: ROWS }, () => random.uniform() < 0.4);
    const words = [
      ['true', 'false'],
      ['TRUE', 'FALSE'],
      ['True', 'False'],
      ['true', 'FALSE'],
    ][Math.floor(random.uniform() * 4)] as [string, string];
    return { text: file((_, i) => words[values[i] ? 0 : 1], values.map(Number)), truth: { x: values } };
  },
  'booleans among 0 and 1': (random) => {
    const values = Array.from({ length: ROWS }, (_, i) => i === 0 || random.uniform() < 0.4);
    const words = [
      ['0', 'FALSE'],
      ['1', 'TRUE'],
    ];
    return {
      text: file((_, i) => words[Number(values[i])]?.[i % 2] as string, values.map(Number)),
      truth: { x: values },
    };
  },
  'ISO dates': (random) => ({
    text: file((_, i) => `2026-05-${String(1 + (i % 28)).padStart(2, '0')}`, numbers(random)),
    note: /ignored the column "x" \(it holds dates and times; --dates/,
  }),
  'ISO dates with zones': times((at, i) => `${iso(at + (i % 3) * 3600e3)}+0${i % 3}:00`),
  'dates and times in UTC': times((at) => `${iso(at).replace('T', ' ')} UTC`),
  'American dates': times((at) => dated(at, (y, m, d) => `${m}/${d}/${y}`), DAYS),
  'American dates and times': times((at) => `${dated(at, (y, m, d) => `${m}/${d}/${y}`)} ${halfDay(at)}`),
  'dates of two digits': times((at) => dated(at, (y, m, d) => `${two(m)}/${two(d)}/${two(y % 100)}`), DAYS),
  'British dates': times((at) => dated(at, (y, m, d) => `${two(d)}/${two(m)}/${y}`), DAYS),
  'German dates': times((at) => dated(at, (y, m, d) => `${two(d)}.${two(m)}.${y}`), DAYS),
  'German dates and times': times((at) => `${dated(at, (y, m, d) => `${d}.${m}.${y}`)} ${iso(at).slice(11, 16)}`),
  'dates with the year first and single digits': times((at) => dated(at, (y, m, d) => `${y}/${m}/${d}`), DAYS),
  'names of months': times((at) => dated(at, (y, m, d) => `${d}-${MONTHS[m - 1]}-${y}`), DAYS),
  'names of months first': times((at) => dated(at, (y, m, d) => `${MONTHS[m - 1]} ${d}, ${y}`), DAYS),
  'times of mails': times((at) => new Date(at).toUTCString()),
  'times of web servers': times((at) =>
    dated(at, (y, m, d) => `${two(d)}/${MONTHS[m - 1]}/${y}:${iso(at).slice(11)} +0000`),
  ),
  'times of programs': times((at) => new Date(at).toISOString().replace(/[-:]/g, '')),
  'years and months': times(
    (at) => iso(at).slice(0, 7),
    (random) => monthsFrom(random),
  ),
  'dates whose order nobody can tell': (random) => ({
    text: file((_, i) => `${1 + (i % 12)}/${1 + ((i * 7) % 12)}/2026`, numbers(random)),
    note: /dates such as "1\/1\/2026", where day and month cannot be told apart; --date-order/,
  }),
  'dates whose order is said': (random) => {
    const values = numbers(random).map((_, i) => Date.UTC(2026, i % 12, 1 + ((i * 7) % 12)));
    const text = file((at) => dated(at, (y, m, d) => `${d}/${m}/${y}`), values);
    return { text, options: { dateOrder: 'day' }, truth: { x: values.map((at) => new Date(at)) } };
  },
  'dates in two orders': (random) => ({
    text: file((_, i) => (i % 2 ? `13/${1 + (i % 12)}/2026` : `${1 + (i % 12)}/13/2026`), numbers(random)),
    note: /some begin with the day and some with the month/,
  }),
  'days as numbers': (random) => ({
    text: file((_, i) => `202605${String(1 + (i % 28)).padStart(2, '0')}`, numbers(random)),
    note: /the column "x" looks like days, as 20260501 is/,
  }),
  'seconds since 1970': (random) => ({
    text: file((_, i) => String(1767225600 + i * 61 + (i % 3)), numbers(random)).replace('x', 'start_time'),
    note: /the column "start_time" looks like seconds since 1970/,
  }),
  'a column that counts the rows': (random) => ({
    text: numbers(random).reduce((text, value, i) => `${text}${i},${value}\n`, ',x\n'),
    note: /the column "column 1" counts the rows: --ignore "column 1"/,
  }),
  'codes with leading zeros': (random) => ({
    text: file((_, i) => String(501 + i * 997).padStart(5, '0'), numbers(random)),
    note: /the column "x" is written with leading zeros \(00501\), as codes are/,
  }),
  'a column of labels': (random) => ({
    text: file((_, i) => String(Number(i % 9 === 0)), numbers(random)).replace('x,plain', 'is_fraud,plain'),
    note: /the column "is_fraud" may be the answer.*--label is_fraud/,
  }),
  '64-bit identities': (random) => ({
    text: file((_, i) => String(9007199254740993n + BigInt(i)), numbers(random)),
    note: /whole numbers beyond 2\^53, as identities are/,
  }),
  'a line of sums': (random) => ({
    text: `${numbers(random).reduce((text, value, i) => `${text}n${i},${value}\n`, 'name,x\n')}Total,4711\n`,
    note: /the last row may sum up the others: its "name" is "Total"/,
  }),
  'a line of sums in a column of numbers': (random) => ({
    text: `${file(String, numbers(random))}Total,4711\n`,
    error: /row 40, column "x" holds "Total"/,
  }),
  'names that are repeated': (random) => {
    const values = numbers(random);
    const lines = values.flatMap((value, i) => (i % 15 === 14 ? ['x,plain', `${value},${i}`] : [`${value},${i}`]));
    return { text: `x,plain\n${lines.join('\n')}\n`, truth: { x: values }, note: /2 lines that repeat the header/ };
  },
  'names of numbers from 0': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => `${value},${i + 5000},${value / 2}`);
    return { text: `0,1,2\n${lines.join('\n')}\n`, truth: { 0: values, 1: values.map((_, i) => i + 5000) } };
  },
  'a line that is too short': (random) => ({
    text: `${file(String, numbers(random))}7\n`,
    error: /line 42: it has 1 field /,
  }),
  'a note at the end': (random) => ({
    text: `${file(String, numbers(random))}Source: us\n`,
    error: /line 42: it has 1 field /,
  }),
  'a title above': (random) => ({
    text: `Report of May\n${file(String, numbers(random))}`,
    error: /titles or comments stand above/,
  }),
  'a title that is skipped': (random) => {
    const values = numbers(random);
    return { text: `Report of May\n\n${file(String, values)}`, options: { skip: 2 }, truth: { x: values } };
  },
  comments: (random) => {
    const values = numbers(random);
    return { text: `# made\n${file(String, values)}# end\n`, options: { comment: '#' }, truth: { x: values } };
  },
  'units below the names': (random) => ({
    text: file(String, numbers(random)).replace('plain\n', 'plain\n°C,rpm\n'),
    error: /row 0, column "x" holds "°C".*--units/,
  }),
  'blank lines, and the end of files of DOS': (random) => {
    const values = numbers(random);
    return { text: `\r\n${file(String, values).replaceAll('\n', '\r\n\r\n')}\x1a`, truth: { x: values } };
  },
  'old Macs': (random) => {
    const values = numbers(random);
    return { text: file(String, values).replaceAll('\n', '\r'), truth: { x: values } };
  },
  'columns that spaces align': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => `  ${String(value).padStart(9)}\t${i} ${letters(i)}`);
    return {
      text: `     x  plain word\n${lines.join('\n')}\n`,
      truth: { x: values },
      note: /separated by spaces or tabs/,
    };
  },
  'as UCI has them, with a name in quotes at the end': (random) => {
    const values = numbers(random);
    const text = values.map((value, i) => `${value}   ${i}      ${i % 8}\t"ford ${letters(i)} ${i}"`).join('\n');
    const names = values.map((_, i) => `ford ${letters(i)} ${i}`);
    return { text, truth: { 'column 1': values, 'column 4': names }, note: /separated by spaces or tabs/ };
  },
  'decimal commas between spaces': (random) => {
    const values = numbers(random);
    const text = values.map((value, i) => `${value.toFixed(2).replace('.', ',')} ${i},5`).join('\n');
    return { text: `x y\n${text}\n`, truth: { x: values, y: values.map((_, i) => i + 0.5) } };
  },
  'columns at fixed places, with spaces inside and cells that lack': (random) => {
    const values = numbers(random);
    const cities = values.map((_, i) => ['New York', 'Los Angeles', 'Rome'][i % 3] as string);
    const lines = values.map(
      (value, i) =>
        (cities[i] as string).padEnd(14) + (i % 7 ? String(value) : '').padStart(10) + String(i).padStart(5),
    );
    const truth = { City: cities, x: values.map((value, i) => (i % 7 ? value : null)) };
    return { text: `City                   x    n\n${lines.join('\n')}\n`, truth, note: /fixed-width/ };
  },
  'columns of given widths': (random) => {
    const values = numbers(random).map(Math.round);
    const text = values.map((value, i) => `${String(value).padStart(5)}${two(i)}${letters(i)}`).join('\n');
    return { text, options: { widths: [5, 2, 5] }, truth: { 'column 1': values, 'column 2': values.map((_, i) => i) } };
  },
  'names of rows without a name, as R writes them': (random) => {
    const values = numbers(random);
    const separator = [',', ';', '\t', ' '][Math.floor(random.uniform() * 4)] as string;
    const lines = values.map((value, i) => [`"r${i}"`, value, i].join(separator));
    return {
      text: `"x"${separator}"plain"\n${lines.join('\n')}\n`,
      truth: { x: values },
      note: /one name less than there are columns/,
    };
  },
  'separators at the ends of rows': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => `${value},${i},`);
    return { text: `x,plain\n${lines.join('\n')}\n`, truth: { x: values, plain: values.map((_, i) => i) } };
  },
  'separators at the end of the names': (random) => {
    const values = numbers(random);
    return { text: file(String, values).replace('plain\n', 'plain,,\n'), truth: { x: values } };
  },
  'rows without a header, separated by semicolons, with decimal commas': (random) => {
    const values = numbers(random);
    const text = values.map((value, i) => `${value.toFixed(2).replace('.', ',')};${i},5`).join('\n');
    return { text, truth: { 'column 1': values, 'column 2': values.map((_, i) => i + 0.5) } };
  },
  'short lines that are filled': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => (i % 9 ? `${value},${i},1` : `${value}`));
    return {
      text: `x,plain,one\n${lines.join('\n')}\n`,
      options: { ragged: 'fill' },
      truth: { x: values, plain: values.map((_, i) => (i % 9 ? i : null)) },
      note: /5 short lines were filled/,
    };
  },
  'lines of other lengths that are passed over': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => (i % 10 ? `${value},${i}` : `${value},${i}\nnote\n1,2,3`));
    return {
      text: `x,plain\n${lines.join('\n')}\n`,
      options: { ragged: 'skip' },
      truth: { x: values },
      note: /8 lines with another number of fields were skipped/,
    };
  },
  'comments above, with commas': (random) => {
    const values = numbers(random);
    const mark = ['#', '%', '//', ';'][Math.floor(random.uniform() * 4)] as string;
    const text = `${mark} made by hand, in May, at home\n${mark}\n${file(String, values)}${mark} end\n`;
    return { text, truth: { x: values }, note: /lines that begin with ".*" are skipped/ };
  },
  'names in a comment, as numpy writes them': (random) => {
    const values = numbers(random);
    const text = values.map((value, i) => `${value.toExponential(18)} ${i}`).join('\n');
    return { text: `# x plain\n${text}\n`, truth: { x: values }, note: /the last one above the table is the header/ };
  },
  'exponents of Fortran': all((value) => value.toExponential(12).replace('e', 'D')),
  'Japanese in Shift-JIS': (random) => ({
    text: sjis(file(String, numbers(random))),
    error: /neither UTF-8 nor windows-1252.*shift_jis/,
  }),
  'a file of Weka': (random) => ({
    text: `@RELATION a\n@ATTRIBUTE x NUMERIC\n@DATA\n${numbers(random).join('\n')}`,
    error: /ARFF/,
  }),
  'a file of libsvm': (random) => ({
    text: numbers(random)
      .map((value) => `1 1:${value} 3:2\n`)
      .join(''),
    error: /libsvm/,
  }),
  'an answer of a service': json(
    (rows) => ({ status: 'ok', count: rows.length, result: { items: rows } }),
    /its rows are in "result.items"/,
  ),
  'points of GeoJSON': json((rows) => ({
    type: 'FeatureCollection',
    features: rows.map((properties, i) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [i, -i] },
    })),
  })),
  'arrays below a row of names': json((rows) => [['x', 'plain'], ...rows.map(Object.values)], /the first row names/),
  'JSON of columns by row': json((rows) => ({
    x: Object.fromEntries(rows.map(({ x }, i) => [i, x])),
    plain: Object.fromEntries(rows.map(({ plain }, i) => [i, plain]).reverse()),
  })),
  'JSON of rows by name': json(
    (rows) => Object.fromEntries(rows.map((row, i) => [`row ${i}`, row])),
    /is taken for a row/,
  ),
  'JSON of a schema and its rows': json((rows) => ({ schema: { fields: [{ name: 'x' }] }, data: rows })),
  'several tables in one JSON': (random) => {
    const rows = numbers(random).map((x) => ({ x }));
    return {
      text: JSON.stringify({ nodes: rows, links: rows.slice(1) }),
      error: /several tables \("nodes", "links"\)/,
    };
  },
  'JSON as Python writes it': (random) => {
    const values = numbers(random).map((value, i) => (i % 9 ? value : null));
    return {
      text: `[${values.map((x) => `{"x": ${x ?? 'NaN'}, "note": "NaN, \\" Infinity"}`).join(', ')}]`,
      truth: { x: values },
    };
  },
  pipes: all(String, { separator: '|' }),
  'Excel in UTF-16': (random) => {
    const values = numbers(random);
    return { text: utf16(`\ufeff${file(String, values, '\t')}`), truth: { x: values } };
  },
  'Windows-1252': (random) => ({
    text: latin1(
      `Ort;x\n${numbers(random)
        .map((_, i) => `${['Köln', 'Zürich', 'Graß'][i % 3]};${i}`)
        .join('\n')}\n`,
    ),
    truth: { Ort: Array.from({ length: ROWS }, (_, i) => ['Köln', 'Zürich', 'Graß'][i % 3] as string) },
  }),
  'sep=': (random) => {
    const values = numbers(random);
    return { text: `sep=;\n${file(String, values, ';')}`, truth: { x: values } };
  },
  'quotes, commas and lines inside': (random) => {
    const values = numbers(random);
    const texts = values.map((_, i) => `a "${letters(i)}", 5" wide\nand ${i}`);
    const lines = values.map((value, i) => `${quoted(texts[i] as string)},${value}`);
    return { text: `note,x\n${lines.join('\n')}\n`, truth: { x: values, note: texts } };
  },
  'names twice, empty, of prototypes': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => `${value},${i},${-i},${i / 2},1`);
    return {
      text: `__proto__,x,x,,constructor\n${lines.join('\n')}\n`,
      truth: {
        ['__proto__']: values,
        'x (2)': values.map((_, i) => -i || 0),
        'column 4': values.map((_, i) => i / 2),
      },
    };
  },
};

const exhibits = Object.entries(KINDS).flatMap(([kind, make]) => SEEDS.map((seed) => ({ kind, seed, make })));

it('has at least 400 files', () => {
  expect(exhibits.length).toBeGreaterThanOrEqual(400);
});

describe('a file that is messy is read as people mean it, or tells what it is', () => {
  it.each(exhibits)('$kind, seed $seed', async ({ make, seed }) => {
    const { text, options, truth, note, error } = make(new Random(seed));
    const data = typeof text === 'string' ? bytes(text) : text;
    const notes: string[] = [];
    const use = async () => {
      const table = await readTable(data, { ...options, onNote: (said) => notes.push(said) });
      const settings = { ...checkTableOptions(undefined), missing: 'median' } as const;
      const { recipe, notes: said } = finish(learnRecipe(table, settings, AT_A_TERMINAL));
      notes.push(...said, ...finish(applyRecipe(table, { recipe, where: 'it', wording: AT_A_TERMINAL })).notes);
      return table;
    };
    if (error !== undefined) {
      await expect(use()).rejects.toThrow(error);
      return;
    }
    const table = await use();
    expect(table.rows).toBe(note?.source.includes('last row') ? ROWS + 1 : ROWS);
    for (const [name, cells] of Object.entries(truth ?? {})) expect(cellsOf(table, name), name).toEqual(cells);
    if (note !== undefined) expect(notes.join('\n')).toMatch(note);
  });
});
