// The sample of each tree of an isolation forest: its rows, its columns and its random seed, drawn as scikit-learn draws
// them for the same seed, with NumPy's Mersenne Twister. Each tree has its own seed, so that trees are the same in
// whatever order or thread they are grown.

import type { RowSource } from '../input/matrix.js';
import { MersenneTwister } from '../random/mersenne-twister.js';
import type { ForestPlan } from './forest.js';

export interface TreeSample {
  readonly rows: Int32Array;
  /** The columns the tree may use, in the order in which its first node finds them. */
  readonly columns: Int32Array;
  /** The state of its own generator. */
  readonly random: number;
}

/** Draws the samples of trees; each is valid until the next is drawn. */
export function sampler(source: RowSource, plan: ForestPlan): (tree: number) => TreeSample {
  const whole = new MersenneTwister(plan.seed);
  const seeds = Array.from({ length: plan.trees }, () => whole.seed());
  const columns = new Int32Array(source.columns);
  const rows = new Int32Array(source.rows);
  return (tree) => {
    const seed = seeds[tree] as number;
    const random = new MersenneTwister(seed);
    return {
      columns: subset(columns, plan.features, random),
      rows: subset(rows, plan.sampleSize, random),
      // From the same generator, restarted. A state of 0 would stay 0 for ever.
      random: new MersenneTwister(new MersenneTwister(seed).seed()).seed() || 1,
    };
  };
}

/** Draws `size` of the indices of an array, using it as scratch space, in one of three ways depending on the ratio. */
function subset(order: Int32Array, size: number, random: MersenneTwister): Int32Array {
  const share = size / order.length;
  if (share <= 0.01) {
    const chosen = new Set<number>();
    while (chosen.size < size) chosen.add(random.integer(order.length));
    return Int32Array.from(chosen);
  }
  for (let i = 0; i < order.length; i++) order[i] = i;
  if (share < 0.99) random.shuffle(order);
  else {
    for (let i = size; i < order.length; i++) {
      const place = random.integer(i + 1);
      if (place < size) order[place] = i;
    }
  }
  return order.subarray(0, size);
}
