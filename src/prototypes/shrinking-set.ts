// Points that are removed one by one, and the neighbours of each among those still there, nearest first.
// One search finds many neighbours of all points. When a list runs out, all lists that are running low are
// searched for again, together: many queries at once cost the core little more than one. Lists that ran out
// become twice as long, as where points go one beside the other, what is left lies far away for many.
import { type Backend, POINTS, type PointSet, type Queries } from '../core/backend.js';
import type { Kernel } from '../core/kernel.js';
import { fitScaling } from '../core/scaling.js';
import { rowsOf, sourceOf, type Table } from './table.js';

/** "No point." */
export const NONE = 0xffffffff;
/** Neighbours the first search finds for a point. */
const LENGTH = 32;
/** The most a later one finds, and the most all lists may hold: 64 MB. */
const LONGEST = 128;
const ENTRIES = 2 ** 24;
/** A list with fewer points left is running low. */
const LOW = 8;
/** Points held may be gone, up to this many: a search looks so much farther. */
const MOST_GONE = 32;
/** Points searched for at once: what is found for them must fit the memory. */
const BATCH = 4096;
const EUCLIDEAN: Kernel = { name: 'linear', gamma: 1, coef0: 0, degree: 1 };

/** Points in the core, by their numbers; no search depends on which others are held. */
export class HeldPoints {
  readonly points: Uint32Array;
  readonly #held: PointSet;

  constructor(table: Table, points: Uint32Array, backend: Backend) {
    this.points = points;
    this.#held = backend.hold(sourceOf(rowsOf(table, points)), 'double', EUCLIDEAN);
  }

  /** The k nearest of the points to each query, nearest first, equal distances by number. */
  nearest(queries: Queries, from: number, to: number, k: number): Uint32Array {
    const indices = new Uint32Array((to - from) * k);
    this.#held.neighbors(queries, from, to, k, indices, new Float64Array(indices.length));
    return indices.map((index) => this.points[index] as number);
  }

  release(): void {
    this.#held.release();
  }
}

/** Rows of about mean 0, which the core searches fastest: distances stay what they are. */
export function centred(table: Table): Table {
  const options = { standardize: false, center: true, precision: 'double', isExplicit: true } as const;
  const rows = fitScaling(sourceOf(table), options).scaling.apply(sourceOf(table), 'double');
  const data = new Float64Array(table.data.length);
  for (let i = 0; i < table.rows; i++) rows.read(i, data, i * table.columns);
  return { ...table, data };
}

export class ShrinkingSet {
  readonly #backend: Backend;
  readonly #table: Table;
  readonly #allPoints: Uint32Array;
  readonly #isPresent: Uint8Array;
  #present: number;
  /** Those present when they were held. */
  #held: HeldPoints;
  /** Neighbours of each point, nearest first; those before its cursor have been given. */
  readonly #lists: Uint32Array[];
  readonly #cursors: Uint32Array;

  /** @param table At least two rows, of about mean 0. */
  constructor(table: Table, backend: Backend) {
    this.#backend = backend;
    this.#table = table;
    this.#allPoints = new Uint32Array(table.rows).map((_, point) => point);
    this.#present = table.rows;
    this.#isPresent = new Uint8Array(table.rows).fill(1);
    this.#cursors = new Uint32Array(table.rows);
    this.#held = this.#hold();
    const length = Math.min(LENGTH, table.rows - 1);
    const found = this.#held.nearest(POINTS, 0, table.rows, length);
    this.#lists = Array.from(this.#allPoints, (point) => found.subarray(point * length, (point + 1) * length));
  }

  /** The points still there, ascending. */
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

  /**
   * The nearest neighbour of a point beyond those given before, or NONE.
   *
   * @param kept How many of those given to a point are still there.
   */
  next(point: number, kept: (point: number) => number): number {
    const found = this.#nextInList(point);
    if (found !== NONE || this.#othersOf(point) <= kept(point)) return found;
    this.#renewLists(kept);
    return this.#nextInList(point);
  }

  release(): void {
    this.#held.release();
  }

  #othersOf(point: number): number {
    return this.#present - (this.#isPresent[point] as number);
  }

  #nextInList(point: number): number {
    const list = this.listOf(point);
    let at = this.#cursors[point] as number;
    while (at < list.length && this.#isPresent[list[at] as number] !== 1) at++;
    this.#cursors[point] = at + 1;
    return at < list.length ? (list[at] as number) : NONE;
  }

  #isLow(point: number): boolean {
    const list = this.listOf(point);
    let left = 0;
    for (let at = this.#cursors[point] as number; at < list.length; at++) {
      if (this.#isPresent[list[at] as number] === 1 && ++left === LOW) return false;
    }
    return true;
  }

  /** Makes new lists for the points that are low. */
  #renewLists(kept: (point: number) => number): void {
    if (this.#held.points.length - this.#present > MOST_GONE) {
      this.#held.release();
      this.#held = this.#hold();
    }
    const longest = Math.max(LENGTH, Math.min(LONGEST, Math.floor(ENTRIES / this.#table.rows)));
    const low = this.#allPoints.filter((point) => this.#isLow(point));
    const lengths = low.map((point) => Math.min(Math.max(LENGTH, 2 * this.listOf(point).length), longest));
    for (const length of new Set(lengths)) {
      const points = low.filter((_, i) => lengths[i] === length);
      for (let from = 0; from < points.length; from += BATCH) {
        this.#search(points.subarray(from, from + BATCH), length, kept);
      }
    }
  }

  /** Finds lists of a length. What a point was given and is still there is nearest to it, and skipped. */
  #search(points: Uint32Array, length: number, kept: (point: number) => number): void {
    const skipped = points.map(kept);
    const gone = this.#held.points.length - this.#present;
    const most = skipped.reduce((a, b) => Math.max(a, b), 0) + 1 + length + gone;
    const asked = Math.min(most, this.#held.points.length);
    const found = this.#held.nearest(sourceOf(rowsOf(this.#table, points)), 0, points.length, asked);
    for (const [i, point] of points.entries()) {
      const own = found
        .subarray(i * asked, (i + 1) * asked)
        .filter((other) => other !== point && this.#isPresent[other] === 1);
      this.#lists[point] = own.slice(skipped[i], (skipped[i] as number) + length);
      this.#cursors[point] = 0;
    }
  }

  #hold(): HeldPoints {
    return new HeldPoints(this.#table, this.points, this.#backend);
  }
}
