// What is not said about a file of CSV is found out from its first lines: the separator that parts them into equally
// many fields, the decimal mark, and whether the first line names the columns.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { ColumnBuilder } from '../tables/builder.js';
import { dressedNumber } from '../tables/dress.js';
import { meaningOf } from '../tables/words.js';
import { numberIn } from './number.js';
import type { Dialect } from './options.js';
import { RecordReader } from './records.js';
import { linesAboveTable } from './title-lines.js';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Bytes and records that are looked at. */
const SAMPLE_BYTES = 2 ** 16;
const SAMPLE = 50;
const [POINT, COMMA] = [0x2e, 0x2c];

export interface CsvDialect {
  readonly separator: string;
  /** The byte of the decimal mark. */
  readonly point: number;
  readonly hasHeader: boolean;
  /** Lines before the first record. */
  readonly skip: number;
  /** What may surprise. */
  readonly notes: readonly string[];
  /** Of each column, whether its numbers are dressed in the first rows: 12%, $5, 1,234. */
  readonly isDressed: readonly boolean[];
}

/** Finds out what is not said. `head` is the beginning of the text, `isAll` whether it is all of it. */
export function findDialect(head: Uint8Array, isAll: boolean, said: Dialect): CsvDialect {
  const start = head.subarray(0, SAMPLE_BYTES);
  const isCut = !isAll || start.length < head.length;
  const excel = separatorLine(start, said);
  const candidates = said.separator === undefined ? SEPARATORS.filter((it) => it !== said.decimal) : [said.separator];
  const titles =
    said.skip === undefined && excel === undefined
      ? linesAboveTable(new TextDecoder().decode(start), candidates, said.comment)
      : 0;
  const skip = (said.skip ?? titles) + (excel === undefined ? 0 : 1);
  const sample = (separator: string) => sampleOf(start, isCut, separator, { ...said, skip });
  const separator = said.separator ?? excel ?? findSeparator(sample, said.decimal);
  if (separator === said.decimal)
    throw new CurvadError('SEPARATOR_INVALID', 'the separator and the decimal mark must differ');
  const records = sample(separator).records;
  const notes: string[] = [];
  if (titles > 0)
    notes.push(
      `${titles === 1 ? 'the first line is a title and was' : `the first ${titles} lines are titles and were`} skipped (--skip 0 if not)`,
    );
  let decimal = said.decimal;
  if (decimal === undefined && separator !== ',' && showsDecimalComma(records)) {
    decimal = ',';
    notes.push('the decimal mark is a comma, as the numbers show (--decimal . if it is not)');
  }
  const point = decimal === ',' ? COMMA : POINT;
  const header = said.header === undefined ? headerOf(records, point) : { isHeader: said.header };
  if ('note' in header && header.note !== undefined) notes.push(header.note);
  const rows = header.isHeader ? records.slice(1) : records;
  notes.push(...surprises(header.isHeader ? (records[0] ?? []) : [], rows, separator));
  return {
    separator,
    point,
    hasHeader: header.isHeader,
    skip,
    notes,
    isDressed: dressedColumns(rows, separator, point),
  };
}

/** Excel's own first line: sep=; */
function separatorLine(head: Uint8Array, said: Dialect): string | undefined {
  if (said.skip !== undefined && said.skip > 0) return undefined;
  const line = /^"?sep=([^\r\n"])"?(\r|\n|$)/i.exec(String.fromCharCode(...head.subarray(0, 16)));
  return line?.[1];
}

interface Sample {
  readonly records: ReadonlyArray<readonly string[]>;
  /** Whether a record could not be read. */
  readonly isBad: boolean;
}

