// The nearest other rows of the rows of a window, kept up while rows come and leave, so that LOF need not search for
// the neighbours of neighbours. A list is made when it is first asked for, longer than needed; rows that come are put
// into the lists they belong to, rows that left are dropped when a list is next read, and a list that has become too
// short is made anew.
//
// A list is complete up to its radius: rows outside it are farther, or as far and younger. The rows of the window know
// the radii as their reach, so that those a new row comes near to are found by one search. Where all rows are rounded
// anew (window-rows.ts) the list is measured again, and is complete up to what rounding may have changed.
import { distance } from '../core/js/distance.js';
import { distanceOf, type Kernel } from '../core/kernel.js';
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
  readonly #isSquared: boolean;
  /** By slot: entries by distance and then age, the arrivals modulo 2³². Distances are squared for L2. */
  readonly #arrivals: Uint32Array;
  readonly #distances: Float64Array;
  readonly #sizes: Uint32Array;
  readonly #radii: Float64Array;
  readonly #versions: Uint32Array;
  /** Rows seen when the list was last found to be good, and which of its entries came first. */
  readonly #checked: Float64Array;
  readonly #eldest: Uint32Array;
  readonly #foundAges: Uint32Array;
  readonly #foundDistances: Float64Array;
  readonly #reachingAges: Uint32Array;
  readonly #measured: Float64Array;
  readonly #self: Float64Array;
  /** Largest error of a distance by rounding, in any version since all lists were made anew. */
  #error = 0;
  #hasLists = false;
  /** The version of the rows that know the radii. */
  #knowingVersion = NONE;
  /** Of the window as it is now: rows that left it, rows in it, and the slot of the oldest. */
  #points: WindowPoints | undefined;
  #left = 0;
  #count = 0;
  #start = 0;

  constructor(rows: WindowRows, k: number, kernel: Kernel) {
    this.#rows = rows;
    this.#k = k;
    this.#kernel = kernel;
    this.#isSquared = distanceOf(kernel.name) === 'squared';
    this.length = 2 * k + 9;
    this.#room = 3 * k + 16;
    const { capacity, columns } = rows;
    this.#arrivals = new Uint32Array(capacity * this.#room);
    this.#distances = new Float64Array(capacity * this.#room);
    this.#sizes = new Uint32Array(capacity);
    this.#radii = new Float64Array(capacity).fill(NONE);
    this.#versions = new Uint32Array(capacity);
    this.#checked = new Float64Array(capacity);
    this.#eldest = new Uint32Array(capacity);
    this.#foundAges = new Uint32Array(this.length);
    this.#foundDistances = new Float64Array(this.length);
    this.#reachingAges = new Uint32Array(capacity);
    this.#measured = new Float64Array(capacity);
    this.#self = new Float64Array(columns);
  }

  get hasLists(): boolean {
    return this.#hasLists;
  }

  /** Takes note of the window as it is now, and of its rounding. */
  begin(): WindowPoints {
    const rows = this.#rows;
    const points = rows.ready(this.length);
    const unit = points.precision === 'single' ? 2 ** -24 : 2 ** -53;
    const error = 2.1 * unit * rows.spread * (this.#isSquared ? Math.sqrt(rows.columns) : rows.columns);
    if (error < this.#error * SHRUNK) this.clear();
    this.#error = this.#hasLists ? Math.max(this.#error, error) : error;
    this.#points = points;
    this.#count = rows.count;
    this.#left = rows.seen - rows.count;
    this.#start = this.#left % rows.capacity;
    return points;
  }

  /** The neighbour in place a < k of a list that begins `at`, as an age. */
  ageAt(at: number, a: number): number {
    return this.#ageOf(this.#arrivals[at + a] as number);
  }

  /** Its distance, squared for L2. */
  distanceAt(at: number, a: number): number {
    return this.#distances[at + a] as number;
  }

  /** Where the list of a row begins; it has at least k entries. */
  of(age: number): number {
    const slot = this.#slotOf(age);
    const { seen, version } = this.#rows;
    if (this.#checked[slot] !== seen || this.#versions[slot] !== version) {
      if (this.#ageOf(this.#eldest[slot] as number) >= this.#count) this.#dropLeft(slot);
      if (this.#versions[slot] !== version && this.#sizes[slot]) this.#measureAgain(slot, age);
      if ((this.#sizes[slot] as number) < this.#k) this.#make(slot, age);
      this.#versions[slot] = version;
      this.#checked[slot] = seen;
    }
    return slot * this.#room;
  }

  /**
   * Takes the newest row in: into the lists of others, and with a list of its own where its neighbours were found
   * just before it came.
   */
  enter(row: Float64Array, ages?: Uint32Array, distances?: Float64Array, version = 0): void {
    const { seen, capacity } = this.#rows;
    const age = this.#count - 1;
    const slot = this.#slotOf(age);
    this.#radii[slot] = NONE;
    this.#sizes[slot] = 0;
    if (this.#hasLists) this.#enterLists(row);
    if (ages === undefined || distances === undefined || age < this.length) return;
    // Ages were counted before the oldest row left.
    const left = seen - 1 - Math.min(seen - 1, capacity);
    const at = slot * this.#room;
    for (let a = 0; a < this.length; a++) {
      this.#arrivals[at + a] = left + (ages[a] as number);
      this.#distances[at + a] = distances[a] as number;
    }
    this.#keep(slot, this.length);
    this.#setRadius(slot, age, distances[this.length - 1] as number);
    this.#versions[slot] = version;
    this.#checked[slot] = NONE;
    this.#hasLists = true;
  }

  clear(): void {
    this.#radii.fill(NONE);
    this.#sizes.fill(0);
    this.#hasLists = false;
    this.#knowingVersion = NONE;
  }

  #enterLists(row: Float64Array): void {
    const points = this.#points as WindowPoints;
    const { version, seen } = this.#rows;
    if (this.#knowingVersion !== version) {
      for (let age = 0; age < this.#count; age++) points.setReach(age, this.#radii[this.#slotOf(age)] as number);
      this.#knowingVersion = version;
    }
    const count = points.reaching(row, this.#reachingAges, this.#measured);
    for (let i = 0; i < count; i++) {
      const age = this.#reachingAges[i] as number;
      const slot = this.#slotOf(age);
      const measured = this.#measured[i] as number;
      if (measured < (this.#radii[slot] as number)) this.#insert(slot, age, measured, seen - 1);
    }
  }

  #insert(slot: number, age: number, distance: number, arrival: number): void {
    if (this.#sizes[slot] === this.#room) this.#dropLeft(slot);
    const at = slot * this.#room;
    let size = this.#sizes[slot] as number;
    if (size === this.#room) {
      const last = this.#distances[at + size - 1] as number;
      this.#setRadius(slot, age, Math.max(distance, last)); // of the one that stays outside
      if (distance >= last) return;
      size--;
    }
    if (size === 0) this.#eldest[slot] = arrival;
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
    let to = at;
    for (let from = at; from < end; from++) {
      const arrival = this.#arrivals[from] as number;
      if (this.#ageOf(arrival) >= this.#count) continue;
      this.#arrivals[to] = arrival;
      this.#distances[to] = this.#distances[from] as number;
      to++;
    }
    this.#keep(slot, to - at);
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
    this.#keep(slot, kept);
    this.#setRadius(slot, age, this.#isSquared ? Math.max(sure, 0) ** 2 * (1 - 1e-12) : sure);
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

  #make(slot: number, age: number): void {
    const found = Math.min(this.length, this.#count);
    this.#self.set(this.#rows.heldRow(age));
    const points = this.#points as WindowPoints;
    points.neighbors(this.#self, found, this.#foundAges, this.#foundDistances);
    const at = slot * this.#room;
    let size = 0;
    for (let a = 0; size < found - 1; a++) {
      if (this.#foundAges[a] === age) continue;
      this.#arrivals[at + size] = this.#left + (this.#foundAges[a] as number);
      this.#distances[at + size] = this.#foundDistances[a] as number;
      size++;
    }
    this.#keep(slot, size);
    this.#setRadius(slot, age, found === this.#count ? Infinity : (this.#distances[at + size - 1] as number));
    this.#hasLists = true;
  }

  /** Takes note of how many entries a list has. The row that left last may be among them. */
  #keep(slot: number, size: number): void {
    const at = slot * this.#room;
    let least = this.#count;
    for (let a = 0; a < size; a++) {
      const age = this.#ageOf(this.#arrivals[at + a] as number);
      least = Math.min(least, age < this.#count ? age : -1);
    }
    this.#sizes[slot] = size;
    this.#eldest[slot] = this.#left + least;
  }

  #setRadius(slot: number, age: number, radius: number): void {
    this.#radii[slot] = radius;
    if (this.#knowingVersion === this.#rows.version) this.#points?.setReach(age, radius);
  }

  #slotOf(age: number): number {
    const slot = this.#start + age;
    return slot < this.#rows.capacity ? slot : slot - this.#rows.capacity;
  }

  /** At least `count` for rows that have left. */
  #ageOf(arrival: number): number {
    return (arrival - this.#left) >>> 0;
  }

  #root(distance: number): number {
    return this.#isSquared ? Math.sqrt(distance) : distance;
  }
}
