// How the columns of a file become numbers, decided once when a model is fitted and kept with it: which
// columns are used, which categories become columns of 0 and 1, what stands for a missing value.

import { distinctNames } from '../tables/table.js';
import { clean, DataError, quote } from './errors.js';

export const MISSING_POLICIES = ['error', 'drop', 'median'] as const;
/** What to do with rows that lack values: refuse them, leave them out, or fill in the column's median. */
export type MissingPolicy = (typeof MISSING_POLICIES)[number];

interface PreparedBase {
  readonly name: string;
  /** Its place in the file it was decided on, from 0. */
  readonly index: number;
}

/** A column of numbers; `fill` is the median. */
export interface NumberColumn extends PreparedBase {
  readonly kind: 'number';
  readonly fill: number;
}

/** A column of few distinct texts: a feature for each. A text not among them, or none, leaves all at 0. */
export interface CategoryColumn extends PreparedBase {
  readonly kind: 'category';
  readonly values: readonly string[];
}

export type PreparedColumn = NumberColumn | CategoryColumn;

export class Preparation {
  readonly columns: readonly PreparedColumn[];
  /** Columns of the file it was decided on. */
  readonly width: number;
  /** Whether columns are found by name; otherwise by place. */
  readonly isNamed: boolean;
  readonly missing: MissingPolicy;
  /** The names of the numbers that come out. */
  readonly features: readonly string[];

  constructor(columns: readonly PreparedColumn[], width: number, isNamed: boolean, missing: MissingPolicy) {
    this.columns = columns;
    this.width = width;
    this.isNamed = isNamed;
    this.missing = missing;
    const names = columns.map((column) =>
      column.kind === 'number' ? column.name : column.values.map((value) => `${column.name}=${value}`),
    );
    this.features = distinctNames(names.flat());
  }

  /** Columns of a model that says nothing about them: so many numbers, by place. */
  static ofNumbers(count: number): Preparation {
    const columns = Array.from({ length: count }, (_, index) => {
      return { kind: 'number', name: `column ${index + 1}`, index, fill: Number.NaN } as const;
    });
    return new Preparation(columns, count, false, 'error');
  }

  /** For the header of a model file. */
  toJSON(): unknown {
    const { columns, width, isNamed, missing } = this;
    return { columns, width, isNamed, missing };
  }

  /** Reads what toJSON gave. A model file comes from a stranger: every field is checked. */
  static fromJSON(value: unknown, features: number): Preparation {
    const { columns, width, isNamed, missing } = objectOf(value);
    if (!Array.isArray(columns)) throw invalid('columns are missing');
    if (!isCount(width)) throw invalid('the width is not a number');
    if (missing === 'indicator')
      throw new DataError(
        'the model marks missing values as only a program does (an indicator): score it with load() there',
      );
    if (!MISSING_POLICIES.includes(missing as MissingPolicy)) throw invalid('missing values are not described');
    const checked = columns.map((column) => preparedColumn(objectOf(column), width));
    const preparation = new Preparation(checked, width, isNamed === true, missing as MissingPolicy);
    if (preparation.features.length !== features)
      throw invalid(`it describes ${preparation.features.length} columns, the model has ${features}`);
    return preparation;
  }

  /** Where in a file each column is: by name, or by place. */
  locate(names: readonly string[], hasNames: boolean, where: string): number[] {
    if (this.isNamed && hasNames) {
      const places = new Map(names.map((name, place) => [name, place]));
      const lacking = this.columns.filter(({ name }) => !places.has(name)).map(({ name }) => quote(name));
      if (lacking.length === 0) return this.columns.map(({ name }) => places.get(name) as number);
      const has = names.slice(0, 12).map((name) => clean(name, 30));
      throw new DataError(
        `${where} has no column ${lacking.slice(0, 5).join(', ')}${lacking.length > 5 ? ', …' : ''}, which the model needs; it has ${has.join(', ')}${names.length > 12 ? ', …' : ''}`,
      );
    }
    if (names.length === this.width) return this.columns.map(({ index }) => index);
    if (names.length === this.columns.length) return this.columns.map((_, place) => place);
    const needs = this.width === this.columns.length ? `${this.width}` : `${this.columns.length} or ${this.width}`;
    throw new DataError(`${where} has ${names.length} columns, the model needs ${needs}`);
  }
}

function preparedColumn(column: Record<string, unknown>, width: number): PreparedColumn {
  const { kind, name, index, fill, values } = column;
  if (typeof name !== 'string') throw invalid('a column has no name');
  if (!isCount(index) || index >= width) throw invalid(`the column ${quote(name)} has no place`);
  if (kind === 'time' || kind === 'frequency' || column['hasIndicator'] === true)
    throw new DataError(
      `the model uses ${quote(name)} as only a program does (${kind === 'number' ? 'an indicator' : kind}): score it with load() there`,
    );
  if (kind === 'number' || kind === 'boolean') {
    // JSON has no NaN: what cannot be filled in is null.
    if (fill !== null && !(typeof fill === 'number' && Number.isFinite(fill)))
      throw invalid(`the median of ${quote(name)} is not a number`);
    return { kind: 'number', name, index, fill: (fill as number | null) ?? Number.NaN };
  }
  if (kind !== 'category' || !Array.isArray(values) || !values.every((value) => typeof value === 'string'))
    throw invalid(`the column ${quote(name)} is not described`);
  return { kind, name, index, values };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalid('something is not an object');
}

function invalid(why: string): DataError {
  return new DataError(`the model file describes its columns wrongly (${why}): fit and save it again`);
}
