// What can be said about a file; everything else is found out.
import { CurvadError, describe } from '../core/errors.js';
import { quote } from '../core/messages.js';
import { DATE_ORDERS, type DateOrder } from '../tables/table.js';
import type { Limits } from './source.js';

export { MAX_BYTES } from './source.js';

export const FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'arrow', 'npy'] as const;
export type FileFormat = (typeof FORMATS)[number];

export const RAGGED_POLICIES = ['error', 'fill', 'skip'] as const;
/** What becomes of lines with fewer or more fields than names. */
export type RaggedPolicy = (typeof RAGGED_POLICIES)[number];
/** Separators that are no character. */
const LAYOUTS = ['blanks', 'fixed'];

/** How a file of text is written. */
export interface Dialect {
  /**
   * What is between the fields: one character, 'blanks' (runs of spaces and tabs) or 'fixed' (places that are the same in
   * all lines). Default: found out from the first lines.
   */
  readonly separator?: string | undefined;
  /** How many characters each column is wide, where they stand at fixed places. */
  readonly widths?: readonly number[] | undefined;
  /** Lines with fewer or more fields than names: an error (default), filled with missing values where they are too short, or passed over. */
  readonly ragged?: RaggedPolicy | undefined;
  /** The decimal mark. Default: a point, or a comma where the separator is none and the numbers show it. */
  readonly decimal?: '.' | ',' | undefined;
  /** Whether the first line names the columns. Default: found out. */
  readonly header?: boolean | undefined;
  /** As TextDecoder calls it. Default: UTF-8, UTF-16 by its mark or zeros, otherwise Windows-1252. */
  readonly encoding?: string | undefined;
  /** Lines to pass over before the first. */
  readonly skip?: number | undefined;
  /** Whether the line after the names holds units, and is passed over. */
  readonly units?: boolean | undefined;
  /** Lines that begin with this are passed over; '' for none. Default: a mark such as # that lines above the table have. */
  readonly comment?: string | undefined;
  /** The separator of thousands in any column. Default: read where a whole column is written so. */
  readonly thousands?: string | undefined;
  /** Percent signs in any column: 12% is 0.12. Default: read where a whole column has them. */
  readonly percent?: boolean | undefined;
  /** Signs of currencies in any column. Default: read where a whole column has one. */
  readonly currency?: boolean | undefined;
  /** Whether days or months come first in dates such as 5/6/2026. Default: what the whole column shows. */
  readonly dateOrder?: DateOrder | undefined;
  /** More texts that stand for a missing value, exactly as they are written. */
  readonly na?: readonly string[] | undefined;
}

