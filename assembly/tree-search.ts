// The nearest neighbours of one query after the other in a box tree (see tree.ts). A query that is a point begins in its
// own panel and climbs: at every node the boxes of all its children are tested at once, and what may hold a neighbour is
// visited, the nearest box first. Other queries begin at the root. A point whose numbers say that it may be a neighbour
// is measured at once, in f64 and as results are everywhere, and ranked by (distance, index). So the order of visits,
// and who makes them, cannot change what is found.
import { NONE, PANEL_WIDTH } from './contract';
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import {
  clearHeap,
  distanceAt,
  heapSize,
  indexAt,
  insert,
  isWanted,
  push,
  setHeapSize,
  sortHeap,
  worstDistance,
} from './heap';
import { SORTED_LIST_MAX_K } from './exact-distances';
import { pointRow, queryRow } from './points';
import { isSame, Squares, sumVectors } from './sums';
import { boxesOf, leastsOf, nodeCount, precisionOf, SKEW, treeWidth } from './tree';
import { placeAt, project } from './projection';
import { multiplyAdd } from './vector';

/** No sum of f32 exceeds this: what is missing is infinitely far, and never within a limit. */
const LARGEST: f32 = f32.MAX_VALUE;

/** What a query costs, in about nanoseconds: a test of 16 boxes, of 16 points, and a measured distance. */
const PER_GROUP: f64 = 30,
  PER_GROUP_AXIS: f64 = 5.5;
const PER_PANEL: f64 = 17,
  PER_PANEL_AXIS: f64 = 3;
const PER_POINT: f64 = 25,
  PER_COLUMN: f64 = 1.2;

/** Bytes of numbers that are summed up before it is asked whether more of them matter: those of four axes. */
const AXES_AT_ONCE: usize = 16;

/** What is known of a query. */
@unmanaged
class Search {
  /** Distance of the k-th neighbour so far, and how it becomes a limit: see tree.ts. */
  worst: f64;
  slope: f64;
  shift: f64;
  growth: f64;
  /** A box is of no use where its distance is more than this share of the limit. */
  share: f64;
  effort: f64;
  /** Points whose numbers are farther are no neighbours, and boxes that are not nearer hold none. */
  limit: f32;
  boxLimit: f32;
  /** Index of the k-th neighbour so far. */
  worstIndex: u32;
  query: u32;
  self: u32;
  /** The numbers of the query in the tree, sums of 16 points, their distances and ranks, and for each level those of 16 boxes. */
  numbers: usize;
  sums: usize;
  measured: usize;
  ranks: usize;
  levels: usize;
}

const SEARCH: usize = 128;
const NUMBERS: usize = 256;
const SUMS: usize = 64;

function searchOf(call: SearchCall): Search {
  const search = changetype<Search>(call.scratch);
  search.numbers = call.scratch + SEARCH;
  search.sums = search.numbers + NUMBERS;
  search.measured = search.sums + SUMS;
  search.ranks = search.measured + PANEL_WIDTH * 8;
  search.levels = search.ranks + PANEL_WIDTH * 4;
  return search;
}

/** Finds the neighbours of points in places from `firstQuery` on, by sums of one kind over points stored as T. */
export function searchPlaces<T, Term>(call: SearchCall): void {
  const search = searchOf(call);
  search.effort = 0;
  for (let query: u32 = 0; query < call.queries; query++) {
    const place = call.firstQuery + query;
    begin(call, search, query);
    takeNumbers(call, search, place);
    open(call, search);
    let node = place / PANEL_WIDTH,
      base: u32 = 0;
    examine<T, Term>(call, search, node);
    for (let level: u32 = 0; ; level++) {
      const groups = groupCount(call, level);
      visit<T, Term>(call, search, level, base, node / PANEL_WIDTH, node % PANEL_WIDTH);
      if (groups == 1) break;
      base += groups;
      node /= PANEL_WIDTH;
    }
    end(call, query);
  }
  call.effort += search.effort;
}

/** Finds the neighbours of other queries. */
export function searchTree<T, Term>(call: SearchCall): void {
  const search = searchOf(call);
  search.effort = 0;
  let base: u32 = 0,
    root: u32 = 0;
  for (; groupCount(call, root) > 1; root++) base += groupCount(call, root);
  for (let query: u32 = 0; query < call.queries; query++) {
    begin(call, search, query);
    project<f64>(call, queryRow(call, query), search.numbers);
    open(call, search);
    visit<T, Term>(call, search, root, base, 0, NONE);
    end(call, query);
  }
  call.effort += search.effort;
}

