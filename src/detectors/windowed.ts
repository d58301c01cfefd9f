// What a window over a stream must know of a detector to score as that detector would, fitted on the rows of the window.
import type { Holding } from './held-rows.js';

export interface Windowed {
  /** The name of the detector, and its options as they were given. */
  readonly kind: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly neighbors: number;
  /** How rows of so many columns are held. */
  holding(columns: number): Holding;
  /** The score of a row: the curvature, the distance to the k-th neighbour, the mean of all k, or the density ratio. */
  readonly scoring: 'curvature' | 'largest' | 'mean' | 'density';
  /** What the curvature is multiplied by. */
  readonly sign: 1 | -1;
}