export interface ReadOptions extends Dialect, Limits {
  /** Default: by the content, then by the name. */
  readonly format?: FileFormat | undefined;
  /** The name of the file, where the input has none. */
  readonly name?: string | undefined;
  /** Columns kept as text exactly as they are written, whatever they hold. */
  readonly text?: readonly string[] | undefined;
  /** Distinct texts kept of other columns of text; default: all. */
  readonly mostTexts?: number | undefined;
  /** Rows and columns that are read at most. */
  readonly maxRows?: number | undefined;
  readonly maxColumns?: number | undefined;
  /** Called with the share that was read, where it is known, and the bytes. */
  readonly onProgress?: ((share: number | undefined, bytes: number) => void) | undefined;
  /** Called with what was decided about the file and may surprise. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** Limits where nothing else is said: what is larger is rather a mistake or an attack than a table. */
export const MAX_ROWS = 2 ** 28;
export const MAX_COLUMNS = 100_000;

const NAMED: Readonly<Record<string, string>> = {
  tab: '\t',
  '\\t': '\t',
  comma: ',',
  semicolon: ';',
  space: ' ',
  pipe: '|',
};

/** A separator as people write it. */
export function readSeparator(text: string | undefined): string | undefined {
  if (text === undefined || LAYOUTS.includes(text)) return text;
  const separator = Object.hasOwn(NAMED, text) ? (NAMED[text] as string) : text;
  if (separator.length === 1 && separator.charCodeAt(0) < 128 && !/["\r\n\w.+-]/.test(separator)) return separator;
  throw new CurvadError(
    'SEPARATOR_INVALID',
    `the separator must be one character such as , ; | or tab, or blanks or fixed, got ${quote(text)}`,
  );
}

type Check = readonly [isRight: (value: unknown) => boolean, rule: string];
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isLimit = (value: unknown): boolean =>
  value === Infinity || (Number.isSafeInteger(value) && (value as number) > 0);
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === 'string');

const isWidths = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((width) => Number.isSafeInteger(width) && width > 0);

const CHECKS: Readonly<Record<keyof ReadOptions, Check>> = {
  format: [(value) => FORMATS.includes(value as FileFormat), `one of ${FORMATS.join(', ')}`],
  separator: [isText, 'a character'],
  decimal: [(value) => value === '.' || value === ',', "'.' or ','"],
  header: [isBoolean, 'true or false'],
  encoding: [isText, 'the name of an encoding'],
  skip: [isCount, 'a number of lines'],
  units: [isBoolean, 'true or false'],
  widths: [(value) => isWidths(value), 'a list of whole numbers above 0'],
  ragged: [(value) => RAGGED_POLICIES.includes(value as RaggedPolicy), `one of ${RAGGED_POLICIES.join(', ')}`],
  comment: [(value) => typeof value === 'string', 'a text such as #'],
  thousands: [(value) => /^[.,' _\u00a0\u202f’]$/.test(String(value)), "one of , . ' _ and space"],
  percent: [isBoolean, 'true or false'],
  currency: [isBoolean, 'true or false'],
  dateOrder: [(value) => DATE_ORDERS.includes(value as DateOrder), `one of ${DATE_ORDERS.join(', ')}`],
  na: [isTexts, 'a list of texts'],
  name: [(value) => typeof value === 'string', 'a text'],
  text: [isTexts, 'a list of names'],
  mostTexts: [isLimit, 'a whole number above 0'],
  maxBytes: [isLimit, 'a whole number above 0'],
  maxRows: [isLimit, 'a whole number above 0'],
  maxColumns: [isLimit, 'a whole number above 0'],
  signal: [(value) => typeof value === 'object' && value !== null && 'aborted' in value, 'an AbortSignal'],
  onProgress: [isFunction, 'a function'],
  onNote: [isFunction, 'a function'],
};

/** Checks options and returns their own properties alone, without what is undefined. */
export function checkedOptions(options: ReadOptions): ReadOptions {
  if (typeof options !== 'object' || options === null)
    throw new CurvadError('OPTIONS_TYPE', `the options must be an object, got ${describe(options)}`);
  const checked: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof ReadOptions] : undefined;
    if (check === undefined) {
      throw new CurvadError(
        'UNKNOWN_OPTION',
        `there is no option ${quote(name)}: known are ${Object.keys(CHECKS).join(', ')}`,
      );
    }
    if (value === undefined) continue;
    if (!check[0](value)) {
      const code = name === 'format' ? 'FORMAT_UNKNOWN' : 'FILE_OPTION_INVALID';
      throw new CurvadError(code, `${name} must be ${check[1]}, got ${describe(value)}`);
    }
    checked[name] = value;
  }
  if (checked['separator'] !== undefined) checked['separator'] = readSeparator(checked['separator'] as string);
  if (checked['separator'] !== undefined && checked['separator'] === checked['decimal'])
    throw new CurvadError('SEPARATOR_INVALID', 'the separator and the decimal mark must differ');
  if (checked['thousands'] !== undefined && checked['thousands'] === (checked['decimal'] ?? '.'))
    throw new CurvadError('FILE_OPTION_INVALID', 'the separator of thousands and the decimal mark must differ');
  return checked;
}
