// The rows of a window as a detector that was fitted on them holds them: moved by the centre of their columns, or
// standardized, and rounded to the precision. Rows are kept as they came, too: where a centre or a scale moves on, all of
// them are moved and rounded anew.
import type { Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { LARGEST } from '../core/input/scaling.js';
import { isTranslationInvariant } from '../core/kernel.js';
import { softlyClipped } from '../core/math/soft-clip.js';
import { windowFor } from '../core/window/window.js';
import type { WindowPoints } from '../core/window/window-points.js';
import type { Holding } from '../detectors/held-rows.js';
import { ColumnCentres } from './column-centres.js';
import type { ColumnMoves } from './column-moves.js';
import { ColumnScales } from './column-scales.js';

export class WindowRows {
  readonly capacity: number;
  readonly columns: number;
  readonly #holding: Holding;
  /** By slot; NaN where there is none yet. */
  readonly #values: Float64Array;
  readonly #moves: ColumnMoves;
  readonly #before: Float64Array;
  readonly #scaled: Float64Array;
  #points: WindowPoints | undefined;
  /** Rows that came, and how many of them `points` has seen. */
  #seen = 0;
  #held = 0;
  #version = 0;

  constructor(capacity: number, columns: number, holding: Holding) {
    this.capacity = capacity;
    this.columns = columns;
    this.#holding = holding;
    this.#values = new Float64Array(capacity * columns).fill(Number.NaN);
    const { standardize, clip = false } = holding;
    this.#moves = standardize
      ? new ColumnScales(this.#values, columns, clip)
      : new ColumnCentres(this.#values, columns, this.#precision());
    this.#before = new Float64Array(columns);
    this.#scaled = new Float64Array(columns);
  }

  get count(): number {
    return Math.min(this.#seen, this.capacity);
  }

  /** Rows that came since the beginning. */
  get seen(): number {
    return this.#seen;
  }

  /** Changes whenever all rows were rounded anew. */
  get version(): number {
    return this.#version;
  }

  /** Takes a row of finite numbers in place of the oldest. */
  push(row: Float64Array): void {
    const slot = this.#seen % this.capacity;
    const at = slot * this.columns;
    const isFull = this.#seen >= this.capacity;
    for (let j = 0; j < this.columns; j++) {
      this.#before[j] = this.#values[at + j] as number;
      this.#values[at + j] = row[j] as number;
    }
    this.#moves.replace(slot, isFull ? this.#before : undefined);
    this.#seen++;
  }

  /** All rows, oldest first. */
  rows(): Float64Array {
    const rows = new Float64Array(this.count * this.columns);
    const start = this.#oldest * this.columns;
    const first = this.#values.subarray(start, Math.min(this.#values.length, start + rows.length));
    rows.set(first);
    rows.set(this.#values.subarray(0, rows.length - first.length), first.length);
    return rows;
  }

  /** The rows for a search for k neighbours, up to date. */
  ready(k: number): WindowPoints {
    const isMoved = this.#isMoving && this.#moves.update(this.count);
    const precision = this.#precision();
    if (this.#points?.precision !== precision) this.#replacePoints(precision);
    const points = this.#points as WindowPoints;
    points.reserve(k);
    const missed = this.#seen - this.#held;
    if (isMoved || points.isLost || points.count === 0 || missed > this.capacity / 8) this.#fill(points);
    else for (let t = this.#held; t < this.#seen; t++) points.push(this.#stored(t % this.capacity));
    this.#held = this.#seen;
    return points;
  }

  /** A row as the rows are held. */
  scaled(row: ArrayLike<number>, precision: Precision, at = 0): Float64Array {
    const isSingle = precision === 'single';
    for (let j = 0; j < this.columns; j++) {
      const value = this.#moved(row[at + j] as number, j);
      if (!(Math.abs(value) <= LARGEST[precision])) throw tooLarge(value, j, precision);
      this.#scaled[j] = isSingle ? Math.fround(value) : value;
    }
    return this.#scaled;
  }

  /** A held row, by its age. The result is good until the next call. */
  heldRow(age: number): Float64Array {
    return this.#stored((this.#oldest + age) % this.capacity);
  }

  /** No coordinate that is held is larger. */
  get spread(): number {
    const { smallest, largest } = this.#moves;
    let spread = 0;
    for (let j = 0; j < this.columns; j++) {
      const low = this.#moved(smallest[j] as number, j);
      const high = this.#moved(largest[j] as number, j);
      spread = Math.max(spread, Math.abs(low), Math.abs(high));
    }
    return spread;
  }

  /** Whether distances between rows change when other rows come and leave. */
  get isStandardized(): boolean {
    return this.#holding.standardize;
  }

  release(): void {
    this.#points?.release();
    this.#points = undefined;
  }

  /** Whether columns are moved at all. */
  get #isMoving(): boolean {
    return this.isStandardized || isTranslationInvariant(this.#holding.kernel.name);
  }

  /** A value as it is held, but for rounding. */
  #moved(value: number, column: number): number {
    const { offsets, scales } = this.#moves;
    const moved = (value - (offsets[column] as number)) / (scales[column] as number);
    return this.#holding.clip ? softlyClipped(moved) : moved;
  }

  get #oldest(): number {
    return this.#seen <= this.capacity ? 0 : this.#seen % this.capacity;
  }

  #stored(slot: number): Float64Array {
    return this.scaled(this.#values, (this.#points as WindowPoints).precision, slot * this.columns);
  }

  /** Double unless the detector says otherwise: what a stream brings is not known when the window begins. */
  #precision(): Precision {
    return this.#holding.precision ?? 'double';
  }

  #replacePoints(precision: Precision): void {
    this.#points?.release();
    const { capacity, columns } = this;
    const { kernel, backend } = this.#holding;
    this.#points = windowFor(backend)({ capacity, columns, precision, kernel });
  }

  #fill(points: WindowPoints): void {
    const { columns } = this;
    if (this.spread > LARGEST[points.precision]) throw tooLarge(this.spread, undefined, points.precision);
    points.fill(this.count, (into) => {
      let at = 0;
      for (let age = 0, slot = this.#oldest; age < this.count; age++, slot++) {
        if (slot === this.capacity) slot = 0;
        const from = slot * columns;
        for (let j = 0; j < columns; j++, at++) into[at] = this.#moved(this.#values[from + j] as number, j);
      }
    });
    this.#version++;
  }
}

function tooLarge(value: number, column: number | undefined, precision: Precision): CurvadError {
  const where = column === undefined ? 'a row of the window' : `column ${column}`;
  return new CurvadError(
    'VALUE_TOO_LARGE',
    `${where} is ${value} from the centre of the window, beyond ${LARGEST[precision]} for precision '${precision}'`,
    column === undefined ? {} : { column },
  );
}