/** Groups of 16 nodes of a level. */
function groupCount(call: SearchCall, level: u32): u32 {
  return (nodeCount(call, level) + PANEL_WIDTH - 1) / PANEL_WIDTH;
}

function begin(call: SearchCall, search: Search, query: u32): void {
  search.query = query;
  search.self = load<u32>(call.selves + query * 4);
  search.worst = Infinity;
  search.worstIndex = NONE;
  search.limit = search.boxLimit = LARGEST;
  clearHeap(call, query);
}

/** The numbers of the point in a place, as its panel has them. */
function takeNumbers(call: SearchCall, search: Search, place: u32): void {
  const width = treeWidth(call);
  let from = call.leaves + (<usize>(place / PANEL_WIDTH) * width * PANEL_WIDTH + (place % PANEL_WIDTH)) * 4;
  for (let axis: usize = 0; axis < width; axis++, from += 64) store<f32>(search.numbers + axis * 4, load<f32>(from));
}

/** Prepares what makes a limit of a distance. */
function open(call: SearchCall, search: Search): void {
  const width = treeWidth(call),
    columns = <f64>call.columns;
  let length: f64 = 0;
  for (let axis: usize = 0; axis < width; axis++) {
    const number = <f64>load<f32>(search.numbers + axis * 4);
    length += isAbsolute(call) ? abs(number) : number * number;
  }
  if (!isAbsolute(call)) length = sqrt(length);
  const precision = precisionOf(call);
  search.slope = (1 + SKEW + precision + (columns + 8) * 2.3e-16) / call.unit;
  // Numbers are off by less than a thousandth; and squares of tiny numbers may have been lost.
  search.shift = 2.01 * precision * length + (1e-160 * columns) / call.unit + 1e-40;
  search.growth = 1 + <f64>(width + 6) / 8388608;
  search.share = call.share;
}

/** Takes note of a k-th neighbour. */
function setWorst(call: SearchCall, search: Search, distance: f64, index: u32): void {
  search.worstIndex = index;
  if (distance == search.worst) return;
  search.worst = distance;
  const reach = (isAbsolute(call) ? distance : sqrt(distance)) * search.slope + search.shift;
  const limit = (isAbsolute(call) ? reach : reach * reach) * search.growth + 1e-37;
  search.limit = limit < <f64>LARGEST ? (limit as f32) : LARGEST;
  const boxLimit = limit * search.share;
  search.boxLimit = boxLimit < <f64>LARGEST ? (boxLimit as f32) : LARGEST;
}

/** Puts neighbours in order. */
function end(call: SearchCall, query: u32): void {
  if (call.neighbors > SORTED_LIST_MAX_K) sortHeap(call, query);
}

function offer(call: SearchCall, search: Search, distance: f64, index: u32): void {
  const k = call.neighbors,
    query = search.query;
  const first = <usize>query * call.slots;
  const size = heapSize(call, query);
  if (k <= SORTED_LIST_MAX_K) {
    const distances = distanceAt(call, first),
      indices = indexAt(call, first);
    store<u32>(call.sizes + query * 4, insert(distances, indices, size, k, distance, index));
    if (size + 1 >= k) setWorst(call, search, load<f64>(distances + (k - 1) * 8), load<u32>(indices + (k - 1) * 4));
  } else if (isWanted(call, query, k, distance, index)) {
    push(call, query, k, distance, index);
    if (size + 1 >= k) setWorst(call, search, worstDistance(call, query), load<u32>(indexAt(call, first)));
  }
}

/** Whether nothing with this index or a larger one can be a neighbour any more: all those there are coincide. */
function isTooLate(search: Search, index: u32): bool {
  return search.worst == 0 && index > search.worstIndex;
}

/** A bit for each of 16 sums: 1 where it is at most so large. */
@inline
function maskWithin(s0: v128, s1: v128, s2: v128, s3: v128, most: v128): u32 {
  const low = i16x8.narrow_i32x4_s(f32x4.le(s0, most), f32x4.le(s1, most));
  const high = i16x8.narrow_i32x4_s(f32x4.le(s2, most), f32x4.le(s3, most));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) as u32;
}


