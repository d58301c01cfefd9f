// Joins from beginning to end, with the room they need: at once and in groups, or of all points in parts, with
// others having their turn in between. What is needed in memory is then looked for again each time, as it may
// have moved.
import type { JoinPart, PointsJoin } from '../backend.js';
import type { Segment } from './arena.js';
import { BLOCK, Join, layOutCandidates } from './join.js';
import type { Finish, Searchable } from './search.js';
import { LARGEST_BLOCK } from './workspace.js';

/** Points that can be joined. */
export interface Joinable extends Searchable {
  readonly count: number;
  prepare(k: number, queries: number): number;
  takeNeighbors(from: number, k: number, indices: Uint32Array, distances: Float64Array): Finish;
  takeCurvature(from: number, scores: Float64Array): Finish;
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
  const room = roomFor(points, size);
  points.prepare(k, to - from); // making room may have moved the points out
  if (room === undefined) return false;
  try {
    for (let first = from; first < to; first += size) {
      const end = Math.min(first + size, to);
      const join = new Join(points, room, first, end);
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

/** Room for the candidates of so many points, if there is any. */
function roomFor({ core, frame }: Joinable, size: number): Segment | undefined {
  try {
    return core.arena.allocate(layOutCandidates(frame.slots, size).total);
  } catch {
    return undefined;
  }
}

export class JoinOfAll implements PointsJoin {
  readonly visits: number;
  readonly block = LARGEST_BLOCK;
  readonly unit = BLOCK;
  readonly #points: Joinable;
  readonly #k: number;
  #room: Segment | undefined;
  #join: Join | undefined;

  constructor(points: Joinable, k: number) {
    this.#points = points;
    this.#k = k;
    this.visits = new Join(points, { start: 0, size: 0 }, 0, points.count).visits;
  }

  collect(from: number, to: number): void {
    this.#ready().collect(from, to);
  }

  meet(part: JoinPart, other?: JoinPart): Uint32Array[] {
    const join = this.#ready();
    const parts = other === undefined ? [part] : [part, other];
    for (const one of parts) join.adopt(one);
    join.meet(part, other);
    return parts.map(({ from, to }) => join.known(from, to));
  }

  adopt(part: JoinPart): void {
    this.#ready().adopt(part);
  }

  neighbors(from: number, to: number, indices: Uint32Array, distances: Float64Array): void {
    this.#ready().settle(from, to, this.#points.takeNeighbors(from, this.#k, indices, distances));
  }

  curvature(from: number, to: number, scores: Float64Array): void {
    this.#ready().settle(from, to, this.#points.takeCurvature(from, scores));
  }

  release(): void {
    if (this.#room !== undefined) this.#points.core.arena.free(this.#room);
    this.#room = this.#join = undefined;
  }

  /** The join, with all it needs in memory. */
  #ready(): Join {
    const { count, frame, core } = this.#points;
    this.#room ??= core.arena.allocate(layOutCandidates(frame.slots, count).total);
    this.#points.prepare(this.#k, count);
    if (this.#join === undefined) {
      this.#join = new Join(this.#points, this.#room, 0, count);
      this.#join.clear();
    }
    this.#join.refresh();
    return this.#join;
  }
}
