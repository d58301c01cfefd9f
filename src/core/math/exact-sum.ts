// Sums of columns without rounding, so that neither the order of rows nor their partition into blocks changes a bit. A
// number is split at fixed bit positions, 32 bits apart, and each piece is added to the bin of its position: a bin
// contains a whole number of units below 2⁵³, so that additions of doubles are exact. Before they could overflow, bins
// are emptied into one big integer.

type Values = Float32Array | Float64Array;

/** Bits between the units of two bins. */
const WIDTH = 32;
/** The unit of bin 0 is 2^LOWEST: a square of a number in range is a multiple of it. */
const LOWEST = -31 * WIDTH;
const BINS = 59;
/** Numbers between these magnitudes have exact squares; others are scaled there by 2^±SHIFT first. */
const TINY = 2 ** -440;
const HUGE = 2 ** 440;
const SHIFT = 800;
/** Rows after which bins are emptied: a bin takes up to four pieces a row, each of at most 2³² units. */
const ROWS_TO_EMPTY = 2 ** 18;
/** 2²⁷ + 1 cuts a double into two halves whose products are exact. */
const HALVES = 2 ** 27 + 1;

const bins = Array.from({ length: BINS }, (_, bin) => bin);
/** Numbers below this belong to this bin or a lower one. */
const LIMITS = Float64Array.from(bins, (bin) => 2 ** (LOWEST + WIDTH * (bin + 1)));
/** Adding and subtracting this rounds a number to whole units of the bin. */
const ROUNDERS = Float64Array.from(bins, (bin) => 1.5 * 2 ** (LOWEST + WIDTH * bin + 52));
const UNITS = Float64Array.from(bins, (bin) => 2 ** (LOWEST + WIDTH * bin));

/** Σx and Σx² of one column, as multiples of 2^-SUM_SCALE and 2^-SQUARE_SCALE. */
export interface ExactMoments {
  sum: bigint;
  squares: bigint;
}

/** Below every unit of a sum, moved or not, and of a square. */
export const SUM_SCALE = -LOWEST + SHIFT;
const SQUARE_SCALE = 2 * SUM_SCALE;

/** Adds up columns of whole rows. */
export class ExactSums {
  readonly #columns: number;
  readonly #withSquares: boolean;
  /** Bins of Σx, then of Σx², of each column: of ordinary numbers, and of tiny and huge ones if there are any. */
  readonly #ordinary: Float64Array;
  readonly #moved = new Map<number, Float64Array>();
  /** The highest bin of each column so far: for numbers, and for squares. */
  readonly #top: Uint8Array;
  readonly #totals: ExactMoments[];
  #rows = 0;

  constructor(columns: number, withSquares: boolean) {
    this.#columns = columns;
    this.#withSquares = withSquares;
    this.#ordinary = new Float64Array(columns * 2 * BINS);
    this.#top = new Uint8Array(columns * 2);
    this.#totals = Array.from({ length: columns }, () => ({ sum: 0n, squares: 0n }));
  }

  /** Adds the values of whole rows from index `start` to `end` − 1. At most 2¹⁶ rows. */
  add(values: Values, start: number, end: number): void {
    const columns = this.#columns;
    const rows = (end - start) / columns;
    if (this.#rows + rows > ROWS_TO_EMPTY) this.#empty();
    this.#rows += rows;
    for (let j = 0; j < columns; j++) this.#addColumn(values, start + j, end, j);
  }

  /** The sums so far. */
  moments(): readonly Readonly<ExactMoments>[] {
    this.#empty();
    return this.#totals;
  }

  /** Adds the sums of others. */
  include(others: readonly Readonly<ExactMoments>[]): void {
    others.forEach(({ sum, squares }, j) => {
      const total = this.#totals[j] as ExactMoments;
      total.sum += sum;
      total.squares += squares;
    });
  }

  #addColumn(values: Values, start: number, end: number, column: number): void {
    const sums = this.#ordinary;
    const columns = this.#columns;
    const withSquares = this.#withSquares;
    const base = column * 2 * BINS;
    let top = this.#top[2 * column] as number;
    let squareTop = this.#top[2 * column + 1] as number;
    for (let at = start; at < end; at += columns) {
      const value = values[at] as number;
      const size = Math.abs(value);
      if (!(size >= TINY && size <= HUGE)) {
        if (value !== 0) this.#addMoved(value, column);
        continue;
      }
      while (size >= (LIMITS[top] as number)) top++;
      addTo(sums, base, top, value);
      if (!withSquares) continue;
      const square = value * value;
      while (square >= (LIMITS[squareTop] as number)) squareTop++;
      addTo(sums, base + BINS, squareTop, square);
      const rest = squareError(value, square);
      if (rest !== 0) addTo(sums, base + BINS, squareTop - 1, rest);
    }
    this.#top[2 * column] = top;
    this.#top[2 * column + 1] = squareTop;
  }

