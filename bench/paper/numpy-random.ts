// What else NumPy's RandomState and scikit-learn's liblinear draw from the Mersenne Twister: the same seed
// then gives the same folds, starting weights, bootstraps and permutations as there.
import { MersenneTwister } from '../../src/core/random/mersenne-twister.js';

export class RandomState extends MersenneTwister {
  /** Uniform on [0, 1), with 53 bits. */
  uniform(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** A whole number in [0, end), as liblinear draws it: the upper half of a product (Lemire). */
  scaledInteger(end: number): number {
    const unfair = 2 ** 32 % end;
    for (;;) {
      const product = this.word() * end; // exact: end is far below 2²¹
      if (product % 2 ** 32 >= unfair) return Math.floor(product / 2 ** 32);
    }
  }

  /** The numbers 0 … count − 1 in random order. */
  permutation(count: number): Uint32Array {
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    this.shuffle(order);
    return order;
  }
}
