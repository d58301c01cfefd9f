// Exact k-nearest-neighbour search for L2 and L1, with the top-k fused in. Tiles (tiles.ts) estimate how
// near points are and compare that with a bound of each query (estimates.ts).
//
// Estimates never decide alone. The first pass collects a few more than k candidates by estimate and measures them
// exactly in f64 (sums.ts). As the error of an estimate is bounded, `verifyCandidates` can tell whether another point
// could be nearer. If it could (many ties, clusters far from the centre), a second pass measures every such point. So neighbours and distances are exact, and the same in
// every build and for f32 and f64 alike.
//
// Where points look for neighbours among themselves, an inner product serves both its points: a join
// collects for the queries of a block and for the points it is taken over at once, which halves the work.
import { MAX_BLOCK_PANELS, PAIR_ESTIMATE_BYTES, PAIR_GROUP, PANEL_WIDTH } from './contract';
import { collect, collectAll, collectForPoints, setFirstBound } from './candidates';
import { boundOf, estimateAt, MAX_ESTIMATED_NORM, isAbsolute, productError, scaleOf, setBound } from './estimates';
import { SearchCall } from './search-call';
import { clearHeap, heapSize, isWanted, push, sortHeap, worstDistance } from './heap';
import { SORTED_LIST_MAX_K, measureSome } from './exact-distances';
import {
  LINE_BYTES,
  findLargestMagnitude,
  findLargestSquare,
  packForMagnitudes,
  packForSquares,
  panelCount,
  panelWord,
  quantize,
  quantizeToGrid,
  rowScale,
  rowWords,
  finalizeGridScale,
  finalizeNormScale,
} from './panels';
import { findLimits, isOrdered, nearPanels } from './near-panels';
import { pointIn, queryRow, looseSquare } from './points';
import { setFoundCount } from './reservoir';
import { isSame, Magnitudes, Products } from './sums';
import { bitsOf, BothSides, OneSide, scanPair } from './tiles';
import { exceedMaskOfFour } from './vector';

/** The passes of a search: types told apart by their size when compiling. */
export type Collecting = i8;
export type Measuring = i16;
export type SelfJoining = i32;

/** Words summed together: a panel's part of them stays in the first-level cache. */
const SLICE_WORDS: u32 = 256;

/** Points are first measured, block by block, then packed with what is known of all of them. */
export function findScale<T>(call: SearchCall, from: u32, to: u32): void {
  if (isAbsolute(call)) findLargestMagnitude<T>(call, from, to);
  else findLargestSquare<T>(call, from, to);
}

export function packPoints<T>(call: SearchCall, from: u32, to: u32): void {
  if (isAbsolute(call)) {
    if (from == 0) finalizeGridScale(call);
    packForMagnitudes<T>(call, from, to);
  } else {
    if (from == 0) finalizeNormScale(call);
    packForSquares<T>(call, from, to, productError(call));
  }
}

/** Where the first word of a query is; a pair has its words in turns: q0[0,1] q1[0,1] q0[2,3] … */
function queryWord(call: SearchCall, query: u32): usize {
  return call.pairs + (<usize>(query >> 1) * rowWords(call) * 2 + (query & 1)) * 4;
}

/** Packs rows as queries, and takes their norms. */
export function packQueries(call: SearchCall): void {
  computeQueryNorms(call);
  for (let query: u32 = 0; query < call.queries; query++) {
    const row = queryRow(call, query);
    const to = queryWord(call, query);
    const norm = load<f64>(call.norms + query * 8);
    let scale: f64 = 1;
    // q·p − |p|²/2 where |p| ≤ 1 is at most this.
    let largest = norm < 1 ? 0.5 * norm * norm : min(norm, MAX_ESTIMATED_NORM) - 0.5;
    if (isAbsolute(call)) {
      largest = 0;
      quantizeToGrid<f64>(call, row, to, 8);
    } else if (norm > 1e-20 && norm < MAX_ESTIMATED_NORM) {
      scale = rowScale(norm);
      quantize<f64>(row, call.columns, scale / call.unit, to, 8);
    } else {
      quantize<f64>(row, call.columns, 0, to, 8);
    }
    store<f32>(call.scales + query * 4, scale as f32);
    store<f32>(call.reaches + query * 4, (largest * scale) as f32);
  }
  closeLastPair(call);
}

/** Computes query norms, needed for exact distances. */
export function computeQueryNorms(call: SearchCall): void {
  if (isAbsolute(call)) return;
  for (let query: u32 = 0; query < call.queries; query++) {
    store<f64>(call.norms + query * 8, sqrt(looseSquare<f64>(queryRow(call, query), call.columns)) / call.unit);
  }
}

