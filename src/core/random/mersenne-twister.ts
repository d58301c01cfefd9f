// The Mersenne Twister (MT19937), seeded and drawn from as NumPy's RandomState is: the same seed gives the
// same numbers as in Python. Each word of the state is renewed when its turn comes, not all at once, so that
// a generator of which a few numbers are wanted costs little.

const SIZE = 624;
const MIDDLE = 397;

export class MersenneTwister {
  readonly #state = new Int32Array(SIZE);
  #position = 0;

  constructor(seed: number) {
    let word = seed;
    for (let i = 0; i < SIZE; ) {
      this.#state[i++] = word;
      word = Math.imul(1812433253, word ^ (word >>> 30)) + i;
    }
  }

  /** 32 random bits. */
  word(): number {
    const state = this.#state;
    const i = this.#position;
    const next = i < SIZE - 1 ? i + 1 : 0;
    const pair = ((state[i] as number) & 0x80000000) | ((state[next] as number) & 0x7fffffff);
    const other = state[i < SIZE - MIDDLE ? i + MIDDLE : i + MIDDLE - SIZE] as number;
    let word = other ^ (pair >>> 1) ^ (-(pair & 1) & 0x9908b0df);
    state[i] = word;
    this.#position = next;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  /** A whole number in [0, end): cut to as many bits as needed, until it fits. */
  integer(end: number): number {
    const most = end - 1;
    if (most === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(most);
    for (;;) {
      const value = (this.word() & mask) >>> 0;
      if (value <= most) return value;
    }
  }

  /** The seed that scikit-learn hands to a part of a model. */
  seed(): number {
    return this.integer(2 ** 31 - 1);
  }

  /**
   * `count` of the numbers 0 … end − 1, ascending, every choice equally likely: the last of NumPy's
   * permutation(end). It takes as long as the choice is large.
   */
  choose(count: number, end: number): Uint32Array {
    const moved = new Map<number, number>();
    const at = (i: number): number => moved.get(i) ?? i;
    const chosen = new Uint32Array(count);
    for (let i = end - 1; i >= end - count; i--) {
      const j = this.integer(i + 1);
      chosen[i - end + count] = at(j);
      moved.set(j, at(i));
    }
    return chosen.sort();
  }

  /**
   * Brings fewer than 2³¹ values into random order, in place. Draws that do not fit swap a value with itself
   * and count as none: a branch, taken as often as not, would cost more than all the rest.
   */
  shuffle(values: Int32Array | Uint32Array): void {
    for (let i = values.length - 1; i > 0; ) {
      const drawn = this.word() & (0xffffffff >>> Math.clz32(i));
      const isTooLarge = (i - drawn) >> 31; // −1 or 0
      const j = drawn ^ ((drawn ^ i) & isTooLarge);
      const value = values[j] as number;
      values[j] = values[i] as number;
      values[i] = value;
      i -= 1 + isTooLarge;
    }
  }
}
