// What may surprise about a column that is used: numbers that stand for missing values or for times, labels, numbers among
// categories, a last row that sums the others up. Nothing is changed; it is pointed out.
import { quote } from '../core/messages.js';
import { hintAtCounters } from './counters.js';
import type { UsedColumn } from './recipe.js';
import { type Column, isMissing, MISSING, type NumberColumn, type Table, type TextColumn } from './table.js';
import type { Wording } from './wording.js';
import { numberOf } from './words.js';

/** Numbers that are often written for missing values. */
const SENTINELS = [-9, -99, -999, -9999, -99999, -999999, 99, 999, 9999, 99999, 999999, 999999999, 1e20, -1e20, 1e30];
/** Such a number is pointed out if it is there so often, and so many times the spread of the others away. */
const SENTINEL_CELLS = 2;
const SENTINEL_GAP = 3;
const LABEL =
  /^(is[\s_-]?)?(class|label|labels|target|y|outcome|fraud|anomaly|anomalous|outlier|attack|ground[\s_-]?truth)$/i;
const TOTAL = /^(grand |sub)?(total|totals|sum|summe|gesamt|somme|suma|average|mean|mittelwert)\b.{0,12}$/i;
const TIME_NAME = /time|date|stamp|epoch|^ts$|_ts$|_at$/i;

/** Sentences about a column that is used. */
export function hintsAt(column: Column, used: UsedColumn, rows: number, wording: Wording): string[] {
  const name = quote(column.name, 30);
  const hints: string[] = [];
  const counter = hintAtCounters(column, rows);
  if (counter !== undefined) hints.push(`${counter}: ${wording.ignore(column.name)}`);
  if (isLabel(column, used))
    hints.push(`the column ${name} may be the answer, not a measurement: ${wording.label(column.name)}`);
  if (column.kind === 'number') {
    const sentinel = sentinelIn(column);
    if (sentinel !== undefined) {
      const { value, count } = sentinel;
      hints.push(
        `the column ${name} holds ${value} ${count} times, far from all else: ${wording.sentinel(String(value))}`,
      );
    }
    const times = counter === undefined ? timesIn(column) : undefined;
    if (times !== undefined) hints.push(`the column ${name} looks like ${times}: ${wording.ignore(column.name)}`);
  }
  if (column.kind === 'text' && used.kind === 'category') {
    const odd = oddAmongNumbers(column);
    if (odd !== undefined)
      hints.push(`the column ${name} is taken for categories, as ${quote(odd, 20)} among its numbers is none`);
  }
  return hints;
}

/** A sentence about a last row that sums up the others. */
export function hintAtTotal({ columns, rows }: Table): string | undefined {
  if (rows < 3) return undefined;
  for (const column of columns) {
    if (column.kind !== 'text' || column.codes === undefined) continue;
    const code = column.codes[rows - 1] as number;
    const text = code === MISSING ? '' : (column.texts[code] as string);
    if (!TOTAL.test(text.trim()) || column.codes.indexOf(code) < rows - 1) continue;
    return `the last row may sum up the others: its ${quote(column.name, 30)} is ${quote(text, 20)}`;
  }
  return undefined;
}

/** A sentence about rows at the end that hold nothing, as spreadsheets write them. */
export function hintAtEmptyRows({ columns, rows }: Table): string | undefined {
  let empty = 0;
  while (empty < rows && columns.every((column) => isMissing(column, rows - 1 - empty))) empty++;
  if (empty === 0 || empty === rows) return undefined;
  return `the last ${empty === 1 ? 'row is' : `${empty} rows are`} empty`;
}

function isLabel(column: Column, used: UsedColumn): boolean {
  if (!LABEL.test(column.name.trim())) return false;
  if (used.kind === 'boolean') return true;
  if (used.kind === 'category') return used.values.length <= 3;
  if (column.kind !== 'number') return false;
  return column.values.every((value) => value === 0 || value === 1 || value === -1 || Number.isNaN(value));
}

function sentinelIn({ values }: NumberColumn): { readonly value: number; readonly count: number } | undefined {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  for (const value of [low, high]) {
    if (!SENTINELS.includes(value)) continue;
    let count = 0;
    let [least, most] = [Infinity, -Infinity];
    for (const other of values) {
      if (other === value) count++;
      else if (other < least) least = other;
      if (other !== value && other > most) most = other;
    }
    const gap = value === low ? least - value : value - most;
    if (count >= SENTINEL_CELLS && gap > SENTINEL_GAP * (most - least)) return { value, count };
  }
  return undefined;
}

/** Times that are written as numbers: days as 20260501, or seconds or parts of them since 1970. */
function timesIn({ name, values, isWhole, missing }: NumberColumn): string | undefined {
  if (missing === values.length) return undefined;
  const all = (isRight: (value: number) => boolean): boolean =>
    values.every((value) => Number.isNaN(value) || isRight(value));
  if (isWhole && all(isDay)) return 'days, as 20260501 is, and is used as a number';
  const isNamedSo = TIME_NAME.test(name);
  for (const [unit, size] of [
    ['seconds', 1],
    ['milliseconds', 1e3],
    ['microseconds', 1e6],
    ['nanoseconds', 1e9],
  ] as const) {
    // So many digits tell it alone; ten of them need a name too.
    if ((isNamedSo || size > 1) && all((value) => value > 3e8 * size && value < 4e9 * size))
      return `${unit} since 1970, and is used as a number that grows`;
  }
  return undefined;
}

function isDay(value: number): boolean {
  const [year, month, day] = [Math.floor(value / 10000), Math.floor(value / 100) % 100, value % 100];
  return year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** The first text among categories of which most are numbers. */
function oddAmongNumbers({ texts }: TextColumn): string | undefined {
  const odd = texts.filter((text) => Number.isNaN(numberOf(text.trim())));
  return 2 * odd.length <= texts.length ? odd[0] : undefined;
}
