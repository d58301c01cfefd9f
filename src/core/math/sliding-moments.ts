// Mean and standard deviation of numbers that come and go, to the last bit what ColumnStatistics says of them. Sums have
// twice the digits of a number, and a bound on what they lost: nearly always everything within the bound rounds to one
// number. Where it does not, the answer is undefined and has to be taken from the numbers themselves.
//
//   Σy and Σy² of y = x − c,   mean = c + Σy/n,   variance = (Σy² − (Σy)²/n)/n
//
// c is a number near the mean: without it, the variance of 101325 ± 0.1 would lose most of its digits.

/** Bound on the rounding errors of a few steps in twice the digits of a number (2⁻¹⁰⁶ each), as a share of the terms. */
const ROUNDING = 2 ** -99;
/** Bound on what is lost where numbers are too small to have all of their digits. */
const UNDERFLOW = 2 ** -1060;
/** Squares out of this range may have lost digits, or be infinite. */
const SMALLEST = 1e-290;
const LARGEST = 1e290;
/** 2²⁷ + 1 cuts a number into two halves whose products are exact (Dekker). */
const HALVES = 2 ** 27 + 1;

/** high + low is a sum of numbers, but for at most `error`. */
class LongSum {
  high = 0;
  low = 0;
  error = 0;

  add(value: number): void {
    const high = this.high + value;
    const rest = sumError(this.high, value, high);
    const low = this.low + rest;
    this.error += 2 * Math.abs(sumError(this.low, rest, low));
    this.high = high;
    this.low = low;
  }

  clear(): void {
    this.high = this.low = this.error = 0;
  }
}

export class SlidingMoments {
  readonly #sum = new LongSum();
  readonly #squares = new LongSum();
  #centre = 0;

  /** Forgets all numbers. Those to come should lie around the centre. */
  clear(centre: number): void {
    this.#centre = centre;
    this.#sum.clear();
    this.#squares.clear();
  }

  add(value: number): void {
    this.#add(value, 1);
  }

  /** Removes a number that was added. */
  remove(value: number): void {
    this.#add(value, -1);
  }

  /** The mean of so many numbers, correctly rounded; undefined where that is not known. */
  mean(count: number): number | undefined {
    const { high, low, error } = this.#sum;
    const sum = high + low;
    const sumRest = sumError(high, low, sum);
    const moved = this.#centre * count;
    const movedRest = productError(this.#centre, count, moved);
    const all = sum + moved;
    const allRest = sumError(sum, moved, all);
    const rests = sumRest + movedRest;
    const rest = allRest + rests;
    const lost = error + Math.abs(sumError(sumRest, movedRest, rests)) + Math.abs(sumError(allRest, rests, rest));
    const total = all + rest;
    if (total === 0 && lost === 0) return 0;
    const mean = total / count;
    const lacking = quotientError(total, count, mean, sumError(all, rest, total)) / count;
    return settled(mean, lacking, (2 * lost) / count + ROUNDING * Math.abs(mean));
  }

  /** The population standard deviation of so many numbers: the root of the correctly rounded variance, or undefined. */
  deviation(count: number): number | undefined {
    const { high, low, error } = this.#sum;
    const sum = high + low;
    const sumRest = sumError(high, low, sum);
    const square = sum * sum;
    const squareRest = productError(sum, sum, square) + 2 * sum * sumRest;
    const share = square / count;
    const shareRest = quotientError(square, count, share, squareRest) / count;
    const { high: squaresHigh, low: squaresLow, error: squaresError } = this.#squares;
    const squares = squaresHigh + squaresLow;
    const squaresRest = sumError(squaresHigh, squaresLow, squares);
    const difference = squares - share;
    const rest = sumError(squares, -share, difference) + (squaresRest - shareRest);
    const variation = difference + rest;
    const lost =
      squaresError + ((2 * Math.abs(sum) + error) * error) / count + ROUNDING * (squares + share) + UNDERFLOW;
    const variance = variation / count;
    const lacking = quotientError(variation, count, variance, sumError(difference, rest, variation)) / count;
    const known = settled(variance, lacking, (2 * lost) / count + ROUNDING * Math.abs(variance));
    return known === undefined || known < 0 ? undefined : Math.sqrt(known);
  }

  #add(value: number, sign: 1 | -1): void {
    const moved = value - this.#centre;
    const rest = sumError(value, -this.#centre, moved);
    const square = moved * moved;
    const squareRest = productError(moved, moved, square);
    this.#sum.add(sign * moved);
    this.#squares.add(sign * square);
    if (rest === 0) {
      if (squareRest !== 0) this.#squares.add(sign * squareRest);
      if (square < SMALLEST && moved !== 0) this.#squares.error += UNDERFLOW;
      return;
    }
    this.#sum.add(sign * rest);
    this.#squares.add(sign * (squareRest + 2 * moved * rest));
    this.#squares.error += ROUNDING * square + UNDERFLOW;
  }
}

/** What a + b has beyond its rounded value (Knuth). */
function sumError(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

/** What a·b has beyond its rounded value (Dekker). */
function productError(a: number, b: number, product: number): number {
  const scaledA = HALVES * a;
  const highA = scaledA - (scaledA - a);
  const lowA = a - highA;
  const scaledB = HALVES * b;
  const highB = scaledB - (scaledB - b);
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}

/** What is left of a + rest where a quotient of a and b has been taken b times. */
function quotientError(a: number, b: number, quotient: number, rest: number): number {
  const back = quotient * b;
  return a - back - productError(quotient, b, back) + rest;
}

/** The number that everything within a margin of value + rest rounds to. */
function settled(value: number, rest: number, margin: number): number | undefined {
  const low = value + (rest - margin);
  const size = Math.abs(low);
  return low === value + (rest + margin) && size >= SMALLEST && size <= LARGEST ? low : undefined;
}
