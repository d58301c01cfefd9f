// Scores on a grid. Neighbouring cells have neighbours in common, which js/grid.ts ignores and wasm/grid.ts
// lives on. What is to be asked of the points is yielded: whoever drives it asks at once, or in parts.
import type { PointSet } from '../backend.js';
import type { RowSource } from '../input/matrix.js';

/** Cells of a grid as rows to ask about: cell (column x, line y) is row y × width + x. */
export interface Grid extends RowSource {
  readonly width: number;
  readonly height: number;
}

/** The k nearest points of each query are wanted. */
export interface NeighborsQuestion {
  readonly about: 'neighbors';
  readonly queries: RowSource;
  readonly k: number;
  readonly indices: Uint32Array;
  readonly distances: Float64Array;
  /** How far all of it is, from 0 to 1, before and after. */
  readonly progress: readonly [number, number];
}

/** The raw (kernel) CAD score of each query is wanted. */
export interface CurvatureQuestion {
  readonly about: 'curvature';
  readonly queries: RowSource;
  readonly k: number;
  readonly scores: Float64Array;
  readonly progress: readonly [number, number];
}

/** A question to the points, answered before it goes on, or nothing but a good moment to pause. */
export type GridStep = NeighborsQuestion | CurvatureQuestion | undefined;

/** Writes the raw (kernel) CAD score of every cell: bit for bit what `points.curvature` gives. */
export type GridCurvature = (
  points: PointSet,
  grid: Grid,
  neighbors: number,
  scores: Float64Array,
) => Generator<GridStep, void, undefined>;
