// What a detector tells of its search for neighbours.
import type { PointSearch, Precision } from '../core/backend.js';
import type { Recall } from '../neighbors/recall.js';
import type { HeldRows } from './held-rows.js';

export interface SearchReport {
  /**
   * How the neighbours of the training rows are found: by a tree of boxes that leaves most rows out unseen, by a join
   * that compares every pair of rows once, or by a plain look at all rows for each. All find the same.
   */
  readonly search: PointSearch;
  /** How the training rows are stored. */
  readonly storage: Precision;
  /** The ε of an approximate search; undefined where all neighbours are exact. */
  readonly epsilon?: number;
  /** What an approximate search was measured to find. */
  readonly recall?: Recall;
}

/** Of training rows whose k neighbours each were looked for. */
export function reportOf({ points, epsilon, recall }: HeldRows, k: number): SearchReport {
  const search = points.searchOfPoints(k);
  return {
    search,
    storage: points.precision,
    ...(epsilon !== undefined && { epsilon }),
    ...(recall !== undefined && { recall }),
  };
}
