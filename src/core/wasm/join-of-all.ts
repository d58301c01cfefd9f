// A join of all points that is made in parts, with others having their turn in between: what it needs in
// memory is looked for again each time, as it may have moved.
import type { Candidates, PointsJoin } from '../backend.js';
import type { Segment } from './arena.js';
import { Join, layOutCandidates } from './join.js';
import type { Finish, Searchable } from './search.js';
import { LARGEST_BLOCK } from './workspace.js';

/** Points that can be joined. */
export interface Joinable extends Searchable {
  readonly count: number;
  prepare(k: number, queries: number): number;
  takeNeighbors(from: number, k: number, indices: Uint32Array, distances: Float64Array): Finish;
  takeCurvature(from: number, scores: Float64Array): Finish;
}

export class JoinOfAll implements PointsJoin {
  readonly visits: number;
  readonly homes: number;
  readonly block = LARGEST_BLOCK;
  readonly #points: Joinable;
  readonly #k: number;
  #room: Segment | undefined;
  #join: Join | undefined;

  constructor(points: Joinable, k: number) {
    this.#points = points;
    this.#k = k;
    const plan = new Join(points, { start: 0, size: 0 }, 0, points.count);
    this.visits = plan.visits;
    this.homes = plan.homes;
  }

  collect(from: number, to: number): void {
    this.#ready().collect(from, to);
  }

  candidates(): Candidates {
    return this.#ready().candidates();
  }

  forgetCandidates(): void {
    this.#ready().forgetCandidates();
  }

  neighbors(
    from: number,
    to: number,
    indices: Uint32Array,
    distances: Float64Array,
    lists?: readonly Candidates[],
  ): void {
    this.#settle(from, to, this.#points.takeNeighbors(from, this.#k, indices, distances), lists);
  }

  curvature(from: number, to: number, scores: Float64Array, lists?: readonly Candidates[]): void {
    this.#settle(from, to, this.#points.takeCurvature(from, scores), lists);
  }

  release(): void {
    if (this.#room !== undefined) this.#points.core.arena.free(this.#room);
    this.#room = this.#join = undefined;
  }

  #settle(from: number, to: number, finish: Finish, lists: readonly Candidates[] | undefined): void {
    const join = this.#ready();
    if (lists === undefined) join.settle(from, to, finish);
    else join.settleAmong(lists, from, to, finish);
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
