// The largest power of two that all values of each column of a window are multiples of, kept up row by row: it is counted
// how many values have which lowest bit.
import { lowestBit } from '../core/input/digits.js';

/** Exponents of lowest bits are from −1074 to 1024. */
const LOWEST = -1074;
const KINDS = 1024 - LOWEST + 1;

export class ColumnUnits {
  readonly #counts: Uint32Array;
  /** The place of the lowest bit of each column. */
  readonly #least: Uint16Array;

  constructor(columns: number) {
    this.#counts = new Uint32Array(columns * KINDS);
    this.#least = new Uint16Array(columns).fill(KINDS - 1);
  }

  /** Takes note of a new value, and of what it replaces, where that was something. */
  replace(column: number, value: number, before: number | undefined): void {
    const place = this.#count(column, value, 1);
    if (before !== undefined) this.#count(column, before, -1);
    let least = Math.min(place, this.#least[column] as number);
    while (this.#counts[column * KINDS + least] === 0) least++;
    this.#least[column] = least;
  }

  /** The exponent of the power of two of a column. */
  of(column: number): number {
    return (this.#least[column] as number) + LOWEST;
  }

  #count(column: number, value: number, by: number): number {
    const place = lowestBit(value) - LOWEST;
    const at = column * KINDS + place;
    this.#counts[at] = (this.#counts[at] as number) + by;
    return place;
  }
}
