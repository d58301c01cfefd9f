// Training rows held in the core, scaled, ready to be asked about: what CAD, KNN and LOF stand on. Here is
// how they get there from the user, and from a model file.

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
  /** New rows on their way into the core. */
  readonly queries: ScaledRows;
  /** The ε of an approximate search, and what training measured that it finds. */
  readonly epsilon?: number | undefined;
  recall?: Recall | undefined;
  /** How far a fit is when the search for neighbours begins, and when it ends. */
  readonly searching: Work['progress'];
}

/** How rows are to be held. */
export interface Holding {
  readonly kernel: Kernel;
  /** Undefined leaves the choice to the kernel and the data. */
  readonly precision: Precision | undefined;
  readonly standardize: boolean;
  /** Standardized columns are clipped softly, and constant ones left out. Default false. */
  readonly clip?: boolean;
  readonly approximate?: Approximation | undefined;
  readonly backend: BackendChoice;
}

/** Nanoseconds a value takes to be scaled, and a row at the end of a fit: threads do neither. */
const PER_SCALED_VALUE = 15;
const PER_FITTED_ROW = 100;

/**
 * Holds training rows, and tells how far the fit is.
 * @param follows Nanoseconds of one thread for what is done with all rows beside the search for their neighbours.
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
  // Rows that lost nothing are compared with new rows that lose nothing.
  const queries = new ScaledRows(fitted.scaling, precision ?? 'double');
  return { points, scaling: fitted.scaling, queries, epsilon, searching };
}

/** Has the k nearest others of all rows searched for, and measures what an approximate search finds. */
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

/** What `restoreRows` needs. */
export function describeRows({ points, scaling, queries, recall }: HeldRows): Pick<Model, 'fields' | 'sections'> {
  const { count: rows, columns, precision } = points;
  const asked = queries.precision === precision ? undefined : queries.precision;
  return {
    fields: { rows, columns, precision, queries: asked, recall },
    // A column that was left out has scale 0: no file holds an infinite number.
    sections: {
      rows: points.rows(),
      offset: scaling.offset,
      scale: scaling.scale.map((value) => (value === Infinity ? 0 : value)),
    },
  };
}

/** Holds the rows of a model file, of which there must be at least `least`. */
export function restoreRows(model: Model, holding: Holding, least: number): HeldRows {
  const { kernel, precision, clip = false, backend } = holding;
  const epsilon = holding.approximate?.epsilon;
  const rows = checkedCount(model, 'rows');
  const columns = checkedCount(model, 'columns');
  if (rows < least) throw corrupt(`it has ${rows} rows, at least ${least} are needed`);
  if (precision === undefined) throw corrupt('precision is missing');
  const data = checkedSection(model, 'rows', precision === 'single' ? 'f32' : 'f64', rows * columns);
  const offset = checkedSection(model, 'offset', 'f64', columns);
  const scale = checkedSection(model, 'scale', 'f64', columns);
  checkedSection(model, 'scores', 'f64', rows);
  if (!scale.every((value) => value > 0 || (clip && value === 0))) throw corrupt('a scale is not positive');
  const stored = new RowReader().attach({ data, rows, columns });
  // Stored rows are scaled already: they are only checked for their range.
  const unscaled = new Scaling(new Float64Array(columns), new Float64Array(columns).fill(1));
  try {
    const points = finish(
      selectBackend(backend).hold(unscaled.apply(stored, precision), precision, kernel, { epsilon }),
    );
    const scaling = new Scaling(
      offset,
      scale.map((value) => (value === 0 ? Infinity : value)),
      clip,
    );
    const asked = model.fields['queries'] === 'double' ? 'double' : precision;
    const recall = epsilon === undefined ? undefined : readRecall(model.fields['recall']);
    return { points, scaling, queries: new ScaledRows(scaling, asked), epsilon, recall, searching: [0, 1] };
  } catch (cause) {
    if (cause instanceof CurvadError && cause.code === 'VALUE_TOO_LARGE') throw corrupt(cause.message, cause);
    throw cause;
  }
}
