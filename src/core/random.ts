// Seeded random numbers: the same in every runtime. sfc32, a small generator that passes the usual
// batteries of tests; its state is filled from the seed by splitmix32.

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    let state = seed | 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let z = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return z ^ (z >>> 16);
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    for (let i = 0; i < 12; i++) this.uniform();
  }

  /**
   * One of many independent streams of a seed: sfc32 started from both numbers as they are, so that no two
   * pairs share a state, and run until they are mixed.
   */
  static stream(seed: number, index: number): Random {
    const random = new Random(0);
    random.#a = seed | 0;
    random.#b = index | 0;
    random.#c = 0;
    random.#counter = 1;
    for (let i = 0; i < 16; i++) random.word();
    return random;
  }

  /** The state, for a generator elsewhere that goes on from here. */
  get state(): readonly [number, number, number, number] {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  /** Uniform on [0, 1), in steps of 2⁻³². */
  uniform(): number {
    return this.word() / 2 ** 32;
  }

  /** A whole number from 0 to end − 1. */
  below(end: number): number {
    return Math.floor((this.word() * end) / 2 ** 32);
  }

  /** 32 random bits. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Normal with mean 0 and standard deviation 1 (Box and Muller). */
  gaussian(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }
}
