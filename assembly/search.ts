// Exact k-nearest-neighbour search for L2 and L1, with the top-k fused in. Tiles (tiles.ts) estimate how
// near points are and compare that with a bound each query has (estimates.ts).
//
// An estimate never decides. The first pass collects a few more than k candidates by estimate; `settle`
// measures these in f64 by differences (sums.ts) and, as the error of an estimate is bounded, can tell
// whether any other point could be nearer. Where it cannot (many ties, clusters far from the centre) a
// second pass measures every point that might be. So neighbours and distances are exact, and the same in
// every build and for f32 and f64 alike.
//
// Where points look for neighbours among themselves, an inner product serves both its points: a join
// collects for the queries of a block and for the points it is taken over at once, which halves the work.
import { LARGEST_VISIT, PAIR_ESTIMATES, PAIR_GROUP, PANEL_WIDTH } from './contract';
import { collect, collectAll, collectForPoints, setFirstBound } from './collect';
import { boundOf, estimateAt, FAR, isAbsolute, productError, scaleOf, setBound } from './estimates';
import { Frame } from './frame';
import { clearHeap, heapSize, isWanted, push, sortHeap, worstDistance } from './heap';
import { FEW, measureSome } from './measuring';
import { LINE, measurePeaks, measureSquares, packForMagnitudes, packForSquares, panelCount, panelWord, quantize, quantizeToGrid, rowScale, rowWords, settleGrid, settleNorms } from './panels';
import { queryRow, looseSquare } from './points';
import { setFoundCount } from './reservoir';
import { isSame, Magnitudes, Products } from './sums';
import { BothSides, OneSide, sweepPair } from './tiles';
import { exceedMaskOfFour } from './vector';

/** Which pass a sweep is: names, told apart by their size when compiling. */
export type Collecting = i8;
export type Measuring = i16;
export type Joining = i32;

/** Words summed in one go: a panel's share of them stays in the first-level cache. */
const SLICE: u32 = 256;

/** Points are first measured, block by block, then packed with what is known of all of them. */
export function measurePoints<T>(frame: Frame, from: u32, to: u32): void {
  if (isAbsolute(frame)) measurePeaks<T>(frame, from, to);
  else measureSquares<T>(frame, from, to);
}

export function packPoints<T>(frame: Frame, from: u32, to: u32): void {
  if (isAbsolute(frame)) {
    if (from == 0) settleGrid(frame);
    packForMagnitudes<T>(frame, from, to);
  } else {
    if (from == 0) settleNorms(frame);
    packForSquares<T>(frame, from, to, productError(frame));
  }
}

/** Where the first word of a query is; a pair has its words in turns: q0[0,1] q1[0,1] q0[2,3] … */
function queryWord(frame: Frame, query: u32): usize {
  return frame.pairs + (<usize>(query >> 1) * rowWords(frame) * 2 + (query & 1)) * 4;
}

/** Packs rows as queries, and takes their norms. */
export function packQueries(frame: Frame): void {
  takeNorms(frame);
  for (let query: u32 = 0; query < frame.queries; query++) {
    const row = queryRow(frame, query);
    const to = queryWord(frame, query);
    const norm = load<f64>(frame.norms + query * 8);
    let scale: f64 = 1;
    // q·p − |p|²/2 where |p| ≤ 1 is at most this.
    let largest = norm < 1 ? 0.5 * norm * norm : min(norm, FAR) - 0.5;
    if (isAbsolute(frame)) {
      largest = 0;
      quantizeToGrid<f64>(frame, row, to, 8);
    } else if (norm > 1e-20 && norm < FAR) {
      scale = rowScale(norm);
      quantize<f64>(row, frame.columns, scale / frame.unit, to, 8);
    } else {
      quantize<f64>(row, frame.columns, 0, to, 8);
    }
    store<f32>(frame.scales + query * 4, scale as f32);
    store<f32>(frame.reaches + query * 4, (largest * scale) as f32);
  }
  closeLastPair(frame);
}

/** Norms of the rows, for those who measure. */
export function takeNorms(frame: Frame): void {
  if (isAbsolute(frame)) return;
  for (let query: u32 = 0; query < frame.queries; query++) {
    store<f64>(frame.norms + query * 8, sqrt(looseSquare<f64>(queryRow(frame, query), frame.columns)) / frame.unit);
  }
}

