// How the columns of a table become the numbers of a row. It is learned when a detector is fitted, kept in the model
// file, and applied to every table that is scored.
import { corrupt } from '../core/model-file/model-file.js';
import { DATE_ORDERS, type DateOrder, distinctNames } from './table.js';

export const MISSING_POLICIES: readonly MissingPolicy[] = ['error', 'median', 'indicator', 'drop'];
/** What becomes of missing values: they are refused, filled with the median, filled and marked, or their rows left out. */
export type MissingPolicy = 'error' | 'median' | 'indicator' | 'drop';

export const TIME_PARTS: readonly TimePart[] = ['epoch', 'hour', 'weekday'];
export type TimePart = 'epoch' | 'hour' | 'weekday';

interface UsedBase {
  readonly name: string;
  /** Its place in the table it was learned from, from 0. */
  readonly index: number;
  /** Whether a 0/1 feature of its own says that the value is missing. */
  readonly hasIndicator: boolean;
}

/** A number, as it is. */
export interface UsedNumber extends UsedBase {
  readonly kind: 'number';
  /** What stands for a missing value: the median; NaN where it is not known. */
  readonly fill: number;
}

/** False and true as 0 and 1. */
export interface UsedBoolean extends UsedBase {
  readonly kind: 'boolean';
  readonly fill: number;
}

/** A text of few: a feature for each, 1 where it is there. A text not among them, or none, leaves all at 0. */
export interface UsedCategory extends UsedBase {
  readonly kind: 'category';
  readonly values: readonly string[];
}

/** A text of many: the share of the training rows that have it; 0 for one that is not among them, or none. */
export interface UsedFrequency extends UsedBase {
  readonly kind: 'frequency';
  readonly values: readonly string[];
  readonly shares: readonly number[];
}

/** A time: days since 1970, and its place on the circles of the day and of the week. */
export interface UsedTime extends UsedBase {
  readonly kind: 'time';
  readonly parts: readonly TimePart[];
  /** Whether days or months come first in texts such as 5/6/2026. */
  readonly order?: DateOrder;
  /** In milliseconds since 1970. */
  readonly fill: number;
}

export type UsedColumn = UsedNumber | UsedBoolean | UsedCategory | UsedFrequency | UsedTime;

/** A column that is no feature, and why. */
export interface LeftColumn {
  readonly name: string;
  readonly reason: string;
}

interface RecipeParts {
  readonly columns: readonly UsedColumn[];
  readonly left?: readonly LeftColumn[];
  /** Columns of the table it was learned from. */
  readonly width: number;
  /** Whether columns are found by name; otherwise by place. */
  readonly isNamed: boolean;
  readonly missing: MissingPolicy;
}

export class Recipe {
  readonly columns: readonly UsedColumn[];
  readonly left: readonly LeftColumn[];
  readonly width: number;
  readonly isNamed: boolean;
  readonly missing: MissingPolicy;
  /** The names of the numbers that come out. */
  readonly features: readonly string[];
  /** Where the features of each column begin in a row. */
  readonly offsets: readonly number[];

  constructor({ columns, left = [], width, isNamed, missing }: RecipeParts) {
    this.columns = columns;
    this.left = left;
    this.width = width;
    this.isNamed = isNamed;
    this.missing = missing;
    const names = columns.map(featuresOf);
    this.features = distinctNames(names.flat());
    let at = 0;
    this.offsets = names.map(({ length }) => {
      at += length;
      return at - length;
    });
  }

  /** Columns of a model that says nothing about them: so many numbers, by place. */
  static ofNumbers(count: number): Recipe {
    const columns = Array.from({ length: count }, (_, index) => {
      const name = `column ${index + 1}`;
      return { kind: 'number', name, index, fill: Number.NaN, hasIndicator: false } as const;
    });
    return new Recipe({ columns, width: count, isNamed: false, missing: 'error' });
  }

  /** Features that change together, as those of one category do. */
  get groups(): number[][] {
    return this.columns.flatMap((column, c) => {
      const at = this.offsets[c] as number;
      return column.kind === 'category' ? [column.values.map((_, place) => at + place)] : [];
    });
  }

