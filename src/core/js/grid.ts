// Scores on a grid, cell by cell.
import type { GridCurvature } from '../landscape/grid.js';

export const jsGridCurvature: GridCurvature = function* (_, grid, k, scores) {
  yield { about: 'curvature', queries: grid, k, scores, progress: [0, 1] };
};
