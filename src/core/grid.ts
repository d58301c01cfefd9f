// Scores on a grid. Neighbouring cells have neighbours in common, which js/grid.ts ignores and wasm/grid.ts
// lives on.
import type { PointSet } from './backend.js';
import type { RowSource } from './matrix.js';

/** Cells of a grid as rows to ask about: cell (column x, line y) is row y × width + x. */
export interface Grid extends RowSource {
  readonly width: number;
  readonly height: number;
}

/** Writes the raw (kernel) CAD score of every cell: bit for bit what `points.curvature` gives. */
export type GridCurvature = (points: PointSet, grid: Grid, neighbors: number, scores: Float64Array) => void;
