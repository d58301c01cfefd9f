// How the cells of a grid are scored together: by what is asked of points for each cell, and what a score is made of.
import type { PointSet } from '../core/backend.js';
import type { GridQuestionName } from '../core/landscape/grid.js';
import type { BackendChoice } from '../core/select.js';
import type { HeldRows } from './held-rows.js';

export interface GridScoring {
  /** How new rows are scaled. */
  readonly queries: HeldRows['queries'];
  readonly backend: BackendChoice;
  readonly asked: ReadonlyArray<{ readonly about: GridQuestionName; readonly points: PointSet; readonly k: number }>;
  /** Writes the scores of cells over the answers to the first question. */
  combine(scores: Float64Array, others: readonly Float64Array[]): void;
}
