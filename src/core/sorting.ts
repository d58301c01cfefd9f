// Sorting with moments to pause: the runtime sorts short runs at once, and the runs are merged. Values that
// compare as equal stay in order, or are equal to the bit: the result does not depend on the runs.
import type { Pausing } from './pauses.js';

/** Values sorted, and values merged, at a time: about a millisecond. */
const RUN = 2 ** 13;

type Compare = (a: number, b: number) => number;

/** Sorts in place: ascending, or by a comparison that calls no two different values equal. */
export function* sortInSteps<Values extends Float64Array | Uint32Array>(
  values: Values,
  compare?: Compare,
): Pausing<Values> {
  const count = values.length;
  for (let start = 0; start < count; start += RUN) {
    if (start > 0) yield;
    const run = values.subarray(start, start + RUN);
    // An array's own sort finds what is in order already, as the rows of one class are.
    if (compare === undefined) run.sort();
    else run.set(Array.from(run).sort(compare));
  }
  if (count <= RUN) return values;
  let from: Float64Array | Uint32Array = values;
  let into: Float64Array | Uint32Array = values.slice();
  for (let length = RUN; length < count; length *= 2) {
    for (let start = 0; start < count; start += 2 * length) {
      yield* merge(from, into, start, Math.min(start + length, count), Math.min(start + 2 * length, count), compare);
    }
    [from, into] = [into, from];
  }
  if (from !== values) values.set(from);
  return values;
}

/** Merges start … middle − 1 and middle … end − 1. */
function* merge(
  from: Float64Array | Uint32Array,
  into: Float64Array | Uint32Array,
  start: number,
  middle: number,
  end: number,
  compare: Compare = (a, b) => a - b,
): Pausing<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    if ((at - start) % RUN === RUN - 1) yield;
    const isLeft = right === end || (left < middle && compare(from[left] as number, from[right] as number) <= 0);
    into[at] = from[isLeft ? left++ : right++] as number;
  }
}