@inline
function isNoneWithin(s0: v128, s1: v128, s2: v128, s3: v128, most: v128): bool {
  return !v128.any_true(f32x4.le(f32x4.pmin(f32x4.pmin(s0, s1), f32x4.pmin(s2, s3)), most));
}

/** Stores 16 sums, where one is within a limit; returns the bits of those that are. */
@inline
function within(s0: v128, s1: v128, s2: v128, s3: v128, most: v128, to: usize): u32 {
  const mask = maskWithin(s0, s1, s2, s3, most);
  if (mask == 0) return 0;
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  return mask;
}


@inline
function add<Term>(sum: v128, difference: v128): v128 {
  if (isSame<Term, Squares>()) return multiplyAdd(difference, difference, sum);
  return f32x4.add(sum, f32x4.abs(difference));
}

/** How far a value is outside some ranges. */
@inline
function outside(lower: usize, value: v128): v128 {
  const below = f32x4.sub(v128.load(lower), value),
    above = f32x4.sub(value, v128.load(lower, 64));
  return f32x4.pmax(f32x4.splat(0), f32x4.pmax(above, below));
}

/** Stores how far 16 points are from the query; returns the bits of those that may be neighbours. */
function lookAtPoints<Term>(search: Search, at: usize, width: u32): u32 {
  const most = f32x4.splat(search.limit);
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  const last = search.numbers + width * 4;
  let number = search.numbers;
  while (number < last) {
    for (const stop = min(number + AXES_AT_ONCE, last); number < stop; number += 4, at += 64) {
      const value = v128.load32_splat(number);
      s0 = add<Term>(s0, f32x4.sub(v128.load(at), value));
      s1 = add<Term>(s1, f32x4.sub(v128.load(at, 16), value));
      s2 = add<Term>(s2, f32x4.sub(v128.load(at, 32), value));
      s3 = add<Term>(s3, f32x4.sub(v128.load(at, 48), value));
    }
    if (isNoneWithin(s0, s1, s2, s3, most)) return 0;
  }
  return within(s0, s1, s2, s3, most, search.sums);
}

/** The same for 16 boxes, and for those that may hold neighbours. */
function lookAtBoxes<Term>(search: Search, at: usize, width: u32, distances: usize): u32 {
  const most = f32x4.splat(search.boxLimit);
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  const last = search.numbers + width * 4;
  let number = search.numbers;
  while (number < last) {
    for (const stop = min(number + AXES_AT_ONCE, last); number < stop; number += 4, at += 128) {
      const value = v128.load32_splat(number);
      s0 = add<Term>(s0, outside(at, value));
      s1 = add<Term>(s1, outside(at + 16, value));
      s2 = add<Term>(s2, outside(at + 32, value));
      s3 = add<Term>(s3, outside(at + 48, value));
    }
    if (isNoneWithin(s0, s1, s2, s3, most)) return 0;
  }
  return within(s0, s1, s2, s3, most, distances);
}

/** Measures the points of a panel that may be neighbours. */
function examine<T, Term>(call: SearchCall, search: Search, panel: u32): void {
  const width = treeWidth(call);
  search.effort += PER_PANEL + PER_PANEL_AXIS * <f64>width;
  if (heapSize(call, search.query) == 0 && call.neighbors <= SORTED_LIST_MAX_K) {
    beginWith<T, Term>(call, search, panel);
    return;
  }
  let mask = lookAtPoints<Term>(search, call.leaves + <usize>panel * width * 64, width);
  const first = placeAt(call, panel * PANEL_WIDTH);
  const row = queryRow(call, search.query);
  for (; mask != 0; mask &= mask - 1) {
    const lane = <u32>ctz(mask);
    if (load<f32>(search.sums + lane * 4) > search.limit) continue;
    const index = load<u32>(first + lane * 4);
    if (index == search.self || isTooLate(search, index)) continue;
    search.effort += PER_POINT + PER_COLUMN * <f64>call.columns;
    offer(call, search, sumVectors<T, Term>(row, pointRow<T>(call, index), call.columns), index);
  }
}

/**
 * Measures all points of the first panel and puts them in order by counting, without a branch that depends on what they
 * are, how many come before each. In a panel points lie in the order of their indices.
 */
