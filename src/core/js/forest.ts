// Isolation trees in plain TypeScript: the reference in tests, and what runs where WebAssembly is refused.
// assembly/forest.ts draws the same random numbers for the same nodes, so that trees and path lengths are
// the same to the last bit.
import {
  depthLimit,
  type Forest,
  type ForestNodes,
  type ForestPlan,
  type Forests,
  NodeCollector,
  pathsOf,
  Sampler,
  type TreeSample,
} from '../forest.js';
import type { RowSource } from '../matrix.js';

export const jsForests: Forests = {
  grow: growForest,
  hold: (nodes, columns) => new JsForest(nodes, columns),
};

function* growForest(source: RowSource, plan: ForestPlan): Generator<undefined, ForestNodes> {
  const sampler = new Sampler(source, plan);
  const collector = new NodeCollector();
  for (let tree = 0; tree < plan.trees; tree++) {
    collector.add(growTree(source, sampler.draw(tree)));
    yield;
  }
  return collector.collect();
}

/** A node still to be split or to be left as it is. */
interface Pending {
  readonly node: number;
  readonly rows: readonly Float64Array[];
  readonly depth: number;
  /** Columns known to be constant in this node: the first of the tree's columns. */
  readonly constants: number;
}

function growTree(source: RowSource, { rows, columns, random }: TreeSample): Omit<ForestNodes, 'counts'> {
  const sample = Array.from(rows, (row) => {
    const values = new Float64Array(source.columns);
    source.read(row, values, 0);
    return values;
  });
  const limit = depthLimit(sample.length);
  const features = [0];
  const thresholds = [0];
  const children = [0];
  const sizes = [sample.length];
  const stack: Pending[] = [{ node: 0, rows: sample, depth: 0, constants: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, rows, depth } = next;
    if (rows.length === 1 || depth === limit) continue;
    // A column drawn and found constant is put aside, here and in all nodes below: so each of the others
    // is equally likely.
    let { constants } = next;
    for (; constants < columns.length; constants++) {
      const at = constants + random.below(columns.length - constants);
      const column = columns[at] as number;
      const [least, most] = rangeOf(rows, column);
      if (least < most) {
        const threshold = between(least, most, random.word());
        const left = rows.filter((row) => (row[column] as number) <= threshold);
        const right = rows.filter((row) => (row[column] as number) > threshold);
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
      columns[at] = columns[constants] as number;
      columns[constants] = column;
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
 * A number between two others, from 32 random bits. It may round to the lesser one, never to the greater:
 * as x ≤ threshold goes left, neither side is empty. Where the range is beyond the largest number, each end
 * is weighted on its own.
 */
function between(least: number, most: number, word: number): number {
  const share = (word + 0.5) / 2 ** 32;
  const range = most - least;
  const threshold = range < Infinity ? least + range * share : least * (1 - share) + most * share;
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
