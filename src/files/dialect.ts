// What is not said about a file of CSV is found out from its first lines: the separator that parts them into equally
// many fields, the decimal mark, and whether the first line names the columns.
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { ColumnBuilder } from '../tables/builder.js';
import { dressedNumber } from '../tables/dress.js';
import { meaningOf } from '../tables/words.js';
import { commentsAbove } from './comments.js';
import { headerOf } from './header-line.js';
import { numberIn } from './number.js';
import type { Dialect } from './options.js';
import { findParting, type Parting, SEPARATORS } from './separator.js';
import { linesAboveTable } from './title-lines.js';

/** Bytes that are looked at. */
const SAMPLE_BYTES = 2 ** 16;
const [POINT, COMMA] = [0x2e, 0x2c];

export interface CsvDialect {
  readonly separator: string;
  /** How the fields are parted. */
  readonly parting: Parting;
  /** The byte of the decimal mark. */
  readonly point: number;
  /** The names of the columns, where there are any: all of them where they are in a comment, otherwise as far as the sample goes. */
  readonly names: readonly string[] | undefined;
  /** Whether they are the first record. */
  readonly isNamesFirst: boolean;
  /** Lines before the first record. */
  readonly skip: number;
  /** What lines begin with that are passed over. */
  readonly comment: string | undefined;
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
  const text = new TextDecoder().decode(start);
  refuseForeign(text);
  const notes: string[] = [];
  const remarks = said.comment === undefined && excel === undefined ? commentsAbove(text) : undefined;
  if (remarks !== undefined) notes.push(remarks.note);
  const comment = remarks?.mark ?? (said.comment === '' ? undefined : said.comment);
  const isKnown = said.separator === undefined || said.separator.length === 1;
  const candidates = said.separator === undefined ? SEPARATORS.filter((it) => it !== said.decimal) : [said.separator];
  const titles =
    said.skip === undefined && excel === undefined && isKnown ? linesAboveTable(text, candidates, comment) : 0;
  const skip = (said.skip ?? titles) + (excel === undefined ? 0 : 1);
  const parting = findParting({ bytes: start, isCut, skip, comment }, { ...said, separator: said.separator ?? excel });
  const { separator, records, layout, fit } = parting;
  if (separator === said.decimal)
    throw new CurvadError('SEPARATOR_INVALID', 'the separator and the decimal mark must differ');
  if (titles > 0)
    notes.push(
      `${titles === 1 ? 'the first line is a title and was' : `the first ${titles} lines are titles and were`} skipped (--skip 0 if not)`,
    );
  if (said.separator === undefined && said.widths === undefined && layout !== 'plain') notes.push(LAYOUT_NOTES[layout]);
  let decimal = said.decimal;
  if (decimal === undefined && separator !== ',' && showsDecimalComma(records)) {
    decimal = ',';
    notes.push('the decimal mark is a comma, as the numbers show (--decimal . if it is not)');
  }
  const point = decimal === ',' ? COMMA : POINT;
  const header = headerIn(records, point, remarks?.names, said.header);
  if (header.note !== undefined) notes.push(header.note);
  const rows = header.isFirstRecord ? records.slice(1) : records;
  const names = header.names && namesFor(header.names, parting);
  if (header.isFirstRecord && fit === 'row names')
    notes.push('the header has one name less than there are columns: the first column holds row names');
  notes.push(...surprises(names ?? [], rows, separator));
  return {
    separator,
    parting,
    point,
    names,
    isNamesFirst: header.isFirstRecord,
    skip,
    comment,
    notes,
    isDressed: dressedColumns(rows, separator, point),
  };
}

const LAYOUT_NOTES = {
  blanks: 'its columns are separated by spaces or tabs (--separator comma if not)',
  fixed: 'it is a fixed-width table (--widths if the columns are wrong)',
} as const;

interface FoundHeader {
  readonly names: readonly string[] | undefined;
  readonly isFirstRecord: boolean;
  readonly note?: string | undefined;
}

function headerIn(
  records: CsvDialect['parting']['records'],
  point: number,
  remarked: readonly string[] | undefined,
  said: boolean | undefined,
): FoundHeader {
  const [first = []] = records;
  if (said !== undefined) return { names: said ? first : undefined, isFirstRecord: said };
  if (remarked !== undefined) return { names: remarked, isFirstRecord: false };
  const { isHeader, note } = headerOf(records, point);
  return { names: isHeader ? first : undefined, isFirstRecord: isHeader, note };
}

/** Names for all columns, where there are fewer or more than columns. */
export function namesFor(names: readonly string[], { fit, width }: Pick<Parting, 'fit' | 'width'>): readonly string[] {
  if (fit === 'row names') return ['', ...names];
  if (fit === 'blank names') return names.slice(0, width);
  return fit === 'blank ends' ? [...names, ...Array.from({ length: width - names.length }, () => '')] : names;
}

/** Texts that are tables of another kind. */
function refuseForeign(text: string): void {
  if (/^\s*[%@]/.test(text) && /^[ \t]*@relation\s/im.test(text))
    throw new CurvadError('FILE_FORMAT', 'it is an ARFF file: save it as CSV, or skip its head with --skip');
  if (/^[-+]?\d+(?:\.\d+)?(?: +\d+:\S+)+ *[\r\n]/.test(text))
    throw new CurvadError('FILE_FORMAT', 'it is a libsvm file (number:value): save it as CSV');
}

/** Excel's own first line: sep=; */
function separatorLine(head: Uint8Array, said: Dialect): string | undefined {
  if (said.skip !== undefined && said.skip > 0) return undefined;
  const line = /^"?sep=([^\r\n"])"?(\r|\n|$)/i.exec(String.fromCharCode(...head.subarray(0, 16)));
  return line?.[1];
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
