// Values on a grid. Neighbouring cells have neighbours in common, which js/grid.ts ignores and wasm/landscape/grid.ts
// lives on. What is to be asked of the points is yielded: whoever drives it asks at once, or in parts.
import type { PointSet, Queries } from '../backend.js';
import type { RowSource } from '../input/matrix.js';

/** Cells of a grid as rows to ask about: cell (column x, line y) is row y × width + x. */
export interface Grid extends RowSource {
  readonly width: number;
  readonly height: number;
  /** Where the cells are along two columns, ascending. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  /** The two columns. */
  readonly features: readonly [x: number, y: number];
  /** What cells have in all other columns. */
  readonly at: Float64Array;
  /** The same grid as a detector stores rows. */
  scaledBy(queries: GridQueries): Grid;
}

/** Rows to be asked about, scaled as a detector stores them. */
export interface GridQueries extends RowSource {
  attach(rows: RowSource): Queries;
  detach(): void;
}

/** Scores of CAD, curvatures from 0 to 1, or squared distances to the k-th nearest point. */
export type GridQuestionName = 'curvature' | 'sharpness' | 'kthDistances';

/** What is wanted of each cell, or of each of some rows. */
export interface GridQuestion {
  readonly about: GridQuestionName;
  readonly points: PointSet;
  readonly queries: RowSource;
  readonly k: number;
  readonly values: Float64Array;
}

/** A question to the points that is to be answered before it goes on, or how far it is, from 0 to 1. */
export type GridStep = GridQuestion | number;

/** Writes a value of every cell: bit for bit what the points themselves answer. */
export type GridValues = (question: GridQuestion & { readonly queries: Grid }) => Generator<GridStep, void, undefined>;