/** Makes points from `firstQuery` on the queries of a join, by copying what their panels hold. */
export function packOwnQueries(frame: Frame): void {
  const words = rowWords(frame);
  for (let query: u32 = 0; query < frame.queries; query++) {
    const index = frame.firstQuery + query;
    let from = panelWord(frame, index), to = queryWord(frame, query);
    for (let word: u32 = 0; word < words; word++, from += LINE, to += 8) store<u32>(to, load<u32>(from));
    let scale: f32 = 1;
    if (!isAbsolute(frame)) {
      const weight = load<f32>(frame.weights + <usize>index * 4);
      if (weight > 0) scale = 1 / weight;
    }
    store<f32>(frame.scales + query * 4, scale);
    store<f32>(frame.reaches + query * 4, -load<f32>(frame.constants + <usize>index * 4) * scale);
    store<u32>(frame.selves + query * 4, index);
  }
  closeLastPair(frame);
}

/** The missing half of an odd last pair is nobody's neighbour; that it looks for none is up to its bound. */
function closeLastPair(frame: Frame): void {
  if (!(frame.queries & 1)) return;
  store<f32>(frame.scales + frame.queries * 4, 1);
  store<f32>(frame.reaches + frame.queries * 4, Infinity);
}

/** Forgets the candidates of the queries. */
export function clearCandidates(frame: Frame): void {
  for (let query: u32 = 0; query < frame.queries; query++) {
    setFoundCount(frame, query, 0);
    setBound(frame, query, -Infinity);
  }
  // The missing half of an odd last pair looks for nothing, nor do missing points of the last panel.
  for (let query = frame.queries; query % PANEL_WIDTH != 0; query++) setBound(frame, query, Infinity);
}

/** Second pass: measures the points a mask names and keeps the nearest. */
function measure(frame: Frame, query: u32, first: u32, mask: u32): void {
  const self = load<u32>(frame.selves + query * 4);
  const k = frame.neighbors;
  while (mask != 0) {
    const index = first + <u32>ctz(mask);
    mask &= mask - 1;
    if (index >= frame.count || index == self) continue;
    // Among many duplicates the heap holds only zeros: a higher index cannot get in.
    if (!isWanted(frame, query, k, 0, index)) continue;
    store<u32>(frame.scratch, index);
    measureSome(frame, query, frame.scratch, 1, frame.scratch + 8);
    const distance = load<f64>(frame.scratch + 8);
    if (!isWanted(frame, query, k, distance, index)) continue;
    push(frame, query, k, distance, index);
    if (heapSize(frame, query) == k) {
      setBound(frame, query, estimateAt(frame, query, worstDistance(frame, query)));
    }
  }
}

/**
 * Ends the first pass: lists the k nearest. Queries for which another point could still be nearer stay
 * open for the second pass; returns how many.
 */
