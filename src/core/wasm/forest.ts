// Isolation trees in WebAssembly. All trees of a fit grow in the same memory, one after the other; their nodes are kept in
// ordinary arrays. For scoring they are laid out in the WebAssembly memory, from which they can be evicted at any time and
// laid out again.
//
//   nodes    threshold, or path length of a leaf | column × 8 | right child   16 bytes a node
//   groups   first nodes of eight trees | largest depth                      36 bytes a group
//   rows     a block: values | ∞, which leaves compare with                  8 bytes a value
//
// Thresholds and values are stored as integers of the same order.

import { released } from '../errors.js';
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
import type { Build } from './build.js';
import { Growth, Pending, TREE_GROUP } from './contract.js';
import { type Core, coreFor, coreOf } from './core.js';
import { type Arena, EvictableSegment, type Segment } from './memory/arena.js';
import { layOut } from './memory/layout.js';
import { type Fields, MemoryRecord } from './memory/record.js';

/** Forests in one build. */
export function wasmForests(build: Build): Forests {
  const core = coreOf(build);
  return {
    grow: (rows, plan) => growForest(core, rows, plan),
    hold: (nodes, columns) => new WasmForest(core, nodes, columns),
  };
}

// --- growing ------------------------------------------------------------------------------

/** Values read in one call: a few milliseconds. */
const GROWTH_CALL = 1e6;

function* growForest(core: Core, source: RowSource, plan: ForestPlan): Steps<ForestNodes> {
  const closeness = yield* closenessOf(source);
  const draw = sampler(source, plan);
  const trees: TreeNodes[] = [];
  const builder = new TreeBuilder(core, source, plan, closeness);
  try {
    for (let tree = 0; tree < plan.trees; tree++) {
      trees.push(builder.grow(draw(tree)));
      yield;
    }
  } finally {
    builder.free();
  }
  return joinTrees(trees, closeness);
}

/** Grows trees in one piece of memory, one after the other. */
class TreeBuilder {
  readonly #core: Core;
  readonly #source: RowSource;
  readonly #segment: Segment;
  readonly #growth: Fields<typeof Growth>;
  readonly #record: MemoryRecord<typeof Growth>;

  constructor(core: Core, source: RowSource, { sampleSize, features }: ForestPlan, closeness: Float64Array) {
    this.#source = source;
    const limit = depthLimit(sampleSize);
    const stride = source.columns * 8;
    this.#core = coreFor(core, sampleSize * stride);
    const { arena } = this.#core;
    const most = 2 * sampleSize - 1;
    const { total, at } = layOut({
      record: Growth.size,
      rows: sampleSize * stride,
      thresholds: most * 8,
      closeness: stride,
      order: sampleSize * 4,
      columns: features * 4,
      stack: (limit + 1) * Pending.size,
      features: most * 4,
      children: most * 4,
      sizes: most * 4,
    });
    this.#segment = arena.allocate(total, 'use a smaller sampleSize, or fewer columns');
    const { record, ...places } = at(this.#segment.start);
    this.#record = new MemoryRecord(arena, Growth, record);
    arena.reals.set(closeness, places.closeness / 8);
    this.#growth = { ...places, random: 0, stride, limit, columnCount: features, pending: 0, count: 0 };
  }

  grow({ rows, columns, random }: TreeSample): TreeNodes {
    const { arena } = this.#core;
    const { plantTree, growTree } = this.#core.loops;
    const { address } = this.#record;
    const growth = this.#growth;
    const { reals, words } = arena;
    for (let i = 0; i < rows.length; i++) {
      this.#source.read(rows[i] as number, reals, (growth.rows + i * growth.stride) / 8);
    }
    words.set(columns, growth.columns / 4);
    growth.random = random;
    this.#record.write(growth);
    plantTree(address, rows.length);
    while (growTree(address, GROWTH_CALL) > 0);
    const count = this.#record.word('count');
    const wordsAt = (at: number) => words.slice(at / 4, at / 4 + count);
    return {
      features: wordsAt(growth.features),
      thresholds: reals.slice(growth.thresholds / 8, growth.thresholds / 8 + count),
      children: wordsAt(growth.children),
      sizes: wordsAt(growth.sizes),
    };
  }

  free(): void {
    this.#core.arena.free(this.#segment);
  }
}

// --- walking ------------------------------------------------------------------------------

/** Words of a group of trees: their first nodes, and the largest depth. */
const GROUP_WORDS = TREE_GROUP + 1;
/** Bytes of rows in a block, so that they stay in the second-level cache while all groups of trees are walked. */
const CACHED = 131072;
const MOST_ROWS = 1024;
/** Steps from node to child in one call: a few milliseconds. */
const WALK_CALL = 2e6;
/** The remedy if a forest does not fit. */
const SMALLER = 'use fewer trees, or a smaller sampleSize';

class WasmForest implements Forest {
  readonly #core: Core;
  readonly #columns: number;
  readonly #place = new EvictableSegment();
  #nodes: ForestNodes | undefined;
  #addresses = { nodes: 0, groups: 0 };
  #deepest = 0;

  constructor(core: Core, nodes: ForestNodes, columns: number) {
    this.#core = coreFor(core, nodes.children.length * 16);
    this.#nodes = nodes;
    this.#columns = columns;
  }

