// Isolation trees: grown from a sample of rows, and walked by eight rows at a time. A leaf is its own child
// (no number is above its threshold), so that all rows take the same number of steps: no branch can be
// mispredicted, and the loads of several rows overlap.

/** sfc32 in memory, as src/core/random.ts. */
function word(random: usize): u32 {
  const a = load<u32>(random);
  const b = load<u32>(random, 4);
  const c = load<u32>(random, 8);
  const counter = load<u32>(random, 12);
  const sum = a + b + counter;
  store<u32>(random, b ^ (b >> 9));
  store<u32>(random, c + (c << 3), 4);
  store<u32>(random, rotl<u32>(c, 21) + sum, 8);
  store<u32>(random, counter + 1, 12);
  return sum;
}

/** A whole number from 0 to end − 1. */
function below(random: usize, end: u32): u32 {
  return <u32>Math.floor(<f64>word(random) * <f64>end / 4294967296.0);
}

/** As in src/core/js/forest.ts. */
function between(least: f64, most: f64, random: usize): f64 {
  const share = (<f64>word(random) + 0.5) / 4294967296.0;
  const range = most - least;
  const threshold = range < Infinity ? least + range * share : least * (1 - share) + most * share;
  return threshold < most ? threshold : least + 0; // not −0, whichever zero came first
}

/** A tree on its way: its sample, what is left to do, and its nodes. src/core/wasm/forest.ts fills it in. */
@unmanaged
export class Growth {
  random0: u32; random1: u32; random2: u32; random3: u32;
  /** The sample, row after row of f64. */
  rows: usize;
  stride: u32;
  limit: u32;
  /** Addresses of rows, those of a node side by side. */
  order: usize;
  /** Columns the tree may use; those constant in a node come first. */
  columns: usize;
  columnCount: u32;
  /** Nodes still to be looked at, newest last. */
  stack: usize;
  pending: u32;
  /** The nodes. */
  features: usize;
  thresholds: usize;
  children: usize;
  sizes: usize;
  count: u32;
}

/** A node to be looked at; lies in the stack. */
@unmanaged
class Pending {
  node: u32;
  /** Its rows, as addresses in the order. */
  start: usize;
  end: usize;
  depth: u32;
  constants: u32;
}

function push(growth: Growth, node: u32, start: usize, end: usize, depth: u32, constants: u32): void {
  const pending = changetype<Pending>(growth.stack + <usize>growth.pending * offsetof<Pending>());
  pending.node = node;
  pending.start = start;
  pending.end = end;
  pending.depth = depth;
  pending.constants = constants;
  growth.pending++;
}

/** Makes the root, with all `rows` of the sample. */
export function plantTree(growth: Growth, rows: u32): void {
  for (let i: u32 = 0; i < rows; i++) {
    store<u32>(growth.order + (<usize>i << 2), <u32>growth.rows + i * growth.stride);
  }
  growth.count = 0;
  growth.pending = 0;
  const root = addNode(growth, rows);
  push(growth, root, growth.order, growth.order + (<usize>rows << 2), 0, 0);
}

function addNode(growth: Growth, size: u32): u32 {
  const node = growth.count++;
  store<u32>(growth.features + (<usize>node << 2), 0);
  store<f64>(growth.thresholds + (<usize>node << 3), 0);
  store<u32>(growth.children + (<usize>node << 2), 0);
  store<u32>(growth.sizes + (<usize>node << 2), size);
  return node;
}

/** Splits nodes until about `budget` values were looked at; returns how many nodes are still to be done. */
export function growTree(growth: Growth, budget: i32): u32 {
  while (growth.pending > 0 && budget > 0) {
    growth.pending--;
    const top = changetype<Pending>(growth.stack + <usize>growth.pending * offsetof<Pending>());
    if (top.end - top.start > 4 && top.depth < growth.limit) {
      budget -= split(growth, top.node, top.start, top.end, top.depth, top.constants);
    }
  }
  return growth.pending;
}

