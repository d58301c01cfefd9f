// Numbers that look random and are the same for the same seed in every browser: Marsaglia's xorshift, uniform and normal.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0 || 1;
    for (let i = 0; i < 8; i++) this.next();
  }

  /** From 0 to 1, without 1. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** About normal: twelve uniform numbers, which need no logarithm that engines compute differently. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.next();
    return sum;
  }
}
