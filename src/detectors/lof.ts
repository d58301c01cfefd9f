// Local Outlier Factor: how much sparser a row's neighbourhood is than those of its neighbours. Distances below the
// k-distance of the neighbour count as that k-distance, which smooths densities. Defined exactly as in scikit-learn.
//
//   reach(p, o) = max(k-distance(o), d(p, o))
//   lrd(p)      = 1 / (mean of reach(p, o) over the k neighbours o + 1e-10)
//   LOF(p)      = mean of lrd(o) over the k neighbours o / lrd(p)

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { inBlocks, type Steps } from '../core/steps.js';
import type { ThreadSource } from '../parallel/run.js';
import type { Trained } from './fitted-state.js';
import { searchHeld } from './held-rows.js';
import { checkedSection } from './model-parts.js';
import {
  NEIGHBOR_OPTIONS,
  NeighborDetector,
  type NeighborDetectorOptions,
  type Searching,
} from './neighbor-detector.js';
import type { NeighborLists, NeighborSearch } from './neighbor-search.js';

export type LOFOptions = NeighborDetectorOptions;

/** Added to mean distances, which are 0 among more than k duplicates. */
const SMALLEST = 1e-10;
const DENSEST = 1 / SMALLEST;
/** Larger than any distance between stored rows; sums stay finite. */
const FARTHEST = 1e160;

/** Of each training row. */
interface Densities {
  /** Distance to its k-th neighbour. */
  readonly kDistances: Float64Array;
  /** Its local reachability density, lrd. */
  readonly densities: Float64Array;
}

type Fitted = Searching & Densities;

/**
 * Local Outlier Factor: about 1 where the density is uniform, larger the sparser the neighbourhood of a row is compared
 * with those of its neighbours. Training rows are scored like scikit-learn's LocalOutlierFactor, new rows like its
 * novelty mode, against the training rows only.
 *
 * More than k duplicates of a row have distances 0 and the density 10¹⁰, as in scikit-learn, so a distinct row near them
 * gets an enormous score. If all distances are near or below 10⁻¹⁰, all scores are near 1: scale such columns, or use
 * `standardize`.
 */
export class LOF extends NeighborDetector<Fitted> {
  /** @internal */
  static readonly kind = 'LOF';
  /** @internal */
  static readonly options = NEIGHBOR_OPTIONS;
  protected readonly threadSource: ThreadSource = () => import('curvad-thread:lof');

  constructor(options?: LOFOptions) {
    super(options);
  }

  protected override get nativeThreshold(): number {
    return 1.5; // scikit-learn's
  }

  protected override *fittedOn(rows: RowSource, [kDistances, densities]: readonly Float64Array[]): Steps<Fitted> {
    if (kDistances?.length !== rows.rows || densities?.length !== rows.rows)
      throw new CurvadError('LENGTHS_DIFFER', `${rows.rows} rows need as many k-distances and densities`);
    return { search: yield* this.hold(rows), kDistances, densities };
  }

  protected *training(rows: RowSource): Steps<Trained<Fitted>> {
    const search = yield* this.hold(rows);
    try {
      const lists = yield* searchHeld(search.held, search.k, (progress) => search.findAll(progress));
      const { kDistances, densities } = yield* densitiesOf(search, lists);
      const scores = new Float64Array(search.count);
      yield* inBlocks(search.count, search.k, (from, to) => {
        for (let i = from; i < to; i++)
          scores[i] = meanAt(densities, lists, i * search.k, search.k) / (densities[i] as number);
      });
      return { fitted: { search, kDistances, densities }, scores };
    } catch (error) {
      search.held.points.release();
      throw error;
    }
  }

  protected scoreOf({ search: { k }, kDistances, densities }: Fitted, lists: NeighborLists, at: number): number {
    return meanAt(densities, lists, at, k) / density(kDistances, lists, at, k);
  }

  /** @internal */
  protected readonly windowScoring = 'density';

  protected override describeFitted(fitted: Fitted, isLent?: boolean): Pick<Model, 'fields' | 'sections'> {
    const { fields, sections } = super.describeFitted(fitted, isLent);
    const { kDistances, densities } = fitted;
    return { fields, sections: { ...sections, kDistances, densities } };
  }

  protected restore(model: Model): Fitted {
    const search = this.restoreSearch(model);
    try {
      return { search, ...restoreDensities(model, search.count) };
    } catch (error) {
      search.held.points.release();
      throw error;
    }
  }
}

function* densitiesOf({ k, count }: NeighborSearch, lists: NeighborLists): Steps<Densities> {
  const kDistances = new Float64Array(count);
  for (let i = 0; i < count; i++) kDistances[i] = lists.distances[i * k + k - 1] as number;
  const densities = new Float64Array(count);
  yield* inBlocks(count, k, (from, to) => {
    for (let i = from; i < to; i++) densities[i] = density(kDistances, lists, i * k, k);
  });
  return { kDistances, densities };
}

/** lrd of a row from the sum of its k reaches. */
export function densityOf(reaches: number, k: number): number {
  return 1 / (reaches / k + SMALLEST);
}

/** lrd of the row whose neighbours start at index `at` of the lists. */
function density(kDistances: Float64Array, { indices, distances }: NeighborLists, at: number, k: number): number {
  let sum = 0;
  for (let a = at; a < at + k; a++) {
    sum += Math.max(kDistances[indices[a] as number] as number, distances[a] as number);
  }
  return densityOf(sum, k);
}

/** The mean of the neighbours' values. */
function meanAt(values: Float64Array, { indices }: NeighborLists, at: number, k: number): number {
  let sum = 0;
  for (let a = at; a < at + k; a++) sum += values[indices[a] as number] as number;
  return sum / k;
}

function restoreDensities(model: Model, rows: number): Densities {
  const kDistances = checkedSection(model, 'kDistances', 'f64', rows);
  const densities = checkedSection(model, 'densities', 'f64', rows);
  if (!kDistances.every((value) => value >= 0 && value <= FARTHEST)) throw corrupt('a k-distance is out of range');
  if (!densities.every((value) => value > 0 && value <= DENSEST)) throw corrupt('a density is out of range');
  return { kDistances, densities };
}
