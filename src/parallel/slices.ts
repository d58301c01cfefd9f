// Chooses the size of slices: the first by estimated cost, later ones by measured time, unless the clock stands still while
// code runs, as on Cloudflare.

/** Multiplications in the first slice: a few milliseconds at worst. */
const FIRST = 5e6;

export class Slices {
  readonly #milliseconds: number;
  readonly #largest: number;
  #rows: number;

  /** Slices of about `ms` milliseconds, but at most `largest` times the cost of the first. */
  constructor(costPerRow: number, milliseconds: number, largest = 64) {
    this.#milliseconds = milliseconds;
    this.#rows = FIRST / Math.max(1, costPerRow);
    this.#largest = this.#rows * largest;
  }

  /** Rows of the next slice. */
  get rows(): number {
    return Math.max(1, Math.floor(this.#rows));
  }

  /** Adapts to the time a slice took; at most doubles. */
  learn(rows: number, elapsed: number): void {
    if (elapsed <= 0) return;
    const wanted = (rows * this.#milliseconds) / elapsed;
    this.#rows = Math.min(wanted, Math.max(1, this.#rows) * 2, Math.max(1, this.#largest));
  }
}
