// The random order of NumPy's RandomState, which scikit-learn's shuffled folds are made of. MT19937 fills a
// block of 624 words at a time; a number up to a bound is drawn by masking and throwing away what is too large.

const WORDS = 624;
const LAG = 397;

/** NumPy's legacy generator, as far as folds need it. */
export class RandomState {
  readonly #state = new Uint32Array(WORDS);
  #next = WORDS;

  /** @param seed A whole number from 0 to 4294967295. */
  constructor(seed: number) {
    this.#state[0] = seed;
    for (let i = 1; i < WORDS; i++) {
      const before = this.#state[i - 1] as number;
      this.#state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
    }
  }

  /** The numbers 0 … count − 1 in random order. */
  permutation(count: number): Uint32Array {
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    for (let i = count - 1; i > 0; i--) {
      const j = this.#upTo(i);
      const kept = order[i] as number;
      order[i] = order[j] as number;
      order[j] = kept;
    }
    return order;
  }

  /** A whole number from 0 to `most`, which must be at least 1. */
  #upTo(most: number): number {
    const mask = 0xffffffff >>> Math.clz32(most);
    for (;;) {
      const value = (this.#word() & mask) >>> 0;
      if (value <= most) return value;
    }
  }

  #word(): number {
    if (this.#next === WORDS) this.#refill();
    let word = this.#state[this.#next++] as number;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  #refill(): void {
    const state = this.#state;
    for (let i = 0; i < WORDS; i++) {
      // The highest bit of one word and the others of the next, shifted; an odd one is twisted.
      const joined = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % WORDS] as number) & 0x7fffffff);
      const twist = joined & 1 ? 0x9908b0df : 0;
      state[i] = (state[(i + LAG) % WORDS] as number) ^ (joined >>> 1) ^ twist;
    }
    this.#next = 0;
  }
}
