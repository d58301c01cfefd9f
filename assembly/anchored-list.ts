// The points near an anchor, nearest first, and how far the list is complete: all that queries near the
// anchor need. Where the anchor was r_a from a point, a query that lies m from the anchor is at least r_a − m
// from it (triangle inequality); so the k nearest are found by measuring the head of the list, and it is known
// when they could be elsewhere. Exact: who gets "not here" searches all points and lists anew.
import { addVector, subtractAcross, unitEdge } from './curvature';
import { Products, Squares, sumVectors } from './sums';

/** Room for the rounding of distances in what the triangle inequality rules out. */
const MARGIN: f64 = 1e-9;
/** Squares of smaller numbers have lost digits: nothing is ruled out. */
const MIN_SQUARABLE: f64 = 1e-140;

/** A list and its scratch memory. */
@unmanaged
export class AnchoredList {
  /** Points that are not listed are at least this far from the anchor. */
  radius: f64;

  /** The anchor; of each point its row (f64), distance from the anchor (f64, ascending) and index (u32). */
  anchor: usize;
  rows: usize;
  reaches: usize;
  indices: usize;
  count: u32;
  columns: u32;
  neighbors: u32;
  /** 1 where the next query is the anchor itself: its neighbours are the head of the list. */
  isAtAnchor: u32;

  /** The k nearest of the last query: squared distance (f64) and place in the list (u32); how many were measured. */
  distances: usize;
  places: usize;
  measured: u32;
  /** Whether `places` is of this list, a copy of it, and for each point whether it is in there (u8). */
  hasPlaces: u32;
  before: usize;
  marks: usize;

  /** Their unit edges u_a, k rows, and S = Σ u_a. */
  units: usize;
  sum: usize;
}

/** Whether a point at least `reach` from the anchor is farther from the query than the k-th neighbour. */
@inline
function isBeyond(reach: f64, moved: f64, farthest: f64): bool {
  return reach > MIN_SQUARABLE && reach * (1 - MARGIN) - moved > farthest;
}

/** Squared distance between two rows of f64; in the plane without a call. */
@inline
function squareBetween(a: usize, b: usize, columns: u32): f64 {
  if (columns == 2) {
    const edge = f64x2.sub(v128.load(a), v128.load(b));
    const squares = f64x2.mul(edge, edge);
    return f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
  }
  return sumVectors<f64, Squares>(a, b, columns);
}

/** Puts a point among `size` nearest, by distance and then by index; the last of k gives way. */
function insert(list: AnchoredList, size: u32, square: f64, place: u32): void {
  const distances = list.distances,
    places = list.places;
  let at: usize = min(size, list.neighbors - 1);
  if (size == list.neighbors && !isNearer(list, square, place, at)) return;
  while (at > 0 && isNearer(list, square, place, at - 1)) {
    store<f64>(distances + at * 8, load<f64>(distances + (at - 1) * 8));
    store<u32>(places + at * 4, load<u32>(places + (at - 1) * 4));
    at--;
  }
  store<f64>(distances + at * 8, square);
  store<u32>(places + at * 4, place);
}


@inline
function isNearer(list: AnchoredList, square: f64, place: u32, than: usize): bool {
  const other = load<f64>(list.distances + than * 8);
  if (square != other) return square < other;
  const otherPlace = <usize>load<u32>(list.places + than * 4);
  return load<u32>(list.indices + <usize>place * 4) < load<u32>(list.indices + otherPlace * 4);
}

/**
 * Measures the neighbours of the last query first: they are likely to be those of this one, in the same order,
 * so that the processor can foresee what follows. Marks them as measured.
 */
function insertBefore(list: AnchoredList, row: usize): void {
  const k = list.neighbors,
    columns = list.columns;
  memory.copy(list.before, list.places, k * 4);
  for (let a: u32 = 0; a < k; a++) {
    const place = load<u32>(list.before + a * 4);
    store<u8>(list.marks + place, 1);
    insert(list, a, squareBetween(row, list.rows + <usize>place * columns * 8, columns), place);
  }
}

function unmark(list: AnchoredList): void {
  for (let a: u32 = 0; a < list.neighbors; a++) store<u8>(list.marks + load<u32>(list.before + a * 4), 0);
}

