// Rows of a stream held for the search: the newest takes the place of the oldest.
import type { Precision } from '../backend.js';
import type { Kernel } from '../kernel.js';

export interface WindowShape {
  /** Rows it holds at most. */
  readonly capacity: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
}

/** Rows are known by their age: 0 is the oldest. Equal distances go to the older row. */
export interface WindowPoints extends WindowShape {
  readonly count: number;
  /** Whether its memory was taken for something else: rows must be filled in again. */
  readonly isLost: boolean;
  /** Takes a row, scaled and rounded to the precision, in place of the oldest if there is no more room. */
  push(row: Float64Array): void;
  /** Takes `count` rows in place of all there are: `write` writes them, oldest first. */
  fill(count: number, write: (into: Float32Array | Float64Array) => void): void;
  /** Makes room for a search for k neighbours, for which the rows may be lost. */
  reserve(k: number): void;
  /** The k nearest rows, nearest first, with squared L2 or L1 distances. */
  neighbors(row: Float64Array, k: number, ages: Uint32Array, distances: Float64Array): void;
  /** The (kernel) CAD score. */
  curvature(row: Float64Array, k: number): number;
  /** The curvature as a share of its largest value: see PointSet. */
  sharpness(row: Float64Array, k: number): number;
  /** Tells how far a row reaches: a distance as `neighbors` gives them. Rows that were not told of reach nothing. */
  setReach(age: number, distance: number): void;
  /** Lists the rows that reach this far, and perhaps some that nearly do, with their distances; returns how many. */
  reaching(row: Float64Array, ages: Uint32Array, distances: Float64Array): number;
  /** Measures the distances to the rows of these ages, or to all rows; returns the k-th smallest. */
  measureKth(row: Float64Array, ages: Uint32Array | undefined, k: number): number;
  /** How many of the distances measured last are at most so large. */
  countUpTo(distance: number): number;
  /** The places, among the rows measured last, of distances beyond `low` and up to `high`; returns how many there are. */
  listBetween(low: number, high: number, places: Uint32Array): number;
  /** Frees the memory. */
  release(): void;
}

export type WindowBackend = (shape: WindowShape) => WindowPoints;
