// When points are made a k-d tree of, and how, in calls of a few milliseconds. See assembly/tree.ts.
import type { Steps } from '../../steps.js';

/** Points that are made a tree of in one call. */
const AT_ONCE = 2 ** 14;

/** Whether so many points are enough that a tree is faster than a look at all of them, by measurements. */
export function isWorthTree(count: number, columns: number): boolean {
  return count >= 45 * 3.5 ** columns;
}

/** Halves a range of points, and then its halves, where they are too many for the core to go on by itself. */
export function* growTree(
  from: number,
  to: number,
  halve: (from: number, to: number, atOnce: number) => void,
): Steps<void> {
  halve(from, to, AT_ONCE);
  if (to - from <= AT_ONCE) return;
  yield;
  const middle = (from + to) >>> 1;
  yield* growTree(from, middle, halve);
  yield* growTree(middle, to, halve);
}
