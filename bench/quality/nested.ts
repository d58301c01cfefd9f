// What remains of a lead when the detector is not chosen on the sets it is measured on: the best of all candidates is
// chosen on some sets, by mean AUROC, and compared with a detector that was fixed beforehand on the others.
import { Random } from '../../test/support/data.js';

/** AUROC of each candidate on each set. */
export type Scores = ReadonlyMap<string, ReadonlyMap<string, number>>;

export interface Nested {
  /** Mean AUROC of what was chosen, on sets it was not chosen on. */
  readonly chosen: number;
  /** Of the other detector on the same sets. */
  readonly other: number;
  /** How often each candidate was chosen. */
  readonly counts: ReadonlyMap<string, number>;
}

const SPLITS = 1000;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Each set is left out once. */
export function leavingOneOut(scores: Scores, sets: readonly string[], other: string): Nested {
  return measured(
    scores,
    sets.map((left) => [sets.filter((set) => set !== left), [left]]),
    other,
  );
}

/** Half of the sets, drawn at random many times, and the other half. */
export function inHalves(scores: Scores, sets: readonly string[], other: string): Nested {
  const random = new Random(1);
  const splits = Array.from({ length: SPLITS }, () => {
    const order = random.permutation(sets.length).map((i) => sets[i] as string);
    const half = Math.ceil(sets.length / 2);
    return [order.slice(0, half), order.slice(half)] as const;
  });
  return measured(scores, splits, other);
}

function measured(
  scores: Scores,
  splits: ReadonlyArray<readonly [chosenOn: readonly string[], measuredOn: readonly string[]]>,
  other: string,
): Nested {
  const on = (name: string, sets: readonly string[]) => mean(sets.map((set) => scores.get(name)?.get(set) as number));
  const counts = new Map<string, number>();
  const pairs = splits.map(([chosenOn, measuredOn]) => {
    const best = [...scores.keys()].reduce((a, b) => (on(b, chosenOn) > on(a, chosenOn) ? b : a));
    counts.set(best, (counts.get(best) ?? 0) + 1);
    return { chosen: on(best, measuredOn), other: on(other, measuredOn) };
  });
  return { chosen: mean(pairs.map(({ chosen }) => chosen)), other: mean(pairs.map((pair) => pair.other)), counts };
}
