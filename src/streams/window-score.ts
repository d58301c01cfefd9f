// The score of a row against a window: what each detector, fitted on the rows of the window, would give.
import type { Kernel } from '../core/kernel.js';
import type { WindowPoints } from '../core/window/window-points.js';
import { nearLandmarks } from '../detectors/landmarks.js';
import { densityOf } from '../detectors/lof.js';
import type { LandmarkScoring, Windowed } from '../detectors/windowed.js';
import { NeighborLists } from './neighbor-lists.js';
import type { WindowRows } from './window-rows.js';

export interface WindowScore {
  /** The score of a row that was checked; the window has more than k rows. */
  of(row: Float64Array): number;
  /** Takes note that the rows of the window have a new one; `wasScored` if it is the row scored last. */
  learned(row: Float64Array, wasScored: boolean): void;
  /** Forgets what was noted: many rows came at once. */
  clear(): void;
}

export function windowScore(rows: WindowRows, { neighbors: k, scoring, sign }: Windowed, kernel: Kernel): WindowScore {
  if (typeof scoring === 'object') return landmarkScore(rows, scoring);
  switch (scoring) {
    case 'curvature':
      return plainScore(rows, k, (points, row) => points.curvature(row, k) * sign);
    case 'largest':
      return plainScore(
        rows,
        k,
        distanceScore(k, kernel, (distances) => distances[k - 1] as number),
      );
    case 'mean':
      return plainScore(rows, k, distanceScore(k, kernel, meanOf));
    case 'density':
      return new DensityScore(rows, k, kernel);
  }
}

function plainScore(
  rows: WindowRows,
  k: number,
  score: (points: WindowPoints, row: Float64Array) => number,
): WindowScore {
  return {
    of: (row) => {
      const points = rows.ready(k);
      return score(points, rows.scaled(row, points.precision));
    },
    learned: () => {},
    clear: () => {},
  };
}

/** LandmarkCAD: see detectors/landmark-cad.ts. Landmarks are drawn by age, from so many rows as there are. */
function landmarkScore(rows: WindowRows, scoring: LandmarkScoring): WindowScore {
  let landmarks: Uint32Array = new Uint32Array(0);
  let distances = new Float64Array(0);
  let drawnFrom = 0;
  const of = (row: Float64Array): number => {
    const { count } = rows;
    if (count !== drawnFrom) {
      landmarks = scoring.landmarksOf(count);
      distances = new Float64Array(landmarks.length);
      drawnFrom = count;
    }
    const k = scoring.neighborsOf(count);
    const points = rows.ready(k);
    const scaled = rows.scaled(row, points.precision);
    const sharpness = scoring.isByDistanceAlone ? 0 : points.sharpness(scaled, k);
    points.measureSome(scaled, landmarks, distances);
    return scoring.combined(Math.sqrt(smallest(distances, nearLandmarks(landmarks.length))), sharpness);
  };
  return { of, learned: () => {}, clear: () => {} };
}

/** The n-th smallest of some numbers, which are brought into another order. */
function smallest(values: Float64Array, n: number): number {
  return values.sort()[n - 1] as number;
}

function distanceScore(k: number, { name }: Kernel, aggregate: (distances: Float64Array) => number) {
  const ages = new Uint32Array(k);
  const distances = new Float64Array(k);
  return (points: WindowPoints, row: Float64Array): number => {
    points.neighbors(row, k, ages, distances);
    if (name === 'linear') for (let a = 0; a < k; a++) distances[a] = Math.sqrt(distances[a] as number);
    return aggregate(distances);
  };
}

function meanOf(distances: Float64Array): number {
  let sum = 0;
  for (let a = 0; a < distances.length; a++) sum += distances[a] as number;
  return sum / distances.length;
}

/** LOF: see detectors/lof.ts. */
class DensityScore implements WindowScore {
  readonly #rows: WindowRows;
  readonly #k: number;
  readonly #isSquared: boolean;
  readonly #lists: NeighborLists;
  /** Neighbours of the row scored last, and the version of the rows then. */
  readonly #ages: Uint32Array;
  readonly #distances: Float64Array;
  #version = 0;

  constructor(rows: WindowRows, k: number, kernel: Kernel) {
    this.#rows = rows;
    this.#k = k;
    this.#isSquared = kernel.name === 'linear';
    this.#lists = new NeighborLists(rows, k, kernel);
    this.#ages = new Uint32Array(this.#lists.length);
    this.#distances = new Float64Array(this.#lists.length);
  }

  of(row: Float64Array): number {
    this.#lists.takeError();
    const points = this.#rows.ready(this.#lists.length);
    const length = Math.min(this.#lists.length, this.#rows.count);
    points.neighbors(this.#rows.scaled(row, points.precision), length, this.#ages, this.#distances);
    this.#version = this.#rows.version;
    let reaches = 0;
    let densities = 0;
    for (let a = 0; a < this.#k; a++) {
      const age = this.#ages[a] as number;
      const square = this.#distances[a] as number;
      reaches += Math.max(this.#kDistance(age, points), this.#isSquared ? Math.sqrt(square) : square);
      densities += this.#density(age, points);
    }
    return densities / this.#k / densityOf(reaches, this.#k);
  }

  learned(row: Float64Array, wasScored: boolean): void {
    if (this.#rows.isStandardized) {
      this.clear(); // all distances will be others
      return;
    }
    if (!wasScored && !this.#lists.hasLists) return;
    this.#lists.takeError();
    const points = this.#rows.ready(this.#lists.length);
    const scaled = this.#rows.scaled(row, points.precision);
    if (wasScored) this.#lists.enter(scaled, points, this.#ages, this.#distances, this.#version);
    else this.#lists.enter(scaled, points);
  }

  clear(): void {
    this.#lists.clear();
  }

  #kDistance(age: number, points: WindowPoints): number {
    return this.#lists.distanceAt(this.#lists.of(age, points), this.#k - 1);
  }

  #density(age: number, points: WindowPoints): number {
    const at = this.#lists.of(age, points);
    let reaches = 0;
    for (let a = 0; a < this.#k; a++) {
      const kDistance = this.#kDistance(this.#lists.ageAt(at, a), points);
      reaches += Math.max(kDistance, this.#lists.distanceAt(at, a));
    }
    return densityOf(reaches, this.#k);
  }
}
