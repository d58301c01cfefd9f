// Σ_y ω_y ‖x − y‖² over many y, for one x after another in O(d): it is Ω₀‖x − c‖² + Σ_y ω_y ‖y − c‖² around the
// weighted mean c (the parallel axis theorem), where, unlike around any other point, nothing cancels.
import { inBlocks, type Steps } from '../core/steps.js';
import { distanceTo, type Table } from './table.js';

export class WeightedScatter {
  /** Ω₀ = Σ ω_y. */
  readonly #weight: number;
  /** c. */
  readonly #centre: Float64Array;
  /** Σ_y ω_y ‖y − c‖². */
  readonly #own: number;

  private constructor(weight: number, centre: Float64Array, own: number) {
    this.#weight = weight;
    this.#centre = centre;
    this.#own = own;
  }

  /** @param weights ω of each of these rows, at least 0. */
  static *of(table: Table, rows: ArrayLike<number>, weights: Float64Array): Steps<WeightedScatter> {
    const { data, columns } = table;
    const weight = weights.reduce((sum, value) => sum + value, 0);
    const centre = new Float64Array(columns);
    const first = (rows[0] as number) * columns;
    yield* inBlocks(rows.length, columns, (from, to) => {
      for (let i = from; i < to; i++) {
        const x = (rows[i] as number) * columns;
        for (let j = 0; j < columns; j++) {
          const difference = (data[x + j] as number) - (data[first + j] as number);
          centre[j] = (centre[j] as number) + (weights[i] as number) * difference;
        }
      }
    });
    for (let j = 0; j < columns; j++)
      centre[j] = (data[first + j] as number) + (weight > 0 ? (centre[j] as number) / weight : 0);
    let own = 0;
    yield* inBlocks(rows.length, columns, (from, to) => {
      for (let i = from; i < to; i++) own += (weights[i] as number) * distanceTo(table, rows[i] as number, centre) ** 2;
    });
    return new WeightedScatter(weight, centre, own);
  }

  /** The sum for a row x of a table. */
  around(table: Table, row: number): number {
    return this.#weight * distanceTo(table, row, this.#centre) ** 2 + this.#own;
  }
}
