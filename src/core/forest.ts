// Isolation trees as data: what growing one needs, what it gives, and who can walk it. How rows are drawn
// and what a leaf counts is defined here once, for every backend.
//
// A tree is a list of nodes. A node either splits (children is the index in its tree of the left child,
// the right one follows it; x ≤ threshold goes left) or is a leaf (children is 0, as the root is nobody's
// child). Children come after their parent, so that every walk ends.
import type { RowSource } from './matrix.js';
import { averagePathLength } from './path-length.js';
import { Random } from './random.js';

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
  grow(rows: RowSource, plan: ForestPlan): Generator<undefined, ForestNodes>;
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

/** What a tree starts from: its rows, the columns it may use, and its random numbers from there on. */
export interface TreeSample {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly random: Random;
}

/**
 * Draws for one tree after the other. Each tree has its own stream of random numbers, from the seed and its
 * index, so that trees come out the same in whatever order, or thread, they are grown.
 */
export class Sampler {
  readonly #plan: ForestPlan;
  readonly #rows: Subset;
  readonly #columns: Subset;

  constructor(source: RowSource, plan: ForestPlan) {
    this.#plan = plan;
    this.#rows = new Subset(source.rows, plan.sampleSize);
    this.#columns = new Subset(source.columns, plan.features);
  }

  /** The sample of a tree, good until the next is drawn. */
  draw(tree: number): TreeSample {
    const random = Random.stream(this.#plan.seed, tree);
    return { rows: this.#rows.draw(random), columns: this.#columns.draw(random), random };
  }
}

/** Draws `size` of `count` indices without replacement, all sets equally likely (Floyd's algorithm). */
class Subset {
  readonly #count: number;
  readonly #chosen: Uint32Array;
  /** The draw in which an index was last chosen. */
  readonly #lastDraw: Uint32Array;
  #draws = 0;

  constructor(count: number, size: number) {
    this.#count = count;
    this.#chosen = new Uint32Array(size);
    this.#lastDraw = new Uint32Array(size < count ? count : 0);
  }

  draw(random: Random): Uint32Array {
    const chosen = this.#chosen;
    const lastDraw = this.#lastDraw;
    this.#draws++;
    const skipped = this.#count - chosen.length;
    for (let i = 0; i < chosen.length; i++) {
      let index = skipped + i;
      if (skipped > 0) {
        const other = random.below(index + 1);
        if (lastDraw[other] !== this.#draws) index = other;
        lastDraw[index] = this.#draws;
      }
      chosen[i] = index;
    }
    return chosen;
  }
}

/** Gathers the nodes of trees as they are grown. */
export class NodeCollector {
  readonly #trees: ForestNodes[] = [];

  add(tree: Omit<ForestNodes, 'counts'>): void {
    this.#trees.push({ ...tree, counts: Uint32Array.of(tree.sizes.length) });
  }

  collect(): ForestNodes {
    const all = { counts: this.#trees.length, nodes: this.#trees.reduce((sum, { sizes }) => sum + sizes.length, 0) };
    const nodes: ForestNodes = {
      counts: new Uint32Array(all.counts),
      features: new Uint32Array(all.nodes),
      thresholds: new Float64Array(all.nodes),
      children: new Uint32Array(all.nodes),
      sizes: new Uint32Array(all.nodes),
    };
    let at = 0;
    for (const [t, tree] of this.#trees.entries()) {
      nodes.counts.set(tree.counts, t);
      for (const name of ['features', 'thresholds', 'children', 'sizes'] as const) nodes[name].set(tree[name], at);
      at += tree.sizes.length;
    }
    return nodes;
  }
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
