// The numbers of points in a box tree (see tree.ts): how far along its axes they are, and how long what is left over is.
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import { pointRow } from './points';
import { Products, sumVectors } from './sums';
import { treeWidth } from './tree';

/**
 * Numbers are at most this large. Those of points are less; a query farther away is moved nearer, which makes no distance
 * to a point longer, and no sum of squares exceeds f32.
 */
const FARTHEST: f64 = 1152921504606846976; // 2⁶⁰

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

/** Where the numbers of the point in a place are, until panels are made of them. */
export function rowAt(call: SearchCall, place: u32): usize {
  return call.leaves + <usize>place * treeWidth(call) * 4;
}

/** Where the index of the point in a place is. */
export function placeAt(call: SearchCall, place: u32): usize {
  return call.order + <usize>place * 4;
}
