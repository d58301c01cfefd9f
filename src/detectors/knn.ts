// Anomaly detection by distance: a row far from its k nearest neighbours is an anomaly. The score is the
// distance to the k-th of them, or the mean distance to all k.

import { POINTS } from '../core/backend.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import type { Steps, Work } from '../core/steps.js';
import type { ThreadSource } from '../parallel/run.js';
import { type Answers, costOf, type PointsWork, selfJoinWork } from '../parallel/work.js';
import { choice, type ValuesOf } from './detector-options.js';
import type { Trained } from './fitted-state.js';
import type { GridScoring } from './grid-scoring.js';
import { searchHeld } from './held-rows.js';
import { requireFields } from './model-parts.js';
import {
  NEIGHBOR_OPTIONS,
  NeighborDetector,
  type NeighborDetectorOptions,
  type Searching,
} from './neighbor-detector.js';
import type { NeighborLists } from './neighbor-search.js';

/** How the k distances make the score. */
export type Aggregate = 'largest' | 'mean';

export interface KNNOptions extends NeighborDetectorOptions {
  /** 'largest' (default): the distance to the k-th neighbour. 'mean': the mean of the k distances. */
  aggregate?: Aggregate;
}

const AGGREGATES: readonly Aggregate[] = ['largest', 'mean'];

const OPTIONS = { ...NEIGHBOR_OPTIONS, aggregate: choice(AGGREGATES, 'largest', 'AGGREGATE_UNKNOWN') };

/**
 * Anomaly detection by the distance to the nearest neighbours. A training row is not its own neighbour,
 * but its duplicates are: a row with k duplicates has score 0.
 */
export class KNN extends NeighborDetector<Searching, ValuesOf<typeof OPTIONS>> {
  /** @internal */
  static readonly kind = 'KNN';
  /** @internal */
  static readonly options = OPTIONS;
  protected readonly threadSource: ThreadSource = () => import('curvad-thread:knn');

  constructor(options?: KNNOptions) {
    super(options);
  }

  protected override *fittedOn(rows: RowSource): Steps<Searching> {
    return { search: yield* this.hold(rows) };
  }

  protected *training(rows: RowSource): Steps<Trained<Searching>> {
    const fitted = yield* this.fittedOn(rows);
    const scores = new Float64Array(rows.rows);
    try {
      const { held, k } = fitted.search;
      yield* searchHeld(held, k, (progress) => this.#trainingScores(fitted, scores, progress));
    } catch (error) {
      this.release(fitted);
      throw error;
    }
    return { fitted, scores };
  }

  #trainingScores(fitted: Searching, scores: Float64Array, progress: Work['progress']): Steps<void> {
    const { search } = fitted;
    const { points } = search.held;
    const { k } = search;
    const take = (from: number, { indices, distances }: Answers, order?: Uint32Array): void => {
      const lists = { indices, distances } as NeighborLists;
      const rows = lists.indices.length / k;
      search.toDistances(lists, rows);
      for (let i = 0; i < rows; i++) scores[order?.[i] ?? from + i] = this.scoreOf(fitted, lists, i * k);
    };
    const work: PointsWork = {
      rows: scores.length,
      cost: costOf(points),
      progress,
      run: (from, to) => this.scoreBlocks(fitted, POINTS, from, to, scores),
      elsewhere: { points, queries: POINTS, question: 'neighbors', k, take },
    };
    return selfJoinWork(work, (join, from, to) => {
      for (let first = from; first < to; first += join.block) {
        const end = Math.min(to, first + join.block);
        const lists = search.roomFor(end - first);
        join.neighbors(first, end, lists.indices, lists.distances);
        take(first, { indices: lists.indices.subarray(0, (end - first) * k), distances: lists.distances });
      }
    });
  }

  protected scoreOf({ search: { k } }: Searching, { distances }: NeighborLists, at: number): number {
    if (this.options.aggregate === 'largest') return distances[at + k - 1] as number;
    let sum = 0;
    for (let a = 0; a < k; a++) sum += distances[at + a] as number;
    return sum / k;
  }

  /** @internal */
  override get gridScoring(): GridScoring | undefined {
    const { held, k } = this.fitted.search;
    const { points, queries } = held;
    if (this.options.aggregate !== 'largest' || points.kernel.name !== 'linear') return undefined;
    return {
      queries,
      backend: this.options.backend,
      asked: [{ about: 'kthDistances', points, k }],
      combine(scores) {
        for (let i = 0; i < scores.length; i++) scores[i] = Math.sqrt(scores[i] as number);
      },
    };
  }

  /** @internal */
  protected get windowScoring(): Aggregate {
    return this.options.aggregate;
  }

  protected override firstCounted(k: number): number {
    return this.options.aggregate === 'largest' ? k - 1 : 0;
  }

  protected override describeFitted(fitted: Searching, isLent?: boolean): Pick<Model, 'fields' | 'sections'> {
    const { fields, sections } = super.describeFitted(fitted, isLent);
    return { fields: { ...fields, aggregate: this.options.aggregate }, sections };
  }

  protected restore(model: Model): Searching {
    requireFields(model, ['aggregate']);
    return { search: this.restoreSearch(model) };
  }
}