function beginWith<T, Term>(call: SearchCall, search: Search, panel: u32): void {
  const present = min<u32>(PANEL_WIDTH, call.count - panel * PANEL_WIDTH);
  const first = placeAt(call, panel * PANEL_WIDTH);
  const row = queryRow(call, search.query);
  const measured = search.measured,
    indices = search.sums,
    ranks = search.ranks;
  let count: u32 = 0;
  for (let lane: u32 = 0; lane < present; lane++) {
    const index = load<u32>(first + lane * 4);
    if (index == search.self) continue;
    const distance = sumVectors<T, Term>(row, pointRow<T>(call, index), call.columns);
    let rank = count;
    for (let i: u32 = 0; i < count; i++) {
      const isAfter = <u32>(load<f64>(measured + i * 8) > distance);
      store<u32>(ranks + i * 4, load<u32>(ranks + i * 4) + isAfter);
      rank -= isAfter;
    }
    store<f64>(measured + count * 8, distance);
    store<u32>(indices + count * 4, index);
    store<u32>(ranks + count * 4, rank);
    count++;
  }
  search.effort += (PER_POINT + PER_COLUMN * <f64>call.columns) * <f64>count;
  const k = call.neighbors;
  const slot = <usize>search.query * call.slots;
  const toDistances = distanceAt(call, slot),
    toIndices = indexAt(call, slot);
  for (let i: u32 = 0; i < count; i++) {
    const rank = load<u32>(ranks + i * 4);
    if (rank >= k) continue;
    store<f64>(toDistances + rank * 8, load<f64>(measured + i * 8));
    store<u32>(toIndices + rank * 4, load<u32>(indices + i * 4));
  }
  setHeapSize(call, search.query, min(count, k));
  if (count >= k) setWorst(call, search, load<f64>(toDistances + (k - 1) * 8), load<u32>(toIndices + (k - 1) * 4));
}

/** Visits the children of a node but one, the nearest first. Nodes of its level begin with group `base`. */
function visit<T, Term>(call: SearchCall, search: Search, level: u32, base: u32, node: u32, but: u32): void {
  const group = base + node;
  const width = treeWidth(call);
  const distances = search.levels + <usize>level * 64;
  search.effort += PER_GROUP + PER_GROUP_AXIS * <f64>width;
  if (lookAtBoxes<Term>(search, boxesOf(call, group), width, distances) == 0) return;
  if (but < PANEL_WIDTH) store<f32>(distances + but * 4, Infinity);
  const leasts = leastsOf(call, group);
  const below = level == 0 ? 0 : base - groupCount(call, level - 1);
  for (;;) {
    const lane = nearestOf(distances, leasts, search.boxLimit);
    if (lane == NONE) return;
    if (isTooLate(search, load<u32>(leasts + lane * 4))) {
      leaveOutLate(distances, leasts, search.worstIndex);
      continue;
    }
    store<f32>(distances + lane * 4, Infinity);
    const child = node * PANEL_WIDTH + lane;
    if (level == 0) examine<T, Term>(call, search, child);
    else visit<T, Term>(call, search, level - 1, below, child, NONE);
  }
}

/** Which of 16 nodes is the nearest, of equally near ones that with the least index; NONE where all are beyond a limit. */
function nearestOf(distances: usize, leasts: usize, limit: f32): u32 {
  const d0 = v128.load(distances),
    d1 = v128.load(distances, 16),
    d2 = v128.load(distances, 32),
    d3 = v128.load(distances, 48);
  let least = f32x4.pmin(f32x4.pmin(d0, d1), f32x4.pmin(d2, d3));
  least = f32x4.pmin(least, i32x4.shuffle(least, least, 2, 3, 0, 1));
  least = f32x4.pmin(least, i32x4.shuffle(least, least, 1, 0, 3, 2));
  if (f32x4.extract_lane(least, 0) > limit) return NONE;
  let mask = maskWithin(d0, d1, d2, d3, least);
  let lane = <u32>ctz(mask);
  for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
    const other = <u32>ctz(mask);
    if (load<u32>(leasts + other * 4) < load<u32>(leasts + lane * 4)) lane = other;
  }
  return lane;
}

/** Moves nodes beyond all others of which all indices are larger than one. */
function leaveOutLate(distances: usize, leasts: usize, index: u32): void {
  const far = f32x4.splat(Infinity),
    last = i32x4.splat(index);
  for (const end = distances + PANEL_WIDTH * 4; distances < end; distances += 16, leasts += 16) {
    const isLate = i32x4.gt_u(v128.load(leasts), last);
    v128.store(distances, v128.bitselect(far, v128.load(distances), isLate));
  }
}
