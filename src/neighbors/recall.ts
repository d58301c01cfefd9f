// Measures the recall of an approximate search by exact queries for randomly chosen points. A reported neighbour counts as
// found if it is no farther than the true k-th one. Comparing indices would mislead, as any of several equally distant
// neighbours may be reported.
import { PLACES, type PointSet } from '../core/backend.js';
import { Random } from '../core/random/random.js';
import type { Steps, Work } from '../core/steps.js';
import { costOf } from '../parallel/work.js';

export interface Recall {
  /** The share of the reported neighbours that are no farther than the true k-th one. */
  readonly recall: number;
  /** Its 95 % confidence interval for all rows. */
  readonly low: number;
  readonly high: number;
  /** Number of exact queries; 0 if the whole search was exact. */
  readonly queries: number;
}

const QUERIES = 1000;
/** 95 % of the normal distribution lie within this many standard deviations. */
const DEVIATIONS = 1.959964;

/** Measures the recall of the search for the neighbours of all points. */
export function* measureRecall(points: PointSet, k: number, progress: readonly [number, number]): Steps<Recall> {
  if (points.tree === undefined || points.tree.share === 1) return { recall: 1, low: 1, high: 1, queries: 0 };
  const places = Uint32Array.from({ length: points.count }, (_, i) => i);
  const queries = Math.min(QUERIES, points.count);
  new Random(0).choose(places, queries);
  const indices = new Uint32Array(k);
  const reported = { indices, distances: new Float64Array(k) };
  const exact = { indices, distances: new Float64Array(k) };
  let found = 0;
  const work: Work = {
    rows: queries,
    cost: 4 * costOf(points),
    progress,
    run(from, to) {
      for (const place of places.subarray(from, to)) {
        points.neighbors(PLACES, place, place + 1, k, reported);
        points.exactNeighbors(PLACES, place, place + 1, k, exact);
        const farthest = exact.distances[k - 1] as number;
        for (const distance of reported.distances) if (distance <= farthest) found++;
      }
    },
  };
  yield work;
  const recall = found / (queries * k);
  if (queries === points.count) return { recall, low: recall, high: recall, queries };
  return { recall, ...intervalOf(recall, queries), queries };
}

/**
 * Wilson's interval for a proportion. The recall of a query lies between 0 and 1 and so varies less than a yes or no with
 * the same mean: the interval is conservative.
 */
function intervalOf(share: number, count: number): { low: number; high: number } {
  const extra = DEVIATIONS ** 2 / count;
  const middle = (share + extra / 2) / (1 + extra);
  const half = (Math.sqrt((share * (1 - share)) / count + extra / (4 * count)) * DEVIATIONS) / (1 + extra);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Reads a recall from a model file; undefined if it is invalid. */
export function readRecall(value: unknown): Recall | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { recall, low, high, queries } = value as Readonly<Record<string, unknown>>;
  const isShare = (share: unknown): share is number => typeof share === 'number' && share >= 0 && share <= 1;
  if (!isShare(recall) || !isShare(low) || !isShare(high) || !Number.isSafeInteger(queries)) return undefined;
  return { recall, low, high, queries: queries as number };
}
