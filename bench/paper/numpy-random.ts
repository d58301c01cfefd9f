// The Mersenne Twister (MT19937), drawn from as NumPy's RandomState and scikit-learn's liblinear draw from
// it: the same seed then gives the same folds, starting weights, bootstraps and permutations as there.

const SIZE = 624;
const MIDDLE = 397;

export class RandomState {
  readonly #state = new Uint32Array(SIZE);
  #position = SIZE;

  constructor(seed: number) {
    const state = this.#state;
    state[0] = seed >>> 0;
    for (let i = 1; i < SIZE; i++) {
      const last = state[i - 1] as number;
      state[i] = Math.imul(1812433253, last ^ (last >>> 30)) + i;
    }
  }

  /** 32 random bits. */
  word(): number {
    if (this.#position === SIZE) this.#refill();
    let y = this.#state[this.#position++] as number;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  /** Uniform on [0, 1), with 53 bits. */
  uniform(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** A whole number in [0, end), as NumPy draws it: cut to as many bits as needed, until it fits. */
  integer(end: number): number {
    const most = end - 1;
    if (most === 0) return 0;
    const mask = 0xffffffff >>> Math.clz32(most);
    let value = (this.word() & mask) >>> 0;
    while (value > most) value = (this.word() & mask) >>> 0;
    return value;
  }

  /** A whole number in [0, end), as liblinear draws it: the upper half of a product (Lemire). */
  scaledInteger(end: number): number {
    const unfair = 2 ** 32 % end;
    for (;;) {
      const product = this.word() * end; // exact: end is far below 2²¹
      if (product % 2 ** 32 >= unfair) return Math.floor(product / 2 ** 32);
    }
  }

  /** The seed that scikit-learn hands to a part of a model. */
  seed(): number {
    return this.integer(2 ** 31 - 1);
  }

  /** The numbers 0 … count − 1 in random order. */
  permutation(count: number): Uint32Array {
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    this.shuffle(order);
    return order;
  }

  /** Brings values into random order, in place. */
  shuffle(values: Int32Array | Uint32Array): void {
    for (let i = values.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const value = values[i] as number;
      values[i] = values[j] as number;
      values[j] = value;
    }
  }

  #refill(): void {
    const state = this.#state;
    for (let i = 0; i < SIZE; i++) {
      const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % SIZE] as number) & 0x7fffffff);
      const twist = y & 1 ? 0x9908b0df : 0;
      state[i] = (state[(i + MIDDLE) % SIZE] as number) ^ (y >>> 1) ^ twist;
    }
    this.#position = 0;
  }
}
