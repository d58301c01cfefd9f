// Isolation trees: grown from a sample of rows, and walked eight trees at a time. A leaf is its own child,
// so that all walks take the same number of steps: no branch can be mispredicted, and the loads of the
// eight overlap.

/** Xorshift, of which 31 bits are used. */
function random(growth: Growth): u32 {
  let state = growth.random;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  growth.random = state;
  return state & i32.MAX_VALUE;
}

/** As in src/core/js/forest.ts. */
function between(least: f64, most: f64, random: u32): f64 {
  const product = (most - least) * <f64>random;
  const share = <f64>random / <f64>i32.MAX_VALUE;
  const threshold = product < Infinity ? product / <f64>i32.MAX_VALUE + least : least * (1 - share) + most * share;
  return threshold < most ? threshold : least + 0; // not −0, whichever zero came first
}

/** A value as its column is read, given the difference up to which values count as equal: see src/core/forest/closeness.ts. */
@inline
function rounded(x: f64, close: f64): f64 {
  return select<f64>(<f64>(<f32>x), x, close > 0);
}

/** A tree that is growing: its sample, the nodes still to split, and the nodes done. */
@unmanaged
export class Growth {
  random: u32;
  /** The sample, row after row of f64. */
  rows: usize;
  stride: u32;
  limit: u32;
  /** Addresses of rows, those of a node side by side. */
  order: usize;
  /** Columns the tree may use; those constant in a node come first. */
  columns: usize;
  columnCount: u32;
  /** The difference up to which values of each column count as equal. */
  closeness: usize;
  /** Nodes still to be split, newest last. */
  stack: usize;
  pending: u32;
  /** The nodes. */
  features: usize;
  thresholds: usize;
  children: usize;
  sizes: usize;
  count: u32;
}

/** A node to be split, on the stack. */
@unmanaged
export class Pending {
  node: u32;
  /** Its rows, as addresses in the order. */
  start: usize;
  end: usize;
  depth: u32;
  constants: u32;
}

/** Puts a node on the stack; its depth and constants are still to be set. */
function push(growth: Growth, node: u32, start: usize, end: usize): Pending {
  const pending = changetype<Pending>(growth.stack + <usize>growth.pending * offsetof<Pending>());
  pending.node = node;
  pending.start = start;
  pending.end = end;
  growth.pending++;
  return pending;
}

/** Makes the root, with all `rows` of the sample. */
export function plantTree(growth: Growth, rows: u32): void {
  for (let i: u32 = 0; i < rows; i++) {
    store<u32>(growth.order + ((<usize>i) << 2), <u32>growth.rows + i * growth.stride);
  }
  growth.count = 0;
  growth.pending = 0;
  const root = addNode(growth, rows);
  const pending = push(growth, root, growth.order, growth.order + ((<usize>rows) << 2));
  pending.depth = 0;
  pending.constants = 0;
}

function addNode(growth: Growth, size: u32): u32 {
  const node = growth.count++;
  store<u32>(growth.features + ((<usize>node) << 2), 0);
  store<f64>(growth.thresholds + ((<usize>node) << 3), 0);
  store<u32>(growth.children + ((<usize>node) << 2), 0);
  store<u32>(growth.sizes + ((<usize>node) << 2), size);
  return node;
}

/** Splits nodes until about `budget` values were looked at; returns how many nodes are still to be done. */
export function growTree(growth: Growth, budget: i32): u32 {
  while (growth.pending > 0 && budget > 0) {
    growth.pending--;
    const top = changetype<Pending>(growth.stack + <usize>growth.pending * offsetof<Pending>());
    if (top.end - top.start > 4 && top.depth < growth.limit) budget -= split(growth, top);
  }
  return growth.pending;
}

