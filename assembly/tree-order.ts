// How a box tree is made (see tree.ts): points are projected to the axes, put in order range by range, and packed.
import { NONE, PANEL_WIDTH } from './contract';
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import { pointRow } from './points';
import { Products, sumVectors } from './sums';
import { boxesOf, leastsOf, nodeCount, treeWidth } from './tree';
import { multiplyAdd } from './vector';

/**
 * Numbers are at most this large. Those of points are less; a query farther away is moved nearer, which makes no distance
 * to a point longer, and no sum of squares exceeds f32.
 */
const FARTHEST: f64 = 1152921504606846976; // 2⁶⁰

/** Points looked at to see how wide a range is, about. */
const LOOK: u32 = 256;

/** `unit` is the largest magnitude so far in a column, taken from the centre. */
export function measureWidth<T>(call: SearchCall, from: u32, to: u32): void {
  let largest = call.unit;
  for (let index = from; index < to; index++) {
    const row = pointRow<T>(call, index);
    for (let column: usize = 0; column < call.columns; column++) {
      largest = max(largest, abs((load<T>(row + column * sizeof<T>()) as f64) - load<f64>(call.centre + column * 8)));
    }
  }
  call.unit = largest;
}

/** Writes the numbers that a row has in the tree. */
export function project<T>(call: SearchCall, row: usize, to: usize): void {
  const columns = call.columns,
    axes = call.axisCount;
  const moved = call.line;
  for (let column: usize = 0; column < columns; column++) {
    store<f64>(moved + column * 8, (load<T>(row + column * sizeof<T>()) as f64) - load<f64>(call.centre + column * 8));
  }
  const inverse = 1 / call.unit;
  let along: f64 = 0;
  for (let axis: usize = 0; axis < axes; axis++) {
    const value = sumVectors<f64, Products>(moved, call.axes + axis * columns * 8, columns);
    along += isAbsolute(call) ? abs(value) : value * value;
    store<f32>(to + axis * 4, numberOf(value * inverse));
  }
  if (axes < columns) store<f32>(to + <usize>axes * 4, numberOf(lengthOfRest(call, moved, along) * inverse));
}


@inline
function numberOf(value: f64): f32 {
  return max(-FARTHEST, min(FARTHEST, value)) as f32;
}

function lengthOfRest(call: SearchCall, moved: usize, along: f64): f64 {
  if (!isAbsolute(call)) return sqrt(max<f64>(sumVectors<f64, Products>(moved, moved, call.columns) - along, 0));
  let all: f64 = 0;
  for (let column: usize = 0; column < call.columns; column++) all += abs(load<f64>(moved + column * 8));
  return max<f64>(all - along, 0);
}

/** Projects points from … to − 1: for now in their own order, one after the other. */
export function projectPoints<T>(call: SearchCall, from: u32, to: u32): void {
  for (let index = from; index < to; index++) {
    project<T>(call, pointRow<T>(call, index), rowAt(call, index));
    store<u32>(placeAt(call, index), index);
  }
}

function rowAt(call: SearchCall, place: u32): usize {
  return call.leaves + <usize>place * treeWidth(call) * 4;
}

/** Where the index of the point in a place is. */
export function placeAt(call: SearchCall, place: u32): usize {
  return call.order + <usize>place * 4;
}

/**
 * Halves a range of places, and its halves where they are no more than so many. A range is parted in the column in which
 * it is widest, where whole nodes end. Returns the place of the parting, or 0 where there is nothing left to part.
 */
export function halve(call: SearchCall, from: u32, to: u32, most: u32): u32 {
  const count = to - from;
  if (count <= PANEL_WIDTH) {
    sortFew(call, from, to);
    return 0;
  }
  const column = widestColumn(call, from, to);
  if (column == NONE) {
    sortIndices(placeAt(call, from), count);
    return 0;
  }
  let whole = PANEL_WIDTH;
  while (whole < <u32>-1 / PANEL_WIDTH && whole * PANEL_WIDTH < count) whole *= PANEL_WIDTH;
  const middle = from + ((count + whole - 1) / whole / 2) * whole;
  select(call, from, to, middle, column);
  if (count <= most) {
    halve(call, from, middle, most);
    halve(call, middle, to, most);
  }
  return middle;
}

