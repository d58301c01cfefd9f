// Self-joins from beginning to end, with the memory they need: in one call and in groups, or of all points in parts,
// yielding to the event loop between parts. Addresses are then looked up again for each part, as memory may have moved.
import type { JoinPart, SelfJoin } from '../../backend.js';
import type { Kernel } from '../../kernel.js';
import type { Segment } from '../memory/arena.js';
import { toCurvature, toNeighbors, toValues } from './answers.js';
import type { Finish, Searchable } from './search.js';
import { BLOCK, GroupJoin, layOutCandidates, type Range } from './self-join.js';
import { LARGEST_BLOCK } from './workspace.js';

/** Points that can be joined with themselves. */
export interface JoinablePoints extends Searchable {
  readonly count: number;
  readonly kernel: Kernel;
  prepare(k: number, queries: number): number;
}

/**
 * Finds the neighbours of points from … to − 1 in groups of `size`.
 * @returns False if there is no room for their candidates.
 */
export function selfJoinInGroups(
  points: JoinablePoints,
  k: number,
  { from, to }: Range,
  size: number,
  finish: Finish,
): boolean {
  const { arena } = points.core;
  const room = roomFor(points, { from: to - size, to });
  points.prepare(k, to - from); // making room may have moved the points out
  if (room === undefined) return false;
  try {
    for (let first = from; first < to; first += size) {
      const end = Math.min(first + size, to);
      const join = new GroupJoin(points, room, { from: first, to: end });
      join.clear();
      join.collect(0, join.blockPairs);
      join.collectOutside();
      join.resolve(first, end, finish);
    }
  } finally {
    arena.free(room);
  }
  return true;
}

/** Memory for the candidates of some points, or undefined if it is short. */
function roomFor({ core, searchCall }: JoinablePoints, range: Range): Segment | undefined {
  try {
    return core.arena.allocate(layOutCandidates(searchCall.slots, range).total);
  } catch {
    return undefined;
  }
}

export class WasmSelfJoin implements SelfJoin {
  readonly hasRoom: boolean;
  readonly blockPairs: number;
  readonly block = LARGEST_BLOCK;
  readonly unit = BLOCK;
  readonly #points: JoinablePoints;
  readonly #k: number;
  readonly #all: Range;
  #room: Segment | undefined;
  #joinOfAll: GroupJoin | undefined;

  constructor(points: JoinablePoints, k: number, hasRoom: boolean) {
    this.#points = points;
    this.#k = k;
    this.#all = { from: 0, to: points.count };
    this.hasRoom = hasRoom;
    this.blockPairs = new GroupJoin(points, { start: 0, size: 0 }, this.#all).blockPairs;
  }

  collect(from: number, to: number): void {
    this.#here().collect(from, to);
  }

  exchange(part: JoinPart, other?: JoinPart): Uint32Array[] {
    const join = this.#among(part, other);
    if (other === undefined) {
      join.clear();
      join.collect(0, join.blockPairs);
    } else {
      join.load([part.candidates, other.candidates]);
      join.exchange();
    }
    return join.candidates();
  }

  neighbors(from: number, to: number, indices: Uint32Array, distances: Float64Array, candidates?: Uint32Array): void {
    this.#resolve(from, to, toNeighbors(this.#points, from, this.#k, { indices, distances }), candidates);
  }

  curvature(from: number, to: number, scores: Float64Array, candidates?: Uint32Array): void {
    this.#resolve(from, to, toCurvature(this.#points, from, scores), candidates);
  }

  sharpness(from: number, to: number, values: Float64Array, candidates?: Uint32Array): void {
    this.#resolve(from, to, toValues(this.#points, 'sharpness', from, values), candidates);
  }

  release(): void {
    if (this.#room !== undefined) this.#points.core.arena.free(this.#room);
    this.#room = this.#joinOfAll = undefined;
  }

  #resolve(from: number, to: number, finish: Finish, candidates: Uint32Array | undefined): void {
    const join = candidates === undefined ? this.#here() : this.#among({ from, to });
    join.load([candidates]);
    join.resolve(from, to, finish);
  }

  /** The join of all points, as far as it was made by this thread. */
  #here(): GroupJoin {
    if (this.#joinOfAll === undefined) {
      this.#joinOfAll = this.#among(this.#all);
      this.#joinOfAll.clear();
    } else this.#makeReady(this.#all);
    this.#joinOfAll.refresh();
    return this.#joinOfAll;
  }

  /** A join of some points with themselves or with others, without candidates yet. */
  #among(part: Range, other?: Range): GroupJoin {
    return new GroupJoin(this.#points, this.#makeReady(part, other), part, other);
  }

  /** Makes sure that points and workspace are in memory, and returns the memory for candidates. */
  #makeReady(part: Range, other?: Range): Segment {
    const { count, searchCall, core } = this.#points;
    const { total } = layOutCandidates(searchCall.slots, part, other);
    if (this.#room !== undefined && this.#room.size < total) this.release();
    this.#room ??= core.arena.allocate(total);
    this.#points.prepare(this.#k, count);
    return this.#room;
  }
}
