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
  readonly truth?: Readonly<Record<string, ReadonlyArray<number | string | boolean | null>>>;
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
  'American dates': (random) => ({
    text: file((_, i) => `${1 + (i % 12)}/${1 + ((i * 7) % 28)}/2026`, numbers(random)),
    note: /dates such as "1\/1\/2026": only those that begin with the year/,
  }),
  'German dates, few of them': (random) => ({
    text: file((_, i) => `${1 + (i % 5)}.5.2026 10:00`, numbers(random)),
    note: /dates such as "1.5.2026 10:00": only those that begin with the year/,
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
    return { text: `x,plain\n${lines.join('\n')}\n`, truth: { x: values }, note: /2 lines that only repeat the names/ };
  },
  'names of numbers from 0': (random) => {
    const values = numbers(random);
    const lines = values.map((value, i) => `${value},${i + 5000},${value / 2}`);
    return { text: `0,1,2\n${lines.join('\n')}\n`, truth: { 0: values, 1: values.map((_, i) => i + 5000) } };
  },
  'a line that is too short': (random) => ({
    text: `${file(String, numbers(random))}7\n`,
    error: /line 42: it has 1 fields/,
  }),
  'a note at the end': (random) => ({
    text: `${file(String, numbers(random))}Source: us\n`,
    error: /line 42: it has 1 fields/,
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

it('has at least 200 files', () => {
  expect(exhibits.length).toBeGreaterThanOrEqual(200);
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
