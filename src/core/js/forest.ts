// Isolation trees in plain TypeScript: the reference in tests, and what runs where WebAssembly is refused.
// scikit-learn draws the same random numbers for the same nodes, so that it grows the same trees, and so does
// assembly/forest.ts, to the last bit.

import { closenessOf } from '../forest/closeness.js';
import {
  depthLimit,
  type Forest,
  type ForestNodes,
  type ForestPlan,
  type Forests,
  joinTrees,
  pathsOf,
  type TreeNodes,
} from '../forest/forest.js';
import { sampler, type TreeSample } from '../forest/samples.js';
import type { RowSource } from '../input/matrix.js';
import type { Steps } from '../steps.js';

export const jsForests: Forests = {
  grow: growForest,
  hold: (nodes, columns) => new JsForest(nodes, columns),
};

function* growForest(source: RowSource, plan: ForestPlan): Steps<ForestNodes> {
  const closeness = yield* closenessOf(source);
  const draw = sampler(source, plan);
  const trees: TreeNodes[] = [];
  for (let tree = 0; tree < plan.trees; tree++) {
    trees.push(growTree(source, draw(tree), closeness));
    yield;
  }
  return joinTrees(trees, closeness);
}

/** The largest number a tree draws. */
const MOST_RANDOM = 2 ** 31 - 1;

/** A node still to be split or to be left as it is. */
interface Pending {
  readonly node: number;
  readonly rows: readonly Float64Array[];
  readonly depth: number;
  /** Columns known to be constant in this node: the first of the tree's columns. */
  readonly constants: number;
}

function growTree(source: RowSource, drawn: TreeSample, closeness: Float64Array): TreeNodes {
  const { columns } = drawn;
  const sample = Array.from(drawn.rows, (row) => {
    const values = new Float64Array(source.columns);
    source.read(row, values, 0);
    return values;
  });
  let state = drawn.random;
  /** Xorshift, of which 31 bits are used. */
  const random = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & MOST_RANDOM;
  };
  const limit = depthLimit(sample.length);
  const features = [0];
  const thresholds = [0];
  const children = [0];
  const sizes = [sample.length];
  const stack: Pending[] = [{ node: 0, rows: sample, depth: 0, constants: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, rows, depth, constants: known } = next;
    if (rows.length === 1 || depth === limit) continue;
    // A column known to be constant is drawn in vain, at most once. One that is found constant joins them,
    // here and in all nodes below. So each of the others is equally likely.
    for (let constants = known, inVain = 0; constants < columns.length; ) {
      const found = constants - known;
      const place = inVain + (random() % (columns.length - found - inVain));
      if (place < known) {
        inVain++;
        continue;
      }
      const column = columns[place + found] as number;
      const close = closeness[column] as number;
      const round = close > 0 ? Math.fround : Number;
      const [least, most] = rangeOf(rows, column).map(round) as [number, number];
      const isConstant = most <= round(least + close);
      const to = isConstant ? constants++ : columns.length - 1;
      columns[place + found] = columns[to] as number;
      columns[to] = column;
      if (isConstant) continue;
      const threshold = between(least, most, random());
      const left = rows.filter((row) => round(row[column] as number) <= threshold);
      const right = rows.filter((row) => round(row[column] as number) > threshold);
      const child = sizes.length;
      features[node] = column;
      thresholds[node] = threshold;
      children[node] = child;
      features.push(0, 0);
      thresholds.push(0, 0);
      children.push(0, 0);
      sizes.push(left.length, right.length);
      stack.push({ node: child + 1, rows: right, depth: depth + 1, constants });
      stack.push({ node: child, rows: left, depth: depth + 1, constants });
      break;
    }
  }
  return {
    features: Uint32Array.from(features),
    thresholds: Float64Array.from(thresholds),
    children: Uint32Array.from(children),
    sizes: Uint32Array.from(sizes),
  };
}

function rangeOf(rows: readonly Float64Array[], column: number): [number, number] {
  let least = Infinity;
  let most = -Infinity;
  for (const row of rows) {
    least = Math.min(least, row[column] as number);
    most = Math.max(most, row[column] as number);
  }
  return [least, most];
}

/**
 * A number between two others, from 31 random bits: never the greater one, so that neither side is empty, as
 * x ≤ threshold goes left. Where the product is beyond the largest number, each end is weighted on its own.
 */
function between(least: number, most: number, random: number): number {
  const product = (most - least) * random;
  const share = random / MOST_RANDOM;
  const threshold = product < Infinity ? product / MOST_RANDOM + least : least * (1 - share) + most * share;
  return threshold < most ? threshold : least + 0; // not −0, whichever zero came first
}

class JsForest implements Forest {
  readonly #nodes: ForestNodes;
  readonly #lengths: Float64Array;
  readonly #row: Float64Array;

  constructor(nodes: ForestNodes, columns: number) {
    this.#nodes = nodes;
    this.#lengths = pathsOf(nodes).lengths;
    this.#row = new Float64Array(columns);
  }

  sumPaths(rows: RowSource, sums: Float64Array): void {
    for (let i = 0; i < rows.rows; i++) {
      rows.read(i, this.#row, 0);
      sums[i] = this.#sumOf(this.#row);
    }
  }

  release(): void {}

  #sumOf(row: Float64Array): number {
    const { counts, features, thresholds, children } = this.#nodes;
    let sum = 0;
    let root = 0;
    for (const count of counts) {
      let node = root;
      for (let left = children[node] as number; left !== 0; left = children[node] as number) {
        const isRight = (row[features[node] as number] as number) > (thresholds[node] as number);
        node = root + left + (isRight ? 1 : 0);
      }
      sum += this.#lengths[node] as number;
      root += count;
    }
    return sum;
  }
}
