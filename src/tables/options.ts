// The options of a table: which columns are used, and how.
import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, oneOf, wholeNumber } from '../core/options.js';
import { MISSING_POLICIES, type MissingPolicy } from './recipe.js';

export interface TableOptions {
  /** The columns to use. Default: all that can be. */
  columns?: readonly string[];
  /** Columns not to use. */
  ignore?: readonly string[];
  /**
   * Missing values: 'error' (default) refuses them, 'median' fills in the median of the training rows, 'indicator'
   * does that and adds a 0/1 feature to columns that lacked values when fitted, 'drop' leaves such rows out.
   */
  missing?: MissingPolicy;
  /** Texts of at most so many values become a feature for each. Default 10. */
  mostCategories?: number;
  /** Texts of more values: 'omit' (default) leaves them out, 'frequency' uses the share of training rows that have the value. */
  categories?: 'omit' | 'frequency';
  /**
   * Dates and times: 'omit' (default) leaves them out, as later rows would all be new; 'epoch' is days since 1970,
   * 'cycles' hour of the day and day of the week as points on circles, 'both' all of them.
   */
  dates?: 'omit' | 'epoch' | 'cycles' | 'both';
}

/** Options with their defaults. */
export interface TableSettings {
  readonly columns: readonly string[] | undefined;
  readonly ignore: readonly string[];
  readonly missing: MissingPolicy;
  readonly mostCategories: number;
  readonly categories: 'omit' | 'frequency';
  readonly dates: 'omit' | 'epoch' | 'cycles' | 'both';
}

const OPTION_NAMES: ReadonlyArray<keyof TableOptions> = [
  'columns',
  'ignore',
  'missing',
  'mostCategories',
  'categories',
  'dates',
];

export const CATEGORY_CHOICES = ['omit', 'frequency'] as const;
export const DATE_CHOICES = ['omit', 'epoch', 'cycles', 'both'] as const;

export function checkTableOptions(options: unknown): TableSettings {
  const given = checkOptionNames(options, OPTION_NAMES, 'table') as Record<keyof TableOptions, unknown>;
  return {
    columns: given.columns === undefined ? undefined : names(given.columns, 'columns'),
    ignore: given.ignore === undefined ? [] : names(given.ignore, 'ignore'),
    missing: oneOf(given.missing, 'missing', MISSING_POLICIES, 'error', 'MISSING_INVALID'),
    mostCategories: wholeNumber(given.mostCategories, 'mostCategories', 0, 10, 'CATEGORIES_INVALID'),
    categories: oneOf(given.categories, 'categories', CATEGORY_CHOICES, 'omit', 'CATEGORIES_INVALID'),
    dates: oneOf(given.dates, 'dates', DATE_CHOICES, 'omit', 'DATES_INVALID'),
  };
}

function names(value: unknown, option: string): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value;
  throw new CurvadError('NAMES_INVALID', `${option} must be a list of names of columns, got ${describe(value)}`);
}
