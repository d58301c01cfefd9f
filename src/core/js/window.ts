// The window of the plain TypeScript backend: rows in the order of their age.
import type { Precision } from '../backend.js';
import type { Kernel } from '../kernel.js';
import type { WindowPoints, WindowShape } from '../window/window-points.js';
import { nearest } from './backend.js';
import { curvature, sharpness } from './curvature.js';
import { distance } from './distance.js';
import { kernelCurvature } from './gram.js';

export const jsWindow = (shape: WindowShape): WindowPoints => new JsWindow(shape);

class JsWindow implements WindowPoints {
  readonly capacity: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  readonly isLost = false;
  #rows: Float64Array[] = [];
  #reaches: number[] = [];
  /** The distances measured last. */
  #measured = new Float64Array(0);

  constructor({ capacity, columns, precision, kernel }: WindowShape) {
    this.capacity = capacity;
    this.columns = columns;
    this.precision = precision;
    this.kernel = kernel;
  }

  get count(): number {
    return this.#rows.length;
  }

  push(row: Float64Array): void {
    const place = this.count === this.capacity ? (this.#rows.shift() as Float64Array) : new Float64Array(this.columns);
    place.set(row);
    if (this.#reaches.length === this.capacity) this.#reaches.shift();
    this.#rows.push(place);
    this.#reaches.push(-Infinity);
  }

  fill(count: number, write: (into: Float32Array | Float64Array) => void): void {
    const all = new (this.precision === 'single' ? Float32Array : Float64Array)(count * this.columns);
    write(all);
    const row = (_: unknown, i: number) => Float64Array.from(all.subarray(i * this.columns, (i + 1) * this.columns));
    this.#rows = Array.from({ length: count }, row);
    this.#reaches = this.#rows.map(() => -Infinity);
  }

  reserve(): void {}

  neighbors(row: Float64Array, k: number, ages: Uint32Array, distances: Float64Array): void {
    for (const [a, neighbor] of nearest(this.kernel, this.#rows, row, k).entries()) {
      ages[a] = neighbor.index;
      distances[a] = neighbor.distance;
    }
  }

  curvature(row: Float64Array, k: number): number {
    const neighbors = this.#nearestRows(row, k);
    return this.kernel.name === 'linear' ? curvature(row, neighbors) : kernelCurvature(this.kernel, row, neighbors);
  }

  sharpness(row: Float64Array, k: number): number {
    return sharpness(row, this.#nearestRows(row, k));
  }

  setReach(age: number, distance: number): void {
    this.#reaches[age] = distance;
  }

  reaching(row: Float64Array, ages: Uint32Array, distances: Float64Array): number {
    let count = 0;
    for (const [age, point] of this.#rows.entries()) {
      const measured = distance(this.kernel, row, point);
      if (!(measured <= (this.#reaches[age] as number))) continue;
      ages[count] = age;
      distances[count++] = measured;
    }
    return count;
  }

  measureKth(row: Float64Array, ages: Uint32Array | undefined, k: number): number {
    const rows = ages === undefined ? this.#rows : Array.from(ages, (age) => this.#rows[age] as Float64Array);
    this.#measured = Float64Array.from(rows, (point) => distance(this.kernel, row, point));
    return this.#measured.slice().sort()[k - 1] as number;
  }

  countUpTo(distance: number): number {
    return this.#measured.filter((measured) => measured <= distance).length;
  }

  listBetween(low: number, high: number, places: Uint32Array): number {
    let count = 0;
    for (const [place, measured] of this.#measured.entries())
      if (measured > low && measured <= high) places[count++] = place;
    return count;
  }

  release(): void {
    this.#rows = [];
  }

  #nearestRows(row: Float64Array, k: number): Float64Array[] {
    return nearest(this.kernel, this.#rows, row, k).map(({ index }) => this.#rows[index] as Float64Array);
  }
}
