// How rows are moved and scaled before they are stored; kept in the model and applied to training and new rows alike.
// Translation-invariant kernels use centred columns, so that f32 spends its digits on the spread and not on the offset.
// The offset is rounded to few bits, so that differences of whole numbers, and ties between distances, stay exact.

import type { Precision } from '../backend.js';
import { CurvadError } from '../errors.js';
import { softlyClipped, softlyUnclipped } from '../math/soft-clip.js';
import type { Steps } from '../steps.js';
import { ColumnExtent } from './column-extent.js';
import { ColumnStatistics } from './column-statistics.js';
import { isExact } from './digits.js';
import { type RowSource, refuseWhileReading } from './matrix.js';

type Values = Float32Array | Float64Array;

/** Largest magnitude of a stored value, so that sums of squares stay finite. */
export const LARGEST: Readonly<Record<Precision, number>> = { single: 1e30, double: 1e150 };
const LARGEST_SQUARE = LARGEST.double * LARGEST.double;
/** Below this largest magnitude f32 would lose digits. */
const SMALLEST_SINGLE = 1e-30;

export class Scaling {
  readonly offset: Float64Array;
  readonly scale: Float64Array;
  /** Whether any scale differs from 1. */
  readonly isScaled: boolean;
  /** Whether values beyond ±5 become ±(5 + ln(1 + |z| − 5)). */
  readonly isClipped: boolean;

  /** An infinite scale drops a column: all of its values become 0. */
  constructor(offset: Float64Array, scale: Float64Array, isClipped = false) {
    this.offset = offset;
    this.scale = scale;
    this.isClipped = isClipped;
    this.isScaled = scale.some((value) => value !== 1);
  }

  get columns(): number {
    return this.offset.length;
  }

  /** The original value of a column stored as `stored`; the training value if the column was dropped. */
  restore(stored: number, column: number): number {
    const scale = this.scale[column] as number;
    const offset = this.offset[column] as number;
    if (scale === Infinity) return offset;
    return (this.isClipped ? softlyUnclipped(stored) : stored) * scale + offset;
  }

  /** Moves, scales and rounds rows to the precision; refuses values too large for it. */
  apply(rows: RowSource, precision: Precision): ScaledRows {
    return new ScaledRows(this, precision).attach(rows);
  }
}

/** Rows as stored. Can be attached to one input after another without allocating. */
export class ScaledRows implements RowSource {
  /** The precision values are rounded to. */
  readonly precision: Precision;
  readonly #scaling: Scaling;
  #rows: RowSource | undefined;

  constructor(scaling: Scaling, precision: Precision) {
    this.#scaling = scaling;
    this.precision = precision;
  }

  get rows(): number {
    return this.#rows?.rows ?? 0;
  }

  get columns(): number {
    return this.#scaling.columns;
  }

  attach(rows: RowSource): this {
    refuseWhileReading();
    this.#rows = rows;
    return this;
  }

  /** Releases the rows. */
  detach(): void {
    this.#rows = undefined;
  }

  read(row: number, into: Float64Array, at: number): void {
    this.#rows?.read(row, into, at);
    this.#scale(into, into, at, row, row + 1);
    if (this.precision === 'double') return;
    for (let i = at; i < at + this.columns; i++) into[i] = Math.fround(into[i] as number);
  }

  fill(from: number, to: number, into: Values): boolean {
    const { columns } = this;
    const flat = this.#rows?.flat;
    if (flat !== undefined) this.#scale(flat, into, from * columns, from, to);
    return flat !== undefined;
  }

  /** Moves and scales rows from … to − 1 while copying them from one array to another; the first starts at `at` in both. */
  #scale(values: Values, into: Values, at: number, from: number, to: number): void {
    const { offset, scale, isScaled, isClipped } = this.#scaling;
    const columns = offset.length;
    const largest = LARGEST[this.precision];
    for (let row = from; row < to; row++, at += columns) {
      for (let j = 0; j < columns; j++) {
        const moved = (values[at + j] as number) - (offset[j] as number);
        const plain = isScaled ? moved / (scale[j] as number) : moved;
        const value = isClipped ? softlyClipped(plain) : plain;
        if (!(Math.abs(value) <= largest)) throw tooLarge(row, j, value, this.precision);
        into[at + j] = value;
      }
    }
  }
}

/** Refuses rows from … to − 1 with values that are too large even unscaled: tests four at once by their squares. */
export function checkMagnitudes(data: Float64Array, columns: number, from: number, to: number): void {
  const end = to * columns;
  let i = from * columns;
  for (; i + 3 < end; i += 4) {
    const first = (data[i] as number) ** 2 + (data[i + 1] as number) ** 2;
    const second = (data[i + 2] as number) ** 2 + (data[i + 3] as number) ** 2;
    if (!(first + second < LARGEST_SQUARE)) break;
  }
  for (; i < end; i++) {
    if (!(Math.abs(data[i] as number) <= LARGEST.double))
      throw tooLarge(Math.floor(i / columns), i % columns, data[i] as number, 'double');
  }
}

function tooLarge(row: number, column: number, value: number, precision: Precision): CurvadError {
  const advice = precision === 'single' ? "use precision 'double' or scale the column" : 'scale the column';
  return new CurvadError(
    'VALUE_TOO_LARGE',
    `row ${row}, column ${column} is ${value} from the centre, beyond ${LARGEST[precision]}: ${advice}`,
    { row, column },
  );
}

