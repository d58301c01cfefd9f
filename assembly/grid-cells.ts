// Values at the cells of a grid over two columns. A square of cells keeps the points that matter to any of its cells and
// hands them to its quarters, which keep fewer. Where the k-th nearest point lies r from the middle of a square whose
// cells lie at most m from there, it lies between r − m and r + m from each cell (triangle inequality): points farther
// than r + 2m from the middle are beyond it for all cells, points nearer than r − 2m are within it for all cells. So a
// cell measures little more than its k nearest points; and where only the k-th distance is wanted, those close to it.
import { addVector, unitEdge } from './curvature';
import { GridWant } from './contract';
import { Products, Squares, sumVectors } from './sums';

/** Room for the rounding of distances in what the triangle inequality rules out. */
const MARGIN: f64 = 1e-9;
/** Smaller squares have lost digits: nothing is ruled out by them. */
const TINY: f64 = 1e-270;
/** Squares of so few cells across are not quartered: their lists hardly get shorter. */
const CELLS_OF_NEAREST: u32 = 4;
const CELLS_OF_KTH: u32 = 2;
/** Lists of so few points are short enough to select from. */
const SHORT: u32 = 8;

/** What is asked of a grid, and scratch memory. */
@unmanaged
export class GridCall {
  /** The points, row after row (f64). */
  rows: usize;
  count: u32;
  columns: u32;
  neighbors: u32;
  wants: u32;

  /** Where cells are along the two columns, ascending (f64). */
  xs: usize;
  ys: usize;
  width: u32;
  height: u32;
  /** A row: what a cell has in all other columns. The two columns that are drawn over. */
  row: usize;
  across: u32;
  up: u32;

  /** Lists, one behind the other. */
  lists: usize;
  /** Of each point in a list: its squared distance (f64), and whether it was measured before (u8). */
  squares: usize;
  marks: usize;
  /** Some of the squares; the places of those between two bounds (u32), and where they end. */
  some: usize;
  between: usize;
  betweenEnd: usize;
  /** The k nearest of the last cell: squared distance (f64), place in the list (u32), and a copy of the places. */
  nearest: usize;
  places: usize;
  before: usize;
  /** S = Σ u_a and an edge, `columns` values each. */
  sum: usize;
  edge: usize;
  /** Results of a square, line by line (f64), and its corner and size. */
  values: usize;
  left: u32;
  bottom: u32;
  size: u32;
}

/**
 * Points that matter to a square: behind this head their x, y and squared distance from the plane of the grid (f64), and
 * their numbers (u32). The k-th nearest of all is the `rank`-th nearest of them, from 1; it was `distance` from (x, y).
 */
@unmanaged
class PointList {
  distance: f64;
  x: f64;
  y: f64;
  count: u32;
  rank: u32;

  /** Bytes of each array of f64; one point more may lie in it. */
  @inline
  get bytes(): usize {
    return ((<usize>this.count + 1) & ~1) * 8;
  }


  @inline
  get xs(): usize {
    return changetype<usize>(this) + offsetof<PointList>();
  }


  @inline
  get ys(): usize {
    return this.xs + this.bytes;
  }


  @inline
  get squares(): usize {
    return this.xs + 2 * this.bytes;
  }


  @inline
  get numbers(): usize {
    return this.xs + 3 * this.bytes;
  }

  /** The list behind it. */
  @inline
  get next(): PointList {
    return changetype<PointList>(this.numbers + this.bytes / 2);
  }
}


@inline
function realAt(values: usize, place: usize): f64 {
  return load<f64>(values + place * 8);
}


@inline
function wordAt(values: usize, place: usize): u32 {
  return load<u32>(values + place * 4);
}

/** Squared distances of all points of a list from a place in the plane; of two columns to the last bit. */
function measureList(call: GridCall, list: PointList, x: f64, y: f64): void {
  const bytes = list.bytes,
    xs = list.xs,
    end = xs + bytes,
    into = call.squares - xs,
    xx = f64x2.splat(x),
    yy = f64x2.splat(y);
  for (let at = xs; at < end; at += 16) {
    const dx = f64x2.sub(v128.load(at), xx),
      dy = f64x2.sub(v128.load(at + bytes), yy);
    const inPlane = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy));
    v128.store(at + into, f64x2.add(inPlane, v128.load(at + 2 * bytes)));
  }
}

