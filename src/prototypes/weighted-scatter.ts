// Σ_y ω_y ‖x − y‖² over many y, for one x after another in O(d): it is Ω₀‖x − c‖² + Σ_y ω_y ‖y − c‖² around the
// weighted mean c (the parallel axis theorem), where, unlike around any other point, nothing cancels.
import { distanceTo, type Table } from './table.js';

export class WeightedScatter {
  /** Ω₀ = Σ ω_y. */
  readonly #weight: number;
  /** c. */
  readonly #centre: Float64Array;
  /** Σ_y ω_y ‖y − c‖². */
  readonly #own: number;

  /** @param weights ω of each of these rows, at least 0. */
  constructor(table: Table, rows: ArrayLike<number>, weights: Float64Array) {
    const { data, columns } = table;
    this.#weight = weights.reduce((sum, weight) => sum + weight, 0);
    this.#centre = new Float64Array(columns);
    const first = (rows[0] as number) * columns;
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let i = 0; i < rows.length; i++) {
        sum +=
          (weights[i] as number) * ((data[(rows[i] as number) * columns + j] as number) - (data[first + j] as number));
      }
      this.#centre[j] = (data[first + j] as number) + (this.#weight > 0 ? sum / this.#weight : 0);
    }
    let own = 0;
    for (let i = 0; i < rows.length; i++)
      own += (weights[i] as number) * distanceTo(table, rows[i] as number, this.#centre) ** 2;
    this.#own = own;
  }

  /** The sum for a row x of a table. */
  around(table: Table, row: number): number {
    return this.#weight * distanceTo(table, row, this.#centre) ** 2 + this.#own;
  }
}
