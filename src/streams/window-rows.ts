// The rows of a window as a detector that was fitted on them holds them: moved by the centre of their columns, or
// standardized, and rounded to the precision. Rows are kept as they came, too: where a centre or a scale moves on, all of
// them are moved and rounded anew. Where columns are standardized that would be with every row: these rows may stay as
// they were scaled a while ago, for a search that knows how far that is off (scale-drift.ts).
import type { Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { LARGEST } from '../core/input/scaling.js';
import { distanceOf, isTranslationInvariant } from '../core/kernel.js';
import { softlyClipped } from '../core/math/soft-clip.js';
import { windowFor } from '../core/window/window.js';
import type { WindowPoints } from '../core/window/window-points.js';
import type { Holding } from '../detectors/held-rows.js';
import { ColumnCentres } from './column-centres.js';
import type { ColumnMoves } from './column-moves.js';
import { ColumnScales } from './column-scales.js';
import { type Moves, ScaleDrift } from './scale-drift.js';

/** Rows are scaled anew where distances may have changed by more than that. */
const LARGEST_DRIFT = 2;

export class WindowRows {
  readonly capacity: number;
  readonly columns: number;
  readonly #holding: Holding;
  /** By slot; NaN where there is none yet. */
  readonly #values: Float64Array;
  readonly #moves: ColumnMoves;
  /** What rows are moved by as they are held. */
  readonly #held: Moves;
  readonly drift: ScaleDrift;
  readonly #before: Float64Array;
  readonly #scaled: Float64Array;
  #points: WindowPoints | undefined;
  /** Rows that came, and how many of them `points` has seen. */
  #seen = 0;
  #heldSeen = 0;
  #version = 0;
  #isRough = false;
  #isToFill = false;

  constructor(capacity: number, columns: number, holding: Holding) {
    this.capacity = capacity;
    this.columns = columns;
    this.#holding = holding;
    this.#values = new Float64Array(capacity * columns).fill(Number.NaN);
    const { standardize, clip = false } = holding;
    this.#moves = standardize
      ? new ColumnScales(this.#values, columns, clip)
      : new ColumnCentres(this.#values, columns, this.#precision());
    this.#held = { offsets: new Float64Array(columns), scales: new Float64Array(columns).fill(1) };
    const isAbsolute = distanceOf(holding.kernel.name) === 'absolute';
    this.drift = new ScaleDrift({ precision: this.#precision(), isClipped: clip, isAbsolute });
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
    const isMoved = (this.#isMoving && this.#moves.update(this.count)) || this.#isRough;
    return this.#upToDate(k, isMoved);
  }

  /** The same as they were scaled a while ago: `drift` tells how distances from a row to them have changed since. */
  roughlyReady(k: number, row: Float64Array): WindowPoints {
    if (this.#moves.update(this.count)) this.#isRough = true;
    this.drift.measure(this.#held, this.#moves, row);
    const { low, high } = this.drift;
    const isOff = this.#isToFill || !(high < LARGEST_DRIFT * low);
    const points = this.#upToDate(k, isOff);
    if (!this.#isRough) this.drift.measure(this.#held, this.#moves, row);
    return points;
  }

  /** Has all rows scaled anew before the next search. */
  renew(): void {
    this.#isToFill = true;
  }

  /** A row as a detector that is fitted now would hold it. */
  scaled(row: Float64Array, precision: Precision): Float64Array {
    return this.#scale(row, 0, this.#moves, precision, this.#scaled);
  }

  /** A row as the rows are held. */
  asHeld(row: Float64Array, precision: Precision): Float64Array {
    return this.#scale(row, 0, this.#held, precision, this.#scaled);
  }

  /** Writes a row, known by its age, as a detector that is fitted now would hold it. */
  readScaled(age: number, into: Float64Array): void {
    const slot = (this.#oldest + age) % this.capacity;
    this.#scale(this.#values, slot * this.columns, this.#moves, this.#precision(), into);
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
      const low = this.#moved(smallest[j] as number, j, this.#moves);
      const high = this.#moved(largest[j] as number, j, this.#moves);
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
  #moved(value: number, column: number, { offsets, scales }: Moves): number {
    const moved = (value - (offsets[column] as number)) / (scales[column] as number);
    return this.#holding.clip ? softlyClipped(moved) : moved;
  }

  #scale(values: Float64Array, from: number, moves: Moves, precision: Precision, into: Float64Array): Float64Array {
    const isSingle = precision === 'single';
    for (let j = 0; j < this.columns; j++) {
      const value = this.#moved(values[from + j] as number, j, moves);
      if (!(Math.abs(value) <= LARGEST[precision])) throw tooLarge(value, j, precision);
      into[j] = isSingle ? Math.fround(value) : value;
    }
    return into;
  }

  get #oldest(): number {
    return this.#seen <= this.capacity ? 0 : this.#seen % this.capacity;
  }

  #stored(slot: number): Float64Array {
    return this.#scale(this.#values, slot * this.columns, this.#held, this.#precision(), this.#scaled);
  }

  #upToDate(k: number, isMoved: boolean): WindowPoints {
    const precision = this.#precision();
    if (this.#points?.precision !== precision) this.#replacePoints(precision);
    const points = this.#points as WindowPoints;
    points.reserve(k);
    const missed = this.#seen - this.#heldSeen;
    if (isMoved || points.isLost || points.count === 0 || missed > this.capacity / 8) this.#fill(points);
    else for (let t = this.#heldSeen; t < this.#seen; t++) points.push(this.#stored(t % this.capacity));
    this.#heldSeen = this.#seen;
    return points;
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
    this.#held.offsets.set(this.#moves.offsets);
    this.#held.scales.set(this.#moves.scales);
    this.#isRough = this.#isToFill = false;
    points.fill(this.count, (into) => {
      let at = 0;
      for (let age = 0, slot = this.#oldest; age < this.count; age++, slot++) {
        if (slot === this.capacity) slot = 0;
        const from = slot * columns;
        for (let j = 0; j < columns; j++, at++)
          into[at] = this.#moved(this.#values[from + j] as number, j, this.#moves);
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
