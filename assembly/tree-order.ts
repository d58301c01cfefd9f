// The order in which points lie in a box tree (see tree.ts). A range of places is parted in the column in which it is
// widest, at its middle, where whole nodes end, and so are both parts, until panels are left.
//
// Large ranges are parted in place, row by row. From the size of a call on, keys are: a number of a point, in bits whose
// order is that of numbers, and below these its old place, so that no two keys are equal. They are parted without a
// branch that depends on them, and rows are moved to their places once, at the end.
import { NONE, PANEL_WIDTH } from './contract';
import { SearchCall } from './search-call';
import { placeAt, rowAt } from './projection';
import { treeWidth } from './tree';
import { multiplyAdd } from './vector';

/** Points looked at to see how wide a range is, about. */
const LOOK: u32 = 128;
/** Keys a pivot is chosen from, and ranges that are sorted at once. */
const SAMPLE: u32 = 15;
const FEW: u32 = 16;

/** Parts a range of places that is too large for keys. Returns the place of the parting, or 0 where all are equal. */
export function halve(call: SearchCall, from: u32, to: u32): u32 {
  const count = to - from;
  let column = widestColumn(call, rowAt(call, from), 0, count);
  if (column == NONE) column = differingColumn(call, from, to);
  if (column == NONE) {
    sortIndices(placeAt(call, from), count);
    return 0;
  }
  const middle = from + middleOf(count);
  select(call, from, to, middle, column);
  return middle;
}

/** Puts a range of places in order, with room for so many keys and as many numbers. */
export function orderPlaces(call: SearchCall, from: u32, to: u32): void {
  const count = to - from;
  for (let i: u32 = 0; i < count; i++) store<u32>(keyAt(call, i), i);
  orderKeys(call, from, 0, count);
  const froms = keyAt(call, count);
  for (let i: u32 = 0; i < count; i++) store<u32>(froms + i * 4, load<u32>(keyAt(call, i)));
  permute(call, from, count, froms);
}

/** How many of so many points come before the parting: about half of all whole nodes. */
function middleOf(count: u32): u32 {
  let whole = PANEL_WIDTH;
  while (whole < <u32>-1 / PANEL_WIDTH && whole * PANEL_WIDTH < count) whole *= PANEL_WIDTH;
  return ((count + whole - 1) / whole / 2) * whole;
}

/** Where a key is: its lower half is the old place of a point, counted from that of the range. */
function keyAt(call: SearchCall, i: u32): usize {
  return call.keys + <usize>i * 8;
}

/** Orders the keys low … high − 1 of a range that begins at a place. */
function orderKeys(call: SearchCall, from: u32, low: u32, high: u32): void {
  const count = high - low;
  if (count > PANEL_WIDTH) {
    keyBy(call, from, low, high, widestColumn(call, rowAt(call, from), keyAt(call, low), count));
    const middle = low + middleOf(count);
    selectKeys(call, low, high - 1, middle);
    orderKeys(call, from, low, middle);
    orderKeys(call, from, middle, high);
  } else {
    keyBy(call, from, low, high, NONE);
    sortKeys(keyAt(call, low), keyAt(call, high));
  }
}

/** Makes keys of the numbers in a column, or of the indices of points. */
function keyBy(call: SearchCall, from: u32, low: u32, high: u32, column: u32): void {
  const end = keyAt(call, high);
  if (column == NONE) {
    const indices = placeAt(call, from);
    for (let key = keyAt(call, low); key < end; key += 8) store<u32>(key, load<u32>(indices + load<u32>(key) * 4), 4);
    return;
  }
  const values = rowAt(call, from) + column * 4,
    stride = treeWidth(call) * 4;
  for (let key = keyAt(call, low); key < end; key += 8) {
    const bits = load<i32>(values + load<u32>(key) * stride);
    // All bits of negative numbers are turned around, and of others the sign.
    store<u32>(key, bits ^ ((bits >> 31) | i32.MIN_VALUE), 4);
  }
}

