// Distances from rows to their k nearest training rows: what KNN and LOF score by. Rows are asked about
// block by block into lists that are kept, so that neither a million rows nor a stream of single ones
// costs memory.
import type { Queries } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { HeldRows } from './held-rows.js';

/** Entries of the kept lists, at most, where k allows it. */
const COMFORTABLE = 2 ** 18;
/** Rows of a block, at most: a few blocks of the core. */
const LARGEST_BLOCK = 512;

/** Neighbours of rows, nearest first: k entries a row. */
export interface NeighborLists {
  indices: Uint32Array;
  /** L2 or L1, by the metric. */
  distances: Float64Array;
}

export class NeighborSearch {
  readonly held: HeldRows;
  readonly k: number;
  /** Rows to ask about at once. */
  readonly block: number;
  /** Lists of one block, used again by the next. */
  readonly #kept: NeighborLists = emptyLists(0);

  constructor(held: HeldRows, k: number) {
    this.held = held;
    this.k = k;
    this.block = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(COMFORTABLE / k)));
  }

  /** Training rows. */
  get count(): number {
    return this.held.points.count;
  }

  /** Neighbours of a block of rows. The lists are good until the next call. */
  find(queries: Queries, from: number, to: number): NeighborLists {
    const lists = this.#kept;
    const length = (to - from) * this.k;
    if (lists.distances.length < length) Object.assign(lists, emptyLists(length));
    this.#findInto(lists, queries, from, to);
    return lists;
  }

  /** Neighbours of all rows, in lists of their own. */
  findAll(queries: Queries, rows: number): NeighborLists {
    const lists = emptyLists(rows * this.k);
    this.#findInto(lists, queries, 0, rows);
    return lists;
  }

  #findInto({ indices, distances }: NeighborLists, queries: Queries, from: number, to: number): void {
    const { points } = this.held;
    points.neighbors(queries, from, to, this.k, indices, distances);
    if (points.kernel.name !== 'linear') return;
    // The core compares squares.
    const end = (to - from) * this.k;
    for (let i = 0; i < end; i++) distances[i] = Math.sqrt(distances[i] as number);
  }
}

function emptyLists(length: number): NeighborLists {
  try {
    return { indices: new Uint32Array(length), distances: new Float64Array(length) };
  } catch (cause) {
    throw new CurvadError('OUT_OF_MEMORY', `there is no room for ${length} neighbors`, { cause });
  }
}
