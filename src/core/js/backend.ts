// The plain TypeScript backend: the reference in tests, and what runs where WebAssembly is refused.
// Written to be read; assembly/ has the same equations written to be fast.

import {
  type Backend,
  type FoundNeighbors,
  isAboutPoints,
  type PointSet,
  type PointsImage,
  type Precision,
  type Queries,
} from '../backend.js';
import { released } from '../errors.js';
import type { RowSource } from '../input/matrix.js';
import type { Kernel } from '../kernel.js';
import { finish, inBlocks, type Steps } from '../steps.js';
import { curvature, gradient, sharpness } from './curvature.js';
import { distance } from './distance.js';
import { kernelCurvature } from './gram.js';

type Vector = Float32Array | Float64Array;

interface Neighbor {
  index: number;
  distance: number;
}

export const jsBackend: Backend = {
  name: 'js',
  hold,
  holdImage: ({ bytes, count, columns, precision, kernel }: PointsImage) => {
    const { buffer, byteOffset } = bytes as Uint8Array;
    const values = new (vectorOf(precision))(buffer as ArrayBuffer, byteOffset, count * columns);
    const read = (row: number, into: Float64Array, at: number): void =>
      into.set(values.subarray(row * columns, (row + 1) * columns), at);
    return finish(hold({ rows: count, columns, read }, precision, kernel));
  },
};

function vectorOf(precision: Precision): Float32ArrayConstructor | Float64ArrayConstructor {
  return precision === 'single' ? Float32Array : Float64Array;
}

function* hold(rows: RowSource, precision: Precision, kernel: Kernel): Steps<PointSet> {
  const points = new JsPoints(rows, precision, kernel);
  yield* inBlocks(rows.rows, rows.columns, (from, to) => points.fill(rows, from, to));
  return points;
}

class JsPoints implements PointSet {
  readonly count: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  readonly unit = 1;
  readonly tree = undefined;
  readonly order = undefined;
  readonly leftovers = undefined;
  #points: Vector[] = [];
  #isReleased = false;

  constructor(source: RowSource, precision: Precision, kernel: Kernel) {
    this.count = source.rows;
    this.columns = source.columns;
    this.precision = precision;
    this.kernel = kernel;
  }

  /** Takes rows from … to − 1, in order. */
  fill(source: RowSource, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const row = readRow(source, i);
      this.#points.push(this.precision === 'single' ? Float32Array.from(row) : row);
    }
  }

  lend(): undefined {}

  get imageSize(): number {
    return this.count * this.columns * vectorOf(this.precision).BYTES_PER_ELEMENT;
  }

  copyImage({ buffer }: Uint8Array): Steps<void> {
    const values = new (vectorOf(this.precision))(buffer as ArrayBuffer);
    return inBlocks(this.count, this.columns, (from, to) => this.copyRows(from, to, values));
  }

  rows(): Vector {
    const all = new (vectorOf(this.precision))(this.count * this.columns);
    this.copyRows(0, this.count, all);
    return all;
  }

  gather(indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void {
    for (let i = from; i < to; i++) {
      into.set(this.#points[indices[i] as number] as Vector, at + (i - from) * this.columns);
    }
  }

  copyRows(from: number, to: number, into: Vector): void {
    if (this.#isReleased) throw released();
    for (let i = from; i < to; i++) into.set(this.#points[i] as Vector, i * this.columns);
  }

  neighbors(queries: Queries, from: number, to: number, k: number, { indices, distances }: FoundNeighbors): void {
    for (let query = from; query < to; query++) {
      const self = isAboutPoints(queries) ? query : -1;
      const found = nearest(this.kernel, this.#points, this.#vertex(queries, query), k, self);
      for (const [a, neighbor] of found.entries()) {
        indices[(query - from) * k + a] = neighbor.index;
        distances[(query - from) * k + a] = neighbor.distance;
      }
    }
  }

  exactNeighbors(...question: Parameters<PointSet['neighbors']>): void {
    this.neighbors(...question);
  }

  searchOfPoints(): 'plain' {
    return 'plain';
  }

  kthDistances(queries: Queries, from: number, to: number, k: number, distances: Float64Array): void {
    for (let query = from; query < to; query++) {
      const self = isAboutPoints(queries) ? query : -1;
      const found = nearest(this.kernel, this.#points, this.#vertex(queries, query), k, self);
      distances[query - from] = (found[k - 1] as Neighbor).distance;
    }
  }

  curvature(queries: Queries, from: number, to: number, k: number, scores: Float64Array): void {
    for (let query = from; query < to; query++) {
      const vertex = this.#vertex(queries, query);
      const neighbors = this.#nearestPoints(vertex, isAboutPoints(queries) ? query : -1, k);
      scores[query - from] =
        this.kernel.name === 'linear' ? curvature(vertex, neighbors) : kernelCurvature(this.kernel, vertex, neighbors);
    }
  }

  sharpness(queries: Queries, from: number, to: number, k: number, values: Float64Array): void {
    for (let query = from; query < to; query++) {
      const vertex = this.#vertex(queries, query);
      values[query - from] = sharpness(vertex, this.#nearestPoints(vertex, isAboutPoints(queries) ? query : -1, k));
    }
  }

  selfJoin(): undefined {
    return undefined;
  }

  gradient(queries: Queries, from: number, to: number, k: number, gradients: Float64Array): void {
    for (let query = from; query < to; query++) {
      const vertex = this.#vertex(queries, query);
      const neighbors = this.#nearestPoints(vertex, isAboutPoints(queries) ? query : -1, k);
      gradients.set(gradient(vertex, neighbors), (query - from) * this.columns);
    }
  }

  release(): void {
    this.#points = [];
    this.#isReleased = true;
  }

  #vertex(queries: Queries, query: number): Vector {
    if (this.#isReleased) throw released();
    return isAboutPoints(queries) ? (this.#points[query] as Vector) : readRow(queries, query);
  }

  #nearestPoints(vertex: Vector, self: number, k: number): Vector[] {
    return nearest(this.kernel, this.#points, vertex, k, self).map(({ index }) => this.#points[index] as Vector);
  }
}

/** The k nearest points but `self`, by distance and then by index. */
export function nearest(kernel: Kernel, points: readonly Vector[], vertex: Vector, k: number, self = -1): Neighbor[] {
  const best: Neighbor[] = [];
  for (const [index, point] of points.entries()) {
    if (index === self) continue;
    const candidate = { index, distance: distance(kernel, vertex, point) };
    const last = best[best.length - 1];
    if (best.length === k && last !== undefined && candidate.distance >= last.distance) continue;
    let place = best.length;
    while (place > 0 && (best[place - 1] as Neighbor).distance > candidate.distance) place--;
    best.splice(place, 0, candidate);
    if (best.length > k) best.pop();
  }
  return best;
}

function readRow(source: RowSource, index: number): Float64Array {
  const row = new Float64Array(source.columns);
  source.read(index, row, 0);
  return row;
}
