// The points with the best estimates of one query, loosely kept: they are appended until the slots are
// full, and only then the best few are selected. A heap would decide for every point, and its branches
// cannot be predicted; this is what keeps the top-k cheap beside the distances. A smaller key is better.
//
// A query is known by its number in a block of queries; reservoirs of all points lie one behind the other,
// so that those of points before or after the block are found by numbers that wrap around.
import { Frame } from './frame';
import { addLess, largerWhereLess, largestLane, loadSplat, loadVector, splat, storeSums, zero } from './vector';

/** Up to this many slots, counting for every key how many are smaller beats sorting: it has no branches. */
const FEW: u32 = 64;

/** Bytes of estimates: see search.ts. */
const ESTIMATES: usize = 8 * 4096;

/** Points a query has. */
export function foundCount(frame: Frame, query: u32): u32 {
  return load<u32>(frame.counts + query * 4);
}

export function setFoundCount(frame: Frame, query: u32, count: u32): void {
  store<u32>(frame.counts + query * 4, count);
}

/** Points that have room: behind them one register stays free for `keyOfRank`. */
export function capacity(frame: Frame): u32 {
  return frame.slots - 4;
}

export function keysOf(frame: Frame, query: u32): usize {
  return frame.keys + <usize>query * frame.slots * 4;
}

export function foundBy(frame: Frame, query: u32): usize {
  return frame.found + <usize>query * frame.slots * 4;
}

/** Drops all but the best `keep` of more entries and returns the key of the worst of these. */
export function selectBest<I, E>(frame: Frame, query: u32, keep: u32): f32 {
  let worst: f32;
  if (frame.slots > FEW) {
    worst = quickSelect(frame, query, keep);
  } else {
    worst = keyOfRank<I, E>(frame, keysOf(frame, query), foundCount(frame, query), keep);
    keepUpTo(frame, query, worst, keep);
  }
  setFoundCount(frame, query, keep);
  return worst;
}

/**
 * Of a few keys, the one that `rank` − 1 others come before (ties aside). For each key it is counted how many are
 * smaller, for four at a time. Room for four more must be free behind them.
 */
export function keyOfRank<I, E>(frame: Frame, keys: usize, count: u32, rank: u32): f32 {
  const ranks = ranksOf(frame);
  const end = keys + <usize>count * 4;
  for (let pad = end; pad < end + 16; pad += 4) store<f32>(pad, Infinity);
  for (let key = keys; key < end; key += 16) {
    const a = loadSplat<f32, E>(key), b = loadSplat<f32, E>(key + 4);
    const c = loadSplat<f32, E>(key + 8), d = loadSplat<f32, E>(key + 12);
    let lessA = zero<i32, I>(), lessB = lessA, lessC = lessA, lessD = lessA;
    for (let other = keys; other < end; other += sizeof<E>()) {
      const others = loadVector<f32, E>(other);
      lessA = addLess<I, E>(lessA, others, a);
      lessB = addLess<I, E>(lessB, others, b);
      lessC = addLess<I, E>(lessC, others, c);
      lessD = addLess<I, E>(lessD, others, d);
    }
    storeSums<I>(ranks + (key - keys), lessA, lessB, lessC, lessD);
  }
  let worst = splat<f32, E>(-Infinity);
  for (let at: usize = 0; at < count * 4; at += sizeof<E>()) {
    worst = largerWhereLess<I, E>(worst, loadVector<f32, E>(keys + at), loadVector<i32, I>(ranks + at), rank);
  }
  return largestLane<E>(worst);
}

/** How many keys `keyOfRank` found to be smaller than the i-th. */
export function rankOf(frame: Frame, i: u32): u32 {
  return load<u32>(ranksOf(frame) + i * 4);
}

/** Ranks lie behind the estimates. */
function ranksOf(frame: Frame): usize {
  return frame.estimates + ESTIMATES;
}

/** Moves the entries with keys below `worst`, and as many with that very key as fit, to the front. */
function keepUpTo(frame: Frame, query: u32, worst: f32, keep: u32): void {
  const keys = keysOf(frame, query), indices = foundBy(frame, query);
  const size = foundCount(frame, query);
  let below: u32 = 0;
  for (let i: u32 = 0; i < size; i++) below += <u32>(load<f32>(keys + i * 4) < worst);
  let ties = keep - below;
  let kept: usize = 0;
  for (let i: u32 = 0; i < size; i++) {
    const key = load<f32>(keys + i * 4);
    const isTie = <u32>(key == worst) & <u32>(ties > 0);
    ties -= isTie;
    store<f32>(keys + kept * 4, key);
    store<u32>(indices + kept * 4, load<u32>(indices + i * 4));
    kept += <u32>(key < worst) | isTie;
  }
}

function swap(keys: usize, indices: usize, a: usize, b: usize): void {
  const key = load<f32>(keys + a * 4);
  store<f32>(keys + a * 4, load<f32>(keys + b * 4));
  store<f32>(keys + b * 4, key);
  const index = load<u32>(indices + a * 4);
  store<u32>(indices + a * 4, load<u32>(indices + b * 4));
  store<u32>(indices + b * 4, index);
}

/** Moves the best `keep` entries to the front, for many slots (Hoare's quickselect). */
function quickSelect(frame: Frame, query: u32, keep: u32): f32 {
  const keys = keysOf(frame, query), indices = foundBy(frame, query);
  const target: i32 = keep - 1;
  let low: i32 = 0, high: i32 = foundCount(frame, query) - 1;
  while (low < high) {
    const pivot = load<f32>(keys + <usize>((low + high) >> 1) * 4);
    let i = low, j = high;
    while (i <= j) {
      while (load<f32>(keys + <usize>i * 4) < pivot) i++;
      while (load<f32>(keys + <usize>j * 4) > pivot) j--;
      if (i > j) break;
      swap(keys, indices, i, j);
      i++;
      j--;
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else break;
  }
  return load<f32>(keys + <usize>target * 4);
}