/** Makes points from `firstQuery` on the queries of a join, by copying what their panels hold. */
export function packOwnQueries(call: SearchCall): void {
  const words = rowWords(call);
  for (let query: u32 = 0; query < call.queries; query++) {
    const index = call.firstQuery + query;
    let from = panelWord(call, index),
      to = queryWord(call, query);
    for (let word: u32 = 0; word < words; word++, from += LINE_BYTES, to += 8) store<u32>(to, load<u32>(from));
    let scale: f32 = 1;
    if (!isAbsolute(call)) {
      const weight = load<f32>(call.weights + <usize>index * 4);
      if (weight > 0) scale = 1 / weight;
    }
    store<f32>(call.scales + query * 4, scale);
    store<f32>(call.reaches + query * 4, -load<f32>(call.constants + <usize>index * 4) * scale);
    store<u32>(call.selves + query * 4, index);
  }
  closeLastPair(call);
}

/** The missing half of an odd last pair is nobody's neighbour; that it looks for none is up to its bound. */
function closeLastPair(call: SearchCall): void {
  if (!(call.queries & 1)) return;
  store<f32>(call.scales + call.queries * 4, 1);
  store<f32>(call.reaches + call.queries * 4, Infinity);
}

/** Clears the candidates of the queries. */
export function clearCandidates(call: SearchCall): void {
  for (let query: u32 = 0; query < call.queries; query++) {
    setFoundCount(call, query, 0);
    setBound(call, query, -Infinity);
  }
  // The missing half of an odd last pair looks for nothing, nor do missing points of the last panel.
  for (let query = call.queries; query % PANEL_WIDTH != 0; query++) setBound(call, query, Infinity);
}

/** Second pass: measures the points a mask names and keeps the nearest. */
function measure(call: SearchCall, query: u32, first: u32, mask: u32): void {
  const self = load<u32>(call.selves + query * 4);
  const k = call.neighbors;
  while (mask != 0) {
    const place = first + <u32>ctz(mask);
    mask &= mask - 1;
    if (place >= call.count || place == self) continue;
    const index = pointIn(call, place);
    // Among many duplicates the heap holds only zeros: a higher index cannot get in.
    if (!isWanted(call, query, k, 0, index)) continue;
    store<u32>(call.scratch, index);
    measureSome(call, query, call.scratch, 1, call.scratch + 8);
    const distance = load<f64>(call.scratch + 8);
    if (!isWanted(call, query, k, distance, index)) continue;
    push(call, query, k, distance, index);
    if (heapSize(call, query) == k) {
      setBound(call, query, estimateAt(call, query, worstDistance(call, query)));
    }
  }
}

/**
 * Ends the first pass: lists the k nearest. Queries for which another point could still be nearer stay
 * open for the second pass; returns how many.
 */
export function verifyCandidates(call: SearchCall): u32 {
  let open: u32 = 0;
  for (let query: u32 = 0; query < call.queries; query++) {
    if (call.neighbors > SORTED_LIST_MAX_K) sortHeap(call, query);
    const last = <usize>query * call.slots + call.neighbors - 1;
    const enough = estimateAt(call, query, load<f64>(call.distances + last * 8));
    const bound = boundOf(call, query); // no point left out has a larger estimate
    if (bound > -Infinity && bound >= enough) {
      open++;
      clearHeap(call, query);
      setBound(call, query, enough);
    } else {
      setBound(call, query, Infinity);
    }
  }
  return open;
}

/** Ends the second pass: lists the neighbours of the queries that were open. */
export function listOpenNeighbors(call: SearchCall): void {
  for (let query: u32 = 0; query < call.queries; query++) {
    if (boundOf(call, query) < Infinity) sortHeap(call, query);
  }
}

/** Collects the points of promising tiles whose estimates exceed the bound. */
function collectPromising<Pass>(call: SearchCall, firstPair: u32, firstPanel: u32, tiles: u32): void {
  for (let i: u32 = 0; i < tiles; i++) {
    const tile = load<u32>(call.promising + i * 4);
    const at = tile & ~3;
    const query = (firstPair + at / <u32>PAIR_ESTIMATE_BYTES) * 2 + ((at >> 6) & 1);
    const panel = firstPanel + ((at % <u32>PAIR_ESTIMATE_BYTES) >> 7);
    const first = panel * PANEL_WIDTH + ((at & 63) >> 2);
    const estimates = call.estimates + at;
    if (isSame<Pass, Measuring>()) {
      const bound = f32x4.splat(boundOf(call, query) * scaleOf(call, query));
      measure(call, query, first, exceedMaskOfFour(estimates, bound));
    } else {
      if (tile & 1) collect(call, query, first, estimates);
      if (isSame<Pass, SelfJoining>() && tile & 2) collectForPoints(call, query, first, estimates);
    }
  }
}

/** Whether a pair has anything left to find. */
function isOpen(call: SearchCall, pair: u32): bool {
  return boundOf(call, 2 * pair) < Infinity || boundOf(call, 2 * pair + 1) < Infinity;
}

