// The nearest rows of a window whose columns are standardized. With every row that comes, means and deviations change a
// little, and with them all rows. So the search goes over rows as they were scaled a while ago, for some more neighbours
// than are wanted, and these are measured as they are scaled now. scale-drift.ts tells how near a row that was not found
// may have come: hardly ever as near as the last one that is wanted. Where it may, all rows that may be are measured.
import { distance } from '../core/js/distance.js';
import { distanceOf, type Kernel } from '../core/kernel.js';
import { valueAt } from '../core/math/smallest.js';
import type { WindowPoints } from '../core/window/window-points.js';
import type { WindowRows } from './window-rows.js';

/** So often many rows may be measured before all are scaled anew, which costs about as much. */
const PATIENCE = 12;
/** Relative error of a square or a root, with room to spare. */
const ROUNDING = 1e-12;

export class NearestRows {
  /** How many are wanted. */
  readonly k: number;
  /** The row that is asked about and the nearest ones, as a detector that is fitted now would hold them. */
  readonly row: Float64Array;
  readonly nearest: Float64Array[];
  /** Their distances, nearest first, squared for L2. */
  readonly distances: Float64Array;
  readonly #rows: WindowRows;
  readonly #kernel: Kernel;
  readonly #isSquared: boolean;
  readonly #ages: Uint32Array;
  #size = 0;
  /** A row that may be among the nearest. */
  #other: Float64Array;
  #points: WindowPoints | undefined;
  /** The row as the rows are held. */
  readonly #held: Float64Array;
  readonly #foundAges: Uint32Array;
  readonly #foundDistances: Float64Array;
  /** Places of rows that may be among the nearest, and their distances. */
  readonly #places: Uint32Array;
  readonly #measured: Float64Array;
  #failures = 0;

  constructor(rows: WindowRows, k: number, kernel: Kernel) {
    const { capacity, columns } = rows;
    this.k = k;
    this.row = new Float64Array(columns);
    this.nearest = Array.from({ length: k }, () => new Float64Array(columns));
    this.distances = new Float64Array(k);
    this.#rows = rows;
    this.#kernel = kernel;
    this.#isSquared = distanceOf(kernel.name) === 'squared';
    this.#ages = new Uint32Array(k);
    this.#other = new Float64Array(columns);
    this.#held = new Float64Array(columns);
    const length = Math.min(2 * k + 4, capacity);
    this.#foundAges = new Uint32Array(length);
    this.#foundDistances = new Float64Array(length);
    this.#places = new Uint32Array(capacity);
    this.#measured = new Float64Array(capacity);
  }

  /** Takes the row that is asked about; the window has at least k. */
  ask(row: Float64Array): void {
    const rows = this.#rows;
    this.#points = rows.roughlyReady(this.#foundAges.length, row);
    const { precision } = this.#points;
    this.row.set(rows.scaled(row, precision));
    this.#held.set(rows.asHeld(row, precision));
  }

  /** Finds the nearest rows. Of rows at no distance at all these may be any. */
  find(): void {
    const points = this.#points as WindowPoints;
    const found = Math.min(this.#foundAges.length, points.count);
    points.neighbors(this.#held, found, this.#foundAges, this.#foundDistances);
    this.#size = 0;
    for (let a = 0; a < found; a++) this.#offer(this.#foundAges[a] as number);
    const farthest = this.#root(this.#foundDistances[found - 1] as number);
    if (found === points.count || this.#isSure(farthest)) return;
    const kth = this.#root(this.#foundDistances[this.k - 1] as number);
    this.#measureAllUpTo(kth);
    // Rows at the same distance are not told apart by scaling anew.
    if (farthest > kth * (1 + 1e-6) && ++this.#failures === PATIENCE) {
      this.#failures = 0;
      this.#rows.renew();
    }
  }

  /** The distance to the n-th nearest of the rows of some ages, squared for L2. */
  kthDistance(ages: Uint32Array, n: number): number {
    const points = this.#points as WindowPoints;
    const { low, high, error } = this.#rows.drift;
    const kth = this.#root(points.measureKth(this.#held, ages, n));
    // Those that are now surely nearer are only counted.
    const least = this.#squared(Math.max(0, (low * kth - 2 * error) / high) * (1 - ROUNDING));
    const most = this.#squared(((high * kth + 2 * error) / low) * (1 + ROUNDING));
    const nearer = least > 0 ? points.countUpTo(least) : 0;
    const count = points.listBetween(nearer > 0 ? least : -1, most, this.#places);
    for (let i = 0; i < count; i++) {
      this.#rows.readScaled(ages[this.#places[i] as number] as number, this.#other);
      this.#measured[i] = distance(this.#kernel, this.row, this.#other);
    }
    return valueAt(this.#measured, n - nearer - 1, count);
  }

  /** Whether a row that was this far away, or farther, is farther away now than all that are wanted. */
  #isSure(distance: number): boolean {
    const kth = this.#root(this.distances[this.k - 1] as number);
    const { low, error } = this.#rows.drift;
    return kth === 0 || kth * (1 + ROUNDING) < low * distance - error;
  }

  /** Measures all rows that may be as near as one that was this far away. */
  #measureAllUpTo(distance: number): void {
    const points = this.#points as WindowPoints;
    const { low, high, error } = this.#rows.drift;
    const most = this.#squared(((high * distance + 2 * error) / low) * (1 + ROUNDING));
    points.measureKth(this.#held, undefined, 1);
    const count = points.listBetween(-1, most, this.#places);
    this.#size = 0;
    for (let i = 0; i < count; i++) this.#offer(this.#places[i] as number);
  }

  /** Puts a row where it belongs among the nearest. */
  #offer(age: number): void {
    const other = this.#other;
    this.#rows.readScaled(age, other);
    const measured = distance(this.#kernel, this.row, other);
    const { k, distances, nearest } = this;
    const ages = this.#ages;
    let place = this.#size;
    if (place === k) {
      place--;
      const last = distances[place] as number;
      if (measured > last || (measured === last && age > (ages[place] as number))) return;
      this.#other = nearest[place] as Float64Array;
    } else {
      this.#other = nearest[place] as Float64Array;
      this.#size++;
    }
    for (; place > 0; place--) {
      const before = distances[place - 1] as number;
      if (before < measured || (before === measured && (ages[place - 1] as number) < age)) break;
      distances[place] = before;
      ages[place] = ages[place - 1] as number;
      nearest[place] = nearest[place - 1] as Float64Array;
    }
    distances[place] = measured;
    ages[place] = age;
    nearest[place] = other;
  }

  #root(distance: number): number {
    return this.#isSquared ? Math.sqrt(distance) : distance;
  }

  #squared(distance: number): number {
    return this.#isSquared ? distance * distance : distance;
  }
}
