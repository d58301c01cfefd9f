// The base class of KNN and LOF: options, storing and restoring training rows, and scoring block by block. Subclasses
// define the score of a row from the list of its neighbours.

import type { Precision, Queries } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { kernelOfMetric, type Metric } from '../core/kernel.js';
import type { Model } from '../core/model-file/model-file.js';
import type { BackendChoice } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import type { Approximation } from '../neighbors/approximation.js';
import { costOf } from '../parallel/work.js';
import { Detector } from './detector.js';
import {
  approximate,
  COMMON_OPTIONS,
  metric,
  optional,
  precision,
  standardize,
  type ValuesOf,
  whole,
} from './detector-options.js';
import { describeRows, type HeldRows, type Holding, holdRows, restoreRows } from './held-rows.js';
import { requireFields } from './model-parts.js';
import { type NeighborLists, NeighborSearch } from './neighbor-search.js';
import { reportOf, type SearchReport } from './search-report.js';
import { distanceContributions, lookAround, neighborsIn, type Standing } from './standing.js';
import type { DetectorOptions } from './threshold-rule.js';
import type { Windowed } from './windowed.js';

/** Options of detectors that score by distances to neighbours. */
export interface NeighborDetectorOptions extends DetectorOptions {
  /** Number of neighbours k, at least 1. Default 10. */
  neighbors?: number;
  /** Default 'euclidean'. */
  metric?: Metric;
  /**
   * How training rows are stored; arithmetic is always double. Default 'single' if that stores all rows exactly,
   * otherwise 'double'.
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
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

export const NEIGHBOR_OPTIONS = {
  neighbors: whole(1, 10, 'NEIGHBORS_INVALID'),
  metric,
  precision: optional(precision),
  standardize,
  approximate,
  ...COMMON_OPTIONS,
};
export type NeighborValues = ValuesOf<typeof NEIGHBOR_OPTIONS>;

/** The least that training keeps. */
export interface Searching {
  readonly search: NeighborSearch;
}

export abstract class NeighborDetector<
  Fitted extends Searching,
  Options extends NeighborValues = NeighborValues,
> extends Detector<Fitted, Options> {
  /** The score of a row whose neighbours start at index `at` of the lists. */
  protected abstract scoreOf(fitted: Fitted, lists: NeighborLists, at: number): number;

  /** How the training rows are stored. */
  get precision(): Precision {
    return this.fitted.search.held.points.precision;
  }

  /** Stores training rows; there must be more than k. */
  protected *hold(rows: RowSource): Steps<NeighborSearch> {
    const k = this.options.neighbors;
    if (rows.rows < k + 1) {
      throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows, got ${rows.rows}`);
    }
    return new NeighborSearch(yield* holdRows(rows, this.#holding), k);
  }

  /** Scores of rows from … to − 1: the training rows (`POINTS`), or new ones. */
  protected scoreBlocks(fitted: Fitted, queries: Queries, from: number, to: number, scores: Float64Array): void {
    const { search } = fitted;
    for (let first = from; first < to; first += search.block) {
      const end = Math.min(first + search.block, to);
      const lists = search.find(queries, first, end);
      for (let i = first; i < end; i++) scores[i] = this.scoreOf(fitted, lists, (i - first) * search.k);
    }
  }

  protected scoreRows(fitted: Fitted, rows: RowSource, scores: Float64Array): void {
    const { queries } = fitted.search.held;
    this.scoreBlocks(fitted, queries.attach(rows), 0, rows.rows, scores);
    queries.detach();
  }

  protected scoringCost({ search }: Fitted): number {
    return costOf(search.held.points);
  }

  protected columnsOf({ search }: Fitted): number {
    return search.held.points.columns;
  }

  protected override heldRowsOf({ search }: Fitted): HeldRows {
    return search.held;
  }

  protected override searchOf({ search }: Fitted): SearchReport {
    return reportOf(search.held, search.k);
  }

  /** The distance to the k-th neighbour, or the mean of k distances, as a sum over columns. */
  protected override standingOf({ search: { held, k } }: Fitted, row: number | RowSource): Standing {
    const around = lookAround(held, row, k);
    const contributions = distanceContributions(around, this.options.metric === 'manhattan', this.firstCounted(k));
    return { trainingRow: around.trainingRow, neighbors: neighborsIn(around), contributions, basis: 'distance' };
  }

  /** Index of the first neighbour whose distance counts. */
  protected firstCounted(_k: number): number {
    return 0;
  }

  protected release({ search }: Fitted): void {
    search.held.points.release();
  }

  protected describeFitted({ search }: Fitted, isLent?: boolean): Pick<Model, 'fields' | 'sections'> {
    return describeRows(search.held, isLent);
  }

  /** @internal */
  get windowed(): Windowed {
    return {
      kind: this.kind,
      options: this.givenOptions,
      neighbors: this.options.neighbors,
      holding: () => this.#holding,
      scoring: this.windowScoring,
      sign: 1,
    };
  }

  /** @internal How a window scores by this detector. */
  protected abstract readonly windowScoring: Windowed['scoring'];

  /** The inverse of `hold`. */
  protected restoreSearch(model: Model): NeighborSearch {
    requireFields(model, ['neighbors', 'metric', 'standardize']);
    return new NeighborSearch(restoreRows(model, this.#holding, this.options.neighbors + 1), this.options.neighbors);
  }

  get #holding(): Holding {
    return {
      kernel: kernelOfMetric(this.options.metric),
      precision: this.options.precision,
      standardize: this.options.standardize,
      approximate: this.options.approximate,
      backend: this.options.backend,
    };
  }
}
