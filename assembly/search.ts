// Exact k-nearest-neighbour search for L2 and L1, with the top-k fused in. Tiles (tiles.ts) estimate
// distances from the 16-bit panels and compare them with a bound each query has; larger means nearer:
//
//   products     e = q·p − |p|²/2   as |q − p|² = |q|² − 2e
//   magnitudes   e = −Σ |q − p|
//
// An estimate never decides. The first pass collects a few more than k candidates by estimate; `settle`
// measures these in f64 by differences (sums.ts) and, as the error of an estimate is bounded, can tell
// whether any other point could be nearer. Where it cannot (many ties, clusters far from the centre) a
// second pass measures every point that might be. So neighbours and distances are exact, and the same in
// every build and for f32 and f64 alike.
import { Frame } from './frame';
import { clearHeap, heapSize, isWanted, push, setHeapSize, sortHeap, worstDistance } from './heap';
import { LINE, packForMagnitudes, packForSquares, panelCount, quantize, quantizeToGrid, rowScale, rowWords, WIDTH } from './panels';
import { pointRow, queryRow, rowPeak, rowSquare } from './points';
import { indicesOf, keyOfRank, keysOf, selectBest } from './reservoir';
import { isSame, Magnitudes, Products, Squares, sumVectors } from './sums';
import { sweepPair } from './tiles';
import { exceedMask, lanes, larger, loadSplat, loadVector, storeVector, subtract, zero } from './vector';

/** Which pass a sweep is: names, told apart by their size when compiling. */
export type Collecting = i8;
export type Measuring = i16;

/** Words summed in one go: a panel's share of them stays in the first-level cache. */
const SLICE: u32 = 256;

/** Pairs of queries taken over a block before their tiles worth a look are looked at. */
const GROUP: u32 = 8;

/** Bytes of estimates a pair has room for: at most 16 panels in a block, 2 × 16 f32 each. */
const PAIR_ESTIMATES: usize = 2048;

/** Norms beyond this many units are not estimated: every point is measured. */
const FAR: f64 = 1e30;

/**
 * Bound on the error of e for products, as a share of |q|² + |p|². Rounding to integers moves a row by
 * at most ½√d steps of its ≥ 32767: ρ = ½√d/32767 of its norm, so |q·p − estimate| ≤ (2ρ + ρ²)|q||p| ≤
 * 1.05ρ(|q|² + |p|²) for any d that fits memory; the rest is for f32 and f64 rounding.
 */
function productError(frame: Frame): f64 {
  return 1.1 * 0.5 * sqrt(<f64>frame.columns) / 32767 + 1e-6;
}

export function preparePoints<T, Term>(frame: Frame): void {
  if (isSame<Term, Magnitudes>()) packForMagnitudes<T>(frame);
  else packForSquares<T>(frame, productError(frame));
}

/** Clears what is known of the queries and packs them in pairs of words: q0[0,1] q1[0,1] q0[2,3] … */
export function prepareQueries<Term>(frame: Frame): void {
  const words = rowWords(frame);
  for (let query: u32 = 0; query < frame.queries; query++) {
    const row = queryRow(frame, query);
    const to = frame.pairs + (<usize>(query >> 1) * words * 2 + (query & 1)) * 4;
    const norm = sqrt(rowSquare<f64>(row, frame.columns)) / frame.unit;
    let scale: f64 = 1;
    if (isSame<Term, Magnitudes>()) {
      quantizeToGrid<f64>(frame, row, to, 8);
    } else if (norm > 1e-20 && norm < FAR) {
      scale = rowScale(norm, rowPeak<f64>(row, frame.columns) / frame.unit, frame.columns);
      quantize<f64>(row, frame.columns, scale / frame.unit, 32767, to, 8);
    } else {
      quantize<f64>(row, frame.columns, 0, 0, to, 8);
    }
    store<f64>(frame.norms + query * 8, norm);
    store<f32>(frame.scales + query * 4, scale as f32);
    clearHeap(frame, query);
    setBound(frame, query, -Infinity);
  }
  // The missing half of an odd last pair takes part in nothing.
  if (frame.queries & 1) setBound(frame, frame.queries, Infinity);
}

function setBound(frame: Frame, query: u32, bound: f32): void {
  store<f32>(frame.bounds + query * 4, bound);
}

function boundOf(frame: Frame, query: u32): f32 {
  return load<f32>(frame.bounds + query * 4);
}

