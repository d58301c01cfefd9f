// Standard normal numbers as NumPy's RandomState draws them: Marsaglia's polar method, which makes them in pairs.
// The second of a pair is kept for the next call.
import type { RandomState } from './numpy-random.js';

export class NormalNumbers {
  readonly #random: Pick<RandomState, 'uniform'>;
  #kept: number | undefined;

  constructor(random: Pick<RandomState, 'uniform'>) {
    this.#random = random;
  }

  next(): number {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) return kept;
    for (;;) {
      const [a, b] = [2 * this.#random.uniform() - 1, 2 * this.#random.uniform() - 1];
      const square = a * a + b * b;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      this.#kept = factor * a;
      return factor * b;
    }
  }
}
