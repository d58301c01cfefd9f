// Passes over many rows, block by block: between two blocks others may have their turn. Whoever does not
// want to pause does all of it at once; the order of the operations, and so the result, is the same.

/** Work with moments to pause. */
export type Pausing<Result> = Generator<undefined, Result, undefined>;

/** Values of a block: about a millisecond, whatever is done with them. */
const BLOCK = 2 ** 16;

/** Does work on rows 0 … rows − 1 of so many values each, in order. */
export function* inBlocks(rows: number, values: number, work: (from: number, to: number) => void): Pausing<void> {
  const block = Math.max(1, Math.floor(BLOCK / values));
  for (let from = 0; from < rows; from += block) {
    if (from > 0) yield;
    work(from, Math.min(rows, from + block));
  }
}

/** Does all of it without a pause. */
export function atOnce<Result>(work: Pausing<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
