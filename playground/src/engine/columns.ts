// Columns of a table: what they can be used for, and how they become what people say they are.
import type { Column, Table } from 'curvad/files';
import type { MadeColumn } from '../data/sets.js';
import type { ColumnSummary, ColumnUse, Conversion } from './protocol.js';

/** Texts of at most so many values can be categories. */
const MOST_CATEGORIES = 10;
const MISSING_TEXT = -1;
const MISSING_BOOLEAN = 255;
const DAY = 86_400_000;

export function tableOfMade(made: readonly MadeColumn[]): Table {
  const columns = made.map(({ name, kind, values }): Column => {
    if (kind === 'text') return textColumn(name, values as readonly string[]);
    if (kind === 'time') return { kind, name, values: values as Float64Array, unit: 's', missing: 0 };
    return { kind, name, values: values as Float64Array, isWhole: false, missing: 0 };
  });
  return { columns, rows: made[0]?.values.length ?? 0, isNamed: true };
}

function textColumn(name: string, cells: ReadonlyArray<string | undefined>): Column {
  const places = new Map<string, number>();
  let missing = 0;
  const codes = Int32Array.from(cells, (text) => {
    if (text === undefined) {
      missing++;
      return MISSING_TEXT;
    }
    const code = places.get(text) ?? places.size;
    places.set(text, code);
    return code;
  });
  return { kind: 'text', name, codes, texts: [...places.keys()], missing };
}

/** What can be made of a column; the first is what is made of it unless people say otherwise. */
export function usesOf(column: Column, rows: number): ColumnUse[] {
  const others: ColumnUse[] = ['ignore', 'identity'];
  switch (column.kind) {
    case 'number': {
      const category: ColumnUse[] = hasFewValues(column) ? ['category', 'class'] : [];
      const uses: ColumnUse[] = ['number', ...category, 'time', ...others];
      return column.missing === rows
        ? others
        : isCount(column)
          ? ['identity', ...uses.filter((u) => u !== 'identity')]
          : uses;
    }
    case 'boolean':
      return ['number', 'class', ...others];
    case 'time':
      return ['time', 'number', ...others];
    case 'text':
      return column.codes !== undefined && column.texts.length > 1 && column.texts.length <= MOST_CATEGORIES
        ? [
            ...(isClassName(column.name) ? (['class', 'category'] as const) : (['category', 'class'] as const)),
            ...others,
          ]
        : isWrittenAsNumbers(column)
          ? ['ignore', 'number', 'identity']
          : others;
    case 'integer':
      return ['identity', 'ignore'];
    case 'other':
      return ['ignore'];
  }
}

/** A column of the answers is no feature. */
const isClassName = (name: string): boolean => /^(group|class|label|target|species|planted)$/i.test(name);

/** Whole numbers that go up by one from row to row. */
function isCount({ values, isWhole }: Column & { kind: 'number' }): boolean {
  if (values.length < 3 || !isWhole) return false;
  const first = values[0] as number;
  return (first === 0 || first === 1) && values.every((value, i) => value === first + i);
}

function hasFewValues({ values }: Column & { kind: 'number' }): boolean {
  const distinct = new Set<number>();
  for (const value of values) {
    if (!Number.isNaN(value)) distinct.add(value);
    if (distinct.size > MOST_CATEGORIES) return false;
  }
  return distinct.size > 1;
}

function isWrittenAsNumbers({ texts }: Column & { kind: 'text' }): boolean {
  return texts.length > 0 && texts.slice(0, 200).filter((text) => Number.isFinite(numberIn(text))).length > 100;
}

const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')));

/** What has to be made of a column for a use. */
export function conversionOf(column: Column, use: ColumnUse): Conversion | undefined {
  if (use === 'category') return column.kind === 'number' ? 'texts' : undefined;
  if (use !== 'number') return undefined;
  if (column.kind === 'text') return 'numbers';
  if (column.kind === 'time') return 'days';
  return column.kind === 'number' && hasStrays(column) ? 'gaps' : undefined;
}

/** The column as it is to be read: of the kind that its use needs, and without cells that are no numbers. */
export function convert(column: Column, use: ColumnUse): Column {
  switch (conversionOf(column, use)) {
    case 'texts':
      return textColumn(
        column.name,
        Array.from((column as Column & { kind: 'number' }).values, (value) =>
          Number.isNaN(value) ? undefined : String(value),
        ),
      );
    case 'numbers':
      return numbersOfText(column as Column & { kind: 'text' });
    case 'days':
      return daysOf(column as Column & { kind: 'time' });
    case 'gaps':
      return withoutStrays(column as Column & { kind: 'number' });
    default:
      return column;
  }
}

function daysOf({ name, values, missing }: Column & { kind: 'time' }): Column {
  return { kind: 'number', name, values: values.map((time) => time / DAY), isWhole: false, missing };
}

const hasStrays = ({ strays, values }: Column & { kind: 'number' }): boolean =>
  strays !== undefined || values.some((value) => value === Infinity || value === -Infinity);

function numbersOfText(column: Column & { kind: 'text' }): Column {
  const numbers = column.texts.map(numberIn);
  const values = Float64Array.from(column.codes ?? [], (code) => numbers[code] ?? Number.NaN);
  const missing = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
  return { kind: 'number', name: column.name, values, isWhole: false, missing };
}

/** Cells that are neither numbers nor known as missing count as missing; infinite ones, too. */
function withoutStrays(column: Column & { kind: 'number' }): Column {
  const { strays: _, ...rest } = column;
  const values = Float64Array.from(column.values, (value) => (Number.isFinite(value) ? value : Number.NaN));
  const missing = values.reduce((sum, value) => sum + (Number.isNaN(value) ? 1 : 0), 0);
  return { ...rest, values, missing };
}

/** Numbers of a column, NaN where there are none: its place on an axis. Texts are numbered. */
export function numbersOf(column: Column, rows: number): Float64Array {
  switch (column.kind) {
    case 'number':
    case 'time':
      return Float64Array.from(column.values);
    case 'boolean':
      return Float64Array.from(column.values, (value) => (value === MISSING_BOOLEAN ? Number.NaN : value));
    case 'text':
      return Float64Array.from(column.codes ?? [], (code) => (code === MISSING_TEXT ? Number.NaN : code));
    default:
      return new Float64Array(rows).fill(Number.NaN);
  }
}

export function summaryOf(column: Column, use: ColumnUse, rows: number): ColumnSummary {
  const { name, kind, missing } = column;
  const conversion = conversionOf(column, use);
  return { name, kind, use, uses: usesOf(column, rows), missing, about: aboutOf(column), conversion };
}

function aboutOf(column: Column): string {
  switch (column.kind) {
    case 'number': {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of column.values) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
      return least <= most ? `${short(least)} to ${short(most)}` : 'nothing';
    }
    case 'time': {
      const times = column.values.filter((value) => !Number.isNaN(value));
      if (times.length === 0) return 'nothing';
      const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
      const [least, most] = times.reduce(([a, b], t) => [Math.min(a, t), Math.max(b, t)], [Infinity, -Infinity]);
      return `${day(least as number)} to ${day(most as number)}`;
    }
    case 'text': {
      const shown = column.texts.slice(0, 3).map((text) => (text.length > 14 ? `${text.slice(0, 13)}…` : text));
      return `${shown.join(', ')}${column.texts.length > 3 ? `, … (${column.texts.length})` : ''}`;
    }
    case 'boolean':
      return 'true, false';
    case 'integer':
      return 'large whole numbers';
    case 'other':
      return column.what;
  }
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
