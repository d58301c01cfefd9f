// A k-d tree, for rows of so few columns that most points need no look. Points are put in such an order that every
// range of them, halved again and again, is parted by the column in which it is widest. There are no nodes: a range is
// known by its places, and its middle by what parts it there, a column and a border.
//
// What is beyond a border is no nearer than the border, also as rounded, since rounding keeps the order of numbers and
// no sum of distances is less than one of them. So neighbours are exact: those that a look at all points would find.
import { isAbsolute } from './estimates';
import { Frame } from './frame';
import { clearHeap, heapSize, isWanted, push, sortHeap, worstDistance } from './heap';
import { measureSome } from './measuring';
import { pointRow, queryRow } from './points';

/** Points in a range that is not parted, at most. */
const LEAF: u32 = 16;

/** Bytes of a range that waits for its turn: from (u32), to (u32), distance (f64); one a halving, so 32 at most. */
const RANGE: usize = 16;
const WAITING: usize = 32 * RANGE;

/** Where the point in a place of the order is told. */
function placeOf(frame: Frame, place: u32): usize {
  return frame.order + <usize>place * 4;
}

/** Where the border (f64) and the column (u32) are that part a range at its middle: middles are eight places apart. */
function borderAt(frame: Frame, middle: u32): usize {
  return frame.borders + <usize>(middle & ~7) * 2;
}

function valueOf<T>(frame: Frame, place: u32, column: u32): f64 {
  const row = pointRow<T>(frame, load<u32>(placeOf(frame, place)));
  return load<T>(row + <usize>column * sizeof<T>()) as f64;
}

/** The column in which the points of a range lie farthest apart. */
function widestColumn<T>(frame: Frame, from: u32, to: u32): u32 {
  let widest: u32 = 0, width: f64 = -1;
  for (let column: u32 = 0; column < frame.columns; column++) {
    let least: f64 = Infinity, most: f64 = -Infinity;
    for (let place = from; place < to; place++) {
      const value = valueOf<T>(frame, place, column);
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
function select<T>(frame: Frame, from: u32, to: u32, place: u32, column: u32): void {
  let low = <i32>from, high = <i32>to - 1;
  while (low < high) {
    // From a place that rows are not likely to have been put in an order for.
    const pivot = valueOf<T>(frame, low + ((<u32>high * 0x9e3779b1) >>> 1) % (high - low), column);
    let i = low, j = high;
    while (i <= j) {
      while (valueOf<T>(frame, i, column) < pivot) i++;
      while (valueOf<T>(frame, j, column) > pivot) j--;
      if (i > j) break;
      const point = load<u32>(placeOf(frame, i));
      store<u32>(placeOf(frame, i++), load<u32>(placeOf(frame, j)));
      store<u32>(placeOf(frame, j--), point);
    }
    if (<i32>place <= j) high = j;
    else if (<i32>place >= i) low = i;
    else break;
  }
}

/** Halves a range of places, and its halves where they are no more than so many. All places: of points as they come. */
export function halve<T>(frame: Frame, from: u32, to: u32, most: u32): void {
  if (to - from == frame.count) for (let place = from; place < to; place++) store<u32>(placeOf(frame, place), place);
  if (to - from <= LEAF) return;
  const middle = (from + to) >>> 1;
  const column = widestColumn<T>(frame, from, to);
  select<T>(frame, from, to, middle, column);
  store<f64>(borderAt(frame, middle), valueOf<T>(frame, middle, column));
  store<u32>(borderAt(frame, middle) + 8, column);
  if (to - from > most) return;
  halve<T>(frame, from, middle, most);
  halve<T>(frame, middle, to, most);
}

/** Finds the neighbours of every query. */
export function searchTree(frame: Frame): void {
  const waiting = frame.scratch, distances = waiting + WAITING;
  const k = frame.neighbors;
  for (let query: u32 = 0; query < frame.queries; query++) {
    const row = queryRow(frame, query);
    const self = load<u32>(frame.selves + query * 4);
    clearHeap(frame, query);
    let top = wait(waiting, 0, frame.count, 0);
    while (top > waiting) {
      top -= RANGE;
      if (heapSize(frame, query) == k && load<f64>(top + 8) > worstDistance(frame, query)) continue;
      let from = load<u32>(top), to = load<u32>(top + 4);
      while (to - from > LEAF) {
        const middle = (from + to) >>> 1;
        const border = borderAt(frame, middle);
        const beyond = load<f64>(row + load<u32>(border + 8) * 8) - load<f64>(border);
        const distance = isAbsolute(frame) ? abs(beyond) : beyond * beyond;
        if (beyond < 0) {
          top = wait(top, middle, to, distance);
          to = middle;
        } else {
          top = wait(top, from, middle, distance);
          from = middle;
        }
      }
      measureSome(frame, query, placeOf(frame, from), to - from, distances);
      for (let i: u32 = 0; i < to - from; i++) {
        const index = load<u32>(placeOf(frame, from + i)), distance = load<f64>(distances + i * 8);
        if (index != self && isWanted(frame, query, k, distance, index)) push(frame, query, k, distance, index);
      }
    }
    sortHeap(frame, query);
  }
}

/** Has a range wait for its turn. */
function wait(at: usize, from: u32, to: u32, distance: f64): usize {
  store<u32>(at, from);
  store<u32>(at + 4, to);
  store<f64>(at + 8, distance);
  return at + RANGE;
}