/** Splits a node, or leaves it a leaf where all columns are constant; returns how many values that took. */
function split(growth: Growth, node: u32, start: usize, end: usize, depth: u32, constants: u32): i32 {
  const random = changetype<usize>(growth);
  const size = <i32>((end - start) >> 2);
  let work: i32 = 0;
  for (; constants < growth.columnCount; constants++) {
    const at = growth.columns + (<usize>(constants + below(random, growth.columnCount - constants)) << 2);
    const column = load<u32>(at);
    const offset = <usize>column << 3;
    let least = load<f64>(<usize>load<u32>(start) + offset);
    let most = least;
    for (let i = start + 4; i < end; i += 4) {
      const x = load<f64>(<usize>load<u32>(i) + offset);
      least = x < least ? x : least;
      most = x > most ? x : most;
    }
    work += size;
    if (least < most) {
      const threshold = between(least, most, random);
      const middle = partition(start, end, offset, threshold);
      const left = addNode(growth, <u32>((middle - start) >> 2));
      const right = addNode(growth, <u32>((end - middle) >> 2));
      store<u32>(growth.features + (<usize>node << 2), column);
      store<f64>(growth.thresholds + (<usize>node << 3), threshold);
      store<u32>(growth.children + (<usize>node << 2), left);
      push(growth, right, middle, end, depth + 1, constants);
      push(growth, left, start, middle, depth + 1, constants);
      return work + size;
    }
    const first = growth.columns + (<usize>constants << 2);
    store<u32>(at, load<u32>(first));
    store<u32>(first, column);
  }
  return work;
}

/** Puts the rows that go left first; returns where the others start. */
function partition(start: usize, end: usize, offset: usize, threshold: f64): usize {
  let middle = start;
  for (let i = start; i < end; i += 4) {
    const row = load<u32>(i);
    // Swapped in any case: a mispredicted branch costs more.
    store<u32>(i, load<u32>(middle));
    store<u32>(middle, row);
    middle += <usize>(load<f64>(<usize>row + offset) <= threshold) << 2;
  }
  return middle;
}

/** Rows side by side in a panel. */
const LANES: u32 = 8;

/** Makes panels of rows: a line of a panel is one column of eight rows. */
export function interleave(rows: usize, count: u32, columns: u32, panels: usize): void {
  const stride = <usize>columns << 3;
  for (let row: u32 = 0; row < count; row++) {
    let to = panels + <usize>(row / LANES) * stride * LANES + (<usize>(row % LANES) << 3);
    const end = rows + stride;
    for (; rows < end; rows += 8, to += 8 * LANES) store<f64>(to, load<f64>(rows));
  }
}

/** The child a row goes to: from a node of threshold, offset of the column in a panel, address of the left child. */
@inline
function next(node: usize, panel: usize, lane: usize): usize {
  const x = load<f64>(panel + load<u32>(node, 8) + (lane << 3));
  return <usize>load<u32>(node, 12) + (<usize>(x > load<f64>(node)) << 4);
}

/** Adds the path length at a leaf: lengths are 8 bytes where nodes are 16. */
@inline
function addLength(sum: usize, leaf: usize, nodes: usize, lengths: usize): void {
  store<f64>(sum, load<f64>(sum) + load<f64>(lengths + ((leaf - nodes) >> 1)));
}

/**
 * Adds to the sum of each row its path length in every tree. For each tree, roots has the address of its
 * first node and its depth.
 */
export function sumPaths(
  roots: usize, trees: u32, nodes: usize, lengths: usize,
  panels: usize, count: u32, panelBytes: u32, sums: usize,
): void {
  const endOfTrees = roots + (<usize>trees << 3);
  const endOfPanels = panels + <usize>count * panelBytes;
  for (; roots < endOfTrees; roots += 8) {
    const root = <usize>load<u32>(roots);
    const depth = load<u32>(roots, 4);
    let sum = sums;
    for (let panel = panels; panel < endOfPanels; panel += panelBytes, sum += 8 * LANES) {
      let a = root, b = root, c = root, d = root, e = root, f = root, g = root, h = root;
      for (let step: u32 = 0; step < depth; step++) {
        a = next(a, panel, 0);
        b = next(b, panel, 1);
        c = next(c, panel, 2);
        d = next(d, panel, 3);
        e = next(e, panel, 4);
        f = next(f, panel, 5);
        g = next(g, panel, 6);
        h = next(h, panel, 7);
      }
      addLength(sum, a, nodes, lengths);
      addLength(sum + 8, b, nodes, lengths);
      addLength(sum + 16, c, nodes, lengths);
      addLength(sum + 24, d, nodes, lengths);
      addLength(sum + 32, e, nodes, lengths);
      addLength(sum + 40, f, nodes, lengths);
      addLength(sum + 48, g, nodes, lengths);
      addLength(sum + 56, h, nodes, lengths);
    }
  }
}
