// Landmarks: a sample of the training rows, stored as a point set of its own, and LM, the distance from a row to the k-th
// nearest of them.

import { POINTS, type PointSet, type Precision, type Queries } from '../core/backend.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Kernel } from '../core/kernel.js';
import { MersenneTwister } from '../core/random/mersenne-twister.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { kthDistancesWork } from '../parallel/work.js';
import type { HeldRows } from './held-rows.js';
import { distanceContributions, edgesTo, type Surroundings } from './standing.js';

/** k as a share of the landmarks, and its least value. */
const SHARE = 0.04;
const FEWEST_NEAR = 10;

/** The distance to landmarks. */
export const LINEAR: Kernel = { name: 'linear', gamma: 1, coef0: 0, degree: 1 };

/** Indices of landmarks among `rows` training rows, ascending: all of them, or `most` drawn at random. */
export function chooseLandmarks(most: number, rows: number, seed: number): Uint32Array {
  return new MersenneTwister(seed).choose(Math.min(most, rows), rows);
}

/** k: LM is the distance to the k-th nearest landmark. */
export function nearLandmarks(landmarks: number): number {
  return Math.min(landmarks - 1, Math.max(FEWEST_NEAR, Math.ceil(SHARE * landmarks)));
}

/** Nanoseconds to compute LM of a row. */
export function landmarksCost(landmarks: number, columns: number): number {
  return 0.1 * landmarks * (columns + 8);
}

export class Landmarks {
  /** Their indices among the training rows, ascending. */
  readonly rows: Uint32Array;
  readonly points: PointSet;
  /** Landmarks that must be near for a row to be normal. */
  readonly k: number;

  private constructor(rows: Uint32Array, points: PointSet) {
    this.rows = rows;
    this.points = points;
    this.k = nearLandmarks(rows.length);
  }

  /** Stores a second copy of some stored rows. */
  static *hold({ points }: HeldRows, landmarks: Uint32Array, backend: BackendChoice): Steps<Landmarks> {
    const { columns, precision } = points;
    const data = new Float64Array(landmarks.length * columns);
    yield* inBlocks(landmarks.length, columns, (from, to) => points.gather(landmarks, from, to, data, from * columns));
    const read = (row: number, into: Float64Array, at: number): void =>
      into.set(data.subarray(row * columns, (row + 1) * columns), at);
    return yield* Landmarks.of({ rows: landmarks.length, columns, read }, landmarks, precision, backend);
  }

  /** Stores rows that are already scaled. */
  static *of(stored: RowSource, rows: Uint32Array, precision: Precision, backend: BackendChoice): Steps<Landmarks> {
    const points = yield* selectBackend(backend).hold(stored, precision, LINEAR, { kind: 'exhaustive' });
    return new Landmarks(rows, points);
  }

  /** LM of stored training rows; `isLandmark` marks those that are landmarks. */
  distancesInBlock(rows: RowSource, isLandmark: readonly boolean[]): Float64Array {
    const { k, points } = this;
    return Float64Array.from({ length: rows.rows }, (_, row) => {
      const square = new Float64Array(1);
      points.kthDistances(rows, row, row + 1, isLandmark[row] ? k + 1 : k, square); // it finds itself first
      return Math.sqrt(square[0] as number);
    });
  }

  /** LM of rows from … to − 1, which count as new even if they equal a landmark. */
  distances(rows: Queries, from: number, to: number, distances: Float64Array): void {
    this.points.kthDistances(rows, from, to, this.k, distances);
    for (let i = 0; i < to - from; i++) distances[i] = Math.sqrt(distances[i] as number);
  }

  /** LM of all training rows. A landmark does not count itself. */
  *trainingDistances(rows: RowSource, progress: readonly [number, number]): Steps<Float64Array> {
    const { k, points } = this;
    const squares = new Float64Array(rows.rows);
    if (points.count < rows.rows) yield kthDistancesWork({ points, queries: rows, k }, squares, progress);
    const own = new Float64Array(points.count);
    yield* inBlocks(points.count, points.count * points.columns, (from, to) =>
      points.kthDistances(POINTS, from, to, k, own.subarray(from, to)),
    );
    for (const [i, row] of this.rows.entries()) squares[row] = own[i] as number;
    return squares.map(Math.sqrt);
  }

  /** What each column contributes to LM of a row. */
  contributions({ vertex, trainingRow }: Surroundings): Float64Array {
    const { points } = this;
    const isLandmark = trainingRow !== undefined && this.rows.includes(trainingRow);
    const count = isLandmark ? this.k + 1 : this.k; // it finds itself
    const indices = new Uint32Array(count);
    const row = {
      rows: 1,
      columns: points.columns,
      read: (_: number, into: Float64Array, at: number) => into.set(vertex, at),
    };
    points.neighbors(row, 0, 1, count, { indices, distances: new Float64Array(count) });
    return distanceContributions(edgesTo(points, vertex, indices.subarray(count - 1)), false);
  }
}
