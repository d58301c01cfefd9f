// How rows are moved, scaled and stored, as plain JSON data. Made once from column statistics, it lets several processes
// search parts of the same rows and get exactly the distances of a search over all.
import type { Precision } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import type { ColumnStatistics } from '../core/input/column-statistics.js';
import { type FittedScaling, Scaling, scalingFor } from '../core/input/scaling.js';
import { checkOptionNames, flag, oneOf } from '../core/options.js';

/** Rows are stored as (row − offset) / scale, clipped softly or not, rounded to the precision. */
export interface RowScaling {
  readonly offset: readonly number[];
  /** 0 for a dropped column. */
  readonly scale: readonly number[];
  /** Whether values beyond ±5 become ±(5 + ln(1 + |z| − 5)). */
  readonly clip?: boolean;
  readonly precision: Precision;
}

export interface RowScalingOptions {
  /** Divide each column by its standard deviation. Default false. */
  standardize?: boolean;
  /** Softly clip standardized columns and drop constant ones, as LandmarkCAD does. Default false. */
  clip?: boolean;
  /** Move columns near zero: valid for translation-invariant kernels. Default true. */
  center?: boolean;
  /** Default 'single' if that stores all rows exactly, otherwise 'double'. */
  precision?: Precision;
}

export const PRECISIONS: readonly Precision[] = ['single', 'double'];

/** The scaling that a detector or search fitted on all these rows uses. */
export function scalingOf(statistics: ColumnStatistics, options?: RowScalingOptions): RowScaling {
  const given = checkOptionNames(options, ['standardize', 'clip', 'center', 'precision'], 'scalingOf');
  const chosen = {
    standardize: flag(given['standardize'], 'standardize', false, 'STANDARDIZE_INVALID'),
    clip: flag(given['clip'], 'clip', false, 'STANDARDIZE_INVALID'),
    center: flag(given['center'], 'center', true, 'CENTER_INVALID'),
    precision: oneOf(given['precision'], 'precision', PRECISIONS, 'single', 'PRECISION_UNKNOWN'),
    isExplicit: given['precision'] !== undefined,
  };
  const { scaling, precision } = scalingFor(statistics, chosen);
  const scale = Array.from(scaling.scale, (value) => (value === Infinity ? 0 : value)); // JSON cannot represent infinity
  return { offset: [...scaling.offset], scale, precision, ...(scaling.isClipped && { clip: true }) };
}

/** Checks a given scaling. */
export function readScaling(given: unknown, columns: number): FittedScaling {
  const {
    offset,
    scale,
    precision,
    clip = false,
  } = checkOptionNames(given, ['offset', 'scale', 'precision', 'clip'], 'scaling');
  const isClipped = flag(clip, 'clip', false, 'SCALING_INVALID');
  const areNumbers = (list: unknown): list is number[] =>
    Array.isArray(list) && list.length === columns && list.every(Number.isFinite);
  if (!areNumbers(offset) || !areNumbers(scale) || !scale.every((value) => value > 0 || (isClipped && value === 0))) {
    throw new CurvadError(
      'SCALING_INVALID',
      `scaling must have an offset and a positive scale for each of ${columns} columns, as scalingOf gives them`,
    );
  }
  if (!PRECISIONS.includes(precision as Precision)) {
    throw new CurvadError('PRECISION_UNKNOWN', `precision must be single or double, got ${describe(precision)}`);
  }
  return {
    scaling: new Scaling(
      Float64Array.from(offset),
      Float64Array.from(scale, (value) => (value === 0 ? Infinity : value)),
      isClipped,
    ),
    precision: precision as Precision,
  };
}
