// Scaled training rows stored in the core for queries: the basis of CAD, KNN, LOF and LandmarkCAD. They come from the
// user or from a model file.

import type { HoldingCosts, PointSet, Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { RowReader, type RowSource } from '../core/input/matrix.js';
import { fitScaling, ScaledRows, Scaling } from '../core/input/scaling.js';
import { isTranslationInvariant, type Kernel } from '../core/kernel.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { finish, type Steps, type Work } from '../core/steps.js';
import type { Approximation } from '../neighbors/approximation.js';
import { measureRecall, type Recall, readRecall } from '../neighbors/recall.js';
import { availableThreads } from '../parallel/thread.js';
import { checkedCount, checkedSection } from './model-parts.js';

export interface HeldRows {
  readonly points: PointSet;
  readonly scaling: Scaling;
  /** Reads new rows for the core. */
  readonly queries: ScaledRows;
  /** The ε of an approximate search, and its recall as measured in training. */
  readonly epsilon?: number | undefined;
  recall?: Recall | undefined;
  /** Progress of a fit at the start and the end of the neighbour search. */
  readonly searching: Work['progress'];
}

/** How to store rows. */
export interface Holding {
  readonly kernel: Kernel;
  /** Undefined: chosen by the kernel and the data. */
  readonly precision: Precision | undefined;
  readonly standardize: boolean;
  /** Whether standardized columns are softly clipped and constant ones dropped. Default false. */
  readonly clip?: boolean;
  readonly approximate?: Approximation | undefined;
  readonly backend: BackendChoice;
}

/** Nanoseconds to scale a value, and per row at the end of a fit; neither is done on threads. */
const PER_SCALED_VALUE = 15;
const PER_FITTED_ROW = 100;

/**
 * Stores training rows, and computes the progress of the fit.
 * @param follows Nanoseconds for one thread to process all rows, apart from the neighbour search.
 */
export function* holdRows(rows: RowSource, holding: Holding, follows = 0): Steps<HeldRows> {
  const { kernel, precision, standardize, clip = false, backend } = holding;
  const epsilon = holding.approximate?.epsilon;
  const isInvariant = isTranslationInvariant(kernel.name);
  const fitted = yield* fitScaling(rows, {
    standardize,
    clip,
    center: isInvariant,
    precision: precision ?? (isInvariant ? 'single' : 'double'),
    isExplicit: precision !== undefined,
  });
  const scaled = fitted.scaling.apply(rows, fitted.precision);
  let searching: Work['progress'] = [0.02, 0.98];
  const begun = (costs: HoldingCosts): number => {
    const before = costs.holding + PER_SCALED_VALUE * rows.rows * rows.columns;
    const after = PER_FITTED_ROW * rows.rows;
    const all = before + (costs.searching + follows) / Math.max(1, availableThreads()) + after;
    searching = [before / all, 1 - after / all];
    return before / all;
  };
  const points = yield* selectBackend(backend).hold(scaled, fitted.precision, kernel, { epsilon, begun });
  // Rows stored exactly are compared with new rows that are not rounded either.
  const queries = new ScaledRows(fitted.scaling, precision ?? 'double');
  return { points, scaling: fitted.scaling, queries, epsilon, searching };
}

/** Searches the k nearest others of all rows, and measures the recall of an approximate search. */
export function* searchHeld<Result>(
  held: HeldRows,
  k: number,
  search: (progress: Work['progress']) => Steps<Result>,
): Steps<Result> {
  const [begun, ended] = held.searching;
  if (held.epsilon === undefined) return yield* search([begun, ended]);
  const measured = begun + 0.9 * (ended - begun);
  const result = yield* search([begun, measured]);
  held.recall = yield* measureRecall(held.points, k, [measured, ended]);
  return result;
}

/** The input of `restoreRows`: with the rows, unless the points are lent. */
export function describeRows(
  { points, scaling, queries, recall }: HeldRows,
  isLent = false,
): Pick<Model, 'fields' | 'sections'> {
  const { count: rows, columns, precision } = points;
  const asked = queries.precision === precision ? undefined : queries.precision;
  return {
    fields: { rows, columns, precision, queries: asked, recall },
    // A dropped column has scale 0, as files hold no infinite numbers.
    sections: {
      ...(!isLent && { rows: points.rows() }),
      offset: scaling.offset,
      scale: scaling.scale.map((value) => (value === Infinity ? 0 : value)),
    },
  };
}

/** Stores the rows of a model file, at least `least` of them. */
export function restoreRows(model: Model, holding: Holding, least: number): HeldRows {
  const { precision, clip = false } = holding;
  const epsilon = holding.approximate?.epsilon;
  const rows = checkedCount(model, 'rows');
  const columns = checkedCount(model, 'columns');
  if (rows < least) throw corrupt(`it has ${rows} rows, at least ${least} are needed`);
  if (precision === undefined) throw corrupt('precision is missing');
  const offset = checkedSection(model, 'offset', 'f64', columns);
  const scale = checkedSection(model, 'scale', 'f64', columns);
  checkedSection(model, 'scores', 'f64', rows);
  if (!scale.every((value) => value > 0 || (clip && value === 0))) throw corrupt('a scale is not positive');
  const points = model.points ?? pointsOf(model, [rows, columns], { ...holding, precision });
  const scaling = new Scaling(
    offset,
    scale.map((value) => (value === 0 ? Infinity : value)),
    clip,
  );
  const asked = model.fields['queries'] === 'double' ? 'double' : precision;
  const recall = epsilon === undefined ? undefined : readRecall(model.fields['recall']);
  return { points, scaling, queries: new ScaledRows(scaling, asked), epsilon, recall, searching: [0, 1] };
}

/** Holds the rows that are in a model file. */
function pointsOf(
  model: Model,
  [rows, columns]: readonly [number, number],
  { kernel, precision, approximate, backend }: Holding & { precision: Precision },
): PointSet {
  const data = checkedSection(model, 'rows', precision === 'single' ? 'f32' : 'f64', rows * columns);
  const stored = new RowReader().attach({ data, rows, columns });
  // Stored rows are already scaled: only their range is checked.
  const unscaled = new Scaling(new Float64Array(columns), new Float64Array(columns).fill(1));
  const plan = { epsilon: approximate?.epsilon };
  try {
    return finish(selectBackend(backend).hold(unscaled.apply(stored, precision), precision, kernel, plan));
  } catch (cause) {
    if (cause instanceof CurvadError && cause.code === 'VALUE_TOO_LARGE') throw corrupt(cause.message, cause);
    throw cause;
  }
}
