// The interface of isolation forests: the input and output of growing, and the data structure for scoring. The path
// length of a leaf is defined here once, for every backend.
//
// A tree is a list of nodes. A node either splits (children is the index in its tree of the left child,
// the right one follows it; x ≤ threshold goes left) or is a leaf (children is 0, which cannot be a child
// index, as 0 is the root). Children come after their parent, so that every walk ends.

import type { RowSource } from '../input/matrix.js';
import type { Steps } from '../steps.js';
import { unroundThresholds } from './closeness.js';
import { averagePathLength } from './path-length.js';

/** Parameters of growing a forest. */
export interface ForestPlan {
  readonly trees: number;
  /** Number of rows in the sample of each tree. */
  readonly sampleSize: number;
  /** Number of columns each tree may split on. */
  readonly features: number;
  readonly seed: number;
}

/** The nodes of all trees, tree by tree. */
export interface ForestNodes {
  /** Number of nodes of each tree. */
  readonly counts: Uint32Array;
  /** Column to split on; 0 in a leaf. */
  readonly features: Uint32Array;
  /** 0 in a leaf. */
  readonly thresholds: Float64Array;
  readonly children: Uint32Array;
  /** Rows of the tree's sample that reach the node. */
  readonly sizes: Uint32Array;
}

/** Grows and stores forests; one for each backend, with the same results to the last bit. */
export interface Forests {
  /** Yields between trees. */
  grow(rows: RowSource, plan: ForestPlan): Steps<ForestNodes>;
  /** The nodes must be valid: see checkNodes. */
  hold(nodes: ForestNodes, columns: number): Forest;
}

/** A forest ready for scoring. */
export interface Forest {
  /** The sum over the trees of the path length of every row. */
  sumPaths(rows: RowSource, sums: Float64Array): void;
  /** Frees the memory. */
  release(): void;
}

/** Splits on the longest path of a tree: ⌈log₂ of the sample size⌉, the depth of a balanced one. */
export function depthLimit(sampleSize: number): number {
  return 32 - Math.clz32(sampleSize - 1);
}

/** The nodes of one tree. */
export type TreeNodes = Omit<ForestNodes, 'counts'>;

/** Concatenates trees and converts thresholds of rounded columns to thresholds for unrounded values. */
export function joinTrees(trees: readonly TreeNodes[], closeness: Float64Array): ForestNodes {
  const counts = Uint32Array.from(trees, ({ sizes }) => sizes.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const join = <Values extends Uint32Array | Float64Array>(values: Values, name: keyof TreeNodes): Values => {
    let at = 0;
    for (const tree of trees) {
      values.set(tree[name], at);
      at += tree[name].length;
    }
    return values;
  };
  const nodes = {
    counts,
    features: join(new Uint32Array(total), 'features'),
    thresholds: join(new Float64Array(total), 'thresholds'),
    children: join(new Uint32Array(total), 'children'),
    sizes: join(new Uint32Array(total), 'sizes'),
  };
  unroundThresholds(nodes.thresholds, nodes.features, closeness);
  return nodes;
}

/** What scoring adds up: the path length of each leaf, and the depth of each tree. */
export interface Paths {
  /** Number of splits above a node and, in a leaf, c(size) for those not made. */
  readonly lengths: Float64Array;
  /** Splits on the longest path of each tree. */
  readonly depths: Uint32Array;
}

export function pathsOf({ counts, children, sizes }: ForestNodes): Paths {
  const lengths = new Float64Array(children.length);
  const depths = new Uint32Array(counts.length);
  let root = 0;
  for (let tree = 0; tree < counts.length; tree++) {
    const end = root + (counts[tree] as number);
    for (let node = root; node < end; node++) {
      const depth = lengths[node] as number;
      const left = children[node] as number;
      if (left === 0) {
        lengths[node] = depth + averagePathLength(sizes[node] as number);
        depths[tree] = Math.max(depths[tree] as number, depth);
      } else {
        lengths[root + left] = lengths[root + left + 1] = depth + 1;
      }
    }
    root = end;
  }
  return { lengths, depths };
}

/**
 * The fault of untrusted nodes, or undefined. Each must form a tree: every node reached from the root exactly once,
 * children after their parent, sizes adding up, no deeper than allowed.
 */
export function faultOf(nodes: ForestNodes, columns: number, sampleSize: number): string | undefined {
  const { counts, children, features, sizes } = nodes;
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== children.length) return `its trees have ${total} nodes, but there are ${children.length}`;
  const most = depthLimit(sampleSize);
  /** 1 + the depth of nodes already seen as a child. */
  const levels = new Uint32Array(children.length);
  let root = 0;
  for (const [tree, count] of counts.entries()) {
    const fault = (node: number, what: string) => `node ${node} of tree ${tree} ${what}`;
    if (count === 0 || sizes[root] !== sampleSize) return fault(0, `must have ${sampleSize} rows`);
    levels[root] = 1;
    for (let node = 0; node < count; node++) {
      const level = levels[root + node] as number;
      const left = children[root + node] as number;
      if (level === 0) return fault(node, 'is not the child of any node');
      if ((sizes[root + node] as number) === 0) return fault(node, 'has no rows');
      if (left === 0) continue;
      if (left <= node || left + 1 >= count) return fault(node, `has children at ${left}`);
      if (level > most) return fault(node, `splits at depth ${level - 1}, the limit is ${most}`);
      if ((features[root + node] as number) >= columns) return fault(node, `splits on column ${features[root + node]}`);
      const [a, b] = [root + left, root + left + 1];
      if (levels[a] !== 0 || levels[b] !== 0) return fault(node, 'has the child of another node');
      if ((sizes[a] as number) + (sizes[b] as number) !== sizes[root + node]) return fault(node, 'loses rows');
      levels[a] = levels[b] = level + 1;
    }
    root += count;
  }
  return undefined;
}