/** The value that has `rank` others below it, of values that are put into another order. */
function select(values: usize, count: u32, rank: u32): f64 {
  let low: i32 = 0,
    high: i32 = count - 1;
  const wanted = <i32>rank;
  while (low < high) {
    const first = realAt(values, low),
      middle = realAt(values, (low + high) >> 1),
      last = realAt(values, high);
    const pivot = max(min(first, middle), min(max(first, middle), last));
    let i = low,
      j = high;
    while (i <= j) {
      while (realAt(values, i) < pivot) i++;
      while (realAt(values, j) > pivot) j--;
      if (i > j) break;
      const other = realAt(values, i);
      store<f64>(values + <usize>i * 8, realAt(values, j));
      store<f64>(values + <usize>j * 8, other);
      i++;
      j--;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return realAt(values, wanted);
}

/** Lists the places whose squares lie between two bounds; returns how many are below. */
function placesBetween(call: GridCall, count: u32, least: f64, most: f64): u32 {
  const squares = call.squares,
    places = call.between;
  let below: u32 = 0,
    end = places;
  for (let place: u32 = 0; place < count; place++) {
    const square = realAt(squares, place);
    store<u32>(end, place);
    below += <u32>(square < least);
    end += <usize>((<u32>(square >= least)) & (<u32>(square <= most))) * 4;
  }
  call.betweenEnd = end;
  return below;
}

/**
 * The squared distance of the k-th nearest point from (x, y), from where the list was measured. Where the distance is
 * known from another place, it differs by no more than the two places lie apart: few points are as far as that.
 */
function kthSquare(call: GridCall, list: PointList, x: f64, y: f64): f64 {
  let least: f64 = 0,
    most: f64 = Infinity;
  if (list.distance < Infinity) {
    const dx = x - list.x,
      dy = y - list.y;
    const apart = sqrt(dx * dx + dy * dy) * (1 + MARGIN);
    const nearest = max(list.distance - apart, 0) * (1 - MARGIN),
      farthest = (list.distance + apart) * (1 + MARGIN);
    least = nearest * nearest > TINY ? nearest * nearest : 0;
    most = max(farthest * farthest, TINY);
  }
  const below = placesBetween(call, list.count, least, most);
  let count: u32 = 0;
  for (let at = call.between; at < call.betweenEnd; at += 4) {
    store<f64>(call.some + <usize>count * 8, realAt(call.squares, load<u32>(at)));
    count++;
  }
  const square = select(call.some, count, list.rank - 1 - below);
  list.distance = sqrt(square);
  list.x = x;
  list.y = y;
  return square;
}

/** Writes the points whose squares lie between two bounds to the list behind this one. */
function narrow(call: GridCall, list: PointList, least: f64, most: f64): PointList {
  const next = list.next;
  next.rank = list.rank - placesBetween(call, list.count, least, most);
  next.distance = list.distance;
  next.x = list.x;
  next.y = list.y;
  next.count = <u32>((call.betweenEnd - call.between) >> 2);
  copyPoints(list, next, call.between, call.betweenEnd);
  return next;
}

/** Points in the places that are listed between two addresses. */
function copyPoints(from: PointList, into: PointList, places: usize, end: usize): void {
  const bytes = from.bytes,
    xs = from.xs,
    numbers = from.numbers,
    newBytes = into.bytes;
  let real = into.xs,
    word = into.numbers;
  for (let at = places; at < end; at += 4) {
    const place: usize = load<u32>(at),
      x = xs + place * 8;
    store<f64>(real, load<f64>(x));
    store<f64>(real + newBytes, load<f64>(x + bytes));
    store<f64>(real + 2 * newBytes, load<f64>(x + 2 * bytes));
    store<u32>(word, load<u32>(numbers + place * 4));
    real += 8;
    word += 4;
  }
}

/** The list for a square of cells: what is too far for all of them is left out, and what is near enough for all. */
function listFor(call: GridCall, x: u32, y: u32, size: u32, list: PointList): PointList {
  const firstX = realAt(call.xs, x),
    firstY = realAt(call.ys, y),
    lastX = realAt(call.xs, min(x + size, call.width) - 1),
    lastY = realAt(call.ys, min(y + size, call.height) - 1);
  const middleX = 0.5 * (firstX + lastX),
    middleY = 0.5 * (firstY + lastY);
  const dx = max(middleX - firstX, lastX - middleX),
    dy = max(middleY - firstY, lastY - middleY);
  const across = 2 * sqrt(dx * dx + dy * dy) * (1 + MARGIN);
  measureList(call, list, middleX, middleY);
  kthSquare(call, list, middleX, middleY);
  const farthest = (list.distance + across) * (1 + MARGIN),
    nearest = max(list.distance - across, 0) * (1 - MARGIN);
  const wantsKth = call.wants == GridWant.KTH_SQUARE;
  const least = wantsKth && nearest * nearest > TINY ? nearest * nearest : 0;
  return narrow(call, list, least, max(farthest * farthest, TINY));
}

/** Cells of a square that begins at a corner. */
function scoreSquare(call: GridCall, x: u32, y: u32, size: u32, list: PointList): void {
  if (x >= call.width || y >= call.height) return;
  const wantsKth = call.wants == GridWant.KTH_SQUARE;
  const isShort = wantsKth ? list.count <= SHORT : list.count <= list.rank + (list.rank >> 1);
  if (size <= (wantsKth ? CELLS_OF_KTH : CELLS_OF_NEAREST) || isShort) {
    if (wantsKth) findKth(call, x, y, size, list);
    else findNearest(call, x, y, size, list);
    return;
  }
  const next = listFor(call, x, y, size, list),
    half = size >> 1;
  scoreSquare(call, x, y, half, next);
  scoreSquare(call, x + half, y, half, next);
  scoreSquare(call, x + half, y + half, half, next);
  scoreSquare(call, x, y + half, half, next);
}

/** A cell's place in the row that is measured, and its value among those of the square. */
function setRow(call: GridCall, x: u32, y: u32): void {
  store<f64>(call.row + <usize>call.across * 8, realAt(call.xs, x));
  store<f64>(call.row + <usize>call.up * 8, realAt(call.ys, y));
}

function setValue(call: GridCall, x: u32, y: u32, value: f64): void {
  store<f64>(call.values + (<usize>(y - call.bottom) * call.size + (x - call.left)) * 8, value);
}

/** The squared distance of a point, as every search measures it. */
@inline
function exactSquare(call: GridCall, list: PointList, place: u32): f64 {
  if (call.columns == 2) return realAt(call.squares, place);
  const point = call.rows + <usize>wordAt(list.numbers, place) * call.columns * 8;
  return sumVectors<f64, Squares>(call.row, point, call.columns);
}

function findKth(call: GridCall, x: u32, y: u32, size: u32, list: PointList): void {
  for (let j = y; j < min(y + size, call.height); j++) {
    for (let i = x; i < min(x + size, call.width); i++) {
      measureList(call, list, realAt(call.xs, i), realAt(call.ys, j));
      let square = kthSquare(call, list, realAt(call.xs, i), realAt(call.ys, j));
      if (call.columns > 2) {
        setRow(call, i, j);
        square = exactKth(call, list, square);
      }
      setValue(call, i, j, square);
    }
  }
}

/** The same to the last bit, where squares in the list are rounded differently: those too close to tell are measured. */
function exactKth(call: GridCall, list: PointList, about: f64): f64 {
  const least = about * (1 - MARGIN) - TINY,
    most = about * (1 + MARGIN) + TINY;
  let below: u32 = 0,
    close: u32 = 0;
  for (let place: u32 = 0; place < list.count; place++) {
    const square = realAt(call.squares, place);
    if (square < least) below++;
    else if (square <= most) {
      store<f64>(call.some + <usize>close * 8, exactSquare(call, list, place));
      close++;
    }
  }
  return select(call.some, close, list.rank - 1 - below);
}

/** By distance and then by number. */
@inline
function isNearer(call: GridCall, list: PointList, square: f64, place: u32, than: usize): bool {
  const other = realAt(call.nearest, than);
  if (square != other) return square < other;
  return wordAt(list.numbers, place) < wordAt(list.numbers, wordAt(call.places, than));
}

/** Puts a point among `size` nearest; the last of k gives way. */
function insert(call: GridCall, list: PointList, size: u32, square: f64, place: u32): void {
  const nearest = call.nearest,
    places = call.places;
  let at: usize = min(size, call.neighbors - 1);
  if (size == call.neighbors && !isNearer(call, list, square, place, at)) return;
  while (at > 0 && isNearer(call, list, square, place, at - 1)) {
    store<f64>(nearest + at * 8, realAt(nearest, at - 1));
    store<u32>(places + at * 4, wordAt(places, at - 1));
    at--;
  }
  store<f64>(nearest + at * 8, square);
  store<u32>(places + at * 4, place);
}

/** Line by line and back, so that each cell lies beside the last, whose neighbours are likely to be those of this one. */
function findNearest(call: GridCall, x: u32, y: u32, size: u32, list: PointList): void {
  const endX = min(x + size, call.width);
  for (let a: u32 = 0; a < call.neighbors; a++) store<u32>(call.places + a * 4, a);
  for (let j = y; j < min(y + size, call.height); j++) {
    for (let step: u32 = 0; step < endX - x; step++) {
      const i = (j - y) & 1 ? endX - 1 - step : x + step;
      measureList(call, list, realAt(call.xs, i), realAt(call.ys, j));
      setRow(call, i, j);
      sortNearest(call, list);
      setValue(call, i, j, valueOfNearest(call, list));
    }
  }
}

/** The k nearest of a list that was measured: those of the last cell first, in their order. */
function sortNearest(call: GridCall, list: PointList): void {
  const k = call.neighbors,
    before = call.before,
    marks = call.marks,
    squares = call.squares,
    count = list.count;
  memory.copy(before, call.places, k * 4);
  for (let a: u32 = 0; a < k; a++) {
    const place = wordAt(before, a);
    store<u8>(marks + place, 1);
    insert(call, list, a, exactSquare(call, list, place), place);
  }
  const last = call.nearest + (k - 1) * 8;
  let bound = load<f64>(last) * (1 + MARGIN) + TINY;
  for (let place: u32 = 0; place < count; place++) {
    if (realAt(squares, place) > bound || load<u8>(marks + place)) continue;
    insert(call, list, k, exactSquare(call, list, place), place);
    bound = load<f64>(last) * (1 + MARGIN) + TINY;
  }
  for (let a: u32 = 0; a < k; a++) store<u8>(marks + wordAt(before, a), 0);
}

/** The score s = (‖S‖² − m)/2, or ‖S‖/m, 0 where all are duplicates. */
function valueOfNearest(call: GridCall, list: PointList): f64 {
  const nearest = call.nearest,
    k = call.neighbors;
  let edges: u32 = 0;
  for (let a: u32 = 0; a < k; a++) edges += <u32>(realAt(nearest, a) != 0);
  const square = call.columns == 2 ? sumInPlane(call, list) : sumOfEdges(call, list);
  if (call.wants == GridWant.CURVATURE) return (square - <f64>edges) * 0.5;
  return edges == 0 ? 0 : sqrt(square) / <f64>edges;
}

/** ‖S‖² of two columns, without looking at rows. */
function sumInPlane(call: GridCall, list: PointList): f64 {
  const x = realAt(call.row, call.across),
    y = realAt(call.row, call.up),
    xs = list.xs,
    ys = list.ys,
    nearest = call.nearest,
    places = call.places,
    k = call.neighbors;
  let sumX: f64 = 0,
    sumY: f64 = 0;
  for (let a: u32 = 0; a < k; a++) {
    const square = realAt(nearest, a);
    if (square == 0) continue;
    const place = wordAt(places, a),
      inverse = 1 / sqrt(square);
    sumX += (realAt(xs, place) - x) * inverse;
    sumY += (realAt(ys, place) - y) * inverse;
  }
  return sumX * sumX + sumY * sumY;
}

function sumOfEdges(call: GridCall, list: PointList): f64 {
  const columns: usize = call.columns;
  memory.fill(call.sum, 0, columns * 8);
  for (let a: usize = 0; a < call.neighbors; a++) {
    const square = realAt(call.nearest, a);
    if (square == 0) continue;
    const point = call.rows + <usize>wordAt(list.numbers, wordAt(call.places, a)) * columns * 8;
    unitEdge<f64>(point, call.row, 1 / sqrt(square), call.edge, columns);
    addVector(call.sum, call.edge, columns);
  }
  return sumVectors<f64, Products>(call.sum, call.sum, call.columns);
}

/** Fills the first list with all points. */
export function listAll(call: GridCall): void {
  const list = changetype<PointList>(call.lists),
    columns: usize = call.columns;
  list.distance = Infinity;
  list.count = call.count;
  list.rank = call.neighbors;
  for (let place: usize = 0; place < call.count; place++) {
    const point = call.rows + place * columns * 8;
    let square: f64 = 0;
    for (let j: usize = 0; j < columns; j++) {
      const difference = realAt(point, j) - realAt(call.row, j);
      if (j != call.across && j != call.up) square += difference * difference;
    }
    store<f64>(list.xs + place * 8, realAt(point, call.across));
    store<f64>(list.ys + place * 8, realAt(point, call.up));
    store<f64>(list.squares + place * 8, square);
    store<u32>(list.numbers + place * 4, <u32>place);
  }
}

/** Values of the cells of a square, a power of two across, whose corner is given. */
export function scoreCells(call: GridCall, x: u32, y: u32): void {
  call.left = x;
  call.bottom = y;
  scoreSquare(call, x, y, call.size, changetype<PointList>(call.lists));
}
