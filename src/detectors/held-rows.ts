// Training rows held in the core, scaled, ready to be asked about: what CAD, KNN and LOF stand on. Here is
// how they get there from the user, and from a model file.

import type { PointSet, Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { RowReader, type RowSource } from '../core/input/matrix.js';
import { fitScaling, ScaledRows, Scaling } from '../core/input/scaling.js';
import { isTranslationInvariant, type Kernel } from '../core/kernel.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { finish, type Steps } from '../core/steps.js';
import type { Approximation } from '../neighbors/approximation.js';
import { measureRecall, type Recall, readRecall } from '../neighbors/recall.js';
import { checkedCount, checkedSection } from './model-parts.js';

export interface HeldRows {
  readonly points: PointSet;
  readonly scaling: Scaling;
  /** New rows on their way into the core. */
  readonly queries: ScaledRows;
  /** The ε of an approximate search, and what training measured that it finds. */
  readonly epsilon?: number | undefined;
  recall?: Recall | undefined;
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

/** Holds training rows. */
export function* holdRows(rows: RowSource, holding: Holding): Steps<HeldRows> {
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
  const points = yield* selectBackend(backend).hold(scaled, fitted.precision, kernel, { epsilon });
  return { points, scaling: fitted.scaling, queries: new ScaledRows(fitted.scaling, fitted.precision), epsilon };
}

/** Measures what an approximate search for the k nearest others of all rows finds. */
export function* noteRecall(held: HeldRows, k: number, progress: readonly [number, number]): Steps<void> {
  if (held.epsilon !== undefined) held.recall = yield* measureRecall(held.points, k, progress);
}

/** What `restoreRows` needs. */
export function describeRows({ points, scaling, recall }: HeldRows): Pick<Model, 'fields' | 'sections'> {
  return {
    fields: { rows: points.count, columns: points.columns, precision: points.precision, recall },
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
    const recall = epsilon === undefined ? undefined : readRecall(model.fields['recall']);
    return { points, scaling, queries: new ScaledRows(scaling, precision), epsilon, recall };
  } catch (cause) {
    if (cause instanceof CurvadError && cause.code === 'VALUE_TOO_LARGE') throw corrupt(cause.message, cause);
    throw cause;
  }
}