  /** The column that a feature is of, by its place in `columns`. */
  columnOf(feature: number): number {
    let low = 0;
    for (let high = this.offsets.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((this.offsets[middle] as number) <= feature) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Features of 0 and 1 that stand for a word, for true, or say that a value is missing. */
  get marks(): boolean[] {
    return this.columns.flatMap((column) => {
      const isMark = column.kind === 'category' || column.kind === 'boolean';
      return featuresOf(column).map((_, place, { length }) => isMark || (column.hasIndicator && place === length - 1));
    });
  }

  /** For the header of a model file. */
  toJSON(): unknown {
    const { columns, left, width, isNamed, missing } = this;
    return { columns, left, width, isNamed, missing };
  }

  /** Reads what toJSON gave. A model file comes from a stranger: every field is checked. */
  static fromJSON(value: unknown, features: number): Recipe {
    const { columns, left = [], width, isNamed, missing } = objectOf(value);
    if (!Array.isArray(columns) || columns.length === 0) throw invalid('columns are missing');
    if (!Array.isArray(left)) throw invalid('it has no list of the columns left out');
    if (!isCount(width)) throw invalid('the width is not a number');
    if (!MISSING_POLICIES.includes(missing as MissingPolicy)) throw invalid('missing values are not described');
    const recipe = new Recipe({
      columns: columns.map((column) => usedColumn(objectOf(column), width)),
      left: left.map((column) => leftColumn(objectOf(column))),
      width,
      isNamed: isNamed === true,
      missing: missing as MissingPolicy,
    });
    if (recipe.features.length !== features)
      throw invalid(`it describes ${recipe.features.length} columns, the model has ${features}`);
    return recipe;
  }
}

/** The names of what a column becomes. */
export function featuresOf(column: UsedColumn): string[] {
  const { name } = column;
  const names = [];
  if (column.kind === 'category') for (const value of column.values) names.push(`${name}=${value}`);
  else if (column.kind === 'frequency') names.push(`${name} (share of rows)`);
  else if (column.kind === 'time') {
    for (const part of column.parts)
      names.push(...(part === 'epoch' ? [`${name} (days)`] : [`${name} (${part}, sin)`, `${name} (${part}, cos)`]));
  } else names.push(name);
  if (column.hasIndicator) names.push(`${name} is missing`);
  return names;
}

function usedColumn(column: Record<string, unknown>, width: number): UsedColumn {
  const { kind, name, index, fill, values, shares, parts, order } = column;
  if (typeof name !== 'string') throw invalid('a column has no name');
  if (!isCount(index) || index >= width) throw invalid(`the column ${JSON.stringify(name)} has no place`);
  const wrong = (what: string) => invalid(`${what} of the column ${JSON.stringify(name)} is wrong`);
  const base = { name, index, hasIndicator: column['hasIndicator'] === true };
  // JSON has no NaN: what cannot be filled in is null.
  const filler = fill ?? Number.NaN;
  if (kind === 'number' || kind === 'boolean' || kind === 'time') {
    if (typeof filler !== 'number' || (fill !== null && fill !== undefined && !Number.isFinite(filler)))
      throw wrong('the median');
    if (kind !== 'time') return { kind, ...base, fill: filler };
    if (!Array.isArray(parts) || parts.length === 0 || !parts.every((part) => TIME_PARTS.includes(part)))
      throw wrong('the use');
    if (order !== undefined && !DATE_ORDERS.includes(order as DateOrder)) throw wrong('the order of day and month');
    return { kind, ...base, parts, fill: filler, ...(order !== undefined && { order: order as DateOrder }) };
  }
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) throw wrong('the description');
  if (kind === 'category') return { kind, ...base, values };
  if (kind !== 'frequency' || !Array.isArray(shares) || shares.length !== values.length) throw wrong('the kind');
  if (!shares.every((share) => typeof share === 'number' && share >= 0 && share <= 1)) throw wrong('a share');
  return { kind, ...base, values, shares };
}

function leftColumn({ name, reason }: Record<string, unknown>): LeftColumn {
  if (typeof name === 'string' && typeof reason === 'string') return { name, reason };
  throw invalid('a column left out is not described');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid('something is not an object');
}

function invalid(why: string): Error {
  return corrupt(`it describes its columns wrongly: ${why}`);
}
