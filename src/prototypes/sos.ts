// Sorted by gap-weighted medians. Rows are taken in the order of their distance to the mean of their class:
// first both ends, then, from each region that is left, a row near its middle with a wide gap behind it,
// which parts the region in two. So every beginning of the ranking spreads over all distances.

import { ascendingOrder } from '../core/math/sorting.js';
import { checkOptionNames } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import type { Problem } from './classes.js';
import { eachClass, pick, type Ranking } from './ranking.js';
import { PrototypeSelector } from './selector.js';
import { distancesToMean, type Table } from './table.js';

/** Positions examined between pauses. */
const AT_A_TIME = 2 ** 16;

/**
 * Sample order by recursive medians (SOS). The score of a row is minus the depth at which it is found: 0 for
 * both ends, −1 for the middle of the rest, −2 for the middles on either side of it, and so on. No options.
 * Takes O(n log n) where regions part about evenly, O(n²) at worst (all distances equal, or each gap much
 * wider than the one before).
 */
export class SOS extends PrototypeSelector {
  protected readonly kind = 'SOS';

  constructor(options?: Record<string, never>) {
    super();
    checkOptionNames(options, [], 'SOS');
  }

  protected override rankClasses({ table, classes }: Problem): Steps<readonly Ranking[]> {
    return eachClass(classes, ({ rows }) => rankByMedians(table, rows));
  }
}

function* rankByMedians(table: Table, rows: Uint32Array): Steps<Ranking> {
  const far = yield* distancesToMean(table, rows);
  const order = yield* ascendingOrder(far);
  const { positions, depths } = yield* medians(pick(far, order));
  yield;
  return {
    indices: positions.map((position) => rows[order[position] as number] as number),
    scores: Float64Array.from(depths, (depth) => (depth === 0 ? 0 : -depth)),
  };
}

/** The positions 0 … n − 1 of sorted distances in the order of SOS, level by level, left to right. */
function* medians(distances: Float64Array): Steps<{ positions: Uint32Array; depths: Uint32Array }> {
  const count = distances.length;
  const positions = new Uint32Array(count);
  const depths = new Uint32Array(count);
  let emitted = 1; // position 0, the nearest
  if (count > 1) positions[emitted++] = count - 1;
  // A queue of regions: each gives one position, so that the next to be served is the one emitted next.
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let queued = emitted;
  const enqueue = (start: number, end: number, depth: number): void => {
    if (start > end) return;
    starts[queued] = start;
    ends[queued] = end;
    depths[queued++] = depth;
  };
  enqueue(1, count - 2, 1);
  let looked = 0;
  for (; emitted < queued; emitted++) {
    const [start, end] = [starts[emitted] as number, ends[emitted] as number];
    looked += end - start + 1;
    if (looked > AT_A_TIME) {
      yield;
      looked = 0;
    }
    const median = gapWeightedMedian(distances, start, end);
    positions[emitted] = median;
    enqueue(start, median - 1, (depths[emitted] as number) + 1);
    enqueue(median + 1, end, (depths[emitted] as number) + 1);
  }
  return { positions, depths };
}

/** The first x that maximises (d_{x+1} − d_x) · min(L, R) / max(L, R), L = x − start, R = end − x. */
function gapWeightedMedian(distances: Float64Array, start: number, end: number): number {
  let best = start; // where the product is 0
  let most = 0;
  for (let x = start + 1; x < end; x++) {
    const gap = (distances[x + 1] as number) - (distances[x] as number);
    if (gap === 0) continue;
    const [left, right] = [x - start, end - x];
    const weighted = (gap * Math.min(left, right)) / Math.max(left, right);
    if (weighted > most) {
      most = weighted;
      best = x;
    }
  }
  return best;
}