function reachOfFarthest(list: AnchoredList): f64 {
  return sqrt(load<f64>(list.distances + (list.neighbors - 1) * 8)) * (1 + MARGIN);
}

/** Finds the k nearest points of a row; false where the list does not reach far enough to tell. */
export function findNearest(list: AnchoredList, row: usize): bool {
  const k = list.neighbors,
    columns = list.columns;
  const isAtAnchor = list.isAtAnchor != 0;
  const end = isAtAnchor ? k : list.count;
  if (end < k) return false; // nothing is listed yet
  list.isAtAnchor = 0;
  const hadPlaces = list.hasPlaces != 0 && !isAtAnchor;
  const rows = list.rows,
    last = list.distances + <usize>(k - 1) * 8;
  let place: u32 = 0;
  if (hadPlaces) {
    insertBefore(list, row);
  } else {
    for (; place < k; place++)
      insert(list, place, squareBetween(row, rows + <usize>place * columns * 8, columns), place);
  }
  list.hasPlaces = 1;
  list.measured = k;
  if (isAtAnchor) return true;
  const reaches = list.reaches,
    marks = list.marks;
  const moved = sqrt(squareBetween(row, list.anchor, columns)) * (1 + MARGIN);
  let worst = load<f64>(last),
    farthest = sqrt(worst) * (1 + MARGIN);
  let measured = k;
  for (; place < end && !isBeyond(load<f64>(reaches + <usize>place * 8), moved, farthest); place++) {
    if (load<u8>(marks + place)) continue;
    const square = squareBetween(row, rows + <usize>place * columns * 8, columns);
    measured++;
    if (square > worst) continue;
    insert(list, k, square, place);
    worst = load<f64>(last);
    farthest = sqrt(worst) * (1 + MARGIN);
  }
  list.measured = measured;
  if (hadPlaces) unmark(list);
  return place < end || isBeyond(list.radius, moved, farthest);
}

/** The score s = (‖S‖² − m)/2 at a row whose neighbours were just found. */
export function curvatureOfNearest(list: AnchoredList, row: usize): f64 {
  const columns: usize = list.columns;
  if (columns == 2) return curvatureInPlane(list, row);
  let edges: u32 = 0;
  memory.fill(list.sum, 0, columns * 8);
  for (let a: usize = 0; a < list.neighbors; a++) {
    const square = load<f64>(list.distances + a * 8);
    if (square == 0) continue;
    edges++;
    const point = list.rows + <usize>load<u32>(list.places + a * 4) * columns * 8;
    const unit = list.units + a * columns * 8;
    unitEdge<f64>(point, row, 1 / sqrt(square), unit, columns);
    addVector(list.sum, unit, columns);
  }
  const square = sumVectors<f64, Products>(list.sum, list.sum, list.columns);
  return (square - <f64>edges) * 0.5;
}

/** The same for two columns, with S in a register. */
function curvatureInPlane(list: AnchoredList, row: usize): f64 {
  const vertex = v128.load(row);
  let sum = f64x2.splat(0);
  let edges: u32 = 0;
  for (let a: usize = 0; a < list.neighbors; a++) {
    const square = load<f64>(list.distances + a * 8);
    if (square == 0) continue;
    edges++;
    const edge = f64x2.sub(v128.load(list.rows + <usize>load<u32>(list.places + a * 4) * 16), vertex);
    const unit = f64x2.mul(edge, f64x2.splat(1 / sqrt(square)));
    v128.store(list.units + a * 16, unit);
    sum = f64x2.add(sum, unit);
  }
  v128.store(list.sum, sum);
  const squares = f64x2.mul(sum, sum);
  return (f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1) - <f64>edges) * 0.5;
}

/** The gradient there, once the score is known. */
export function gradientOfNearest(list: AnchoredList, result: usize): void {
  const columns: usize = list.columns;
  memory.fill(result, 0, columns * 8);
  for (let a: usize = 0; a < list.neighbors; a++) {
    const square = load<f64>(list.distances + a * 8);
    if (square == 0) continue;
    subtractAcross(list.units + a * columns * 8, list.sum, 1 / sqrt(square), result, columns);
  }
}
