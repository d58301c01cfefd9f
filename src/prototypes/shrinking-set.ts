// Points that are removed one by one, and the neighbours of each among those still there, nearest first.
// One search finds many neighbours of all points. When a list runs out, all lists that are running low are
// searched for again, together: many queries at once cost the core little more than one.
import { type Backend, POINTS, type PointSet, type Queries } from '../core/backend.js';
import type { Kernel } from '../core/kernel.js';
import { fitScaling } from '../core/scaling.js';
import { rowsOf, sourceOf, type Table } from './table.js';

/** "No point." */
export const NONE = 0xffffffff;
/** Neighbours a search finds for a point, at most. */
const LENGTH = 32;
/** A list with fewer points left is running low. */
const LOW = 8;
/** Points held may be gone, up to this many: a search looks so much farther. */
const MOST_GONE = 64;
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
  /** Neighbours of each point, `#length` entries a point; those before its cursor have been given. */
  readonly #length: number;
  readonly #lists: Uint32Array;
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
    this.#length = Math.min(LENGTH, table.rows - 1);
    this.#lists = this.#held.nearest(POINTS, 0, table.rows, this.#length);
  }

  /** The points still there, ascending. */
  get points(): Uint32Array {
    return this.#allPoints.filter((point) => this.#isPresent[point] === 1);
  }

  remove(point: number): void {
    this.#isPresent[point] = 0;
    this.#present--;
  }

  /** The neighbours last searched for, nearest first, then NONE: of a point never asked about, its nearest. */
  listOf(point: number): Uint32Array {
    return this.#lists.subarray(point * this.#length, (point + 1) * this.#length);
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
    const end = (point + 1) * this.#length;
    let left = 0;
    for (let at = point * this.#length + (this.#cursors[point] as number); at < end; at++) {
      if (this.#isPresent[this.#lists[at] as number] === 1 && ++left === LOW) return false;
    }
    return true;
  }

  /** Searches for the points that are low. What they were given and is still there is nearest, and skipped. */
  #renewLists(kept: (point: number) => number): void {
    if (this.#held.points.length - this.#present > MOST_GONE) {
      this.#held.release();
      this.#held = this.#hold();
    }
    const low = this.#allPoints.filter((point) => this.#isLow(point));
    const skipped = low.map(kept);
    const gone = this.#held.points.length - this.#present;
    const most = skipped.reduce((a, b) => Math.max(a, b), 0) + 1 + LENGTH + gone;
    const asked = Math.min(most, this.#held.points.length);
    const found = this.#held.nearest(sourceOf(rowsOf(this.#table, low)), 0, low.length, asked);
    for (const [i, point] of low.entries()) {
      const own = found
        .subarray(i * asked, (i + 1) * asked)
        .filter((other) => other !== point && this.#isPresent[other] === 1)
        .subarray(skipped[i], (skipped[i] as number) + this.#length);
      this.listOf(point).fill(NONE).set(own);
      this.#cursors[point] = 0;
    }
  }

  #hold(): HeldPoints {
    return new HeldPoints(this.#table, this.points, this.#backend);
  }
}
