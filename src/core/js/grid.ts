// Values on a grid, cell by cell.
import type { GridValues } from '../landscape/grid.js';

export const jsGridValues: GridValues = function* (question) {
  yield question;
};
