// Distances from rows to their k nearest training rows, for KNN and LOF. Queries run block by block into reused lists, so
// that memory stays bounded for millions of rows as well as for streams of single ones.

import type { Queries } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { Steps } from '../core/steps.js';
import { neighborsOfPoints } from '../parallel/work.js';
import type { HeldRows } from './held-rows.js';

/** Most entries of the reused lists, if k allows it. */
const BLOCK_ENTRIES = 2 ** 18;
/** Most rows in a block: a few blocks of the core. */
const LARGEST_BLOCK = 512;

/** Neighbours of rows, nearest first: k entries a row. */
export interface NeighborLists {
  indices: Uint32Array;
  /** L2 or L1 distances, by the metric. */
  distances: Float64Array;
}

export class NeighborSearch {
  readonly held: HeldRows;
  readonly k: number;
  /** Rows to query at once. */
  readonly block: number;
  /** Lists reused from block to block. */
  readonly #kept: NeighborLists = emptyLists(0);

  constructor(held: HeldRows, k: number) {
    this.held = held;
    this.k = k;
    this.block = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(BLOCK_ENTRIES / k)));
  }

  /** Training rows. */
  get count(): number {
    return this.held.points.count;
  }

  /** Neighbours of a block of rows. The lists are valid until the next call. */
  find(queries: Queries, from: number, to: number): NeighborLists {
    const lists = this.roomFor(to - from);
    this.held.points.neighbors(queries, from, to, this.k, lists);
    this.toDistances(lists, to - from);
    return lists;
  }

  /** Lists for a number of rows, valid until the next call. */
  roomFor(rows: number): NeighborLists {
    const length = rows * this.k;
    if (this.#kept.distances.length < length) Object.assign(this.#kept, emptyLists(length));
    return this.#kept;
  }

  /** Neighbours of all training rows, in new lists. */
  *findAll(progress: readonly [number, number]): Steps<NeighborLists> {
    const lists = emptyLists(this.count * this.k);
    yield* neighborsOfPoints(this.held.points, this.k, lists.indices, lists.distances, progress);
    this.toDistances(lists, this.count);
    return lists;
  }

  /** Converts values of the core to distances: for L2 it compares squares. */
  toDistances({ distances }: Pick<NeighborLists, 'distances'>, rows: number): void {
    if (this.held.points.kernel.name !== 'linear') return;
    for (let i = 0; i < rows * this.k; i++) distances[i] = Math.sqrt(distances[i] as number);
  }
}

function emptyLists(length: number): NeighborLists {
  try {
    return { indices: new Uint32Array(length), distances: new Float64Array(length) };
  } catch (cause) {
    throw new CurvadError('OUT_OF_MEMORY', `cannot allocate ${length} neighbors`, { cause });
  }
}
