// Fits a robust envelope in the steps of scikit-learn's MinCovDet: finds the rows of least determinant (FastMCD), scales
// their covariance for consistency at the normal distribution, then estimates location and covariance again from all rows
// within the 97.5 % quantile of chi-square, with another consistency factor.

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { fitScaling, Scaling } from '../core/input/scaling.js';
import { chiSquareQuantile, chiSquareShare } from '../core/math/chi-square.js';
import type { Mahalanobis, Whitening } from '../core/math/mahalanobis.js';
import { finish, type Steps } from '../core/steps.js';
import { type Estimate, estimate, fastMcd, type Moments, whiteningOf } from './fast-mcd.js';
import { ProjectedRows, type Subspace, spanOf } from './subspace.js';

export interface EnvelopeOptions {
  /** Share of the rows of least determinant; undefined for the smallest sensible one. */
  readonly supportFraction: number | undefined;
  readonly assumeCentered: boolean;
  readonly seed: number;
}

/** A location and covariance of scaled columns. */
export interface Envelope {
  readonly scaling: Scaling;
  readonly whitening: Whitening;
  readonly covariance: Float64Array;
  /** 1 for the rows that location and covariance are estimated from, otherwise 0. */
  readonly support: Uint32Array;
}

/** Rows within this quantile of the distribution enter the final estimate. */
const REWEIGHTED_SHARE = 0.975;
/** Rows sampled to choose an offset and a unit for each column, which only improve numerical accuracy. */
const SAMPLE = 1001;

export function* fitEnvelope(rows: RowSource, tools: Mahalanobis, options: EnvelopeOptions): Steps<Envelope> {
  const isCentered = options.assumeCentered;
  const scaling = unitsOf(rows, isCentered);
  const scaled = scaling.apply(rows, 'double');
  function* shapeOf(source: RowSource, canBeSingular: boolean): Steps<Estimate | undefined> {
    const held = tools.hold(source);
    try {
      const moments = { rows: held, tools, isCentered };
      const isSingular = estimate(moments, indices(held.count)).factor === undefined;
      yield;
      return isSingular && !canBeSingular ? undefined : yield* reweighted(moments, options);
    } finally {
      held.release();
    }
  }
  const proper = yield* shapeOf(scaled, false);
  if (proper !== undefined) return { scaling, ...asIs(proper), support: flagsOf(proper, rows.rows) };
  const span = spanOf(scaled, isCentered);
  checkSpan(span, rows.rows);
  const final = (yield* shapeOf(new ProjectedRows(scaled, span), true)) as Estimate;
  return { scaling, ...unprojected(final, span), support: flagsOf(final, rows.rows) };
}

function checkSpan({ basis }: Subspace, count: number): void {
  if (count < 2) throw new CurvadError('TOO_FEW_ROWS', `a covariance needs at least 3 rows, got ${count}`);
  if (basis.length === 0)
    throw new CurvadError('NO_SPREAD', `all ${count} rows are equal: there is no covariance to learn`);
}

/** Number of rows of least determinant: scikit-learn's rule, by the dimension that the rows span. */
function supportSize({ rows, isCentered }: Moments, fraction: number | undefined): number {
  const { count, columns } = rows;
  const size =
    fraction === undefined ? Math.min(Math.ceil((count + columns + 1) / 2), count) : Math.floor(fraction * count);
  // With the fewest rows that the dimensions allow, all distances are equal.
  if (size === count && count <= columns + (isCentered ? 0 : 1)) {
    throw new CurvadError(
      'TOO_FEW_ROWS',
      `rows that span ${columns} dimensions need at least ${columns + (isCentered ? 1 : 2)} rows to differ in Mahalanobis distance, got ${count}`,
    );
  }
  return Math.max(size, 1);
}

/**
 * The consistency factor from the covariance of the nearest share of normal rows to that of all. The dimensions are
 * those that the rows span: constant columns, which scikit-learn counts, do not matter.
 */
function consistencyFactor(dimensions: number, share: number): number {
  if (share >= 1) return 1;
  return share / chiSquareShare(chiSquareQuantile(share, dimensions), dimensions + 2);
}

