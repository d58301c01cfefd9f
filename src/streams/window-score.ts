// The score of a row against a window: what each detector, fitted on the rows of the window, would give.
import { curvature, sharpness } from '../core/js/curvature.js';
import { kernelCurvature } from '../core/js/gram.js';
import { distanceOf, type Kernel } from '../core/kernel.js';
import { nearLandmarks } from '../detectors/landmarks.js';
import { densityOf } from '../detectors/lof.js';
import type { LandmarkScoring, Windowed } from '../detectors/windowed.js';
import { NearestRows } from './nearest-rows.js';
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

export function windowScore(rows: WindowRows, windowed: Windowed, kernel: Kernel): WindowScore {
  const { neighbors: k, scoring, sign } = windowed;
  if (scoring === 'density') return new DensityScore(rows, k, kernel);
  const of =
    typeof scoring === 'object'
      ? landmarkScore(rows, scoring, kernel)
      : scoring === 'curvature'
        ? curvatureScore(rows, { k, kernel, sign })
        : distanceScore(rows, { k, kernel, isLargest: scoring === 'largest' });
  return { of, learned: () => {}, clear: () => {} };
}

type Score = WindowScore['of'];

interface Neighborhood {
  readonly k: number;
  readonly kernel: Kernel;
}

function curvatureScore(rows: WindowRows, { k, kernel, sign }: Neighborhood & { sign: number }): Score {
  if (!rows.isStandardized) {
    return (row) => {
      const points = rows.ready(k);
      return points.curvature(rows.scaled(row, points.precision), k) * sign;
    };
  }
  const around = new NearestRows(rows, k, kernel);
  const isLinear = kernel.name === 'linear';
  return (row) => {
    around.ask(row);
    around.find();
    const { row: vertex, nearest } = around;
    return (isLinear ? curvature(vertex, nearest) : kernelCurvature(kernel, vertex, nearest)) * sign;
  };
}

/** The distance to the k-th neighbour, or the mean of all k. */
function distanceScore(rows: WindowRows, { k, kernel, isLargest }: Neighborhood & { isLargest: boolean }): Score {
  const isSquared = distanceOf(kernel.name) === 'squared';
  const around = rows.isStandardized ? new NearestRows(rows, k, kernel) : undefined;
  const ages = new Uint32Array(k);
  const distances = around?.distances ?? new Float64Array(k);
  return (row) => {
    if (around === undefined) {
      const points = rows.ready(k);
      points.neighbors(rows.scaled(row, points.precision), k, ages, distances);
    } else {
      around.ask(row);
      around.find();
    }
    if (isSquared) for (let a = 0; a < k; a++) distances[a] = Math.sqrt(distances[a] as number);
    return isLargest ? (distances[k - 1] as number) : meanOf(distances);
  };
}

/** LandmarkCAD: see detectors/landmark-cad.ts. Landmarks are drawn by age, from so many rows as there are. */
function landmarkScore(rows: WindowRows, scoring: LandmarkScoring, kernel: Kernel): Score {
  let landmarks: Uint32Array = new Uint32Array(0);
  let around: NearestRows | undefined;
  let drawnFrom = 0;
  return (row) => {
    const { count } = rows;
    if (count !== drawnFrom) {
      landmarks = scoring.landmarksOf(count);
      drawnFrom = count;
    }
    const k = scoring.neighborsOf(count);
    if (around?.k !== k) around = new NearestRows(rows, k, kernel);
    around.ask(row);
    const distance = Math.sqrt(around.kthDistance(landmarks, nearLandmarks(landmarks.length)));
    if (scoring.isByDistanceAlone) return scoring.combined(distance, 0);
    around.find();
    return scoring.combined(distance, sharpness(around.row, around.nearest));
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
    this.#isSquared = distanceOf(kernel.name) === 'squared';
    this.#lists = new NeighborLists(rows, k, kernel);
    this.#ages = new Uint32Array(this.#lists.length);
    this.#distances = new Float64Array(this.#lists.length);
  }

  of(row: Float64Array): number {
    const lists = this.#lists;
    const points = lists.begin();
    const length = Math.min(lists.length, this.#rows.count);
    points.neighbors(this.#rows.scaled(row, points.precision), length, this.#ages, this.#distances);
    this.#version = this.#rows.version;
    let reaches = 0;
    let densities = 0;
    for (let a = 0; a < this.#k; a++) {
      const at = lists.of(this.#ages[a] as number);
      reaches += this.#reachOf(at, this.#distances[a] as number);
      densities += this.#density(at);
    }
    return densities / this.#k / densityOf(reaches, this.#k);
  }

  learned(row: Float64Array, wasScored: boolean): void {
    if (this.#rows.isStandardized) {
      this.clear(); // all distances will be others
      return;
    }
    if (!wasScored && !this.#lists.hasLists) return;
    const { precision } = this.#lists.begin();
    const scaled = this.#rows.scaled(row, precision);
    if (wasScored) this.#lists.enter(scaled, this.#ages, this.#distances, this.#version);
    else this.#lists.enter(scaled);
  }

  clear(): void {
    this.#lists.clear();
  }

  /** The distance from a row to one whose list begins `at`, or the distance to its k-th neighbour where that is larger. */
  #reachOf(at: number, distance: number): number {
    const reach = Math.max(this.#lists.distanceAt(at, this.#k - 1), distance);
    return this.#isSquared ? Math.sqrt(reach) : reach;
  }

  /** The density at the row whose list begins `at`. */
  #density(at: number): number {
    const lists = this.#lists;
    let reaches = 0;
    for (let a = 0; a < this.#k; a++) reaches += this.#reachOf(lists.of(lists.ageAt(at, a)), lists.distanceAt(at, a));
    return densityOf(reaches, this.#k);
  }
}
