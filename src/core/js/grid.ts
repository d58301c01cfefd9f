// Scores on a grid, cell by cell.
import type { GridCurvature } from '../grid.js';

export const jsGridCurvature: GridCurvature = (points, grid, neighbors, scores) =>
  points.curvature(grid, 0, grid.rows, neighbors, scores);
