// Whether the first line of a text names the columns.
import { meaningOf } from '../tables/words.js';
import { numberIn } from './number.js';

export interface Header {
  readonly isHeader: boolean;
  readonly note?: string;
}

/** What first columns are mostly called. */
const USUAL_NAME =
  /^(name|id|key|index|code|date|time|timestamp|year|month|day|week|hour|country|state|region|city|county|place|category|type|class|group|item|product|variable|label|user|row)s?$/i;

/**
 * The first line names the columns when none of its cells is a number. With whole numbers among them it does so when
 * words stand above columns of numbers, or when the numbers are years or count up and those below them are others.
 */
export function headerOf(records: ReadonlyArray<readonly string[]>, point: number): Header {
  const [first = [], ...others] = records;
  const isNumber = (cell: string) => !Number.isNaN(numberIn(cell.trim(), point));
  const isWord = (cell: string) => !isNumber(cell) && meaningOf(cell) !== undefined;
  const numbers = first.filter(isNumber);
  if (numbers.length === 0) return { isHeader: true };
  const isPlausible =
    numbers.every((cell) => /^\d{1,6}$/.test(cell.trim())) && new Set(numbers).size === numbers.length;
  if (others.length === 0 || !isPlausible) return { isHeader: false };
  const below = first.map((_, j) =>
    others.map((record) => record[j] ?? '').filter((cell) => meaningOf(cell) !== undefined),
  );
  const isAbove = first.map((_, j) => (below[j] as string[]).length > 0 && (below[j] as string[]).every(isNumber));
  const words = first.filter(isWord).length;
  const values = numbers.map(Number);
  const countsUp = values.every((value, i) => i === 0 || value === (values[i - 1] as number) + 1);
  const isCounting = countsUp && (values[0] === 0 || values[0] === 1) && values.length > 2;
  const areYears = values.every(isYear);
  const areOthers = first.every(
    (cell, j) => !isNumber(cell) || !fits(Number(cell), (below[j] as string[]).map(Number)),
  );
  const areFractions = below.every((cells) => cells.some((cell) => isNumber(cell) && !Number.isInteger(Number(cell))));
  const hasWordAbove = first.some((cell, j) => isWord(cell) && isAbove[j]);
  const hasNewWord = first.some((cell, j) => isWord(cell) && !(below[j] as string[]).includes(cell));
  const hasUsualName = first.some((cell) => USUAL_NAME.test(cell.trim()));
  const isHeader =
    (hasWordAbove && (words >= numbers.length || isCounting || areYears)) ||
    ((hasNewWord || first[0]?.trim() === '') && (isCounting || areYears) && (areOthers || hasUsualName)) ||
    (words === 0 && isCounting && values[0] === 0 && (areFractions || areOthers));
  if (!isHeader) return { isHeader: false };
  const shown = numbers.slice(0, 3).join(', ');
  return {
    isHeader,
    note: `the first line names the columns, although it holds ${shown} (--no-header if it is a row)`,
  };
}

function isYear(value: number): boolean {
  return Number.isInteger(value) && value >= 1800 && value <= 2200;
}

/** Whether a whole number could stand among those below it. */
function fits(value: number, others: readonly number[]): boolean {
  const known = others.filter((other) => !Number.isNaN(other));
  if (isYear(value) && known.length > 0 && known.every(isYear)) return true;
  return known.every(Number.isInteger) && value >= Math.min(...known) && value <= Math.max(...known);
}
