// Elliptic envelope: models the rows as a normal distribution with outliers, whose location and covariance are estimated
// robustly (FastMCD). The score of a row is its squared Mahalanobis distance.

import type { RowSource } from '../core/input/matrix.js';
import { ScaledRows, Scaling } from '../core/input/scaling.js';
import { jsMahalanobis } from '../core/js/mahalanobis.js';
import type { Mahalanobis, Measure, Whitening } from '../core/math/mahalanobis.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { type BackendChoice, implementationFor } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import { wasmMahalanobis } from '../core/wasm/mahalanobis.js';
import type { ThreadSource } from '../parallel/run.js';
import { Detector } from './detector.js';
import { COMMON_OPTIONS, real, seed, standardize, type ValuesOf, yesNo } from './detector-options.js';
import { type Envelope, fitEnvelope } from './envelope.js';
import type { Trained } from './fitted-state.js';
import { checkedCount, checkedSection } from './model-parts.js';
import type { DetectorOptions } from './threshold-rule.js';

export interface EllipticEnvelopeOptions extends DetectorOptions {
  /**
   * Share of rows whose covariance has the least determinant, from 0.5 to 1. Default (rows + dimensions + 1) / 2 rows,
   * which tolerates the most outliers; 1 gives the ordinary covariance.
   */
  supportFraction?: number;
  /** Fix the location at 0 and estimate only the covariance. Default false. */
  assumeCentered?: boolean;
  /** Seed of the random starts. Default 0. */
  seed?: number;
  /**
   * Accepted for consistency, without effect: distances do not depend on the units of columns, and columns are always
   * scaled internally.
   */
  standardize?: boolean;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

const OPTIONS = {
  supportFraction: real('a number from 0.5 to 1', (share) => share >= 0.5 && share <= 1, 'SUPPORT_FRACTION_INVALID'),
  assumeCentered: yesNo(false, 'ASSUME_CENTERED_INVALID'),
  seed,
  standardize,
  ...COMMON_OPTIONS,
};

/** Negative variances up to this share of the largest are rounding errors, not damage. */
const VARIANCE_ROUNDING = 1e-12;

/** Cost of random starts and refinements, in multiplications. */
const SEARCH = 2e9;

interface FittedEnvelope extends Envelope {
  readonly measure: Measure;
  /** Reads new rows for the core. */
  readonly queries: ScaledRows;
}

/**
 * Anomaly detection by robust Mahalanobis distances, as scikit-learn's EllipticEnvelope: scores are its
 * `mahalanobis(X)`, which is −score_samples(X).
 *
 * A singular covariance (constant columns, columns that are sums of others, hardly more rows than columns) is not
 * regularized. Rows are projected to the subspace they span, and its dimension, not the number of columns, determines
 * the number of rows of least determinant, the χ² limit and the consistency factors; scikit-learn counts constant
 * columns there. If the remaining rows span less than that, distances use the pseudo-inverse, as in scikit-learn, and
 * `rank` is the dimension they span: a new row that differs only in other directions, such as a constant column, scores
 * as if it did not differ. Rows that are all equal, or too few to differ, are an error (NO_SPREAD, TOO_FEW_ROWS). If more
 * than half of the rows agree in a column, the search for the least determinant ends at once, at 0, as scikit-learn's
 * does: far outliers are then excluded only if they are few (in trials 25 % of the rows were, 30 % were not).
 */
export class EllipticEnvelope extends Detector<FittedEnvelope, ValuesOf<typeof OPTIONS>> {
  /** @internal */
  static readonly kind = 'EllipticEnvelope';
  /** @internal */
  static readonly options = OPTIONS;
  constructor(options?: EllipticEnvelopeOptions) {
    super(options);
  }

  /** The robust location, by the columns of the input. */
  get location(): Float64Array {
    const { scaling, whitening } = this.fitted;
    const { offset, scale } = scaling;
    return whitening.location.map((value, j) => value * (scale[j] as number) + (offset[j] as number));
  }

  /** The robust covariance, reweighted and consistent at the normal distribution: row after row, columns². */
  get covariance(): Float64Array {
    const { scaling, covariance } = this.fitted;
    const { scale, columns } = scaling;
    return covariance.map(
      (value, i) => value * (scale[Math.floor(i / columns)] as number) * (scale[i % columns] as number),
    );
  }

  /** 1 for the training rows that location and covariance are estimated from (after reweighting), otherwise 0. */
  get support(): Uint8Array {
    return Uint8Array.from(this.fitted.support);
  }

  /** The dimension of the subspace that distances are measured in: the number of columns unless isSingular. */
  get rank(): number {
    return this.fitted.whitening.rank;
  }

