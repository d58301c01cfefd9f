// Memory for one block of queries and what the search keeps for each, laid out once for a shape and reused by every
// call of that shape.
//
//   rows | pairs | norms | scales | selves | reaches | bounds | counts | found | sizes | distances | indices
//   | partials | estimates | promising | scratch | scores | gradients | edges | edge weights

import { MAX_BLOCK_PANELS, PAIR_ESTIMATE_BYTES, PAIR_GROUP } from '../contract.js';
import type { Core } from '../core.js';
import type { Segment } from '../memory/arena.js';
import { layOut } from '../memory/layout.js';
import type { SearchCall } from './search-call.js';

/** Queries answered together: enough that a panel read once serves many. */
export const LARGEST_BLOCK = 128;
/** Bytes a workspace should not exceed, unless rows are wide or neighbours many. */
const WORKSPACE_SOFT_LIMIT_BYTES = 8 * 2 ** 20;
/** Bytes behind the estimates for the ranks of as many keys as are compared with each other. */
const RANKS = 1040;

/** The workspace of each core; the shape of calls seldom changes. */
const workspaces = new WeakMap<Core, Workspace>();

/** A workspace for at least this many queries among `count` points, or for as many as one block holds. */
export function workspaceFor(
  core: Core,
  count: number,
  columns: number,
  neighbors: number,
  queries: number,
): Workspace {
  const before = workspaces.get(core);
  const candidates = candidatesFor(count, columns, neighbors);
  const block = blockSize(columns, candidates, queries);
  const isAlike = before?.columns === columns && before.neighbors === neighbors && before.candidates === candidates;
  if (isAlike && before.block >= block) return before;
  if (before !== undefined) core.arena.free(before.segment);
  workspaces.delete(core);
  const workspace = new Workspace(core, columns, neighbors, candidates, block);
  workspaces.set(core, workspace);
  return workspace;
}

function blockSize(columns: number, candidates: number, queries: number): number {
  const perQuery = columns * 32 + slotsFor(candidates) * 16 + 256;
  const block = Math.min(LARGEST_BLOCK, Math.floor(WORKSPACE_SOFT_LIMIT_BYTES / perQuery), queries);
  return Math.max(2, Math.ceil(block / 2) * 2);
}

/**
 * Candidates measured: k and a few more, so that the last is farther than the k-th by more than the
 * error of an estimate, and no second pass is needed. That error grows with √d, while the distances of
 * consecutive neighbours lie the closer the larger d is: the few grow with d^1.5. And what a candidate keeps of
 * its estimate is the less the more points there are, as their indices need more of its bits.
 */
export function candidatesFor(count: number, columns: number, neighbors: number): number {
  const few = Math.min(3, 4e-5 * columns ** 1.5 + 2 ** -28 * columns * count);
  return neighbors + 2 + Math.ceil(neighbors * few);
}

/** Slots for candidates: those that come in are many, so that the best are selected seldom; four stay free. */
export function slotsFor(candidates: number): number {
  return Math.ceil(1.4 * candidates) + 5;
}

/** The fields of a search call that describe a workspace. */
export const NO_WORKSPACE = {
  ...{ rows: 0, pairs: 0, norms: 0, scales: 0, selves: 0, reaches: 0, bounds: 0, counts: 0, found: 0, sizes: 0 },
  ...{ distances: 0, indices: 0, partials: 0, estimates: 0, promising: 0, scratch: 0 },
  ...{ scores: 0, gradients: 0, edges: 0, edgeWeights: 0, neighbors: 0, candidates: 0, slots: 0 },
};

export class Workspace {
  readonly columns: number;
  readonly neighbors: number;
  readonly candidates: number;
  /** Queries a block holds. */
  readonly block: number;
  readonly segment: Segment;
  readonly #fields: typeof NO_WORKSPACE;

  constructor(core: Core, columns: number, neighbors: number, candidates: number, block: number) {
    this.columns = columns;
    this.neighbors = neighbors;
    this.candidates = candidates;
    this.block = block;
    const slots = slotsFor(candidates);
    const sizes = {
      rows: block * columns * 8,
      pairs: block * (columns + 1) * 8,
      norms: block * 8,
      scales: block * 4,
      selves: block * 4,
      reaches: block * 4,
      bounds: block * 4,
      counts: block * 4,
      found: block * slots * 4,
      sizes: block * 4,
      distances: block * slots * 8,
      indices: block * slots * 4,
      partials: Math.max(block * 64, MAX_BLOCK_PANELS * 16 + 16),
      estimates: PAIR_GROUP * PAIR_ESTIMATE_BYTES + RANKS,
      promising: PAIR_GROUP * MAX_BLOCK_PANELS * 32 + 4,
      scratch: PAIR_GROUP * PAIR_ESTIMATE_BYTES,
      scores: block * 8,
      gradients: block * columns * 8,
      edges: (neighbors + 1) * columns * 8,
      edgeWeights: neighbors * 12,
    };
    const layout = layOut(sizes);
    this.segment = core.arena.allocate(layout.total);
    this.#fields = { ...layout.at(this.segment.start), neighbors, candidates, slots };
  }

  /** Writes the addresses into a search call. */
  describe(searchCall: SearchCall): void {
    Object.assign(searchCall, this.#fields);
  }
}
