// How rows are moved, scaled and stored, as plain data that JSON keeps: made from column statistics in one place,
// it lets several processes search parts of the same rows and find the very distances of a search over all.
import type { Precision } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import type { ColumnStatistics } from '../core/input/column-statistics.js';
import { sampledRows, sampleOf } from '../core/input/digits.js';
import { type MatrixInput, RowReader } from '../core/input/matrix.js';
import { type FittedScaling, Scaling, scalingForSample, scalingFrom } from '../core/input/scaling.js';
import { checkOptionNames, flag, oneOf, wholeNumber } from '../core/options.js';

/** Rows are stored as (row − offset) / scale, rounded to the precision. */
export interface RowScaling {
  readonly offset: readonly number[];
  readonly scale: readonly number[];
  readonly precision: Precision;
}

export interface RowScalingOptions {
  /** Divide each column by its standard deviation. Default false. */
  standardize?: boolean;
  /** Move columns near zero: right for every kernel that does not see translation. Default true. */
  center?: boolean;
  /** Default 'single', or 'double' where the values are outside what single holds well. */
  precision?: Precision;
  /**
   * The rows that `scalingSample` names, in that order: by them a fit finds out whether its rows keep their digits as they
   * are stored, and so does this.
   */
  sample?: MatrixInput;
}

export const PRECISIONS: readonly Precision[] = ['single', 'double'];

/** Which of so many rows `scalingOf` takes for its sample, from 0. */
export function scalingSample(rows: number): number[] {
  return sampledRows(wholeNumber(rows ?? Number.NaN, 'rows', 1, 1, 'ROWS_INVALID'));
}

/**
 * The scaling that a detector or search fitted on all these rows uses. Where far values or near neighbours make a fit
 * move rows by their medians, or store them in double precision, only `sample` tells: without it, give every fit this
 * scaling.
 */
export function scalingOf(statistics: ColumnStatistics, options?: RowScalingOptions): RowScaling {
  const given = checkOptionNames(options, ['standardize', 'center', 'precision', 'sample'], 'scalingOf');
  const chosen = {
    standardize: flag(given['standardize'], 'standardize', false, 'STANDARDIZE_INVALID'),
    center: flag(given['center'], 'center', true, 'CENTER_INVALID'),
    precision: oneOf(given['precision'], 'precision', PRECISIONS, 'single', 'PRECISION_UNKNOWN'),
    isExplicit: given['precision'] !== undefined,
  };
  const { scaling, precision } =
    given['sample'] === undefined
      ? scalingFrom(statistics, chosen)
      : scalingForSample(statistics, () => checkedSample(given['sample'] as MatrixInput, statistics), chosen);
  return { offset: [...scaling.offset], scale: [...scaling.scale], precision };
}

function checkedSample(sample: MatrixInput, statistics: ColumnStatistics): Float64Array[] {
  const reader = new RowReader().attach(sample);
  const expected = sampledRows(statistics.rows).length;
  if (reader.columns !== statistics.columns)
    throw new CurvadError('WRONG_WIDTH', `the sample has ${reader.columns} columns, expected ${statistics.columns}`);
  if (reader.rows !== expected)
    throw new CurvadError('LENGTHS_DIFFER', `the sample has ${reader.rows} rows, scalingSample names ${expected}`);
  return sampleOf(reader);
}

/** A scaling that was given, checked. */
export function readScaling(given: unknown, columns: number): FittedScaling {
  const { offset, scale, precision } = checkOptionNames(given, ['offset', 'scale', 'precision'], 'scaling');
  const areNumbers = (list: unknown): list is number[] =>
    Array.isArray(list) && list.length === columns && list.every(Number.isFinite);
  if (!areNumbers(offset) || !areNumbers(scale) || !scale.every((value) => value > 0)) {
    throw new CurvadError(
      'SCALING_INVALID',
      `scaling must have an offset and a positive scale for each of ${columns} columns, as scalingOf gives them`,
    );
  }
  if (!PRECISIONS.includes(precision as Precision)) {
    throw new CurvadError('PRECISION_UNKNOWN', `precision must be single or double, got ${describe(precision)}`);
  }
  return {
    scaling: new Scaling(Float64Array.from(offset), Float64Array.from(scale)),
    precision: precision as Precision,
  };
}
