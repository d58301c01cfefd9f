// How an isolation forest reads its columns. scikit-learn reads all as f32 and treats values that differ by at most 1e-7
// as equal. On ordinary columns this has no effect, but the Unix times of a day's seconds become 675 values, and a column
// in units of 1e-9 becomes constant. Here a column that would keep fewer than a thousand distinct values is read with
// all its digits; every other one is read as in scikit-learn, for the same trees.

import type { RowSource } from '../input/matrix.js';
import { inBlocks, type Steps } from '../steps.js';

/** 1e-7 as f32. */
const CLOSE = 1.0000000116860974e-7;
const FEWEST_VALUES = 1000;

/** The difference up to which values of each column count as equal: 1e-7 if it is read as f32, else 0. */
export function* closenessOf(source: RowSource): Steps<Float64Array> {
  const { rows, columns } = source;
  const row = new Float64Array(columns);
  const least = row.map(() => Infinity);
  const most = row.map(() => -Infinity);
  yield* inBlocks(rows, columns, (from, to) => {
    for (let i = from; i < to; i++) {
      source.read(i, row, 0);
      for (let j = 0; j < columns; j++) {
        const value = row[j] as number;
        if (value < (least[j] as number)) least[j] = value;
        if (value > (most[j] as number)) most[j] = value;
      }
    }
  });
  return least.map((low, j) => {
    const high = most[j] as number;
    const largest = Math.fround(Math.max(-low, high)); // infinite beyond the range of f32
    return high - low > FEWEST_VALUES * Math.max(CLOSE, largest * 2 ** -23) ? CLOSE : 0;
  });
}

/**
 * Replaces thresholds for rounded values by thresholds for unrounded values: the largest number that rounds to at most
 * the threshold. Rows to be scored need not be rounded then.
 * @param features The column of each threshold.
 */
export function unroundThresholds(thresholds: Float64Array, features: Uint32Array, closeness: Float64Array): void {
  const single = new Float32Array(1);
  const bits = new Int32Array(single.buffer);
  for (const [node, threshold] of thresholds.entries()) {
    single[0] = threshold;
    const near = single[0] as number;
    if (near === 0 || !closeness[features[node] as number]) continue;
    // The next f32 on the other side of the threshold: the bits of an f32 count from zero outwards.
    bits[0] = (bits[0] as number) + (near < 0 === near > threshold ? 1 : -1);
    const middle = (near + (single[0] as number)) / 2;
    // The midpoint rounds to the even one of the two, the number below it always to the lower one.
    thresholds[node] = Math.fround(middle) <= threshold ? middle : middle - Math.abs(middle) * 2 ** -53;
  }
}