export function settle(frame: Frame): u32 {
  let open: u32 = 0;
  for (let query: u32 = 0; query < frame.queries; query++) {
    if (frame.neighbors > FEW) sortHeap(frame, query);
    const last = <usize>query * frame.slots + frame.neighbors - 1;
    const enough = estimateAt(frame, query, load<f64>(frame.distances + last * 8));
    const bound = boundOf(frame, query); // no point left out has a larger estimate
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
function offer<Pass>(frame: Frame, firstPair: u32, firstPanel: u32, tiles: u32): void {
  for (let i: u32 = 0; i < tiles; i++) {
    const tile = load<u32>(frame.promising + i * 4);
    const at = tile & ~3;
    const query = (firstPair + at / <u32>PAIR_ESTIMATES) * 2 + ((at >> 6) & 1);
    const panel = firstPanel + ((at % <u32>PAIR_ESTIMATES) >> 7);
    const first = panel * PANEL_WIDTH + ((at & 63) >> 2);
    const estimates = frame.estimates + at;
    if (isSame<Pass, Measuring>()) {
      const bound = f32x4.splat(boundOf(frame, query) * scaleOf(frame, query));
      measure(frame, query, first, exceedMaskOfFour(estimates, bound));
    } else {
      if (tile & 1) collect(frame, query, first, estimates);
      if (isSame<Pass, Joining>() && tile & 2) collectForPoints(frame, query, first, estimates);
    }
  }
}

/** Whether a pair has anything left to find. */
function isOpen(frame: Frame, pair: u32): bool {
  return boundOf(frame, 2 * pair) < Infinity || boundOf(frame, 2 * pair + 1) < Infinity;
}

/** Whether a query has no bound yet. */
function isNew(frame: Frame, query: u32): bool {
  return boundOf(frame, query) == -Infinity;
}

function areNew(frame: Frame, query: u32, end: u32): bool {
  while (query < end && isNew(frame, query)) query++;
  return query == end;
}

/**
 * Takes all queries over blocks from … to − 1, in visits that step through the data, so that rows
 * sorted by nearness do not make every point look new.
 */
export function sweep<Pass>(frame: Frame, from: u32, to: u32): void {
  const panels = panelCount(frame);
  for (let visit = from; visit < to; visit++) {
    const block = frame.firstBlock + <u32>((<u64>visit * frame.blockStep) % frame.blocks);
    const end = min((block + 1) * frame.blockPanels, panels);
    // The more points a first bound is taken from, the fewer come after it that exceed it.
    const isFirst = isSame<Pass, Collecting>() && isNew(frame, 0) && rowWords(frame) <= SLICE;
    const step = isFirst ? LARGEST_VISIT : frame.visitPanels;
    for (let first = block * frame.blockPanels; first < end; first += step) {
      sweepPanels<Pass>(frame, first, min(first + step, end));
    }
  }
}

function sweepPairBy<Sides>(
  frame: Frame, pair: u32, first: u32, end: u32, word: u32, depth: u32, estimates: usize, found: u32, areAllWanted: bool,
): u32 {
  if (isAbsolute(frame)) return sweepPair<Magnitudes, Sides>(frame, pair, first, end, word, depth, estimates, found, areAllWanted);
  return sweepPair<Products, Sides>(frame, pair, first, end, word, depth, estimates, found, areAllWanted);
}

/** Where the estimates of a query are, in a group that begins with some pair. */
function estimatesOf(frame: Frame, query: u32, group: u32): usize {
  return frame.estimates + <usize>(query / 2 - group) * PAIR_ESTIMATES + (query & 1) * 64;
}

/** Takes all queries over a few panels. */
function sweepPanels<Pass>(frame: Frame, first: u32, end: u32): void {
  const pairs = (frame.queries + 1) >> 1;
  const words = rowWords(frame);
  const slices = (words + SLICE - 1) / SLICE;
  const depth = (words + slices - 1) / slices;
  const whole = min(end, frame.count / PANEL_WIDTH) - first; // panels without missing points
  for (let word: u32 = 0; word < words; word += depth) {
    const share = min(depth, words - word);
    for (let group: u32 = 0; group < pairs; group += PAIR_GROUP) {
      const groupEnd = min(group + PAIR_GROUP, pairs);
      const firstQuery = group * 2, endQuery = min(groupEnd * 2, frame.queries);
      // Where panels are enough for a first bound, they are few words deep: these are all of their words.
      if (isSame<Pass, Collecting>() && whole * 4 > frame.candidates && areNew(frame, firstQuery, endQuery)) {
        for (let pair = group; pair < groupEnd; pair++) {
          sweepPairBy<OneSide>(frame, pair, first, end, word, share, <usize>(pair - group) * PAIR_ESTIMATES, 0, true);
        }
        for (let query = firstQuery; query < endQuery; query++) {
          const estimates = estimatesOf(frame, query, group);
          setFirstBound(frame, query, estimates, whole);
          collectAll(frame, query, first, end, estimates);
        }
        continue;
      }
      let tiles: u32 = 0;
      for (let pair = group; pair < groupEnd; pair++) {
        if (!isOpen(frame, pair)) continue;
        const estimates = <usize>(pair - group) * PAIR_ESTIMATES;
        if (isSame<Pass, Joining>()) tiles = sweepPairBy<BothSides>(frame, pair, first, end, word, share, estimates, tiles, false);
        else tiles = sweepPairBy<OneSide>(frame, pair, first, end, word, share, estimates, tiles, false);
      }
      offer<Pass>(frame, group, first, tiles);
    }
  }
}
