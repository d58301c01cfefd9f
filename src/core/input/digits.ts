// Whether numbers keep enough digits as they are stored, found out from the rows: from what rounding moves some of them
// by, beside how far they are from their nearest neighbours.

import type { Precision } from '../backend.js';
import type { RowSource } from './matrix.js';

/** Rows looked at. */
const SAMPLE = 384;
/**
 * What rounding may change a distance by at the most, as a share of it. Where errors come as they do, and not all in
 * one direction, it is a fifth of that.
 */
const TOLERANCE = 5e-6;
/** The neighbour whose distance counts: detectors look at about as many. */
const NEIGHBORS = 4;

/** Which of so many rows are looked at: some in even distances. */
export function sampledRows(rows: number): number[] {
  const count = Math.min(SAMPLE, rows);
  return Array.from({ length: count }, (_, i) => Math.floor((i * rows) / count));
}

/** These rows, as they are given. */
export function sampleOf(rows: RowSource): Float64Array[] {
  return sampledRows(rows.rows).map((index) => {
    const row = new Float64Array(rows.columns);
    rows.read(index, row, 0);
    return row;
  });
}

/** What rows are moved and scaled by. */
interface Moves {
  readonly offset: Float64Array;
  readonly scale: Float64Array;
}

/**
 * Whether moving rows and rounding them to a precision changes distances to neighbours by no more than it may.
 * Among all `count` rows neighbours are nearer than in a sample: by as much as in rows that fill all of their columns.
 */
export function survivesRounding(
  sample: readonly Float64Array[],
  moves: Moves,
  count: number,
  precision: Precision,
): boolean {
  const stored = precision === 'single' ? Math.fround : Number;
  const errors = sample.map((row) => errorOf(row, moves, stored));
  if (errors.every((error) => error === 0)) return true;
  const columns = sample[0]?.length ?? 1;
  const shrinking = (sample.length / count) ** (1 / columns);
  return sample.every((row, i) => {
    const error = errors[i] as number;
    return error === 0 || 2 * error <= TOLERANCE * shrinking * distanceToNeighbor(sample, row, moves);
  });
}

/** How far a row is moved by rounding, in the unit it is stored in. */
function errorOf(row: Float64Array, { offset, scale }: Moves, stored: (value: number) => number): number {
  let sum = 0;
  for (let j = 0; j < row.length; j++) {
    const [value, by, unit] = [row[j] as number, offset[j] as number, scale[j] as number];
    const moved = (value - by) / unit;
    const lost = Math.abs((value - by + by - value) / unit); // what the offset took away
    sum += (Math.abs(stored(moved) - moved) + lost) ** 2;
  }
  return Math.sqrt(sum);
}

/** Distance to a near neighbour that is another row; Infinity where there are not so many. */
function distanceToNeighbor(sample: readonly Float64Array[], row: Float64Array, { scale }: Moves): number {
  const least = new Float64Array(NEIGHBORS).fill(Infinity);
  for (const other of sample) {
    let square = 0;
    for (let j = 0; j < row.length; j++)
      square += (((row[j] as number) - (other[j] as number)) / (scale[j] as number)) ** 2;
    if (square === 0 || square >= (least[NEIGHBORS - 1] as number)) continue;
    least[NEIGHBORS - 1] = square;
    least.sort();
  }
  return Math.sqrt(least[NEIGHBORS - 1] as number);
}

/**
 * What columns are moved by where a few far values would pull a mean away from all others: the median of a sample,
 * rounded to a sixteenth (or so) of the middle half of the values, so that it has few digits.
 */
export function robustOffsets(sample: readonly Float64Array[]): Float64Array {
  const columns = sample[0]?.length ?? 0;
  return Float64Array.from({ length: columns }, (_, j) => {
    const values = Float64Array.from(sample, (row) => row[j] as number).sort();
    const at = (share: number): number => values[Math.floor(share * (values.length - 1))] as number;
    const width = at(0.75) - at(0.25);
    if (!(width > 0)) return at(0.5);
    const step = 2 ** (Math.floor(Math.log2(width)) - 3);
    const rounded = Math.round(at(0.5) / step) * step;
    return Number.isFinite(rounded) ? rounded : at(0.5);
  });
}
