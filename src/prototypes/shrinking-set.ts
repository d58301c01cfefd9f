// Points that are removed one by one, and the neighbours of each among those still there, nearest first.
// One search finds many neighbours of all points; a point whose list runs out is searched for again, by
// itself, among points that are held anew whenever a quarter of them is gone.
import { type Backend, POINTS, type PointSet, type Queries } from '../core/backend.js';
import type { Kernel } from '../core/kernel.js';
import { fitScaling } from '../core/scaling.js';
import { rowsOf, sourceOf, type Table } from './table.js';

/** "No point." */
export const NONE = 0xffffffff;
/** Neighbours found for a point in one search, at most. */
const LENGTH = 32;
/** The share of the points held that may be gone. */
const GONE = 1 / 4;
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
    this.#present = table.rows;
    this.#isPresent = new Uint8Array(table.rows).fill(1);
    this.#cursors = new Uint32Array(table.rows);
    this.#held = this.#hold();
    this.#length = Math.min(LENGTH, table.rows - 1);
    this.#lists = this.#held.nearest(POINTS, 0, table.rows, this.#length);
  }

  /** The points still there, ascending. */
  get points(): Uint32Array {
    return new Uint32Array(this.#table.rows).map((_, point) => point).filter((point) => this.#isPresent[point] === 1);
  }

  remove(point: number): void {
    this.#isPresent[point] = 0;
    this.#present--;
  }

  /** The neighbours last searched for, nearest first, then NONE: of a point never asked about, its nearest. */
  listOf(point: number): Uint32Array {
    return this.#lists.subarray(point * this.#length, (point + 1) * this.#length);
  }

  /**
   * The nearest neighbour of a point beyond those given before, or NONE.
   *
   * @param kept How many of those given before are still there.
   */
  next(point: number, kept: number): number {
    const others = this.#present - (this.#isPresent[point] as number);
    if (others <= kept) return NONE;
    const found = this.#nextInList(point);
    if (found !== NONE) return found;
    this.#search(point, kept);
    return this.#nextInList(point);
  }

  release(): void {
    this.#held.release();
  }

  #nextInList(point: number): number {
    const list = this.listOf(point);
    let at = this.#cursors[point] as number;
    while (at < list.length && this.#isPresent[list[at] as number] !== 1) at++;
    this.#cursors[point] = at + 1;
    return at < list.length ? (list[at] as number) : NONE;
  }

  /** Fills the list of a point anew. Those given before and still there are the nearest: they are skipped. */
  #search(point: number, kept: number): void {
    if (this.#present <= (1 - GONE) * this.#held.points.length) {
      this.#held.release();
      this.#held = this.#hold();
    }
    const most = this.#held.points.length;
    const source = sourceOf(this.#table);
    let asked = kept + 1 + LENGTH;
    let left: Uint32Array;
    do {
      asked = Math.min(asked, most);
      const found = this.#held.nearest(source, point, point + 1, asked);
      left = found.filter((other) => other !== point && this.#isPresent[other] === 1);
      asked *= 2;
    } while (left.length <= kept && asked < 2 * most);
    this.listOf(point)
      .fill(NONE)
      .set(left.subarray(kept, kept + this.#length));
    this.#cursors[point] = 0;
  }

  #hold(): HeldPoints {
    return new HeldPoints(this.#table, this.points, this.#backend);
  }
}
