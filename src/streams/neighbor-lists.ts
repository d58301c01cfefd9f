// The nearest other rows of the rows of a window, kept up while rows come and leave, so that LOF need not search for
// the neighbours of neighbours. A list is made when it is first asked for, longer than needed; rows that come are put
// into the lists they belong to, rows that left are dropped when a list is next read, and a list that has become too
// short is made anew.
//
// A list is complete up to its radius: rows outside it are farther, or as far and younger. Where all rows are rounded
// anew (window-rows.ts) the list is measured again, and is complete up to what rounding may have changed.
import { distance } from '../core/js/distance.js';
import type { Kernel } from '../core/kernel.js';
import type { WindowPoints } from '../core/window/window-points.js';
import type { WindowRows } from './window-rows.js';

/** A radius below all distances: no list. */
const NONE = -1;
/** A change of the rounding error by so much makes all lists anew. */
const SHRUNK = 1 / 8;

export class NeighborLists {
  /** Neighbours that are searched for to make a list. */
  readonly length: number;
  readonly #room: number;
  readonly #rows: WindowRows;
  readonly #k: number;
  readonly #kernel: Kernel;
  /** By slot: entries by distance and then age, the arrivals modulo 2³². Distances are squared for L2. */
  readonly #arrivals: Uint32Array;
  readonly #distances: Float64Array;
  readonly #sizes: Uint32Array;
  readonly #radii: Float64Array;
  readonly #versions: Uint32Array;
  /** Rows seen when the list was last found to be good. */
  readonly #checked: Float64Array;
  readonly #foundAges: Uint32Array;
  readonly #foundDistances: Float64Array;
  readonly #measured: Float64Array;
  readonly #self: Float64Array;
  /** Largest error of a distance by rounding, in any version since all lists were made anew. */
  #error = 0;
  #hasLists = false;

  constructor(rows: WindowRows, k: number, kernel: Kernel) {
    this.#rows = rows;
    this.#k = k;
    this.#kernel = kernel;
    this.length = 2 * k + 9;
    this.#room = 3 * k + 16;
    const { capacity, columns } = rows;
    this.#arrivals = new Uint32Array(capacity * this.#room);
    this.#distances = new Float64Array(capacity * this.#room);
    this.#sizes = new Uint32Array(capacity);
    this.#radii = new Float64Array(capacity).fill(NONE);
    this.#versions = new Uint32Array(capacity);
    this.#checked = new Float64Array(capacity);
    this.#foundAges = new Uint32Array(this.length);
    this.#foundDistances = new Float64Array(this.length);
    this.#measured = new Float64Array(capacity);
    this.#self = new Float64Array(columns);
  }

  /** The neighbour in place a < k of a list that begins `at`, as an age. */
  ageAt(at: number, a: number): number {
    return this.#ageOf(this.#arrivals[at + a] as number);
  }

  /** Its distance, L2 or L1. */
  distanceAt(at: number, a: number): number {
    return this.#root(this.#distances[at + a] as number);
  }

