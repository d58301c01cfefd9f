// Isolation trees as data: what growing one needs, what it gives, and who can walk it. What a leaf counts is
// defined here once, for every backend.
//
// A tree is a list of nodes. A node either splits (children is the index in its tree of the left child,
// the right one follows it; x ≤ threshold goes left) or is a leaf (children is 0, as the root is nobody's
// child). Children come after their parent, so that every walk ends.

import type { RowSource } from '../input/matrix.js';
import type { Steps } from '../steps.js';
import { unroundThresholds } from './closeness.js';
import { averagePathLength } from './path-length.js';

/** How a forest is to be grown. */
export interface ForestPlan {
  readonly trees: number;
  /** Rows each tree sees, at most all of them. */
  readonly sampleSize: number;
  /** Columns each tree may split on, at most all of them. */
  readonly features: number;
  readonly seed: number;
}

/** The nodes of all trees, one tree after the other. */
export interface ForestNodes {
  /** Nodes of each tree. */
  readonly counts: Uint32Array;
  /** Column to split on; 0 in a leaf. */
  readonly features: Uint32Array;
  /** 0 in a leaf. */
  readonly thresholds: Float64Array;
  readonly children: Uint32Array;
  /** Rows of the tree's sample that reach the node. */
  readonly sizes: Uint32Array;
}

/** What grows and holds forests: one for each backend, all with the same results to the last bit. */
export interface Forests {
  /** Yields between trees. */
  grow(rows: RowSource, plan: ForestPlan): Steps<ForestNodes>;
  /** The nodes must be right: see checkNodes. */
  hold(nodes: ForestNodes, columns: number): Forest;
}

/** A forest that can be walked. */
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

/** Puts trees one after the other, with thresholds for values as they are, whichever columns were rounded. */
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

/** What walking a forest adds up: the path length of each leaf, and how deep each tree is. */
export interface Paths {
  /** Splits on the way to a node and, in a leaf, c(size) for those that were not made. */
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
 * What is wrong with nodes that come from a stranger, or undefined. Each tree must be one: all its nodes
 * reached from the root on one way, children behind their parent, sizes adding up, no deeper than allowed.
 */
export function faultOf(nodes: ForestNodes, columns: number, sampleSize: number): string | undefined {
  const { counts, children, features, sizes } = nodes;
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== children.length) return `its trees have ${total} nodes, ${children.length} are there`;
  const most = depthLimit(sampleSize);
  /** 1 + the depth of the nodes seen as somebody's child. */
  const levels = new Uint32Array(children.length);
  let root = 0;
  for (const [tree, count] of counts.entries()) {
    const fault = (node: number, what: string) => `node ${node} of tree ${tree} ${what}`;
    if (count === 0 || sizes[root] !== sampleSize) return fault(0, `must have ${sampleSize} rows`);
    levels[root] = 1;
    for (let node = 0; node < count; node++) {
      const level = levels[root + node] as number;
      const left = children[root + node] as number;
      if (level === 0) return fault(node, 'is nobody’s child');
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
