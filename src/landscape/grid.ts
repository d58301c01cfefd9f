// A grid of rows that is never stored as a whole: two features take the values of the cells, all others those of a given
// row.

import type { Grid, GridQueries } from '../core/landscape/grid.js';

export class FeatureGrid implements Grid {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly features: readonly [number, number];
  readonly at: Float64Array;

  constructor(xs: Float64Array, ys: Float64Array, features: readonly [number, number], at: Float64Array) {
    this.width = xs.length;
    this.height = ys.length;
    this.rows = xs.length * ys.length;
    this.columns = at.length;
    this.xs = xs;
    this.ys = ys;
    this.features = features;
    this.at = at;
  }

  read(row: number, into: Float64Array, at: number): void {
    const line = Math.floor(row / this.width);
    for (let j = 0; j < this.columns; j++) into[at + j] = this.at[j] as number;
    into[at + this.features[0]] = this.xs[row - line * this.width] as number;
    into[at + this.features[1]] = this.ys[line] as number;
  }

  /** Columns are scaled independently, so only the axes are scaled. */
  scaledBy(queries: GridQueries): FeatureGrid {
    const row = new Float64Array(this.columns);
    const [x, y] = this.features;
    queries.attach(this);
    try {
      const scaled = (cell: number, feature: number): number => {
        queries.read(cell, row, 0);
        return row[feature] as number;
      };
      const xs = this.xs.map((_, i) => scaled(i, x));
      const ys = this.ys.map((_, j) => scaled(j * this.width, y));
      return new FeatureGrid(xs, ys, this.features, row);
    } finally {
      queries.detach();
    }
  }
}