  /** Where the list of a row begins; it has at least k entries. */
  of(age: number, points: WindowPoints): number {
    const slot = this.#slotOf(age);
    const at = slot * this.#room;
    if (this.#checked[slot] === this.#rows.seen && this.#versions[slot] === this.#rows.version) return at;
    this.#dropLeft(slot);
    if (this.#versions[slot] !== this.#rows.version && this.#sizes[slot]) this.#measureAgain(slot, age);
    if ((this.#sizes[slot] as number) < this.#k) this.#make(slot, age, points);
    this.#versions[slot] = this.#rows.version;
    this.#checked[slot] = this.#rows.seen;
    return at;
  }

  /** Takes note of the rounding of now. */
  takeError(): void {
    const unit = this.#rows.ready(this.length).precision === 'single' ? 2 ** -24 : 2 ** -53;
    const { columns, spread } = this.#rows;
    const error = 2.1 * unit * spread * (this.#isSquared ? Math.sqrt(columns) : columns);
    if (error < this.#error * SHRUNK) this.clear();
    this.#error = this.#hasLists ? Math.max(this.#error, error) : error;
  }

  /**
   * Takes the newest row in: into the lists of others, and with a list of its own where its neighbours were found
   * just before it came.
   */
  enter(row: Float64Array, points: WindowPoints, ages?: Uint32Array, distances?: Float64Array, version = 0): void {
    const { count, seen } = this.#rows;
    const slot = (seen - 1) % this.#rows.capacity;
    this.#radii[slot] = NONE;
    this.#sizes[slot] = 0;
    if (this.#hasLists) this.#enterLists(row, points);
    if (ages === undefined || distances === undefined || count - 1 < this.length) return;
    // Ages were counted before the oldest row left.
    const first = seen - 1 - Math.min(seen - 1, this.#rows.capacity);
    const at = slot * this.#room;
    for (let a = 0; a < this.length; a++) {
      this.#arrivals[at + a] = first + (ages[a] as number);
      this.#distances[at + a] = distances[a] as number;
    }
    this.#sizes[slot] = this.length;
    this.#radii[slot] = distances[this.length - 1] as number;
    this.#versions[slot] = version;
    this.#checked[slot] = -1;
    this.#hasLists = true;
  }

  clear(): void {
    this.#radii.fill(NONE);
    this.#sizes.fill(0);
    this.#hasLists = false;
  }

  #enterLists(row: Float64Array, points: WindowPoints): void {
    const { count, seen } = this.#rows;
    const measured = this.#measured;
    points.measure(row, measured);
    const radii = this.#radii;
    const { capacity } = this.#rows;
    let slot = this.#slotOf(0);
    for (let age = 0; age < count - 1; age++) {
      if ((measured[age] as number) < (radii[slot] as number)) this.#insert(slot, measured[age] as number, seen - 1);
      if (++slot === capacity) slot = 0;
    }
  }

  #insert(slot: number, distance: number, arrival: number): void {
    if (this.#sizes[slot] === this.#room) this.#dropLeft(slot);
    const at = slot * this.#room;
    let size = this.#sizes[slot] as number;
    if (size === this.#room) {
      const last = this.#distances[at + size - 1] as number;
      this.#radii[slot] = distance >= last ? distance : last; // of the one that stays outside
      if (distance >= last) return;
      size--;
    }
    this.#put(at, size, distance, arrival);
    this.#sizes[slot] = size + 1;
  }

  /** Puts the youngest row in its place among `size` entries. */
  #put(at: number, size: number, distance: number, arrival: number): void {
    let place = at + size;
    for (; place > at && (this.#distances[place - 1] as number) > distance; place--) {
      this.#distances[place] = this.#distances[place - 1] as number;
      this.#arrivals[place] = this.#arrivals[place - 1] as number;
    }
    this.#distances[place] = distance;
    this.#arrivals[place] = arrival;
  }

  #dropLeft(slot: number): void {
    const at = slot * this.#room;
    const end = at + (this.#sizes[slot] as number);
    const { count } = this.#rows;
    let to = at;
    for (let from = at; from < end; from++) {
      const arrival = this.#arrivals[from] as number;
      if (this.#ageOf(arrival) >= count) continue;
      this.#arrivals[to] = arrival;
      this.#distances[to] = this.#distances[from] as number;
      to++;
    }
    this.#sizes[slot] = to - at;
  }

  /** Distances in the rounding of now, for as far as the list is sure to be complete. */
  #measureAgain(slot: number, age: number): void {
    const at = slot * this.#room;
    const size = this.#sizes[slot] as number;
    const radius = this.#root(this.#radii[slot] as number);
    const sure = (radius - 2 * this.#error) * (1 - 1e-12);
    this.#self.set(this.#rows.heldRow(age));
    let kept = 0;
    for (let a = 0; a < size; a++) {
      const arrival = this.#arrivals[at + a] as number;
      const measured = distance(this.#kernel, this.#self, this.#rows.heldRow(this.#ageOf(arrival)));
      if (!(this.#root(measured) < sure)) continue;
      this.#putByAge(at, kept++, measured, arrival);
    }
    this.#sizes[slot] = kept;
    this.#radii[slot] = this.#isSquared ? Math.max(sure, 0) ** 2 * (1 - 1e-12) : sure;
  }

  /** As `put`, for rows of any age: equal distances go to the older one. */
  #putByAge(at: number, size: number, distance: number, arrival: number): void {
    const age = this.#ageOf(arrival);
    let place = at + size;
    for (; place > at; place--) {
      const before = this.#distances[place - 1] as number;
      const other = this.#arrivals[place - 1] as number;
      if (before < distance || (before === distance && this.#ageOf(other) < age)) break;
      this.#distances[place] = before;
      this.#arrivals[place] = other;
    }
    this.#distances[place] = distance;
    this.#arrivals[place] = arrival;
  }

  #make(slot: number, age: number, points: WindowPoints): void {
    const { count, seen } = this.#rows;
    const found = Math.min(this.length, count);
    this.#self.set(this.#rows.heldRow(age));
    points.neighbors(this.#self, found, this.#foundAges, this.#foundDistances);
    const at = slot * this.#room;
    let size = 0;
    for (let a = 0; size < found - 1; a++) {
      if (this.#foundAges[a] === age) continue;
      this.#arrivals[at + size] = seen - count + (this.#foundAges[a] as number);
      this.#distances[at + size] = this.#foundDistances[a] as number;
      size++;
    }
    this.#sizes[slot] = size;
    this.#radii[slot] = found === count ? Infinity : (this.#distances[at + size - 1] as number);
    this.#hasLists = true;
  }

  #slotOf(age: number): number {
    const { seen, count, capacity } = this.#rows;
    return (seen - count + age) % capacity;
  }

  /** At least `count` for rows that have left. */
  #ageOf(arrival: number): number {
    return (arrival - (this.#rows.seen - this.#rows.count)) >>> 0;
  }

  #root(distance: number): number {
    return this.#isSquared ? Math.sqrt(distance) : distance;
  }

  get hasLists(): boolean {
    return this.#hasLists;
  }

  get #isSquared(): boolean {
    return this.#kernel.name === 'linear';
  }
}