function sampleOf(head: Uint8Array, isCut: boolean, separator: string, { comment, skip }: Dialect): Sample {
  const reader = new RecordReader(separator, { comment, skip });
  reader.push(head);
  if (!isCut) reader.finish();
  const records: string[][] = [];
  try {
    while (records.length < SAMPLE && reader.next()) records.push(reader.texts());
    if (records.length === 0) {
      reader.finish(); // a first line longer than the sample
      if (reader.next()) records.push(reader.texts());
    }
  } catch {
    return { records, isBad: true };
  }
  return { records, isBad: false };
}

/** The separator that parts the first records into equally many fields, the more the better. */
function findSeparator(sample: (separator: string) => Sample, decimal: string | undefined): string {
  const candidates = SEPARATORS.filter((separator) => separator !== decimal).map((separator) => {
    const { records, isBad } = sample(separator);
    const width = records[0]?.length ?? 0;
    const isEven = !isBad && records.every(({ length }) => length === width);
    return { separator, fields: isEven ? width : 0 };
  });
  const best = candidates.reduce((a, b) => (b.fields > a.fields ? b : a));
  return best.fields > 1 ? best.separator : (candidates[0]?.separator ?? ',');
}

/** Numbers with a comma that cannot be one of thousands, and none with a point. */
function showsDecimalComma(records: ReadonlyArray<readonly string[]>): boolean {
  const cells = records.flat().map((cell) => cell.trim().replace(/^[€$£]\s?|\s?[€$£%]$/g, ''));
  const isSure = cells.some(
    (cell) =>
      (/^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(cell) && !/^[+-]?[1-9]\d{0,2},\d{3}$/.test(cell)) ||
      /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(cell),
  );
  const hasPoint = (cell: string): boolean => /^[+-]?\d*\.\d+(e[+-]?\d+)?$/i.test(cell);
  return isSure && !cells.some((cell) => hasPoint(cell) && !/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(cell));
}

/** Which columns have numbers that are no plain ones, by the rows of the sample. */
function dressedColumns(rows: ReadonlyArray<readonly string[]>, separator: string, point: number): boolean[] {
  const decimal = point === COMMA ? ',' : '.';
  const keeping = { verbatim: new Set<string>(), mostTexts: Infinity, point: decimal, mayBeDecimal: separator !== ',' };
  return (rows[0] ?? []).map((_, j) => {
    const column = new ColumnBuilder('', keeping);
    let hasDressed = false;
    for (const row of rows) {
      const text = (row[j] ?? '').trim();
      const number = numberIn(text, point);
      if (!Number.isNaN(number)) column.pushNumber(number);
      else if (typeof meaningOf(text) !== 'string') column.pushMissing();
      else {
        hasDressed ||= dressedNumber(text, decimal) !== undefined;
        column.pushText(text);
      }
    }
    const { kind } = column.finish();
    return hasDressed && kind === 'number';
  });
}

/** Columns whose numbers may mean something else: codes with leading zeros, and 54.735 where that may be a thousand. */
function surprises(names: readonly string[], rows: ReadonlyArray<readonly string[]>, separator: string): string[] {
  return (rows[0] ?? []).flatMap((_, j) => {
    const cells = rows.map((row) => (row[j] ?? '').trim()).filter((cell) => meaningOf(cell) !== undefined);
    const name = quote(names[j]?.trim() || `column ${j + 1}`, 30);
    const [first = ''] = cells;
    const areCodes = first.length > 2 && cells.every((cell) => /^\d+$/.test(cell) && cell.length === first.length);
    const zero = areCodes ? cells.find((cell) => cell.startsWith('0')) : undefined;
    if (zero !== undefined)
      return [`the column ${name} is written with leading zeros (${zero}), as codes are, and is used as a number`];
    const isGrouped =
      separator === ';' && cells.length > 1 && cells.every((cell) => /^[1-9]\d{0,2}\.\d{3}$/.test(cell));
    return isGrouped
      ? [`${first} in the column ${name} is read with a decimal point (--thousands . --decimal , if it is not)`]
      : [];
  });
}

interface Header {
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
function headerOf(records: ReadonlyArray<readonly string[]>, point: number): Header {
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
