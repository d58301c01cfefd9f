// A grid of rows that are never written out: two features take the values of the cells, all others those of
// one given row.
import type { Grid } from '../core/grid.js';

export class FeatureGrid implements Grid {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
  readonly height: number;
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;
  readonly #features: readonly [number, number];
  readonly #at: Float64Array;

  constructor(xs: Float64Array, ys: Float64Array, features: readonly [number, number], at: Float64Array) {
    this.width = xs.length;
    this.height = ys.length;
    this.rows = xs.length * ys.length;
    this.columns = at.length;
    this.#xs = xs;
    this.#ys = ys;
    this.#features = features;
    this.#at = at;
  }

  read(row: number, into: Float64Array, at: number): void {
    const line = Math.floor(row / this.width);
    for (let j = 0; j < this.columns; j++) into[at + j] = this.#at[j] as number;
    into[at + this.#features[0]] = this.#xs[row - line * this.width] as number;
    into[at + this.#features[1]] = this.#ys[line] as number;
  }
}