/** Whether a query has no bound yet. */
function isNew(call: SearchCall, query: u32): bool {
  return boundOf(call, query) == -Infinity;
}

function areNew(call: SearchCall, query: u32, end: u32): bool {
  while (query < end && isNew(call, query)) query++;
  return query == end;
}

/**
 * Scans the blocks at places from … to − 1 of the block order for all queries. The order steps through the data, so that rows
 * sorted by nearness do not make every point look new.
 */
export function scanBlocks<Pass>(call: SearchCall, from: u32, to: u32): void {
  const panels = panelCount(call);
  if (isSame<Pass, SelfJoining>() && isOrdered(call)) {
    for (let turn = from; turn < to; turn++) {
      const first = blockAt(call, turn) * call.blockPanels;
      findLimits(call, first, min(first + call.blockPanels, panels), call.firstPoint);
    }
  }
  for (let turn = from; turn < to; turn++) {
    const block = blockAt(call, turn);
    const end = min((block + 1) * call.blockPanels, panels);
    // The more points a first bound is taken from, the fewer come after it that exceed it.
    const isFirst = isSame<Pass, Collecting>() && isNew(call, 0) && rowWords(call) <= SLICE_WORDS;
    const step = isFirst ? MAX_BLOCK_PANELS : call.stepPanels;
    for (let first = block * call.blockPanels; first < end; first += step) {
      scanPanels<Pass>(call, first, min(first + step, end));
    }
  }
}

function blockAt(call: SearchCall, turn: u32): u32 {
  return call.firstBlock + <u32>((<u64>turn * call.blockStep) % call.blocks);
}

function scanPairBy<Sides>(call: SearchCall, pair: u32, estimates: usize, found: u32, areAllWanted: bool): u32 {
  if (isAbsolute(call)) return scanPair<Magnitudes, Sides>(call, pair, estimates, found, areAllWanted);
  return scanPair<Products, Sides>(call, pair, estimates, found, areAllWanted);
}

/** Where the estimates of a query are, in a group that begins with some pair. */
function estimatesOf(call: SearchCall, query: u32, group: u32): usize {
  return call.estimates + <usize>(query / 2 - group) * PAIR_ESTIMATE_BYTES + (query & 1) * 64;
}

/** Scans a few panels for all queries. */
function scanPanels<Pass>(call: SearchCall, first: u32, end: u32): void {
  const pairs = (call.queries + 1) >> 1;
  const words = rowWords(call);
  const slices = (words + SLICE_WORDS - 1) / SLICE_WORDS;
  const depth = (words + slices - 1) / slices;
  const whole = min(end, call.count / PANEL_WIDTH) - first; // panels without missing points
  call.firstPanel = first;
  call.panelBits = bitsOf(end - first);
  for (let word: u32 = 0; word < words; word += depth) {
    call.word = word;
    call.depth = min(depth, words - word);
    for (let group: u32 = 0; group < pairs; group += PAIR_GROUP) {
      const groupEnd = min(group + PAIR_GROUP, pairs);
      const firstQuery = group * 2,
        endQuery = min(groupEnd * 2, call.queries);
      // Where panels are enough for a first bound, they are few words deep: these are all of their words.
      if (isSame<Pass, Collecting>() && whole * 4 > call.candidates && areNew(call, firstQuery, endQuery)) {
        for (let pair = group; pair < groupEnd; pair++) {
          scanPairBy<OneSide>(call, pair, <usize>(pair - group) * PAIR_ESTIMATE_BYTES, 0, true);
        }
        for (let query = firstQuery; query < endQuery; query++) {
          const estimates = estimatesOf(call, query, group);
          setFirstBound(call, query, estimates, whole);
          collectAll(call, query, first, end, estimates);
        }
        continue;
      }
      // Words of a row that are not summed up at once must be those of the same panels.
      if (isSame<Pass, SelfJoining>() && isOrdered(call) && slices == 1) {
        const own = (call.firstQuery + firstQuery) / PANEL_WIDTH;
        findLimits(call, own, own + 1, call.firstQuery);
        call.panelBits = nearPanels(call, own, first, end);
        if (call.panelBits == 0) continue;
      }
      let tiles: u32 = 0;
      for (let pair = group; pair < groupEnd; pair++) {
        if (!isOpen(call, pair)) continue;
        const estimates = <usize>(pair - group) * PAIR_ESTIMATE_BYTES;
        if (isSame<Pass, SelfJoining>()) tiles = scanPairBy<BothSides>(call, pair, estimates, tiles, false);
        else tiles = scanPairBy<OneSide>(call, pair, estimates, tiles, false);
      }
      collectPromising<Pass>(call, group, first, tiles);
    }
  }
}
