// The recent rows of a series, as they are compared: each value as three running means of different length, and, where
// there are several values, each in units of its spread among the rows that came before.
import { ColumnScales } from './column-scales.js';
import { Ring } from './ring.js';

/** Lengths of the running means. */
const SPANS = [1, 8, 64] as const;

export class SeriesRows {
  readonly columns: number;
  /** Running means of the row that was embedded last, column by column. */
  readonly means: Float64Array;
  readonly #window: number;
  readonly #ring: Ring;
  /** What a difference of means is multiplied by. */
  readonly #factors: Float64Array;
  /** The values of the rows by slot, and their spread; one value needs none. */
  readonly #values: Float64Array;
  readonly #spread: ColumnScales | undefined;
  readonly #before: Float64Array;
  readonly #slots: Uint32Array;
  readonly #squares: Float64Array;
  #seen = 0;

  constructor(window: number, neighbors: number, columns: number) {
    this.columns = columns;
    this.#window = window;
    this.means = new Float64Array(columns * SPANS.length);
    this.#ring = new Ring(window, this.means.length);
    this.#factors = new Float64Array(this.means.length).fill(1);
    this.#values = new Float64Array(columns === 1 ? 0 : window * columns).fill(Number.NaN);
    this.#spread = columns === 1 ? undefined : new ColumnScales(this.#values, columns, false);
    this.#before = new Float64Array(columns);
    const k = Math.min(neighbors, window);
    this.#slots = new Uint32Array(k);
    this.#squares = new Float64Array(k);
  }

  /** Makes running means of the next row. */
  embed(row: Float64Array): void {
    let at = 0;
    for (let j = 0; j < this.columns; j++) {
      const value = row[j] as number;
      for (const span of SPANS) {
        const mean = this.means[at] as number;
        this.means[at++] = this.#seen === 0 ? value : mean + (2 / (span + 1)) * (value - mean);
      }
    }
  }

  /** The raw score of the embedded row. */
  rawScore(): number {
    this.#renewFactors();
    return this.#rawScoreOf(this.means, this.#ring);
  }

  /** Raw scores of the rows that are held, each against those before it, by the spread of now. */
  rawScores(): Float64Array {
    this.#renewFactors();
    const rows = this.rows();
    const width = this.means.length;
    const before = new Ring(this.#window, width);
    return Float64Array.from({ length: this.#ring.count }, (_, i) => {
      const row = rows.subarray(i * width, (i + 1) * width);
      const raw = this.#rawScoreOf(row, before);
      before.push(row);
      return raw;
    });
  }

  /** r = d₁·(1 + ‖Σ u_a‖/k) over the k nearest rows; edges of length zero add nothing. */
  #rawScoreOf(row: Float64Array, ring: Ring): number {
    const found = ring.nearest(row, this.#factors, this.#slots, this.#squares);
    if (found === 0) return 0;
    let square = 0;
    for (let j = 0; j < row.length; j++) {
      let sum = 0;
      for (let a = 0; a < found; a++) {
        const length = Math.sqrt(this.#squares[a] as number);
        const edge = ring.valueAt(this.#slots[a] as number, j) - (row[j] as number);
        if (length > 0 && length < Infinity) sum += (edge * (this.#factors[j] as number)) / length;
      }
      square += sum * sum;
    }
    // Spreads may be so small that distances overflow.
    return Math.min(Number.MAX_VALUE, Math.sqrt(this.#squares[0] as number) * (1 + Math.sqrt(square) / found));
  }

  /** Takes the embedded row in place of the oldest. */
  push(): void {
    this.#ring.push(this.means);
    if (this.#spread !== undefined) {
      const slot = this.#seen % this.#window;
      const at = slot * this.columns;
      for (let j = 0; j < this.columns; j++) {
        this.#before[j] = this.#values[at + j] as number;
        this.#values[at + j] = this.means[j * SPANS.length] as number;
      }
      this.#spread.replace(slot, this.#seen < this.#window ? undefined : this.#before);
    }
    this.#seen++;
  }

  /** All rows, oldest first. */
  rows(): Float64Array {
    return this.#ring.rows();
  }

  /** Takes back what `rows` and `means` were in the middle of a stream. */
  restore(rows: Float64Array, means: Float64Array): void {
    for (let at = 0; at < rows.length; at += this.means.length) {
      this.means.set(rows.subarray(at, at + this.means.length));
      this.push();
    }
    this.means.set(means);
  }

  #renewFactors(): void {
    if (this.#spread === undefined || this.#ring.count === 0) return;
    this.#spread.update(this.#ring.count);
    for (let at = 0; at < this.#factors.length; at++) {
      const scale = this.#spread.scales[Math.floor(at / SPANS.length)] as number;
      this.#factors[at] = Math.min(1 / scale, Number.MAX_VALUE);
    }
  }
}

/** Numbers that a row of so many values is held as. */
export function embeddedLength(columns: number): number {
  return columns * SPANS.length;
}
