// How far the k-th nearest points are: without lists of neighbours where points are so few that all their estimates for
// a pair of queries have room at once.
import type { PointSet, Queries } from '../../backend.js';
import { PAIR_ESTIMATE_BYTES, PAIR_GROUP, PANEL_WIDTH } from '../contract.js';
import { copyValues, findKthDistances, type Searchable } from './search.js';

/** Points, and the queries a block may have when they are asked for k neighbours. */
type Prepared = PointSet & Searchable & { prepare(k: number, queries: number): number };

const MOST_PANELS = (PAIR_GROUP * PAIR_ESTIMATE_BYTES) / (PANEL_WIDTH * 8);

export function kthDistances(
  points: Prepared,
  queries: Queries,
  [from, to]: readonly [number, number],
  k: number,
  distances: Float64Array,
): void {
  const { kernel, tree, count } = points;
  const isQuick = kernel.name === 'linear' && tree === undefined && count <= MOST_PANELS * PANEL_WIDTH;
  const block = points.prepare(k, to - from);
  for (let first = from; first < to; first += block) {
    const end = Math.min(first + block, to);
    if (isQuick) {
      findKthDistances(points, queries, first, end - first);
      copyValues(points, points.searchCall.scores, [end - first, 1], distances, (query) => first - from + query);
    } else {
      const entries = (end - first) * k;
      const listed = { indices: new Uint32Array(entries), distances: new Float64Array(entries) };
      points.neighbors(queries, first, end, k, listed);
      for (let i = first; i < end; i++) distances[i - from] = listed.distances[(i - first + 1) * k - 1] as number;
    }
  }
}
