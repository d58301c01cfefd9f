// How much to do at a time. The first part follows from the estimated cost; the others from the clock,
// where there is one that moves while code runs (on Cloudflare it stands still).

/** Multiplications in a first part: a few milliseconds at the worst. */
const FIRST = 5e6;

export class Slices {
  readonly #milliseconds: number;
  readonly #largest: number;
  #rows: number;

  /** Parts of about so many milliseconds, but never more than `largest` times what a first part costs. */
  constructor(costPerRow: number, milliseconds: number, largest = 64) {
    this.#milliseconds = milliseconds;
    this.#rows = FIRST / Math.max(1, costPerRow);
    this.#largest = this.#rows * largest;
  }

  /** How many rows to take now. */
  get rows(): number {
    return Math.max(1, Math.floor(this.#rows));
  }

  /** Learns from the time a part took; at most doubles. */
  learn(rows: number, elapsed: number): void {
    if (elapsed <= 0) return;
    const wanted = (rows * this.#milliseconds) / elapsed;
    this.#rows = Math.min(wanted, Math.max(1, this.#rows) * 2, Math.max(1, this.#largest));
  }
}
