// The Mersenne Twister (MT19937), seeded and drawn from like NumPy's RandomState, so that the same seed gives the same
// numbers as in Python. Each state word is renewed when it is needed, not all at once, so that drawing a few numbers is
// cheap.

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

  /** An integer in [0, end), by rejection of draws of as many bits as needed. */
  integer(end: number): number {
    const most = end - 1;
    if (most === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(most);
    for (;;) {
      const value = (this.word() & mask) >>> 0;
      if (value <= most) return value;
    }
  }

  /** The seed that scikit-learn passes to a part of a model. */
  seed(): number {
    return this.integer(2 ** 31 - 1);
  }

  /**
   * `count` of the numbers 0 … end − 1, ascending, drawn uniformly: the last of NumPy's permutation(end). Takes time
   * proportional to `end`.
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
   * Shuffles fewer than 2³¹ values in place. Rejected draws swap a value with itself and do not advance: an unpredictable
   * branch would cost more than everything else.
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