/** An estimate that every point at this (squared) distance or nearer is sure to exceed. */
function estimateAt<Term>(frame: Frame, query: u32, distance: f64): f32 {
  let least: f64;
  if (isSame<Term, Magnitudes>()) {
    // Each of the two rounded numbers of a column is off by half a step.
    least = -(distance * (1 + 1e-9) / frame.unit + <f64>frame.columns);
  } else {
    const norm = load<f64>(frame.norms + query * 8);
    if (!(norm < FAR)) return -Infinity;
    const square = norm * norm;
    const error = productError(frame);
    const relative = distance / (frame.unit * frame.unit);
    least = 0.5 * (square - relative) - 1e-12 * (square + relative);
    // Points have norms of at most 1, and their constants hold their own share of the error.
    least -= error * (norm > 1 ? 2 * norm : square) + 1e-19 * (1 + norm);
    least *= load<f32>(frame.scales + query * 4) as f64;
  }
  return (least - abs(least) * 1e-6 - 1e-30) as f32;
}

/** First pass: keeps the points a mask names, and now and then only those with the best estimates. */
function collect<I, E>(frame: Frame, query: u32, first: u32, mask: u32, estimates: usize): void {
  const self = load<u32>(frame.selves + query * 4);
  const keys = keysOf(frame, query), indices = indicesOf(frame, query);
  let size = heapSize(frame, query);
  while (mask != 0) {
    const lane = <u32>ctz(mask);
    const index = first + lane;
    mask &= mask - 1;
    store<f32>(keys + size * 4, -load<f32>(estimates + lane * 4));
    store<u32>(indices + size * 4, index);
    size += <u32>(index < frame.count) & <u32>(index != self);
    if (size == frame.slots) {
      setHeapSize(frame, query, size);
      setBound(frame, query, -selectBest<I, E>(frame, query, frame.candidates));
      size = frame.candidates;
    }
  }
  setHeapSize(frame, query, size);
}

/**
 * The first bound of a query, from the estimates of the first block it was taken over. The best of every
 * four points are as many different points, so the rank-th best of these is a bound that as many exceed;
 * one more than there are candidates, as the query itself may be among them. Of two panels where there are
 * enough, the best of every eight: hardly a looser bound, from half as many keys. Without a bound every
 * tile of points is promising, so that their estimates are all there.
 */
function setFirstBound<I, E>(frame: Frame, query: u32, estimates: usize, panels: u32): void {
  const register: usize = sizeof<E>();
  const keys = frame.partials;
  const stride: u32 = panels / 2 * 4 > frame.candidates * 2 ? 2 : 1;
  let key = keys;
  for (let panel: u32 = 0; panel + stride <= panels; panel += stride) {
    for (let offset: usize = 0; offset < LINE; offset += 4 * register) {
      const at = estimates + <usize>panel * 128 + offset;
      let best = bestOfFour<E>(at);
      if (stride == 2) best = larger<f32, E>(best, bestOfFour<E>(at + 128));
      storeVector<f32, E>(key, subtract<f32, E>(zero<f32, E>(), best));
      key += register;
    }
  }
  const value = -keyOfRank<I, E>(keys, <u32>((key - keys) / 4), frame.candidates + 1);
  setBound(frame, query, value - abs(value) * 1e-6 - 1e-30); // below the value, which itself must exceed it
}

/** The largest of four registers, lane by lane. */
function bestOfFour<E>(at: usize): E {
  const register: usize = sizeof<E>();
  const left = larger<f32, E>(loadVector<f32, E>(at), loadVector<f32, E>(at + register));
  const right = larger<f32, E>(loadVector<f32, E>(at + 2 * register), loadVector<f32, E>(at + 3 * register));
  return larger<f32, E>(left, right);
}

/** Second pass: measures the points a mask names and keeps the nearest. */
function measure<T, V, Term>(frame: Frame, query: u32, first: u32, mask: u32): void {
  const self = load<u32>(frame.selves + query * 4);
  const k = frame.neighbors;
  while (mask != 0) {
    const index = first + <u32>ctz(mask);
    mask &= mask - 1;
    if (index >= frame.count || index == self) continue;
    // Among many duplicates the heap holds only zeros: a higher index cannot get in.
    if (!isWanted(frame, query, k, 0, index)) continue;
    const distance = exactDistance<T, V, Term>(frame, query, index);
    if (!isWanted(frame, query, k, distance, index)) continue;
    push(frame, query, k, distance, index);
    if (heapSize(frame, query) == k) {
      setBound(frame, query, estimateAt<Term>(frame, query, worstDistance(frame, query)));
    }
  }
}

function exactDistance<T, V, Term>(frame: Frame, query: u32, index: u32): f64 {
  const row = queryRow(frame, query);
  const point = pointRow<T>(frame, index);
  if (isSame<Term, Magnitudes>()) return sumVectors<T, V, Magnitudes>(row, point, frame.columns);
  return sumVectors<T, V, Squares>(row, point, frame.columns);
}

/**
 * Ends the first pass: measures the candidates and lists the k nearest. Queries for which another
 * point could still be nearer stay open for the second pass; returns how many.
 */