/** The column with the largest variance, about; NONE where all points are equal. */
function widestColumn(call: SearchCall, from: u32, to: u32): u32 {
  const width = treeWidth(call);
  const stride = max<u32>((to - from) / LOOK, 1);
  let widest = NONE;
  let most: f32 = 0;
  for (let column: u32 = 0; column < width; column += 4) {
    spreadOfFour(call, rowAt(call, from) + column * 4, (to - from + stride - 1) / stride, stride);
    for (let lane: u32 = 0; lane < min<u32>(4, width - column); lane++) {
      const spread = load<f32>(call.line + lane * 4);
      if (spread <= most) continue;
      most = spread;
      widest = column + lane;
    }
  }
  return widest == NONE ? differingColumn(call, from, to) : widest;
}

/** Stores the variances of four columns, of one row in so many. What follows the last column is in memory, too. */
function spreadOfFour(call: SearchCall, first: usize, count: u32, stride: u32): void {
  const step = <usize>stride * treeWidth(call) * 4;
  const start = v128.load(first);
  let sum = f32x4.splat(0),
    squares = sum;
  for (let at = first, end = first + count * step; at < end; at += step) {
    const value = f32x4.sub(v128.load(at), start);
    sum = f32x4.add(sum, value);
    squares = multiplyAdd(value, value, squares);
  }
  const share = f32x4.splat(1 / (count as f32));
  v128.store(call.line, f32x4.sub(squares, f32x4.mul(share, f32x4.mul(sum, sum))));
}

/** A column in which a point differs from the first. */
function differingColumn(call: SearchCall, from: u32, to: u32): u32 {
  const width = treeWidth(call);
  const first = rowAt(call, from);
  for (let place = from + 1; place < to; place++) {
    const row = rowAt(call, place);
    if (memory.compare(first, row, width * 4) == 0) continue;
    for (let column: u32 = 0; column < width; column++) {
      if (load<f32>(first + column * 4) != load<f32>(row + column * 4)) return column;
    }
  }
  return NONE;
}

/** Reorders a range: no value of a column before a place is larger than the one there, none after it smaller. */
function select(call: SearchCall, from: u32, to: u32, place: u32, column: u32): void {
  const stride = <usize>treeWidth(call) * 4;
  const values = call.leaves + column * 4;
  let low = <i32>from,
    high = <i32>to - 1;
  while (low < high) {
    // A pseudo-random pivot, so that no usual order of rows is the worst case.
    const middle = low + (((<u32>high * 0x9e3779b1) >>> 1) % (high - low));
    const pivot = load<f32>(values + <usize>middle * stride);
    let i = low,
      j = high;
    while (i <= j) {
      while (load<f32>(values + <usize>i * stride) < pivot) i++;
      while (load<f32>(values + <usize>j * stride) > pivot) j--;
      if (i > j) break;
      swap(call, i++, j--);
    }
    if (<i32>place <= j) high = j;
    else if (<i32>place >= i) low = i;
    else break;
  }
}

function swap(call: SearchCall, a: u32, b: u32): void {
  if (a == b) return;
  swapWords(placeAt(call, a), placeAt(call, b), 4);
  const bytes = <usize>treeWidth(call) * 4;
  swapWords(rowAt(call, a), rowAt(call, b), bytes);
}

/** Swaps so many bytes, which are a multiple of 4. */

@inline
function swapWords(a: usize, b: usize, bytes: usize): void {
  const end = a + bytes;
  for (; a + 16 <= end; a += 16, b += 16) {
    const four = v128.load(a);
    v128.store(a, v128.load(b));
    v128.store(b, four);
  }
  for (; a < end; a += 4, b += 4) {
    const word = load<u32>(a);
    store<u32>(a, load<u32>(b));
    store<u32>(b, word);
  }
}

/** Puts few places in the order of their indices. */
function sortFew(call: SearchCall, from: u32, to: u32): void {
  for (let place = from + 1; place < to; place++) {
    for (let at = place; at > from && load<u32>(placeAt(call, at)) < load<u32>(placeAt(call, at - 1)); at--) {
      swap(call, at, at - 1);
    }
  }
}

/** Sorts the indices of points that are equal (Shell's sort). */
function sortIndices(at: usize, count: u32): void {
  let gap: u32 = 1;
  while (gap < count / 3) gap = gap * 3 + 1;
  for (; gap > 0; gap /= 3) {
    const back = <usize>gap * 4;
    for (let i = gap; i < count; i++) {
      const index = load<u32>(at + <usize>i * 4);
      let to = at + <usize>i * 4;
      while (to >= at + back && load<u32>(to - back) > index) {
        store<u32>(to, load<u32>(to - back));
        to -= back;
      }
      store<u32>(to, index);
    }
  }
}

