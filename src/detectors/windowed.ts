// What a window over a stream must know of a detector to score as that detector would, fitted on the rows of the window.
import type { Holding } from './held-rows.js';

/** How LandmarkCAD scores a row. */
export interface LandmarkScoring {
  /** Which of so many rows are landmarks, ascending. */
  landmarksOf(rows: number): Uint32Array;
  /** Neighbours for the curvature, of so many rows. */
  neighborsOf(rows: number): number;
  readonly isByDistanceAlone: boolean;
  combined(distance: number, sharpness: number): number;
}

export interface Windowed {
  /** The name of the detector, and its options as they were given. */
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** The window must have more rows than that. */
  readonly neighbors: number;
  /** How rows of so many columns are held. */
  holding(columns: number): Holding;
  /**
   * The score of a row: the curvature, the distance to the k-th neighbour, the mean of all k, the density ratio, or what
   * landmarks say.
   */
  readonly scoring: 'curvature' | 'largest' | 'mean' | 'density' | LandmarkScoring;
  /** What the curvature is multiplied by. */
  readonly sign: 1 | -1;
}