/**
 * Least divisor of an indicator column if values are clipped: the deviation of two equally common categories. Divided by
 * its own deviation, a category of one row in 10,000 would be 100 away from all others and dominate the distance.
 */
const LEAST_OF_MARK = 0.5;

/** z-scores by mean and population standard deviation. A constant column is only moved to 0, or dropped. */
function standardizing(
  { mean, deviation, min, max }: ColumnStatistics,
  { clip = false, marks }: Pick<ScalingOptions, 'clip' | 'marks'>,
): Scaling {
  const scale = deviation.map((value, j) => {
    const own = scaleOf(value, min[j] === max[j], clip);
    return clip && marks?.[j] ? Math.max(own, LEAST_OF_MARK) : own;
  });
  return new Scaling(mean, scale, clip);
}

/** The divisor of a column with this deviation. */
export function scaleOf(deviation: number, isConstant: boolean, clip: boolean): number {
  if (clip && isConstant) return Infinity;
  return deviation > 0 ? deviation : 1;
}

/** The offset of a column with this mean and range. */
export function offsetOf(mean: number, min: number, max: number): number {
  const range = max - min;
  if (!(range > 0)) return min;
  const step = 2 ** (Math.floor(Math.log2(range)) - 3);
  const rounded = Math.round(mean / step) * step;
  return Number.isFinite(rounded) ? rounded : mean;
}

/** Whether single precision represents values up to this magnitude well. */
function suitsSingle(spread: number): boolean {
  return spread === 0 || (spread >= SMALLEST_SINGLE && spread <= LARGEST.single);
}

export interface FittedScaling {
  scaling: Scaling;
  precision: Precision;
}

export interface ScalingOptions {
  standardize: boolean;
  /** Whether standardized columns are softly clipped and constant ones dropped. Default false. */
  clip?: boolean;
  /** Indicator columns: see RowSource. */
  marks?: readonly boolean[] | undefined;
  center: boolean;
  precision: Precision;
  isExplicit: boolean;
}

/** Chooses the scaling for training rows. */
export function* fitScaling(rows: RowSource, options: ScalingOptions): Steps<FittedScaling> {
  if (!options.standardize) {
    // Check first whether the values stay exact in single precision when moved; more is rarely needed.
    const isSingle = options.precision === 'single' && rows.flat instanceof Float32Array;
    for (const asked of isSingle ? (['single', 'double'] as const) : (['double'] as const)) {
      const extent = yield* new ColumnExtent(rows.columns, asked).addInSteps(rows);
      const offsets = options.center ? centres(extent) : new Float64Array(rows.columns);
      if (offsets === undefined) break;
      const fitted = movedOnly(extent, offsets, options);
      if (fitted.precision === asked || asked === 'double') return fitted;
    }
  }
  const statistics = new ColumnStatistics(rows.columns, options.standardize);
  return scalingFor(yield* statistics.addInSteps(rows), { ...options, marks: rows.marks });
}

/** The same for rows with known statistics. */
export function scalingFor(statistics: ColumnStatistics, options: ScalingOptions): FittedScaling {
  const { standardize, center, precision, isExplicit } = options;
  if (standardize) return { scaling: standardizing(statistics, options), precision: isExplicit ? precision : 'double' };
  const offsets = (center ? centres(statistics) : undefined) ?? new Float64Array(statistics.columns);
  return movedOnly(statistics, offsets, options);
}

/**
 * Rows that are not divided are stored without loss: in single precision if it represents them exactly. An explicit
 * 'single' is always used.
 */
function movedOnly(extent: ColumnExtent, offsets: Float64Array, options: ScalingOptions): FittedScaling {
  const { precision, isExplicit } = options;
  if (precision === 'single') {
    const single = isExplicit ? offsets : exactOffsets(offsets, extent, 'single');
    const scaling = single && moving(single);
    if (scaling && (isExplicit || suitsSingle(largestMagnitude(scaling, extent)))) return { scaling, precision };
  }
  return { scaling: moving(exactOffsets(offsets, extent, 'double') ?? offsets), precision: 'double' };
}

/**
 * Offsets that keep columns exact in a precision, or undefined if there are none. A column that its offset would make
 * inexact is not moved: it has values that are small compared with the offset, so it is not far from 0.
 */
function exactOffsets(offsets: Float64Array, extent: ColumnExtent, precision: Precision): Float64Array | undefined {
  const exact = new Float64Array(offsets.length);
  for (const [j, offset] of offsets.entries()) {
    const digits = extent.digitsOf(j);
    if (isExact(offset, digits, precision)) exact[j] = offset;
    else if (precision === 'single' && !digits.isSingle) return undefined;
  }
  return exact;
}

/**
 * The mean of each column, rounded to about a sixteenth of its range; undefined if a mean is not known precisely enough.
 */
function centres(extent: ColumnExtent): Float64Array | undefined {
  const { min, max, columns } = extent;
  const offsets = new Float64Array(columns);
  for (let j = 0; j < columns; j++) {
    const [low, high] = extent.meanWithin(j).map((mean) => offsetOf(mean, min[j] as number, max[j] as number));
    if (low !== high) return undefined;
    offsets[j] = low as number;
  }
  return offsets;
}

function moving(offset: Float64Array): Scaling {
  return new Scaling(offset, new Float64Array(offset.length).fill(1));
}

function largestMagnitude({ offset }: Scaling, { min, max }: ColumnExtent): number {
  let result = 0;
  for (const [j, by] of offset.entries()) result = Math.max(result, (max[j] as number) - by, by - (min[j] as number));
  return result;
}