function* reweighted(moments: Moments, { supportFraction, seed }: EnvelopeOptions): Steps<Estimate> {
  const { count, columns } = moments.rows;
  const size = supportSize(moments, supportFraction);
  const raw = yield* fastMcd(moments, size, seed);
  if (raw.covariance.every((value) => value === 0)) {
    throw new CurvadError(
      'NO_SPREAD',
      `the ${size} of ${count} rows nearest to each other are all equal: a larger supportFraction than ${(size / count).toFixed(3)} is needed, or fewer duplicates`,
    );
  }
  const distances = new Float64Array(count);
  moments.rows.distances(indices(count), whiteningOf(raw), distances);
  const limit = chiSquareQuantile(REWEIGHTED_SHARE, columns) * consistencyFactor(columns, size / count);
  const final = estimate(
    moments,
    indices(count).filter((i) => (distances[i] as number) < limit),
  );
  const factor = consistencyFactor(columns, REWEIGHTED_SHARE);
  const root = Math.sqrt(factor);
  return {
    ...final,
    covariance: final.covariance.map((value) => value * factor),
    factor: final.factor?.map((value) => value / root),
  };
}

type Shape = Pick<Envelope, 'whitening' | 'covariance'>;

function asIs(final: Estimate): Shape {
  return { whitening: whiteningOf(final), covariance: final.covariance };
}

/** Converts an estimate from the coordinates of a subspace to those of the columns. */
function unprojected(final: Estimate, { origin, basis }: Subspace): Shape {
  const { matrix, rank } = whiteningOf(final);
  const columns = origin.length;
  const [size, axes] = [basis.length, basis as Float64Array[]];
  const combine = (weights: Float64Array): Float64Array => {
    const sum = new Float64Array(columns);
    axes.forEach((axis, i) => {
      for (let j = 0; j < columns; j++) sum[j] = (sum[j] as number) + (weights[i] as number) * (axis[j] as number);
    });
    return sum;
  };
  const rowsOf = (values: Float64Array, count: number) =>
    Array.from({ length: count }, (_, i) => combine(values.subarray(i * size, (i + 1) * size)));
  const location = combine(final.location).map((value, j) => value + (origin[j] as number));
  const whitening = new Float64Array(rank * columns);
  rowsOf(matrix, rank).forEach((row, i) => {
    whitening.set(row, i * columns);
  });
  // V C Vᵀ, from C Vᵀ.
  const half = rowsOf(final.covariance, size);
  const covariance = new Float64Array(columns * columns);
  for (let j = 0; j < columns; j++) {
    const weights = Float64Array.from(axes, (axis) => axis[j] as number);
    half.forEach((row, i) => {
      for (let k = j; k < columns; k++)
        covariance[j * columns + k] =
          (covariance[j * columns + k] as number) + (weights[i] as number) * (row[k] as number);
    });
    for (let k = 0; k < j; k++) covariance[j * columns + k] = covariance[k * columns + j] as number;
    // A constant column: rounding must not leave a variance just below 0.
    covariance[j * columns + j] = Math.max(0, covariance[j * columns + j] as number);
  }
  return { whitening: { location, matrix: whitening, rank, isTriangular: false }, covariance };
}

/**
 * The median of each column as its offset (0 for centred rows), and roughly its median deviation as its unit, a power of
 * two, so that far outliers cost the other rows no digits.
 */
function unitsOf(rows: RowSource, isCentered: boolean): Scaling {
  const step = Math.max(1, rows.rows / SAMPLE);
  const sample = Array.from({ length: Math.min(SAMPLE, rows.rows) }, (_, i) => {
    const row = new Float64Array(rows.columns);
    rows.read(Math.floor(i * step), row, 0);
    return row;
  });
  const columns = Array.from({ length: rows.columns }, (_, j) => Float64Array.from(sample, (row) => row[j] as number));
  const offset = Float64Array.from(columns, (column) => (isCentered ? 0 : median(column)));
  const deviation = Float64Array.from(columns, (column, j) =>
    median(column.map((value) => Math.abs(value - (offset[j] as number)))),
  );
  const isUnit = (value: number) => value > 0 && Number.isFinite(value);
  const spread = deviation.every(isUnit)
    ? deviation
    : finish(fitScaling(rows, { standardize: true, center: true, precision: 'double', isExplicit: true })).scaling
        .scale;
  const scale = deviation.map((value, j) => 2 ** Math.floor(Math.log2(isUnit(value) ? value : (spread[j] as number))));
  return new Scaling(offset, scale);
}

function median(values: Float64Array): number {
  return values.slice().sort()[values.length >> 1] as number;
}

function indices(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => i);
}

function flagsOf({ selected }: Estimate, count: number): Uint32Array {
  const flags = new Uint32Array(count);
  for (const index of selected) flags[index] = 1;
  return flags;
}
