// Sum and sum of squares of numbers that come and go, without any rounding: big integers in a unit that is as small as
// the numbers need. Mean and deviation are those of ColumnStatistics, to the last bit.
import { roundedRatio, timesPowerOfTwo } from './exact-sum.js';

const word = new DataView(new ArrayBuffer(8));

export class SlidingMoments {
  #sum = 0n;
  #squares = 0n;
  /** The sum is in units of 2^unit. */
  #unit = 0;

  add(value: number): void {
    if (value === 0) return;
    const whole = this.#inUnits(value);
    this.#sum += whole;
    this.#squares += whole * whole;
  }

  /** Takes back what was added. */
  remove(value: number): void {
    if (value === 0) return;
    const whole = this.#inUnits(value);
    this.#sum -= whole;
    this.#squares -= whole * whole;
  }

  /** The mean of so many numbers, correctly rounded. */
  mean(count: number): number {
    const { mantissa, exponent } = roundedRatio(this.#sum, BigInt(count));
    return timesPowerOfTwo(mantissa, exponent + this.#unit);
  }

  /** The population standard deviation of so many numbers: the root of the correctly rounded variance. */
  deviation(count: number): number {
    const rows = BigInt(count);
    const { mantissa, exponent } = roundedRatio(rows * this.#squares - this.#sum * this.#sum, rows * rows);
    return Math.min(timesPowerOfTwo(Math.sqrt(mantissa), exponent / 2 + this.#unit), Number.MAX_VALUE);
  }

  #inUnits(value: number): bigint {
    word.setFloat64(0, value);
    const high = word.getUint32(0);
    const biased = (high >>> 20) & 0x7ff;
    const digits = ((high & 0xfffff) + (biased > 0 ? 2 ** 20 : 0)) * 2 ** 32 + word.getUint32(4);
    const exponent = Math.max(biased, 1) - 1075;
    if (exponent < this.#unit) this.#refine(exponent);
    return BigInt(value < 0 ? -digits : digits) << BigInt(exponent - this.#unit);
  }

  #refine(unit: number): void {
    const by = BigInt(this.#unit - unit);
    this.#sum <<= by;
    this.#squares <<= 2n * by;
    this.#unit = unit;
  }
}