export function settle<T, V, I, E, Term>(frame: Frame): u32 {
  let open: u32 = 0;
  for (let query: u32 = 0; query < frame.queries; query++) {
    if (heapSize(frame, query) > frame.candidates) {
      setBound(frame, query, -selectBest<I, E>(frame, query, frame.candidates));
    }
    const bound = boundOf(frame, query); // no point left out has a larger estimate
    const candidates = heapSize(frame, query);
    const base = <usize>query * frame.slots;
    clearHeap(frame, query);
    for (let i: u32 = 0; i < candidates; i++) { // the heap takes the place of the keys, and of indices already read
      const index = load<u32>(frame.indices + (base + i) * 4);
      push(frame, query, frame.slots, exactDistance<T, V, Term>(frame, query, index), index);
    }
    sortHeap(frame, query);
    const enough = estimateAt<Term>(frame, query, load<f64>(frame.distances + (base + frame.neighbors - 1) * 8));
    if (bound > -Infinity && bound >= enough) {
      open++;
      clearHeap(frame, query);
      setBound(frame, query, enough);
    } else {
      setBound(frame, query, Infinity);
    }
  }
  return open;
}

/** Ends the second pass: lists the neighbours of the queries that were open. */
export function settleOpen(frame: Frame): void {
  for (let query: u32 = 0; query < frame.queries; query++) {
    if (boundOf(frame, query) < Infinity) sortHeap(frame, query);
  }
}

/** Hands on the points of the tiles worth a look whose estimates exceed the bound. */
function offer<T, V, I, E, Term, Pass>(frame: Frame, firstPair: u32, firstPanel: u32, tiles: u32): void {
  const width = lanes<f32, E>();
  const register: usize = sizeof<E>();
  for (let i: u32 = 0; i < tiles; i++) {
    const at = load<u32>(frame.promising + i * 4);
    const query = (firstPair + at / <u32>PAIR_ESTIMATES) * 2 + ((at >> 6) & 1);
    const panel = firstPanel + ((at % <u32>PAIR_ESTIMATES) >> 7);
    const first = panel * WIDTH + ((at & 63) >> 2);
    const estimates = frame.estimates + at;
    const bound = loadSplat<f32, E>(frame.bounds + query * 4);
    const mask = exceedMask<E>(loadVector<f32, E>(estimates), bound)
      | (exceedMask<E>(loadVector<f32, E>(estimates + register), bound) << width)
      | (exceedMask<E>(loadVector<f32, E>(estimates + 2 * register), bound) << (2 * width))
      | (exceedMask<E>(loadVector<f32, E>(estimates + 3 * register), bound) << (3 * width));
    if (isSame<Pass, Measuring>()) measure<T, V, Term>(frame, query, first, mask);
    else collect<I, E>(frame, query, first, mask, estimates);
  }
}

/** Whether a pair has anything left to find. */
function isOpen(frame: Frame, pair: u32): bool {
  return boundOf(frame, 2 * pair) < Infinity || boundOf(frame, 2 * pair + 1) < Infinity;
}

/**
 * Takes all queries over blocks from … to − 1, in visits that step through the data, so that rows
 * sorted by nearness do not make every point look new.
 */
export function sweep<T, V, I, E, Term, Pass>(frame: Frame, from: u32, to: u32): void {
  const panels = panelCount(frame);
  const pairs = (frame.queries + 1) >> 1;
  const words = rowWords(frame);
  const slices = (words + SLICE - 1) / SLICE;
  const depth = (words + slices - 1) / slices;
  for (let visit = from; visit < to; visit++) {
    const block = <u32>((<u64>visit * frame.blockStep) % frame.blocks);
    const first = block * frame.blockPanels;
    const end = min(first + frame.blockPanels, panels);
    const whole = min(end, frame.count / WIDTH) - first; // panels without missing points
    for (let word: u32 = 0; word < words; word += depth) {
      const share = min(depth, words - word);
      for (let group: u32 = 0; group < pairs; group += GROUP) {
        const groupEnd = min(group + GROUP, pairs);
        let tiles: u32 = 0;
        for (let pair = group; pair < groupEnd; pair++) {
          if (!isOpen(frame, pair)) continue;
          tiles = sweepPair<I, E, Term>(frame, pair, first, end, word, share, <usize>(pair - group) * PAIR_ESTIMATES, tiles);
        }
        if (isSame<Pass, Collecting>() && whole * 4 > frame.candidates) {
          for (let query = group * 2; query < min(groupEnd * 2, frame.queries); query++) {
            if (boundOf(frame, query) > -Infinity) continue;
            const estimates = frame.estimates + <usize>(query / 2 - group) * PAIR_ESTIMATES + (query & 1) * 64;
            setFirstBound<I, E>(frame, query, estimates, whole);
          }
        }
        offer<T, V, I, E, Term, Pass>(frame, group, first, tiles);
      }
    }
  }
}
