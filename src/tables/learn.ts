// Decides what becomes of the columns of a table, once, when a detector is fitted.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import type { Steps } from '../core/steps.js';
import { findColumn } from './find.js';
import { hintAtEmptyRows, hintAtTotal, hintsAt } from './hints.js';
import type { TableSettings } from './options.js';
import { type LeftColumn, Recipe, type TimePart, type UsedColumn } from './recipe.js';
import { type Column, MISSING, type Table, type TextColumn } from './table.js';
import { isTime, timesIn } from './times.js';
import { listOf, type Wording } from './wording.js';
import { isMissingAmongNumbers, numberOf } from './words.js';

/** A recipe, and what people should know about it. */
export interface Learned {
  readonly recipe: Recipe;
  readonly notes: readonly string[];
}

/** Chooses the columns and says what becomes of each. */
export function* learnRecipe(table: Table, settings: TableSettings, wording: Wording): Steps<Learned> {
  const wanted = wantedColumns(table, settings, wording);
  const columns: UsedColumn[] = [];
  const left: LeftColumn[] = [];
  const notes: string[] = [];
  const places = new Map(table.columns.map((column, index) => [column, index]));
  for (const column of wanted) {
    yield;
    const decision = decide(column, places.get(column) as number, table.rows, settings, wording);
    if (typeof decision === 'string') left.push({ name: column.name, reason: decision });
    else {
      columns.push(decision);
      notes.push(...hintsAt(column, decision, table.rows, wording));
    }
  }
  for (const hint of [hintAtTotal(table), hintAtEmptyRows(table)]) if (hint !== undefined) notes.push(hint);
  if (left.length > 0) {
    const list = listOf(left.map(({ name, reason }) => `${quote(name, 30)} (${reason})`));
    notes.unshift(`ignored ${left.length === 1 ? 'the column' : 'the columns'} ${list}`);
  }
  if (columns.length === 0)
    throw new CurvadError(
      'NO_COLUMNS',
      `there is no column of numbers to work on${left.length > 0 ? `: ${notes[0]}` : ''}; ${wording.nothing}`,
    );
  for (const column of table.columns)
    if (!wanted.has(column)) left.push({ name: column.name, reason: 'as it was asked' });
  const { missing } = settings;
  return { recipe: new Recipe({ columns, left, width: table.columns.length, isNamed: table.isNamed, missing }), notes };
}

function wantedColumns(table: Table, { columns, ignore }: TableSettings, { option }: Wording): Set<Column> {
  const left = new Set(ignore.map((name) => findColumn(table, name, option('ignore'))));
  const wanted = columns?.map((name) => findColumn(table, name, option('columns'))) ?? table.columns;
  return new Set(wanted.filter((column) => !left.has(column)));
}

/** What becomes of a column, or why it is left out. */
function decide(
  column: Column,
  index: number,
  rows: number,
  settings: TableSettings,
  wording: Wording,
): UsedColumn | string {
  const { name, missing } = column;
  if (missing === rows && !(column.kind === 'number' && column.strays !== undefined)) return 'it is empty';
  const fills = settings.missing === 'median' || settings.missing === 'indicator';
  const base = { name, index, hasIndicator: settings.missing === 'indicator' && missing > 0 };
  switch (column.kind) {
    case 'number':
      return { kind: 'number', ...base, fill: fills ? median(column.values) : Number.NaN };
    case 'integer':
      if (settings.columns === undefined) return `whole numbers beyond 2^53, as identities are; ${wording.identities}`;
      return { kind: 'number', ...base, fill: fills ? median(Float64Array.from(column.values, Number)) : Number.NaN };
    case 'boolean': {
      const trues = column.values.reduce((sum, value) => sum + Number(value === 1), 0);
      return { kind: 'boolean', ...base, fill: fills ? Number(2 * trues > rows - missing) : Number.NaN };
    }
    case 'time': {
      if (settings.dates === 'omit') return `it holds dates and times; ${wording.dates}`;
      const parts = partsOf(settings.dates, column.unit === 'day');
      const fill = fills ? median(column.values) : Number.NaN;
      return { kind: 'time', ...base, parts, fill, ...(column.order !== undefined && { order: column.order }) };
    }
    case 'text':
      return decideText(column, base, rows, settings, wording);
    case 'other':
      return `it holds ${column.what}`;
  }
}

function partsOf(dates: TableSettings['dates'], isDay: boolean): TimePart[] {
  const cycles: TimePart[] = isDay ? ['weekday'] : ['hour', 'weekday'];
  if (dates === 'epoch') return ['epoch'];
  return dates === 'cycles' ? cycles : ['epoch', ...cycles];
}

function decideText(
  { codes, texts, missing }: TextColumn,
  base: { name: string; index: number; hasIndicator: boolean },
  rows: number,
  { mostCategories, categories }: TableSettings,
  wording: Wording,
): UsedColumn | string {
  if (codes !== undefined && texts.length < 2) return 'it has one value';
  const dates = reasonOfDates(texts, base.name, wording);
  if (dates !== undefined) return dates;
  if (codes !== undefined && texts.length <= mostCategories) return { kind: 'category', ...base, values: texts };
  if (categories === 'frequency' && codes !== undefined) {
    const counts = new Float64Array(texts.length);
    for (const code of codes) if (code !== MISSING) counts[code] = (counts[code] as number) + 1;
    return { kind: 'frequency', ...base, values: texts, shares: Array.from(counts, (n) => n / (rows - missing)) };
  }
  const isNumber = (text: string) => !Number.isNaN(numberOf(text.trim()));
  const odd = texts.find((text) => !isNumber(text));
  if (odd !== undefined && 2 * texts.filter(isNumber).length > texts.length)
    return `numbers and text such as ${quote(odd, 20)}; ${wording.stray(odd, base.name)}`;
  const example = texts.find((text) => /\d,\d/.test(text));
  if (example !== undefined && texts.every((text) => /^[-+]?\d+(,\d+)?$/.test(text)))
    return `text such as ${quote(example, 20)}; ${wording.decimals}`;
  return `text with more than ${mostCategories} values, such as ${quote(texts[0] ?? '', 20)}; ${wording.many}`;
}

/** Why texts of which most are dates are no times. */
function reasonOfDates(texts: readonly string[], name: string, wording: Wording): string | undefined {
  const dates = texts.filter((text) => isTime(text.trim()));
  if (2 * dates.length <= texts.length) return undefined;
  const odd = texts.find((text) => !isTime(text.trim()) && !isMissingAmongNumbers(text.trim()));
  if (odd !== undefined) return `dates and text such as ${quote(odd, 20)}; ${wording.stray(odd, name)}`;
  const [first = ''] = dates;
  const isOpen = timesIn(texts) === 'open';
  return `dates such as ${quote(first, 20)}, ${isOpen ? 'where day and month cannot be told apart' : 'of which some begin with the day and some with the month'}; ${wording.dateOrder}`;
}

function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1] as number) / 2 + upper / 2;
}
