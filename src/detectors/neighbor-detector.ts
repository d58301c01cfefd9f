// What KNN and LOF share: their options, how training rows are held and restored, and scoring block by
// block. A detector says what the score of a row is, given the list of its neighbours.

import type { BackendName, Precision, Queries } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import { flag, oneOf, wholeNumber } from '../core/options.js';
import { BACKEND_CHOICES, type BackendChoice, selectBackend } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import type { Metric } from '../neighbors/nearest-neighbors.js';
import { costOf } from '../parallel/work.js';
import { Detector, type DetectorOptions } from './detector.js';
import { describeRows, type HeldRows, type Holding, holdRows, restoreRows } from './held-rows.js';
import { requireFields } from './model-parts.js';
import { type NeighborLists, NeighborSearch } from './neighbor-search.js';
import { distanceContributions, lookAround, neighborsIn, type Standing } from './standing.js';
import type { Windowed } from './windowed.js';

/** Options of detectors that score by distances to neighbours. */
export interface NeighborDetectorOptions extends DetectorOptions {
  /** Neighbours looked at: k, at least 1. Default 10. */
  neighbors?: number;
  /** Default 'euclidean'. */
  metric?: Metric;
  /**
   * How training rows are stored; arithmetic is always double. Default 'single', on centred columns, or
   * 'double' where the values are outside what single holds well.
   */
  precision?: Precision;
  /** Divide each column by its standard deviation (training statistics, kept in the model). Default false. */
  standardize?: boolean;
  /** What runs. Default 'auto', the fastest this runtime has; results do not depend on it. */
  backend?: BackendChoice;
}

export const NEIGHBOR_OPTION_NAMES: ReadonlyArray<keyof NeighborDetectorOptions> = [
  'neighbors',
  'metric',
  'precision',
  'standardize',
  'contamination',
  'backend',
];

const METRICS: readonly Metric[] = ['euclidean', 'manhattan'];
const PRECISIONS: readonly Precision[] = ['single', 'double'];

/** What training leaves at least. */
export interface Searching {
  readonly search: NeighborSearch;
}

export abstract class NeighborDetector<Fitted extends Searching> extends Detector<Fitted> {
  readonly #neighbors: number;
  readonly #metric: Metric;
  readonly #precision: Precision | undefined;
  readonly #standardize: boolean;
  readonly #backend: BackendChoice;

  constructor(given: Record<keyof NeighborDetectorOptions, unknown>) {
    super(given);
    this.#neighbors = wholeNumber(given.neighbors, 'neighbors', 1, 10, 'NEIGHBORS_INVALID');
    this.#metric = oneOf(given.metric, 'metric', METRICS, 'euclidean', 'METRIC_UNKNOWN');
    this.#precision =
      given.precision === undefined
        ? undefined
        : oneOf(given.precision, 'precision', PRECISIONS, 'single', 'PRECISION_UNKNOWN');
    this.#standardize = flag(given.standardize, 'standardize', false, 'STANDARDIZE_INVALID');
    this.#backend = oneOf(given.backend, 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN');
  }

  /** The score of a row whose neighbours are in the lists from place `at` on. */
  protected abstract scoreOf(fitted: Fitted, lists: NeighborLists, at: number): number;

  /** How the training rows are stored. */
  get precision(): Precision {
    return this.fitted.search.held.points.precision;
  }

  /** What runs: 'js' or one of the WebAssembly builds. */
  get backend(): BackendName {
    return selectBackend(this.#backend).name;
  }

  /** Holds training rows, of which there must be more than neighbours. */
  protected *hold(rows: RowSource): Steps<NeighborSearch> {
    const k = this.#neighbors;
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

  /** Columns share the distance to the k-th neighbour, or the mean of all k distances. */
  protected override standingOf({ search: { held, k } }: Fitted, row: number | RowSource): Standing {
    const around = lookAround(held, row, k);
    const contributions = distanceContributions(around, this.#metric === 'manhattan', this.firstCounted(k));
    return { trainingRow: around.trainingRow, neighbors: neighborsIn(around), contributions, basis: 'distance' };
  }

  /** The first of the k neighbours whose distance counts, from 0. */
  protected firstCounted(_k: number): number {
    return 0;
  }

  protected release({ search }: Fitted): void {
    search.held.points.release();
  }

  protected describeFitted({ search }: Fitted): Pick<Model, 'fields' | 'sections'> {
    const { fields, sections } = describeRows(search.held);
    return {
      fields: { ...fields, neighbors: this.#neighbors, metric: this.#metric, standardize: this.#standardize },
      sections,
    };
  }

  /** @internal */
  get windowed(): Windowed {
    return {
      kind: this.kind,
      options: this.givenOptions,
      neighbors: this.#neighbors,
      holding: () => this.#holding,
      scoring: this.windowScoring,
      sign: 1,
    };
  }

  /** @internal How a window scores by this detector. */
  protected abstract readonly windowScoring: Windowed['scoring'];

  /** The opposite of `hold`. */
  protected restoreSearch(model: Model): NeighborSearch {
    requireFields(model, ['neighbors', 'metric', 'standardize']);
    return new NeighborSearch(restoreRows(model, this.#holding, this.#neighbors + 1), this.#neighbors);
  }

  get #holding(): Holding {
    return {
      // The kernels by whose distances the core searches in L2 and in L1.
      kernel: { name: this.#metric === 'euclidean' ? 'linear' : 'laplacian', gamma: 1, coef0: 0, degree: 1 },
      precision: this.#precision,
      standardize: this.#standardize,
      backend: this.#backend,
    };
  }
}