  /** Whether the covariance is singular, so that some directions are ignored. */
  get isSingular(): boolean {
    return this.rank < this.columnsOf(this.fitted);
  }

  protected readonly threadSource: ThreadSource = () => import('curvad-thread:elliptic-envelope');

  /** The search for the rows of least determinant is sequential, so one thread does all of it. */
  protected override trainingCost({ rows, columns }: RowSource): number {
    return SEARCH + rows * columns * columns * 10;
  }

  protected scoringCost({ whitening }: FittedEnvelope): number {
    return whitening.matrix.length;
  }

  protected *training(rows: RowSource): Steps<Trained<FittedEnvelope>> {
    const tools = this.#tools;
    const envelope = yield* fitEnvelope(rows, tools, {
      supportFraction: this.options.supportFraction,
      assumeCentered: this.options.assumeCentered,
      seed: this.options.seed,
    });
    const fitted = ready(envelope, tools);
    const scores = new Float64Array(rows.rows);
    try {
      yield this.scoringWork(fitted, rows, scores, [0.9, 0.98]);
    } catch (error) {
      this.release(fitted);
      throw error;
    }
    return { fitted, scores };
  }

  protected scoreRows({ measure, queries }: FittedEnvelope, rows: RowSource, scores: Float64Array): void {
    queries.attach(rows);
    try {
      measure.distances(queries, scores);
    } finally {
      queries.detach();
    }
    // Squared distances may overflow.
    for (let i = 0; i < rows.rows; i++) if (!((scores[i] as number) < Number.MAX_VALUE)) scores[i] = Number.MAX_VALUE;
  }

  protected columnsOf({ scaling }: FittedEnvelope): number {
    return scaling.columns;
  }

  protected release({ measure }: FittedEnvelope): void {
    measure.release();
  }

  protected describeFitted({
    scaling,
    whitening,
    covariance,
    support,
  }: FittedEnvelope): Pick<Model, 'fields' | 'sections'> {
    return {
      fields: {
        rows: support.length,
        columns: scaling.columns,
        rank: whitening.rank,
      },
      sections: {
        offset: scaling.offset,
        scale: scaling.scale,
        location: whitening.location,
        whitening: whitening.matrix,
        covariance,
        support,
      },
    };
  }

  protected restore(model: Model): FittedEnvelope {
    const rows = checkedCount(model, 'rows');
    const columns = checkedCount(model, 'columns');
    // 0 if the rows that count are equal but for rounding.
    const rank = model.fields['rank'] === 0 ? 0 : checkedCount(model, 'rank');
    if (rank > columns) throw corrupt(`rank ${rank} is more than its ${columns} columns`);
    const offset = checkedSection(model, 'offset', 'f64', columns);
    const scale = checkedSection(model, 'scale', 'f64', columns);
    if (!scale.every((value) => value > 0)) throw corrupt('a scale is not positive');
    const location = checkedSection(model, 'location', 'f64', columns);
    const matrix = checkedSection(model, 'whitening', 'f64', rank * columns);
    const covariance = checkedSection(model, 'covariance', 'f64', columns * columns);
    const largest = Math.max(...Array.from({ length: columns }, (_, j) => covariance[j * columns + j] as number));
    for (let j = 0; j < columns; j++) {
      // Version 0.1.0 wrote variances of constant columns with a rounding error below 0.
      if (!((covariance[j * columns + j] as number) >= -VARIANCE_ROUNDING * largest))
        throw corrupt(`the variance of column ${j} is negative`);
      for (let k = 0; k < j; k++) {
        if (covariance[j * columns + k] !== covariance[k * columns + j])
          throw corrupt('its covariance is not symmetric');
      }
    }
    const support = checkedSection(model, 'support', 'u32', rows);
    if (!support.every((value) => value <= 1)) throw corrupt('a support flag is neither 0 nor 1');
    checkedSection(model, 'scores', 'f64', rows);
    const whitening = { location, matrix, rank, isTriangular: isTriangular(matrix, rank, columns) };
    return ready({ scaling: new Scaling(offset, scale), whitening, covariance, support }, this.#tools);
  }

  get #tools(): Mahalanobis {
    return implementationFor(this.options.backend, { js: jsMahalanobis, wasm: wasmMahalanobis });
  }
}

function ready(envelope: Envelope, tools: Mahalanobis): FittedEnvelope {
  return {
    ...envelope,
    measure: tools.measure(envelope.whitening),
    queries: new ScaledRows(envelope.scaling, 'double'),
  };
}

function isTriangular(matrix: Whitening['matrix'], rank: number, columns: number): boolean {
  return rank === columns && matrix.every((value, i) => value === 0 || i % columns <= Math.floor(i / columns));
}
