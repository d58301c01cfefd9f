// Decides whether a column can be moved and stored without rounding, considering all rows. All values of a column are
// multiples of a power of two, its unit; so are their differences from an offset that is a multiple of it. If these are
// below 2^24 (2^53) units, single (double) precision represents them exactly.
import type { Precision } from '../backend.js';

/** Significand bits of each precision, and the exponent of its smallest number. */
const BITS: Readonly<Record<Precision, number>> = { single: 24, double: 53 };
const LOWEST: Readonly<Record<Precision, number>> = { single: -149, double: -1074 };
/** The exponent for 0, which is a multiple of everything. */
const OF_ZERO = 1024;
/** Below it 2^-exponent may be infinite. */
const INVERTIBLE = -1000;

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/** The exponent of the largest power of two that divides a number; 1024 for 0. */
export function lowestBit(value: number): number {
  if (value === 0) return OF_ZERO;
  number[0] = value;
  const [low, high] = words as unknown as [number, number];
  const exponent = (high >>> 20) & 2047;
  const bits = exponent === 0 ? high & 0xfffff : (high & 0xfffff) | 0x100000;
  return Math.max(exponent, 1) - 1075 + (low === 0 ? 32 + trailingZeros(bits) : trailingZeros(low));
}

function trailingZeros(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** The digits of a column. */
export interface Digits {
  /** The exponent of its unit. */
  readonly unit: number;
  readonly min: number;
  readonly max: number;
}

/** Whether the values of a column minus an offset are exact in a precision. */
export function isExact(offset: number, { unit, min, max }: Digits, precision: Precision): boolean {
  const reach = Math.max(max - offset, offset - min);
  if (reach === 0) return true;
  const common = Math.min(unit, lowestBit(offset));
  return common >= LOWEST[precision] && reach < 2 ** (common + BITS[precision]);
}

/** The units of columns, and which columns single precision represents exactly. */
export class ColumnDigits {
  readonly units: Int16Array;
  readonly areSingle: Uint8Array;
  readonly #inverses: Float64Array;
  /** Significand bits of the precision of interest, if there is only one. */
  readonly #bits: number | undefined;
  /** Ranges above which columns exceed that precision, and the columns that do: their units no longer matter. */
  readonly #limits: Float64Array;
  readonly #areLong: Uint8Array;

  /** @param asked The only precision that `isExact` will be called with; undefined if units themselves are needed. */
  constructor(columns: number, asked?: Precision) {
    this.units = new Int16Array(columns).fill(OF_ZERO);
    this.#inverses = new Float64Array(columns).fill(inverseOf(OF_ZERO));
    this.areSingle = new Uint8Array(columns).fill(1);
    this.#bits = asked && BITS[asked];
    this.#limits = new Float64Array(columns).fill(Infinity);
    this.#areLong = new Uint8Array(columns);
  }

  /** Adds a column of whole rows, from index `start` to `end` − 1 of the array. */
  take(values: Float32Array | Float64Array, start: number, end: number, column: number): void {
    const columns = this.units.length;
    const first = start + column;
    if (this.areSingle[column] === 1 && !(values instanceof Float32Array)) {
      let at = first;
      while (at < end && Math.fround(values[at] as number) === values[at]) at += columns;
      if (at < end) this.areSingle[column] = 0;
    }
    if (this.#areLong[column] === 1) return;
    let inverse = this.#inverses[column] as number;
    for (let at = first; at < end; at += columns) {
      const value = values[at] as number;
      const multiple = value * inverse;
      if (Math.floor(multiple) === multiple && (multiple !== 0 || value === 0)) continue;
      this.#lower(column, lowestBit(value));
      inverse = this.#inverses[column] as number;
    }
  }

  /** Gives up on a column whose values, so far from `min` to `max`, have too many digits for any offset. */
  giveUp(column: number, min: number, max: number): void {
    // From any offset some value is half the range away; a quarter is a safe lower bound despite rounding.
    if (max / 4 - min / 4 >= (this.#limits[column] as number)) this.#areLong[column] = 1;
  }

  /** Adds the digits of other rows. */
  include(units: ArrayLike<number>, areSingle: ArrayLike<number>): void {
    for (let j = 0; j < this.units.length; j++) {
      this.#lower(j, units[j] as number);
      this.areSingle[j] = (this.areSingle[j] as number) & (areSingle[j] as number);
    }
  }

  #lower(column: number, unit: number): void {
    if (unit >= (this.units[column] as number)) return;
    this.units[column] = unit;
    this.#inverses[column] = inverseOf(unit);
    if (this.#bits !== undefined) this.#limits[column] = 2 ** (unit + this.#bits);
  }
}

/** If there is none, every value is examined. */
function inverseOf(unit: number): number {
  return unit < INVERTIBLE ? Number.NaN : 2 ** -unit;
}