/** Splits a node, or makes it a leaf if all columns are constant; returns how many values were read. */
function split(growth: Growth, pending: Pending): i32 {
  // Copied: the children take the place of the node on the stack.
  const node = pending.node;
  const start = pending.start,
    end = pending.end;
  const depth = pending.depth + 1;
  const known = pending.constants;
  const size = <i32>((end - start) >> 2);
  const count = growth.columnCount;
  let work: i32 = 0;
  let constants = known;
  let inVain: u32 = 0;
  while (constants < count) {
    const found = constants - known;
    const place = inVain + (random(growth) % (count - found - inVain));
    if (place < known) {
      inVain++;
      continue;
    }
    const at = growth.columns + ((<usize>(place + found)) << 2);
    const column = load<u32>(at);
    const offset = (<usize>column) << 3;
    const close = load<f64>(growth.closeness + offset);
    let least = load<f64>(<usize>load<u32>(start) + offset);
    let most = least;
    for (let i = start + 4; i < end; i += 4) {
      const x = load<f64>(<usize>load<u32>(i) + offset);
      least = x < least ? x : least;
      most = x > most ? x : most;
    }
    work += size;
    least = rounded(least, close);
    most = rounded(most, close);
    const isConstant = most <= rounded(least + close, close);
    const to = growth.columns + ((<usize>(isConstant ? constants++ : count - 1)) << 2);
    store<u32>(at, load<u32>(to));
    store<u32>(to, column);
    if (isConstant) continue;
    const threshold = between(least, most, random(growth));
    const middle = partition(start, end, offset, threshold, close);
    const left = addNode(growth, <u32>((middle - start) >> 2));
    const right = addNode(growth, <u32>((end - middle) >> 2));
    store<u32>(growth.features + ((<usize>node) << 2), column);
    store<f64>(growth.thresholds + ((<usize>node) << 3), threshold);
    store<u32>(growth.children + ((<usize>node) << 2), left);
    const later = push(growth, right, middle, end);
    later.depth = depth;
    later.constants = constants;
    const sooner = push(growth, left, start, middle);
    sooner.depth = depth;
    sooner.constants = constants;
    return work + size;
  }
  return work;
}

/** Puts the rows that go left first; returns where the others start. */
function partition(start: usize, end: usize, offset: usize, threshold: f64, close: f64): usize {
  let middle = start;
  for (let i = start; i < end; i += 4) {
    const row = load<u32>(i);
    // Swapped in any case: a mispredicted branch costs more.
    store<u32>(i, load<u32>(middle));
    store<u32>(middle, row);
    middle += (<usize>(rounded(load<f64>(<usize>row + offset), close) <= threshold)) << 2;
  }
  return middle;
}

/**
 * Replaces numbers by integers of the same order, which are compared in fewer cycles. The bits of a positive
 * number are such an integer; those of a negative one run backwards. Adding 0 makes −0 the 0 it equals.
 */
export function orderKeys(at: usize, end: usize, step: u32): void {
  for (; step == 8 && at + 8 < end; at += 16) {
    const bits = f64x2.add(v128.load(at), f64x2.splat(0));
    v128.store(at, v128.xor(bits, i64x2.shr_u(i64x2.shr_s(bits, 63), 1)));
  }
  for (; at < end; at += step) {
    const bits = reinterpret<i64>(load<f64>(at) + 0);
    store<i64>(at, bits ^ ((bits >> 63) & i64.MAX_VALUE));
  }
}

/**
 * The child a row goes to. A node is threshold | offset of the column in a row, address of the right child;
 * the left child follows it. A leaf has its path length for a threshold, looks at the infinity that ends
 * each row and so is its own right child.
 */
@inline
function next(node: usize, row: usize): usize {
  const way = load<u64>(node, 8); // one load for both, as loads are the bottleneck
  const x = load<i64>(row + <u32>way);
  const child = select<usize>(<usize>(way >> 32), node + 16, x > load<i64>(node));
  // Never true. It forces the compiler to choose here; otherwise it postpones the choices of all eight trees until
  // everything is loaded, which needs more registers than there are.
  if (child == 0) unreachable();
  return child;
}

/**
 * Adds to the sum of each row its path lengths in groups of eight trees. A group is the addresses of eight
 * roots and the depth of the deepest tree. All rows go through a group before the next, so that its nodes stay
 * in the first-level cache. The sums lie directly before the rows.
 */
export function sumPaths(groups: usize, groupCount: u32, rows: usize, count: u32, rowBytes: u32): void {
  const endOfGroups = groups + <usize>groupCount * 36;
  const endOfRows = rows + <usize>count * rowBytes;
  for (; groups < endOfGroups; groups += 36) {
    const depth = load<u32>(groups, 32);
    let sum = rows - <usize>count * 8;
    for (let row = rows; row < endOfRows; row += rowBytes, sum += 8) {
      let a: usize = load<u32>(groups),
        b: usize = load<u32>(groups, 4);
      let c: usize = load<u32>(groups, 8),
        d: usize = load<u32>(groups, 12);
      let e: usize = load<u32>(groups, 16),
        f: usize = load<u32>(groups, 20);
      let g: usize = load<u32>(groups, 24),
        h: usize = load<u32>(groups, 28);
      for (let step: u32 = 0; step < depth; step++) {
        a = next(a, row);
        b = next(b, row);
        c = next(c, row);
        d = next(d, row);
        e = next(e, row);
        f = next(f, row);
        g = next(g, row);
        h = next(h, row);
      }
      let total = load<f64>(sum);
      total += load<f64>(a);
      total += load<f64>(b);
      total += load<f64>(c);
      total += load<f64>(d);
      total += load<f64>(e);
      total += load<f64>(f);
      total += load<f64>(g);
      total += load<f64>(h);
      store<f64>(sum, total);
    }
  }
}
