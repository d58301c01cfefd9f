// The points with the best estimates of one query. They are appended until the slots are full, and only then the
// best few are selected. A heap would have to decide for every point, with branches that cannot be predicted; the
// reservoir keeps the top-k cheap compared to the distances.
//
// A candidate is one word, a smaller one for a nearer point: how far the point is by its estimate, as a
// float of few bits, and below that its index. Words are compared as they are, and equal distances go by
// index. How far a point is, is taken from the largest estimate e there can be for the query, its origin:
// 1 − e/origin, which has the same few good digits whether the query lies near the centre or far out.
//
// A query is identified by its number in a block of queries. In a self-join the points are queries, too: their numbers
// continue after those of the block, or come before and wrap around, as all reservoirs lie in one array.
import { PAIR_ESTIMATE_BYTES, PAIR_GROUP } from './contract';
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import { addLess, largerWhereLess, largestLane, storeSums } from './vector';

/** Up to this many slots, counting for every word how many are smaller beats sorting: it has no branches. */
const RANKED_MAX_SLOTS: u32 = 64;

/** Bytes of estimates of a group of pairs. */
const GROUP_ESTIMATE_BYTES: usize = <usize>PAIR_GROUP * PAIR_ESTIMATE_BYTES;

/** Estimates of the nearest exceed the largest without rounding: the origin is this much above it. */
export const SLACK: f32 = 1.015625;

/** Distances are clamped to between 2⁻⁷ and 2²⁵ times the origin. */
const NEAREST: f32 = 1.0 / 128;
const FIRST_BITS: u32 = 120 << 23;
const MOST_BITS: u32 = (1 << 28) - 1;
const SIGN: u32 = 1 << 31;

/** Number of candidates of a query. */
export function foundCount(call: SearchCall, query: u32): u32 {
  return load<u32>(call.counts + query * 4);
}

export function setFoundCount(call: SearchCall, query: u32, count: u32): void {
  store<u32>(call.counts + query * 4, count);
}

/** Candidates that fit: one register behind them stays free for `wordOfRank`. */
export function capacity(call: SearchCall): u32 {
  return call.slots - 4;
}

export function foundBy(call: SearchCall, query: u32): usize {
  return call.found + <usize>query * call.slots * 4;
}

/** The bits of a word that are the index. */
export function indexMask(call: SearchCall): u32 {
  return (-1 as u32) >> clz(max<u32>(call.count - 1, 15));
}

/** The origin of a query, from the largest estimate: |q|²/2 for a point. */
export function originOf(call: SearchCall, largest: f32): f32 {
  return isAbsolute(call) ? 64 : largest * SLACK + 1e-30;
}

/** A candidate, from its estimate as a share of the origin. `mask` is the indexMask. */
export function candidate(mask: u32, share: f32, index: u32): i32 {
  const far: f32 = 1 - share;
  const bits = min<u32>(reinterpret<u32>(far > NEAREST ? far : NEAREST) - FIRST_BITS, MOST_BITS);
  return (((bits << 4) & ~mask) | index) ^ SIGN;
}

/** The largest estimate that a point with this word, or a larger one, can have. */
export function estimateOf(call: SearchCall, origin: f32, word: i32): f32 {
  const bits = ((word ^ SIGN) & ~indexMask(call)) >> 4;
  return bits == 0 ? 2 * origin : origin * (1 - reinterpret<f32>(bits + FIRST_BITS));
}

/** Keeps only the best `keep` candidates and returns the worst of them. */
export function selectBest(call: SearchCall, query: u32, keep: u32): i32 {
  let worst: i32;
  const words = foundBy(call, query);
  const size = foundCount(call, query);
  if (call.slots > RANKED_MAX_SLOTS) {
    worst = quickSelect(words, size, keep);
  } else {
    worst = wordOfRank(call, words, size, keep);
    let kept = words;
    for (let from = words; from < words + size * 4; from += 4) {
      const word = load<i32>(from);
      store<i32>(kept, word);
      kept += (<usize>(word <= worst)) << 2;
    }
  }
  setFoundCount(call, query, keep);
  return worst;
}

/**
 * Of a few words, the one that `rank` − 1 others come before (ties aside). For each word it is counted how many are
 * smaller, for four at a time. Room for four more must be free behind them.
 */
export function wordOfRank(call: SearchCall, words: usize, count: u32, rank: u32): i32 {
  const ranks = ranksOf(call);
  const end = words + <usize>count * 4;
  for (let pad = end; pad < end + 16; pad += 4) store<i32>(pad, i32.MAX_VALUE);
  for (let word = words; word < end; word += 16) {
    const a = v128.load32_splat(word),
      b = v128.load32_splat(word + 4);
    const c = v128.load32_splat(word + 8),
      d = v128.load32_splat(word + 12);
    let lessA = i32x4.splat(0),
      lessB = lessA,
      lessC = lessA,
      lessD = lessA;
    for (let other = words; other < end; other += sizeof<v128>()) {
      const others = v128.load(other);
      lessA = addLess(lessA, others, a);
      lessB = addLess(lessB, others, b);
      lessC = addLess(lessC, others, c);
      lessD = addLess(lessD, others, d);
    }
    storeSums(ranks + (word - words), lessA, lessB, lessC, lessD);
  }
  let worst = i32x4.splat(i32.MIN_VALUE);
  for (let at: usize = 0; at < count * 4; at += sizeof<v128>()) {
    worst = largerWhereLess(worst, v128.load(words + at), v128.load(ranks + at), rank);
  }
  return largestLane(worst);
}

/** How many words `wordOfRank` found to be smaller than the i-th. */
export function rankOf(call: SearchCall, i: u32): u32 {
  return load<u32>(ranksOf(call) + i * 4);
}

/** Ranks lie behind the estimates. */
function ranksOf(call: SearchCall): usize {
  return call.estimates + GROUP_ESTIMATE_BYTES;
}

/** Moves the smallest `keep` of many words to the front and returns the last of them (Hoare's quickselect). */
function quickSelect(words: usize, count: u32, keep: u32): i32 {
  const target = words + <usize>(keep - 1) * 4;
  let low = words,
    high = words + <usize>(count - 1) * 4;
  while (low < high) {
    const pivot = load<i32>(low + (((high - low) >> 3) << 2));
    let i = low,
      j = high;
    while (i <= j) {
      while (load<i32>(i) < pivot) i += 4;
      while (load<i32>(j) > pivot) j -= 4;
      if (i > j) break;
      const word = load<i32>(i);
      store<i32>(i, load<i32>(j));
      store<i32>(j, word);
      i += 4;
      j -= 4;
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else break;
  }
  return load<i32>(target);
}