  #addMoved(value: number, column: number): void {
    const shift = Math.abs(value) < 1 ? -SHIFT : SHIFT;
    let sums = this.#moved.get(shift);
    if (sums === undefined) {
      sums = new Float64Array(this.#ordinary.length);
      this.#moved.set(shift, sums);
    }
    const moved = value * 2 ** -shift;
    const square = moved * moved;
    addTo(sums, column * 2 * BINS, binOf(moved), moved);
    if (!this.#withSquares) return;
    addTo(sums, (column * 2 + 1) * BINS, binOf(square), square);
    addTo(sums, (column * 2 + 1) * BINS, binOf(square), squareError(moved, square));
  }

  #empty(): void {
    this.#rows = 0;
    this.#emptyFrom(this.#ordinary, 0);
    for (const [shift, sums] of this.#moved) this.#emptyFrom(sums, shift);
  }

  #emptyFrom(sums: Float64Array, shift: number): void {
    this.#totals.forEach((total, j) => {
      total.sum += inUnits(sums, j * 2 * BINS) << BigInt(SUM_SCALE + LOWEST + shift);
      if (this.#withSquares)
        total.squares += inUnits(sums, (j * 2 + 1) * BINS) << BigInt(SQUARE_SCALE + LOWEST + 2 * shift);
    });
    sums.fill(0);
  }
}

/** Adds a number that belongs to bin `bin` (from position `base` on) or lower ones. */
function addTo(sums: Float64Array, base: number, bin: number, value: number): void {
  let rest = value;
  for (;;) {
    const rounder = ROUNDERS[bin] as number;
    const piece = rest + rounder - rounder;
    sums[base + bin] = (sums[base + bin] as number) + piece;
    rest -= piece;
    if (rest === 0) return;
    bin--;
  }
}

function binOf(value: number): number {
  const size = Math.abs(value);
  let bin = 0;
  while (size >= (LIMITS[bin] as number)) bin++;
  return bin;
}

/** The rounding error of x² (Dekker). */
function squareError(value: number, square: number): number {
  const scaled = HALVES * value;
  const high = scaled - (scaled - value);
  const low = value - high;
  return high * high - square + 2 * high * low + low * low;
}

/** All bins of one sum, as a whole number of units of bin 0. */
function inUnits(sums: Float64Array, base: number): bigint {
  let total = 0n;
  for (let bin = BINS - 1; bin >= 0; bin--) {
    const value = sums[base + bin] as number;
    total <<= BigInt(WIDTH);
    if (value !== 0) total += BigInt(value / (UNITS[bin] as number));
  }
  return total;
}

/** `numerator` / `denominator` as m · 2^e, m correctly rounded, and e even so that a root can be taken. */
export function roundedRatio(numerator: bigint, denominator: bigint): { mantissa: number; exponent: number } {
  if (numerator === 0n) return { mantissa: 0, exponent: 0 };
  const size = numerator < 0n ? -numerator : numerator;
  // At least 64 bits of the quotient, and whether the rest is nonzero.
  let exponent = bitLength(size) - bitLength(denominator) - 66;
  exponent -= exponent & 1;
  const [dividend, divisor] =
    exponent < 0 ? [size << BigInt(-exponent), denominator] : [size, denominator << BigInt(exponent)];
  let quotient = dividend / divisor;
  if (quotient * divisor !== dividend) quotient |= 1n;
  return { mantissa: Number(numerator < 0n ? -quotient : quotient), exponent };
}

function bitLength(value: bigint): number {
  return value.toString(16).length * 4;
}

/** m · 2^e without intermediate overflow or underflow. */
export function timesPowerOfTwo(mantissa: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return mantissa * 2 ** half * 2 ** (exponent - half);
}
