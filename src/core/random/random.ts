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

  /** Uniform on [0, 1), in steps of 2⁻³². */
  uniform(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** Normal with mean 0 and standard deviation 1 (Box and Muller). */
  gaussian(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Moves a uniformly drawn `count` of a list to the front, in random order, in place (Fisher and Yates). */
  choose(list: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const j = i + Math.floor(this.uniform() * (list.length - i));
      const kept = list[i] as number;
      list[i] = list[j] as number;
      list[j] = kept;
    }
  }
}
