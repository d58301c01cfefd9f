// A table in memory: named columns, each of one kind, each with missing cells. Files, objects, columns and data
// frames of others become one; the recipe makes rows of numbers of it.

/** The code of a missing text. */
export const MISSING = -1;
/** The byte of a missing boolean. */
export const MISSING_BOOLEAN = 255;

/** Numbers as memory holds them, except 64-bit integers. */
export type Numbers =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

/** Which comes first in 5/6/2026, the day or the month. */
export type DateOrder = 'day' | 'month';
export const DATE_ORDERS: readonly DateOrder[] = ['day', 'month'];

interface ColumnBase {
  readonly name: string;
  /** How many cells are missing. */
  readonly missing: number;
}

/** Numbers: NaN where missing. */
export interface NumberColumn extends ColumnBase {
  readonly kind: 'number';
  readonly values: Numbers;
  /** The source says that all are whole numbers, or shows nothing else: kept when they are written. */
  readonly isWhole: boolean;
  /** Cells that are neither a number nor known as missing, in a column of numbers. They count as missing. */
  readonly strays?: Strays;
}

/** The first stray cell, and how many there are. */
export interface Strays {
  readonly row: number;
  readonly text: string;
  readonly count: number;
}

/** 64-bit integers of which some are beyond 2^53, such as identities: kept exactly. */
export interface IntegerColumn extends ColumnBase {
  readonly kind: 'integer';
  readonly values: BigInt64Array | BigUint64Array;
  /** 1 where there is a value, 0 where it is missing; undefined where nothing is missing. */
  readonly present: Uint8Array | undefined;
}

/** 0, 1, or MISSING_BOOLEAN. */
export interface BooleanColumn extends ColumnBase {
  readonly kind: 'boolean';
  readonly values: Uint8Array;
}

export const TIME_UNITS = ['day', 's', 'ms', 'us', 'ns'] as const;
/** How finely the source tells times: kept when they are written. */
export type TimeUnit = (typeof TIME_UNITS)[number];

/** Dates and times: milliseconds since 1970 in UTC, with fractions; NaN where missing. */
export interface TimeColumn extends ColumnBase {
  readonly kind: 'time';
  readonly values: Float64Array;
  readonly unit: TimeUnit;
  /** Whether days or months come first in texts such as 5/6/2026; undefined where that was not open. */
  readonly order?: DateOrder;
}

/** Text: distinct texts, and a code for each row. */
export interface TextColumn extends ColumnBase {
  readonly kind: 'text';
  /** MISSING where there is no text; undefined where there are more distinct texts than were to be kept. */
  readonly codes: Int32Array | undefined;
  /** The distinct texts, in order of appearance, as far as they were kept. */
  readonly texts: readonly string[];
}

/** What is neither: lists, structures, intervals, bytes. It can be written again as text, and is no feature. */
export interface OtherColumn extends ColumnBase {
  readonly kind: 'other';
  /** What it holds, in the plural. */
  readonly what: string;
  /** Each cell as text or null; undefined where it cannot be read. */
  readonly values: ReadonlyArray<string | null> | undefined;
}

export type Column = NumberColumn | IntegerColumn | BooleanColumn | TimeColumn | TextColumn | OtherColumn;

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Whether the columns have names of their own, or were numbered. */
  readonly isNamed: boolean;
}

/** A cell; null where it is missing. Times are Dates. */
export type Cell = number | bigint | boolean | string | Date | null;

export function cellAt(column: Column, row: number): Cell {
  switch (column.kind) {
    case 'number': {
      const value = column.values[row] as number;
      return Number.isNaN(value) ? null : value;
    }
    case 'integer':
      return column.present?.[row] === 0 ? null : (column.values[row] as bigint);
    case 'boolean': {
      const value = column.values[row] as number;
      return value === MISSING_BOOLEAN ? null : value === 1;
    }
    case 'time': {
      const value = column.values[row] as number;
      return Number.isNaN(value) ? null : new Date(value);
    }
    case 'text': {
      const code = column.codes?.[row] ?? MISSING;
      return code === MISSING ? null : (column.texts[code] as string);
    }
    case 'other':
      return column.values?.[row] ?? null;
  }
}

export function isMissing(column: Column, row: number): boolean {
  switch (column.kind) {
    case 'number':
    case 'time':
      return Number.isNaN(column.values[row]);
    case 'integer':
      return column.present?.[row] === 0;
    case 'boolean':
      return column.values[row] === MISSING_BOOLEAN;
    case 'text':
      return column.codes !== undefined && column.codes[row] === MISSING;
    case 'other':
      return column.values?.[row] === null;
  }
}

/** A cell as text; null where it is missing. */
export function textAt(column: Column, row: number): string | null {
  const cell = cellAt(column, row);
  if (cell === null) return null;
  return cell instanceof Date ? timeText(cell.getTime(), (column as TimeColumn).unit) : String(cell);
}

/** A time in ISO 8601: a day without a time of day. */
export function timeText(time: number, unit: TimeUnit): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const text = date.toISOString();
  if (unit === 'day') return text.slice(0, text.indexOf('T'));
  if (unit === 's' && date.getUTCMilliseconds() === 0) return text.replace('.000Z', 'Z');
  const micros = Math.round((time - Math.floor(time)) * 1000);
  return micros > 0 && micros < 1000 ? text.replace('Z', `${String(micros).padStart(3, '0')}Z`) : text;
}

/** Names that differ: empty ones are numbered, repeated ones counted. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>(); // where to go on counting: a name may be there 100,000 times
  return names.map((given, i) => {
    const name = given.trim() === '' ? `column ${i + 1}` : given.trim();
    let unique = name;
    let n = counts.get(name) ?? 1;
    while (taken.has(unique)) unique = `${name} (${++n})`;
    counts.set(name, n);
    taken.add(unique);
    return unique;
  });
}

/** Names of columns that have none. */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `column ${i + 1}`);
}