/** Parts keys: none before a place is larger than the one there, none after it smaller. */
function selectKeys(call: SearchCall, low: u32, high: u32, place: u32): void {
  const target = keyAt(call, place);
  let first = keyAt(call, low),
    last = keyAt(call, high);
  while (last - first > FEW * 8) {
    choosePivot(first, last, target);
    const pivot = load<u64>(last);
    let end = first;
    for (let at = first; at < last; at += 8) {
      const key = load<u64>(at);
      store<u64>(at, load<u64>(end));
      store<u64>(end, key);
      end += (<usize>(key < pivot)) << 3;
    }
    store<u64>(last, load<u64>(end));
    store<u64>(end, pivot);
    if (end == target) return;
    if (end < target) first = end + 8;
    else last = end - 8;
  }
  sortKeys(first, last + 8);
}

/** Puts a key in the last place that is about where the target should be, as a sample tells. */
function choosePivot(first: usize, last: usize, target: usize): void {
  const count = <u32>((last - first) >> 3);
  const step = count / SAMPLE;
  // The sample comes first, so that it can be sorted where it is.
  for (let i: u32 = 1; i < SAMPLE; i++) swapKeys(first + i * 8, first + i * step * 8);
  sortKeys(first, first + SAMPLE * 8);
  const rank = (<u32>((target - first) >> 3) * SAMPLE) / (count + 1);
  swapKeys(first + min(rank, SAMPLE - 1) * 8, last);
}

function swapKeys(a: usize, b: usize): void {
  const key = load<u64>(a);
  store<u64>(a, load<u64>(b));
  store<u64>(b, key);
}

/** Sorts few keys. */
function sortKeys(first: usize, end: usize): void {
  for (let next = first + 8; next < end; next += 8) {
    const key = load<u64>(next);
    let at = next;
    for (; at > first && load<u64>(at - 8) > key; at -= 8) store<u64>(at, load<u64>(at - 8));
    store<u64>(at, key);
  }
}

/** Moves points to their places, each cycle of them in turn: `froms` tells where each comes from, and is used up. */
function permute(call: SearchCall, first: u32, count: u32, froms: usize): void {
  const bytes = <usize>treeWidth(call) * 4;
  for (let start: u32 = 0; start < count; start++) {
    if (load<u32>(froms + start * 4) == start) continue;
    const index = load<u32>(placeAt(call, first + start));
    memory.copy(call.line, rowAt(call, first + start), bytes);
    for (let to = start; ;) {
      const from = load<u32>(froms + to * 4);
      store<u32>(froms + to * 4, to);
      if (from == start) {
        store<u32>(placeAt(call, first + to), index);
        memory.copy(rowAt(call, first + to), call.line, bytes);
        break;
      }
      store<u32>(placeAt(call, first + to), load<u32>(placeAt(call, first + from)));
      memory.copy(rowAt(call, first + to), rowAt(call, first + from), bytes);
      to = from;
    }
  }
}

/**
 * The column with the largest variance, about, of so many rows: those that keys name, or all from the first on. NONE where
 * all that are looked at are equal.
 */
function widestColumn(call: SearchCall, rows: usize, keys: usize, count: u32): u32 {
  const width = treeWidth(call),
    bytes = <usize>width * 4;
  const stride = max<u32>(count / LOOK, 1);
  const looks = (count + stride - 1) / stride;
  let widest = NONE;
  let most: f32 = 0;
  for (let column: u32 = 0; column < width; column += 4) {
    const first = rows + column * 4;
    const start = v128.load(first + (keys == 0 ? 0 : <usize>load<u32>(keys) * bytes));
    let sum = f32x4.splat(0),
      squares = sum;
    for (let i: u32 = 0; i < looks * stride; i += stride) {
      const row = keys == 0 ? i : load<u32>(keys + i * 8);
      // What follows the last column is in memory, too.
      const value = f32x4.sub(v128.load(first + <usize>row * bytes), start);
      sum = f32x4.add(sum, value);
      squares = multiplyAdd(value, value, squares);
    }
    const share = f32x4.splat(1 / (looks as f32));
    v128.store(call.line, f32x4.sub(squares, f32x4.mul(share, f32x4.mul(sum, sum))));
    for (let lane: u32 = 0; lane < min<u32>(4, width - column); lane++) {
      const spread = load<f32>(call.line + lane * 4);
      if (spread <= most) continue;
      most = spread;
      widest = column + lane;
    }
  }
  return widest;
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
