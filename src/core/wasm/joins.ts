// Joins from beginning to end, with the room they need: at once and in groups, or of all points in parts, with
// others having their turn in between. What is needed in memory is then looked for again each time, as it may
// have moved.
import type { JoinPart, PointsJoin } from '../backend.js';
import type { Segment } from './arena.js';
import { BLOCK, Join, layOutCandidates, type Range } from './join.js';
import type { Finish, Searchable } from './search.js';
import { LARGEST_BLOCK } from './workspace.js';

/** Points that can be joined. */
export interface Joinable extends Searchable {
  readonly count: number;
  prepare(k: number, queries: number): number;
  takeNeighbors(from: number, k: number, indices: Uint32Array, distances: Float64Array): Finish;
  takeCurvature(from: number, scores: Float64Array): Finish;
  takeSharpness(from: number, values: Float64Array): Finish;
}

/**
 * Joins points from … to − 1 at once, so many at a time.
 * @returns False where there is no room for their candidates.
 */
export function joinInGroups(
  points: Joinable,
  k: number,
  from: number,
  to: number,
  size: number,
  finish: Finish,
): boolean {
  const { arena } = points.core;
  const room = roomFor(points, { from: 0, to: size });
  points.prepare(k, to - from); // making room may have moved the points out
  if (room === undefined) return false;
  try {
    for (let first = from; first < to; first += size) {
      const end = Math.min(first + size, to);
      const join = new Join(points, room, { from: first, to: end });
      join.clear();
      join.collect(0, join.visits);
      join.collectOutside();
      join.settle(first, end, finish);
    }
  } finally {
    arena.free(room);
  }
  return true;
}

/** Room for the candidates of some points, if there is any. */
function roomFor({ core, frame }: Joinable, range: Range): Segment | undefined {
  try {
    return core.arena.allocate(layOutCandidates(frame.slots, range).total);
  } catch {
    return undefined;
  }
}

export class JoinOfAll implements PointsJoin {
  readonly hasRoom: boolean;
  readonly visits: number;
  readonly block = LARGEST_BLOCK;
  readonly unit = BLOCK;
  readonly #points: Joinable;
  readonly #k: number;
  readonly #all: Range;
  #room: Segment | undefined;
  #joinOfAll: Join | undefined;

  constructor(points: Joinable, k: number, hasRoom: boolean) {
    this.#points = points;
    this.#k = k;
    this.#all = { from: 0, to: points.count };
    this.hasRoom = hasRoom;
    this.visits = new Join(points, { start: 0, size: 0 }, this.#all).visits;
  }

  collect(from: number, to: number): void {
    this.#here().collect(from, to);
  }

  meet(part: JoinPart, other?: JoinPart): Uint32Array[] {
    const join = this.#among(part, other);
    if (other === undefined) {
      join.clear();
      join.collect(0, join.visits);
    } else {
      join.adopt([part.known, other.known]);
      join.meet();
    }
    return join.known();
  }

  neighbors(from: number, to: number, indices: Uint32Array, distances: Float64Array, known?: Uint32Array): void {
    this.#settle(from, to, this.#points.takeNeighbors(from, this.#k, indices, distances), known);
  }

  curvature(from: number, to: number, scores: Float64Array, known?: Uint32Array): void {
    this.#settle(from, to, this.#points.takeCurvature(from, scores), known);
  }

  sharpness(from: number, to: number, values: Float64Array, known?: Uint32Array): void {
    this.#settle(from, to, this.#points.takeSharpness(from, values), known);
  }

  release(): void {
    if (this.#room !== undefined) this.#points.core.arena.free(this.#room);
    this.#room = this.#joinOfAll = undefined;
  }

  #settle(from: number, to: number, finish: Finish, known: Uint32Array | undefined): void {
    const join = known === undefined ? this.#here() : this.#among({ from, to });
    join.adopt([known]);
    join.settle(from, to, finish);
  }

  /** The join of all points, as far as it was made here. */
  #here(): Join {
    if (this.#joinOfAll === undefined) {
      this.#joinOfAll = this.#among(this.#all);
      this.#joinOfAll.clear();
    } else this.#makeReady(this.#all);
    this.#joinOfAll.refresh();
    return this.#joinOfAll;
  }

  /** A join of some points, and others, of which nothing is known yet. */
  #among(part: Range, other?: Range): Join {
    return new Join(this.#points, this.#makeReady(part, other), part, other);
  }

  /** Sees to it that all that is needed is in memory; returns the room for candidates. */
  #makeReady(part: Range, other?: Range): Segment {
    const { count, frame, core } = this.#points;
    const { total } = layOutCandidates(frame.slots, part, other);
    if (this.#room !== undefined && this.#room.size < total) this.release();
    this.#room ??= core.arena.allocate(total);
    this.#points.prepare(this.#k, count);
    return this.#room;
  }
}
