// A k-d tree, for rows of so few columns that most points need no look. Points are put in such an order that every
// range of them, halved again and again, is parted by the column in which it is widest. There are no nodes: a range is
// known by its places, and its middle by what parts it there, a column and a border.
//
// What is beyond a border is no nearer than the border, also as rounded, since rounding keeps the order of numbers and
// no sum of distances is less than one of them. So neighbours are exact: those that a look at all points would find.
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import { clearHeap, heapSize, isWanted, push, sortHeap, worstDistance } from './heap';
import { measureSome } from './exact-distances';
import { pointRow, queryRow } from './points';

/** Points in a range that is not parted, at most. */
const LEAF_POINTS: u32 = 16;

/** Bytes of a range that waits for its turn: from (u32), to (u32), distance (f64); one a halving, so 32 at most. */
const RANGE_BYTES: usize = 16;
const STACK_BYTES: usize = 32 * RANGE_BYTES;

/** Where the point in a place of the order is told. */
function placeOf(call: SearchCall, place: u32): usize {
  return call.order + <usize>place * 4;
}

/** Where the border (f64) and the column (u32) are that part a range at its middle: middles are eight places apart. */
function borderAt(call: SearchCall, middle: u32): usize {
  return call.borders + <usize>(middle & ~7) * 2;
}

function valueOf<T>(call: SearchCall, place: u32, column: u32): f64 {
  const row = pointRow<T>(call, load<u32>(placeOf(call, place)));
  return load<T>(row + <usize>column * sizeof<T>()) as f64;
}

/** The column in which the points of a range lie farthest apart. */
function widestColumn<T>(call: SearchCall, from: u32, to: u32): u32 {
  let widest: u32 = 0, width: f64 = -1;
  for (let column: u32 = 0; column < call.columns; column++) {
    let least: f64 = Infinity, most: f64 = -Infinity;
    for (let place = from; place < to; place++) {
      const value = valueOf<T>(call, place, column);
      least = min(least, value);
      most = max(most, value);
    }
    if (most - least > width) {
      width = most - least;
      widest = column;
    }
  }
  return widest;
}

/** Reorders a range: no value of a column before a place is larger than the one there, none after it smaller. */
function select<T>(call: SearchCall, from: u32, to: u32, place: u32, column: u32): void {
  let low = <i32>from, high = <i32>to - 1;
  while (low < high) {
    // From a place that rows are not likely to have been put in an order for.
    const pivot = valueOf<T>(call, low + ((<u32>high * 0x9e3779b1) >>> 1) % (high - low), column);
    let i = low, j = high;
    while (i <= j) {
      while (valueOf<T>(call, i, column) < pivot) i++;
      while (valueOf<T>(call, j, column) > pivot) j--;
      if (i > j) break;
      const point = load<u32>(placeOf(call, i));
      store<u32>(placeOf(call, i++), load<u32>(placeOf(call, j)));
      store<u32>(placeOf(call, j--), point);
    }
    if (<i32>place <= j) high = j;
    else if (<i32>place >= i) low = i;
    else break;
  }
}

/** Halves a range of places, and its halves where they are no more than so many. All places: of points as they come. */
export function halve<T>(call: SearchCall, from: u32, to: u32, most: u32): void {
  if (to - from == call.count) for (let place = from; place < to; place++) store<u32>(placeOf(call, place), place);
  if (to - from <= LEAF_POINTS) return;
  const middle = (from + to) >>> 1;
  const column = widestColumn<T>(call, from, to);
  select<T>(call, from, to, middle, column);
  store<f64>(borderAt(call, middle), valueOf<T>(call, middle, column));
  store<u32>(borderAt(call, middle) + 8, column);
  if (to - from > most) return;
  halve<T>(call, from, middle, most);
  halve<T>(call, middle, to, most);
}

/** Finds the neighbours of every query. */
export function searchTree(call: SearchCall): void {
  const waiting = call.scratch, distances = waiting + STACK_BYTES;
  const k = call.neighbors;
  for (let query: u32 = 0; query < call.queries; query++) {
    const row = queryRow(call, query);
    const self = load<u32>(call.selves + query * 4);
    clearHeap(call, query);
    let top = wait(waiting, 0, call.count, 0);
    while (top > waiting) {
      top -= RANGE_BYTES;
      if (heapSize(call, query) == k && load<f64>(top + 8) > worstDistance(call, query)) continue;
      let from = load<u32>(top), to = load<u32>(top + 4);
      while (to - from > LEAF_POINTS) {
        const middle = (from + to) >>> 1;
        const border = borderAt(call, middle);
        const beyond = load<f64>(row + load<u32>(border + 8) * 8) - load<f64>(border);
        const distance = isAbsolute(call) ? abs(beyond) : beyond * beyond;
        if (beyond < 0) {
          top = wait(top, middle, to, distance);
          to = middle;
        } else {
          top = wait(top, from, middle, distance);
          from = middle;
        }
      }
      measureSome(call, query, placeOf(call, from), to - from, distances);
      for (let i: u32 = 0; i < to - from; i++) {
        const index = load<u32>(placeOf(call, from + i)), distance = load<f64>(distances + i * 8);
        if (index != self && isWanted(call, query, k, distance, index)) push(call, query, k, distance, index);
      }
    }
    sortHeap(call, query);
  }
}

/** Has a range wait for its turn. */
function wait(at: usize, from: u32, to: u32, distance: f64): usize {
  store<u32>(at, from);
  store<u32>(at + 4, to);
  store<f64>(at + 8, distance);
  return at + RANGE_BYTES;
}
