// Curvature Anomaly Detection. Every row is the vertex of a polyhedron spanned by its k nearest
// neighbours; a sharp vertex is an anomaly. With a kernel other than linear it is kernel CAD: neighbours
// and cosines are taken in the kernel's feature space.

import type { Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import type { KernelName } from '../core/kernel.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import type { BackendChoice } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import type { Approximation } from '../neighbors/approximation.js';
import type { ThreadSource } from '../parallel/run.js';
import { costOf, curvatureOfPoints } from '../parallel/work.js';
import type { Rows } from '../tables/reader.js';
import { Detector } from './detector.js';
import {
  approximate,
  COMMON_OPTIONS,
  choice,
  KERNEL_OPTIONS,
  optional,
  precision,
  standardize,
  type ValuesOf,
  whole,
} from './detector-options.js';
import type { Trained } from './fitted-state.js';
import type { GridScoring } from './grid-scoring.js';
import { describeRows, type HeldRows, type Holding, holdRows, restoreRows, searchHeld } from './held-rows.js';
import { type NormalRows, normalRowsOf, releaseNormalRows } from './normal-rows.js';
import { reportOf, type SearchReport } from './search-report.js';
import { curvatureContributions, lookAround, neighborsIn, type Standing } from './standing.js';
import type { DetectorOptions, ThresholdName } from './threshold-rule.js';
import type { DetectorWarning } from './warnings.js';
import type { Windowed } from './windowed.js';

/** Which end of the raw score is anomalous. */
export type Orientation = 'paper' | 'higher' | 'lower';

export interface CADOptions extends DetectorOptions {
  /** Neighbours that span the polyhedron: k, at least 2. Default 10. */
  neighbors?: number;
  /** Default 'linear', which is plain CAD; any other kernel makes it kernel CAD. */
  kernel?: KernelName;
  /** γ of rbf, laplacian, polynomial and sigmoid. Default 1 / columns. */
  gamma?: number;
  /** Degree of the polynomial kernel. Default 3. */
  degree?: number;
  /** c₀ of polynomial and sigmoid. Default 1. */
  coef0?: number;
  /**
   * How training rows are stored; arithmetic is always double. Default 'single' for linear, rbf and laplacian if that
   * stores all rows exactly, otherwise 'double'.
   */
  precision?: Precision;
  /** Divide each column by its standard deviation (training statistics, kept in the model). Default false. */
  standardize?: boolean;
  /**
   * Allow a search that may miss neighbours if it is faster: no distance to a neighbour is more than 1 + ε times the
   * true one, with ε 0.25 for `true`. `search` reports the measured recall. Default false: exact.
   * The js backend, and kernels other than linear, rbf and laplacian, stay exact.
   */
  approximate?: boolean | Partial<Approximation>;
  /**
   * 'paper' (default): higher raw scores are anomalous for linear, cosine and sigmoid, lower ones for rbf,
   * laplacian and polynomial. 'higher' and 'lower' choose explicitly.
   */
  orientation?: Orientation;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

const ORIENTATIONS: readonly Orientation[] = ['paper', 'higher', 'lower'];

const OPTIONS = {
  neighbors: whole(2, 10, 'NEIGHBORS_INVALID'),
  ...KERNEL_OPTIONS,
  precision: optional(precision),
  standardize,
  approximate,
  orientation: choice(ORIENTATIONS, 'paper', 'ORIENTATION_UNKNOWN'),
  ...COMMON_OPTIONS,
};

/** What landscapes, paths and explanations need of a fitted CAD. */
export interface CADParts {
  readonly held: HeldRows;
  readonly neighbors: number;
  /** Score = orientation × raw score. */
  readonly orientation: 1 | -1;
  readonly backend: BackendChoice;
  /** The training rows labelled normal. */
  normalRows(): Steps<NormalRows>;
}

/** Anomaly detection by polyhedron curvature (CAD), or in a kernel's feature space (kernel CAD). */
export class CAD extends Detector<HeldRows, ValuesOf<typeof OPTIONS>> {
  /** @internal */
  static readonly kind = 'CAD';
  /** @internal */
  static readonly options = OPTIONS;
  constructor(options?: CADOptions) {
    super(options);
  }

  /** Scores of the training rows exactly as the equation gives them, whatever the orientation. */
  get rawScores(): Float64Array {
    return this.scores.map((score) => score * this.#sign);
  }

  /** How the training rows are stored. */
  get precision(): Precision {
    return this.fitted.points.precision;
  }

  /**
   * Gradient of the raw score at new rows, by the columns of the input: row after row in one array. It
   * points to where the row would be more anomalous. Linear kernel only.
   */
  gradient(rows: Rows): Float64Array {
    const { points, scaling, queries } = this.fitted;
    if (this.options.kernel !== 'linear') {
      throw new CurvadError(
        'KERNEL_UNSUPPORTED',
        `the score has a gradient for the linear kernel only, not for ${this.options.kernel}`,
      );
    }
    const reader = this.checkedRows(rows);
    const gradients = new Float64Array(reader.rows * reader.columns);
    points.gradient(queries.attach(reader), 0, reader.rows, this.options.neighbors, gradients);
    queries.detach();
    // By the chain rule, as the core sees scaled columns.
    return gradients.map((value, i) => value / (scaling.scale[i % reader.columns] as number));
  }

  /** @internal */
  get parts(): CADParts {
    const held = this.fitted;
    return {
      held,
      neighbors: this.options.neighbors,
      orientation: this.#sign,
      backend: this.options.backend,
      normalRows: () => normalRowsOf(held, this.labels, this.options.backend),
    };
  }

  /** @internal */
  override get gridScoring(): GridScoring {
    const { points, queries } = this.fitted;
    const sign = this.#sign;
    return {
      queries,
      backend: this.options.backend,
      asked: [{ about: 'curvature', points, k: this.options.neighbors }],
      combine(scores) {
        if (sign < 0) for (let i = 0; i < scores.length; i++) scores[i] = -(scores[i] as number);
      },
    };
  }

  /** @internal */
  get windowed(): Windowed {
    return {
      kind: this.kind,
      options: this.givenOptions,
      neighbors: this.options.neighbors,
      holding: (columns) => this.#holding(this.options.gamma ?? 1 / columns),
      scoring: 'curvature',
      sign: this.#sign,
    };
  }

  /** @internal The scores of checked rows, as `fit` would give them, without fitting. */
  *trainingScores(rows: RowSource): Steps<Float64Array> {
    const { fitted, scores } = yield* this.training(rows);
    this.release(fitted);
    return scores;
  }

  protected readonly threadSource: ThreadSource = () => import('curvad-thread:cad');

  protected override *fittedOn(rows: RowSource): Steps<HeldRows> {
    const k = this.options.neighbors;
    if (rows.rows < k + 1) {
      throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows, got ${rows.rows}`);
    }
    return yield* holdRows(rows, this.#holding(this.options.gamma ?? 1 / rows.columns));
  }

  protected *training(rows: RowSource): Steps<Trained<HeldRows>> {
    const k = this.options.neighbors;
    const fitted = yield* this.fittedOn(rows);
    const scores = new Float64Array(rows.rows);
    try {
      yield* searchHeld(fitted, k, (progress) => curvatureOfPoints(fitted.points, k, scores, progress));
    } catch (error) {
      this.release(fitted);
      throw error;
    }
    this.#orient(scores, rows.rows);
    return { fitted, scores };
  }

  protected scoreRows({ points, queries }: HeldRows, rows: RowSource, scores: Float64Array): void {
    points.curvature(queries.attach(rows), 0, rows.rows, this.options.neighbors, scores);
    queries.detach();
    this.#orient(scores, rows.rows);
  }

  protected scoringCost({ points }: HeldRows): number {
    return costOf(points);
  }

  protected columnsOf({ points }: HeldRows): number {
    return points.columns;
  }

  protected override get usualThreshold(): ThresholdName {
    return 'two-means'; // the paper's
  }

  protected override warningsOf({ points }: HeldRows): DetectorWarning[] {
    if (points.columns > 1 || this.options.kernel !== 'linear') return [];
    const message = 'CAD uses directions, and one column has only two: use LandmarkCAD or KNN';
    return [{ code: 'ONE_COLUMN', message }];
  }

  protected override heldRowsOf(held: HeldRows): HeldRows {
    return held;
  }

  protected override searchOf(held: HeldRows): SearchReport {
    return reportOf(held, this.options.neighbors);
  }

  /** The score derives from ‖S‖², a sum over columns; the feature spaces of other kernels have no columns. */
  protected override standingOf(held: HeldRows, row: number | RowSource): Standing {
    const around = lookAround(held, row, this.options.neighbors);
    const contributions = this.options.kernel === 'linear' ? curvatureContributions(around) : undefined;
    return { trainingRow: around.trainingRow, neighbors: neighborsIn(around), contributions, basis: 'curvature' };
  }

  protected release(held: HeldRows): void {
    releaseNormalRows(held);
    held.points.release();
  }

  protected describeFitted(held: HeldRows, isLent?: boolean): Pick<Model, 'fields' | 'sections'> {
    const { fields, sections } = describeRows(held, isLent);
    return {
      fields: {
        ...fields,
        gamma: held.points.kernel.gamma,
      },
      sections,
    };
  }

  protected restore(model: Model): HeldRows {
    if (this.options.gamma === undefined) throw corrupt('gamma is missing');
    return restoreRows(model, this.#holding(this.options.gamma), this.options.neighbors + 1);
  }

  #holding(gamma: number): Holding {
    return {
      kernel: { name: this.options.kernel, gamma, coef0: this.options.coef0, degree: this.options.degree },
      precision: this.options.precision,
      standardize: this.options.standardize,
      approximate: this.options.approximate,
      backend: this.options.backend,
    };
  }

  #orient(scores: Float64Array, count: number): void {
    if (this.#sign < 0) for (let i = 0; i < count; i++) scores[i] = -(scores[i] as number);
  }

  get #sign(): 1 | -1 {
    if (this.options.orientation !== 'paper') return this.options.orientation === 'higher' ? 1 : -1;
    return this.options.kernel === 'linear' || this.options.kernel === 'cosine' || this.options.kernel === 'sigmoid'
      ? 1
      : -1;
  }
}
