// The default detector: the distance of a row to where the data are, times the sharpness of its vertex.
//
//   LM(x)    = distance to the k-th nearest of up to 1,024 landmarks, k = 4 % of them: training rows drawn at random
//   C(x)     = ‖Σ u_a‖/m over the unit edges u_a to the nearest training rows: curvature, from 0 (flat) to 1
//   score(x) = (1 + λC(x))·LM(x)
//
// Distances are between softly clipped z-scores. LM is small only near many landmarks: a small group of anomalies does not
// make its members look normal, as it does with the nearest neighbours of KNN and LOF.

import type { Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import type { BackendChoice } from '../core/select.js';
import { finish, type Steps } from '../core/steps.js';
import type { ThreadSource } from '../parallel/run.js';
import { costOf, sharpnessOfPoints } from '../parallel/work.js';
import { Detector } from './detector.js';
import {
  COMMON_OPTIONS,
  optional,
  precision,
  real,
  seed,
  type ValuesOf,
  whole,
  withDefault,
  yesNo,
} from './detector-options.js';
import type { Trained } from './fitted-state.js';
import type { GridScoring } from './grid-scoring.js';
import { describeRows, type HeldRows, type Holding, holdRows, restoreRows } from './held-rows.js';
import { chooseLandmarks, Landmarks, LINEAR, landmarksCost } from './landmarks.js';
import { checkedSection, requireFields } from './model-parts.js';
import { reportOf, type SearchReport } from './search-report.js';
import { lookAround, neighborsIn, type Standing } from './standing.js';
import type { DetectorOptions } from './threshold-rule.js';
import type { Windowed } from './windowed.js';

export interface LandmarkCADOptions extends DetectorOptions {
  /** Number of landmarks: at least 2, or all rows if there are fewer. Default 1024. */
  landmarks?: number;
  /** Nearest training rows for the curvature: at least 2. Default 10, or all others if there are fewer. */
  neighbors?: number;
  /** λ, the weight of curvature. 0 scores by distance alone. Default 0.25. */
  curvature?: number;
  /** The same seed draws the same landmarks: a whole number from 0 to 4294967295. Default 0. */
  seed?: number;
  /** Accepted for consistency, without effect: columns are always standardized. */
  standardize?: boolean;
  /** How training rows are stored; arithmetic is always double. Default 'double'; 'single' halves memory and file. */
  precision?: Precision;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

/** Largest λ, so that scores stay finite. */
const LARGEST_WEIGHT = 1e6;
const NEIGHBORS = 10;
/** New rows processed at a time. */
const BLOCK = 512;

const OPTIONS = {
  landmarks: whole(2, 1024, 'LANDMARKS_INVALID'),
  neighbors: optional(whole(2, NEIGHBORS, 'NEIGHBORS_INVALID')),
  curvature: withDefault(
    real(
      `a number from 0 to ${LARGEST_WEIGHT}`,
      (weight) => weight >= 0 && weight <= LARGEST_WEIGHT,
      'CURVATURE_INVALID',
    ),
    0.25,
  ),
  seed,
  standardize: yesNo(true, 'STANDARDIZE_INVALID'),
  precision,
  ...COMMON_OPTIONS,
};

/** At least two edges are needed for a curvature. */
const FEWEST_ROWS = 3;
interface Fitted {
  /** All training rows. */
  readonly held: HeldRows;
  readonly landmarks: Landmarks;
  /** Neighbours for the curvature. */
  readonly neighbors: number;
}

/**
 * The recommended detector: needs neither scaling nor tuning, and has the best average ranking of all detectors here
 * (docs/quality.md). Columns are standardized and softly clipped; constant columns are dropped.
 */
export class LandmarkCAD extends Detector<Fitted, ValuesOf<typeof OPTIONS>> {
  /** @internal */
  static readonly kind = 'LandmarkCAD';
  /** @internal */
  static readonly options = OPTIONS;
  protected readonly threadSource: ThreadSource = () => import('curvad-thread:landmark-cad');

  constructor(options?: LandmarkCADOptions) {
    super(options);
  }

  /** Indices of the landmarks among the training rows, ascending. */
  get landmarks(): Uint32Array {
    return this.fitted.landmarks.rows.slice();
  }

  /** @internal */
  override get gridScoring(): GridScoring {
    const { held, landmarks, neighbors } = this.fitted;
    const { backend, curvature } = this.options;
    const far = { about: 'kthDistances', points: landmarks.points, k: landmarks.k } as const;
    const sharp = { about: 'sharpness', points: held.points, k: neighbors } as const;
    return {
      queries: held.queries,
      backend,
      asked: curvature > 0 ? [far, sharp] : [far],
      combine: (scores, [sharpness]) => {
        for (let i = 0; i < scores.length; i++) {
          scores[i] = this.#combined(Math.sqrt(scores[i] as number), sharpness?.[i] ?? 0);
        }
      },
    };
  }

  /** @internal */
  get windowed(): Windowed {
    const { landmarks, neighbors = FEWEST_ROWS - 1, seed, curvature } = this.options;
    return {
      kind: this.kind,
      options: this.givenOptions,
      neighbors,
      holding: () => this.#holding,
      scoring: {
        landmarksOf: (rows) => chooseLandmarks(landmarks, rows, seed),
        neighborsOf: (rows) => this.#neighborsAmong(rows),
        isByDistanceAlone: curvature === 0,
        combined: (distance, sharpness) => this.#combined(distance, sharpness),
      },
      sign: 1,
    };
  }

  /** How the training rows are stored. */
  get precision(): Precision {
    return this.options.precision;
  }

  protected *training(rows: RowSource): Steps<Trained<Fitted>> {
    const k = this.options.neighbors;
    if (k !== undefined && rows.rows < k + 1) {
      throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows, got ${rows.rows}`);
    }
    if (rows.rows < FEWEST_ROWS) {
      throw new CurvadError('TOO_FEW_ROWS', `LandmarkCAD needs at least ${FEWEST_ROWS} rows, got ${rows.rows}`);
    }
    const fitted = yield* this.fittedOn(rows);
    try {
      const { scaling, points } = fitted.held;
      const scaled = scaling.apply(rows, points.precision);
      return { fitted, scores: yield* this.#trainingScores(fitted, scaled) };
    } catch (error) {
      this.release(fitted);
      throw error;
    }
  }

  protected override *fittedOn(rows: RowSource): Steps<Fitted> {
    const chosen = chooseLandmarks(this.options.landmarks, rows.rows, this.options.seed);
    const held = yield* holdRows(rows, this.#holding, rows.rows * landmarksCost(chosen.length, rows.columns));
    return yield* this.#withLandmarks(held, chosen);
  }

  /** Frees the rows if there is no room for landmarks. */
  *#withLandmarks(held: HeldRows, rows: Uint32Array): Steps<Fitted> {
    try {
      const landmarks = yield* Landmarks.hold(held, rows, this.options.backend);
      return { held, landmarks, neighbors: this.#neighborsAmong(held.points.count) };
    } catch (error) {
      held.points.release();
      throw error;
    }
  }

  /** LM first, then the curvature of all points. */
  *#trainingScores({ held, landmarks, neighbors }: Fitted, rows: RowSource): Steps<Float64Array> {
    const { points } = held;
    const [begun, ended] = held.searching;
    const [first, second] = [costOf(landmarks.points), this.options.curvature > 0 ? costOf(points) : 0];
    const half = begun + ((ended - begun) * first) / (first + second);
    const scores = yield* landmarks.trainingDistances(rows, [begun, half]);
    const sharpness = new Float64Array(rows.rows);
    if (this.options.curvature > 0) yield* sharpnessOfPoints(points, neighbors, sharpness, [half, ended]);
    for (let i = 0; i < scores.length; i++) scores[i] = this.#combined(scores[i] as number, sharpness[i] as number);
    return scores;
  }

  #neighborsAmong(rows: number): number {
    return this.options.neighbors ?? Math.min(NEIGHBORS, rows - 1);
  }

  #combined(distance: number, sharpness: number): number {
    return (1 + this.options.curvature * sharpness) * distance;
  }

  protected scoreRows({ held, landmarks, neighbors }: Fitted, rows: RowSource, scores: Float64Array): void {
    const queries = held.queries.attach(rows);
    const distances = new Float64Array(Math.min(rows.rows, BLOCK));
    if (this.options.curvature > 0) held.points.sharpness(queries, 0, rows.rows, neighbors, scores);
    else scores.fill(0, 0, rows.rows);
    for (let first = 0; first < rows.rows; first += BLOCK) {
      const end = Math.min(first + BLOCK, rows.rows);
      landmarks.distances(queries, first, end, distances);
      for (let i = first; i < end; i++) {
        scores[i] = this.#combined(distances[i - first] as number, scores[i] as number);
      }
    }
    held.queries.detach();
  }

  protected scoringCost({ held, landmarks }: Fitted): number {
    return costOf(held.points) + costOf(landmarks.points);
  }

  protected columnsOf({ held }: Fitted): number {
    return held.points.columns;
  }

  protected override heldRowsOf({ held }: Fitted): HeldRows {
    return held;
  }

  protected override searchOf({ held, neighbors }: Fitted): SearchReport {
    return reportOf(held, neighbors);
  }

  /** LM is a sum over columns; curvature only multiplies it. */
  protected override standingOf({ held, landmarks, neighbors }: Fitted, row: number | RowSource): Standing {
    const around = lookAround(held, row, neighbors);
    const contributions = landmarks.contributions(around);
    return { trainingRow: around.trainingRow, neighbors: neighborsIn(around), contributions, basis: 'distance' };
  }

  protected release({ held, landmarks }: Fitted): void {
    held.points.release();
    landmarks.points.release();
  }

  protected describeFitted(
    { held, landmarks, neighbors }: Fitted,
    isLent?: boolean,
  ): Pick<Model, 'fields' | 'sections'> {
    const { fields, sections } = describeRows(held, isLent);
    return {
      fields: {
        ...fields,
        neighbors,
      },
      sections: { ...sections, landmarks: landmarks.rows },
    };
  }

  protected restore(model: Model): Fitted {
    requireFields(model, ['landmarks', 'neighbors', 'curvature', 'seed']);
    const held = restoreRows(model, this.#holding, (this.options.neighbors as number) + 1);
    try {
      return finish(this.#withLandmarks(held, restoredLandmarks(model, held.points.count, this.options.landmarks)));
    } catch (error) {
      held.points.release();
      throw error;
    }
  }

  get #holding(): Holding {
    return {
      kernel: LINEAR,
      precision: this.options.precision,
      standardize: true,
      clip: true,
      backend: this.options.backend,
    };
  }
}

function restoredLandmarks(model: Model, rows: number, most: number): Uint32Array {
  const landmarks = checkedSection(model, 'landmarks', 'u32', Math.min(most, rows));
  const isAscending = landmarks.every((row, i) => row < rows && (i === 0 || row > (landmarks[i - 1] as number)));
  if (!isAscending) throw corrupt('its landmarks are not ascending rows');
  return landmarks;
}
