// A set of points from which points are removed one by one, and the nearest neighbours of each among those that remain.
// One search finds many neighbours of all points. When a list runs out, all lists that are running low are
// searched for again, together: many queries at once cost the core little more than one. Lists that ran out
// become twice as long, as where points go one beside the other, what is left lies far away for many.

import type { Backend } from '../core/backend.js';
import type { Steps } from '../core/steps.js';
import { HeldPoints } from './held-points.js';
import { allOf, sourceOf, type Table } from './table.js';

/** Means "no point". */
export const NONE = 0xffffffff;
/** Neighbours the first search finds for a point. */
const LENGTH = 32;
/** Most neighbours found by a later search, and most entries of all lists: 64 MB. */
const LONGEST = 128;
const ENTRIES = 2 ** 24;
/** A list with fewer points left is running low. */
const LOW = 8;
/** Most removed points among the stored ones; searches look that much farther. */
const MOST_GONE = 32;
/** Queries per search, so that results fit in memory. */
const BATCH = 4096;

export class ShrinkingSet {
  readonly #backend: Backend;
  readonly #table: Table;
  readonly #allPoints: Uint32Array;
  readonly #isPresent: Uint8Array;
  #present: number;
  /** The points present when they were stored. */
  #held: HeldPoints;
  /** Neighbours of each point, nearest first; those before its cursor were already returned. */
  readonly #lists: Uint32Array[];
  readonly #cursors: Uint32Array;

  private constructor(table: Table, backend: Backend, held: HeldPoints, lists: Uint32Array[]) {
    this.#backend = backend;
    this.#table = table;
    this.#allPoints = held.points;
    this.#present = table.rows;
    this.#isPresent = new Uint8Array(table.rows).fill(1);
    this.#cursors = new Uint32Array(table.rows);
    this.#held = held;
    this.#lists = lists;
  }

  /** @param table At least two rows, of about mean 0. */
  static *of(table: Table, backend: Backend): Steps<ShrinkingSet> {
    const held = yield* HeldPoints.hold(table, allOf(table), backend);
    try {
      const length = Math.min(LENGTH, table.rows - 1);
      const found = yield* held.nearestToEach(length);
      const lists = Array.from(held.points, (point) => found.subarray(point * length, (point + 1) * length));
      return new ShrinkingSet(table, backend, held, lists);
    } catch (error) {
      held.release();
      throw error;
    }
  }

  /** The remaining points, ascending. */
  get points(): Uint32Array {
    return this.#allPoints.filter((point) => this.#isPresent[point] === 1);
  }

  remove(point: number): void {
    this.#isPresent[point] = 0;
    this.#present--;
  }

  /** The neighbours last searched for, nearest first: of a point never asked about, its nearest. */
  listOf(point: number): Uint32Array {
    return this.#lists[point] as Uint32Array;
  }

  isPresent(point: number): boolean {
    return this.#isPresent[point] === 1;
  }

  /** The nearest neighbour of a point beyond those given before; NONE where its list has no more. */
  next(point: number): number {
    const list = this.listOf(point);
    let at = this.#cursors[point] as number;
    while (at < list.length && this.#isPresent[list[at] as number] !== 1) at++;
    this.#cursors[point] = at + 1;
    return at < list.length ? (list[at] as number) : NONE;
  }

  /**
   * Whether a point has neighbours beyond those given, so that a search would find the next.
   *
   * @param kept How many of those given to it are still there.
   */
  hasMore(point: number, kept: number): boolean {
    return this.#present - (this.#isPresent[point] as number) > kept;
  }

  release(): void {
    this.#held.release();
  }

  #isLow(point: number): boolean {
    const list = this.listOf(point);
    let left = 0;
    for (let at = this.#cursors[point] as number; at < list.length; at++) {
      if (this.#isPresent[list[at] as number] === 1 && ++left === LOW) return false;
    }
    return true;
  }

  /**
   * Makes new lists for the points that are low.
   *
   * @param kept How many of those given to a point are still there.
   */
  *renewLists(kept: (point: number) => number): Steps<void> {
    if (this.#held.points.length - this.#present > MOST_GONE) {
      this.#held.release();
      this.#held = yield* HeldPoints.hold(this.#table, this.points, this.#backend);
    }
    const longest = Math.max(LENGTH, Math.min(LONGEST, Math.floor(ENTRIES / this.#table.rows)));
    const low = this.#allPoints.filter((point) => this.#isLow(point));
    const lengths = low.map((point) => Math.min(Math.max(LENGTH, 2 * this.listOf(point).length), longest));
    for (const length of new Set(lengths)) {
      const points = low.filter((_, i) => lengths[i] === length);
      for (let from = 0; from < points.length; from += BATCH) {
        yield* this.#search(points.subarray(from, from + BATCH), length, kept);
      }
    }
  }

  /** Finds lists of a length. What a point was given and is still there is nearest to it, and skipped. */
  *#search(points: Uint32Array, length: number, kept: (point: number) => number): Steps<void> {
    const skipped = points.map(kept);
    const gone = this.#held.points.length - this.#present;
    const most = skipped.reduce((a, b) => Math.max(a, b), 0) + 1 + length + gone;
    const asked = Math.min(most, this.#held.points.length);
    const found = yield* this.#held.nearestTo(sourceOf(this.#table, points), asked);
    for (const [i, point] of points.entries()) {
      const own = found
        .subarray(i * asked, (i + 1) * asked)
        .filter((other) => other !== point && this.#isPresent[other] === 1);
      this.#lists[point] = own.slice(skipped[i], (skipped[i] as number) + length);
      this.#cursors[point] = 0;
    }
  }
}