/** Turns rows into panels from … to − 1: each takes the room of its own rows. Missing points are infinitely far. */
export function packLeaves(call: SearchCall, from: u32, to: u32): void {
  const width = treeWidth(call);
  const bytes = <usize>width * (PANEL_WIDTH * 4);
  for (let panel = from; panel < to; panel++) {
    const at = call.leaves + <usize>panel * bytes;
    memory.copy(call.line, at, bytes);
    const present = min<u32>(PANEL_WIDTH, call.count - panel * PANEL_WIDTH);
    for (let column: u32 = 0; column < width; column++) {
      for (let lane: u32 = 0; lane < PANEL_WIDTH; lane++) {
        const value = lane < present ? load<f32>(call.line + (lane * width + column) * 4) : <f32>Infinity;
        store<f32>(at + (column * PANEL_WIDTH + lane) * 4, value);
      }
    }
  }
}

/** Puts boxes around all panels, and around all that is in a box. */
export function boundNodes(call: SearchCall): void {
  let group: u32 = 0,
    below: u32 = 0;
  for (let level: u32 = 0; ; level++) {
    const nodes = nodeCount(call, level);
    const groups = (nodes + PANEL_WIDTH - 1) / PANEL_WIDTH;
    for (let node: u32 = 0; node < groups * PANEL_WIDTH; node++) {
      const parent = group + node / PANEL_WIDTH,
        lane = node % PANEL_WIDTH;
      if (node >= nodes) boundNothing(call, parent, lane);
      else if (level == 0) boundPanel(call, node, parent, lane);
      else boundGroup(call, below + node, parent, lane);
    }
    if (groups == 1) return;
    below = group;
    group += groups;
  }
}

function setBox(call: SearchCall, group: u32, lane: u32, column: u32, lower: f32, upper: f32): void {
  const at = boxesOf(call, group) + (column * 32 + lane) * 4;
  store<f32>(at, lower);
  store<f32>(at + 64, upper);
}

function boundNothing(call: SearchCall, group: u32, lane: u32): void {
  for (let column: u32 = 0; column < treeWidth(call); column++) setBox(call, group, lane, column, Infinity, Infinity);
  store<u32>(leastsOf(call, group) + lane * 4, NONE);
}

function boundPanel(call: SearchCall, panel: u32, group: u32, lane: u32): void {
  const width = treeWidth(call);
  const present = min<u32>(PANEL_WIDTH, call.count - panel * PANEL_WIDTH);
  for (let column: u32 = 0; column < width; column++) {
    const at = call.leaves + (<usize>panel * width + column) * 64;
    let lower: f32 = Infinity,
      upper: f32 = -Infinity;
    for (let i: u32 = 0; i < present; i++) {
      const value = load<f32>(at + i * 4);
      lower = min(lower, value);
      upper = max(upper, value);
    }
    setBox(call, group, lane, column, lower, upper);
  }
  store<u32>(leastsOf(call, group) + lane * 4, leastOf(placeAt(call, panel * PANEL_WIDTH), present));
}

/** Around the boxes of a group of nodes; missing ones are beyond all others only upwards. */
function boundGroup(call: SearchCall, inside: u32, group: u32, lane: u32): void {
  for (let column: u32 = 0; column < treeWidth(call); column++) {
    const at = boxesOf(call, inside) + column * 128;
    let lower: f32 = Infinity,
      upper: f32 = -Infinity;
    for (let i: u32 = 0; i < PANEL_WIDTH; i++) {
      const value = load<f32>(at + i * 4);
      if (value == Infinity) break;
      lower = min(lower, value);
      upper = max(upper, load<f32>(at + 64 + i * 4));
    }
    setBox(call, group, lane, column, lower, upper);
  }
  store<u32>(leastsOf(call, group) + lane * 4, leastOf(leastsOf(call, inside), PANEL_WIDTH));
}

function leastOf(at: usize, count: u32): u32 {
  let least = NONE;
  for (let i: u32 = 0; i < count; i++) least = min(least, load<u32>(at + i * 4));
  return least;
}