  sumPaths(rows: RowSource, sums: Float64Array): void {
    if (this.#nodes === undefined) throw released();
    const { arena } = this.#core;
    const cached = Math.max(1, Math.min(MOST_ROWS, Math.floor(CACHED / (this.#columns * 8))));
    const block = Math.min(rows.rows, cached);
    // The workspace first: allocating it may evict the forest, but not the other way round.
    const workspace = workspaceFor(this.#core, block * (this.#columns + 2) * 8);
    if (this.#place.segment === undefined) this.#moveIn(this.#nodes);
    else arena.touch(this.#place.segment);
    for (let first = 0; first < rows.rows; first += block) {
      this.#walk(rows, first, Math.min(block, rows.rows - first), workspace.start, sums);
    }
  }

  release(): void {
    if (this.#place.segment !== undefined) this.#core.arena.freeEvictable(this.#place.segment);
    this.#nodes = this.#place.segment = undefined;
  }

  /** Walks one block of rows through all trees: sums | rows. */
  #walk(source: RowSource, first: number, count: number, sums: number, results: Float64Array): void {
    const { reals } = this.#core.arena;
    const { orderKeys, sumPaths } = this.#core.loops;
    const { groups } = this.#addresses;
    const stride = this.#columns + 1;
    const rows = sums + count * 8;
    for (let i = 0; i < count; i++) {
      source.read(first + i, reals, rows / 8 + i * stride);
      reals[rows / 8 + i * stride + this.#columns] = Infinity;
    }
    orderKeys(rows, rows + count * stride * 8, 8);
    reals.fill(0, sums / 8, sums / 8 + count);
    const all = Math.ceil((this.#nodes?.counts.length ?? 0) / TREE_GROUP);
    const groupsPerCall = Math.max(1, Math.floor(WALK_CALL / (TREE_GROUP * count * (this.#deepest + 1))));
    for (let group = 0; group < all; group += groupsPerCall) {
      const some = Math.min(groupsPerCall, all - group);
      sumPaths(groups + group * GROUP_WORDS * 4, some, rows, count, stride * 8);
    }
    for (let i = 0; i < count; i++) results[first + i] = reals[sums / 8 + i] as number;
  }

  /** Allocates memory and lays out the nodes. An extra leaf of path length 0 stands in for missing trees. */
  #moveIn(forest: ForestNodes): void {
    const { arena } = this.#core;
    const { counts, children } = forest;
    const paths = pathsOf(forest);
    const { total, at } = layOut({
      nodes: (children.length + 1) * 16,
      groups: Math.ceil(counts.length / TREE_GROUP) * GROUP_WORDS * 4,
    });
    const segment = arena.allocateEvictable(total, this.#place, this, SMALLER);
    this.#place.segment = segment;
    this.#addresses = at(segment.start);
    this.#deepest = paths.depths.reduce((most, depth) => Math.max(most, depth), 0);
    const { nodes } = this.#addresses;
    writeNodes(arena, forest, paths.lengths, this.#columns, nodes);
    // This does not change path lengths, which are not negative.
    this.#core.loops.orderKeys(nodes, nodes + (children.length + 1) * 16, 16);
    writeGroups(arena, counts, paths.depths, this.#addresses);
  }
}

/** Writes each tree from its root in preorder, left before right; then the extra leaf. */
function writeNodes(
  { reals, words }: Arena,
  { counts, features, thresholds, children }: ForestNodes,
  lengths: Float64Array,
  columns: number,
  nodes: number,
): void {
  let at = nodes;
  let root = 0;
  const write = (node: number): void => {
    const place = at;
    const left = children[node] ?? 0;
    const isLeaf = left === 0;
    at += 16;
    reals[place / 8] = (isLeaf ? lengths : thresholds)[node] ?? 0;
    words[place / 4 + 2] = (isLeaf ? columns : (features[node] as number)) * 8;
    if (!isLeaf) write(root + left);
    words[place / 4 + 3] = isLeaf ? place : at;
    if (!isLeaf) write(root + left + 1);
  };
  for (const count of counts) {
    write(root);
    root += count;
  }
  write(root);
}

function writeGroups(
  { words }: Arena,
  counts: Uint32Array,
  depths: Uint32Array,
  { groups, nodes }: { groups: number; nodes: number },
): void {
  let root = 0;
  for (let tree = 0; tree < counts.length || tree % TREE_GROUP > 0; tree++) {
    const group = groups / 4 + Math.floor(tree / TREE_GROUP) * GROUP_WORDS;
    const before = tree % TREE_GROUP === 0 ? 0 : (words[group + TREE_GROUP] as number);
    words[group + (tree % TREE_GROUP)] = nodes + root * 16;
    words[group + TREE_GROUP] = Math.max(before, depths[tree] ?? 0);
    root += counts[tree] ?? 0; // beyond the last tree: the extra leaf
  }
}

/** Memory for one block of rows, shared by all forests of a core. */
const workspaces = new WeakMap<Core, Segment>();

function workspaceFor(core: Core, bytes: number): Segment {
  const before = workspaces.get(core);
  if (before !== undefined && before.size >= bytes) return before;
  if (before !== undefined) core.arena.free(before);
  workspaces.delete(core);
  const workspace = core.arena.allocate(bytes, SMALLER);
  workspaces.set(core, workspace);
  return workspace;
}
