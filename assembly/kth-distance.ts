// The distance from a query to its k-th nearest point, without the list of the nearest. Where points are few, all
// estimates of a query (estimates.ts) fit the cache. Halving their range finds two values between which the k-th largest
// estimate lies. What is above both by more than estimates can be wrong is surely nearer than the k-th nearest, and is
// only counted; what is below both by as much is surely farther; the few between are measured.
import { PAIR_ESTIMATE_BYTES, PAIR_GROUP, PANEL_WIDTH } from './contract';
import { MAX_ESTIMATED_NORM, productError, scaleOf } from './estimates';
import { measureSome } from './exact-distances';
import { clearHeap, isWanted, push, worstDistance } from './heap';
import { panelCount, rowWords } from './panels';
import { SearchCall } from './search-call';
import { Products } from './sums';
import { bitsOf, OneSide, scanPair } from './tiles';
import { exceedMaskOfFour } from './vector';

/** Bytes of estimates of a pair of queries and a panel. */
const TILE_BYTES: usize = 128;
/** So few estimates need no closer look. */
const FEW: u32 = 4;
/** Halvings after which floats lie as close as they can. */
const MAX_HALVINGS: u32 = 64;

/** L2 only: writes the square of the distance to the k-th nearest point, itself excluded, to the score of each query. */
export function findKthDistances(call: SearchCall): void {
  const pairs = (call.queries + 1) >> 1;
  const panels = panelCount(call);
  const group = <u32>((<usize>PAIR_GROUP * PAIR_ESTIMATE_BYTES) / (<usize>panels * TILE_BYTES));
  for (let first: u32 = 0; first < pairs; first += group) {
    const end = min(first + group, pairs);
    estimateAll(call, first, end, panels);
    for (let query = 2 * first; query < min(2 * end, call.queries); query++) {
      const estimates = call.estimates + (<usize>(query / 2 - first) * panels * 2 + (query & 1)) * (TILE_BYTES / 2);
      // A point finds itself, at no distance.
      const rank = call.neighbors + <u32>(load<u32>(call.selves + query * 4) < call.count);
      store<f64>(call.scores + query * 8, kthDistance(call, query, estimates, rank));
    }
  }
}

/** Estimates of all points for a few pairs of queries, a few panels at a time. */
function estimateAll(call: SearchCall, firstPair: u32, endPair: u32, panels: u32): void {
  for (let panel: u32 = 0; panel < panels; panel += call.stepPanels) {
    call.firstPanel = panel;
    call.panelBits = bitsOf(min(call.stepPanels, panels - panel));
    call.word = 0;
    call.depth = rowWords(call);
    for (let pair = firstPair; pair < endPair; pair++) {
      const to = (<usize>(pair - firstPair) * panels + panel) * TILE_BYTES;
      scanPair<Products, OneSide>(call, pair, to, 0, true);
    }
  }
}

function kthDistance(call: SearchCall, query: u32, estimates: usize, rank: u32): f64 {
  let low: f32 = -Infinity,
    high: f32 = Infinity;
  const norm = load<f64>(call.norms + query * 8);
  if (norm < MAX_ESTIMATED_NORM) {
    const scale = <f64>scaleOf(call, query);
    // Points have norms of at most 1: their estimates q·p − |p|²/2 lie in this range.
    let below = <f32>(-1.01 * (norm + 0.5) * scale),
      above = <f32>(1.01 * (norm < 1 ? 0.5 * norm * norm : norm - 0.5) * scale + 1e-2 * scale);
    const error = <f32>(spreadOf(call, norm) * scale);
    let more = call.count,
      fewer: u32 = 0;
    // More than `below` are at least as many as the rank, more than `above` are fewer.
    for (let i: u32 = 0; i < MAX_HALVINGS && more - fewer > FEW && above - below > error; i++) {
      const middle = below + (above - below) / 2;
      const count = countAbove(call, estimates, middle);
      if (count >= rank) {
        below = middle;
        more = count;
      } else {
        above = middle;
        fewer = count;
      }
    }
    low = below - error - abs(below) * 2e-6;
    high = above + error + abs(above) * 2e-6;
  }
  return measureBetween(call, query, estimates, low, high, rank);
}

/**
 * How much the estimates of points at the same distance can differ: errors of both rows, and the share of it that is in
 * a point's constant; rounding of exact distances adds little.
 */
function spreadOf(call: SearchCall, norm: f64): f64 {
  const square = norm * norm;
  return productError(call) * (norm > 1 ? 4 * norm + 2 : 2 * square + 2) + 1e-12 * (1 + square) + 1e-19 * (1 + norm);
}

function countAbove(call: SearchCall, estimates: usize, bound: f32): u32 {
  const bounds = f32x4.splat(bound);
  let a = i32x4.splat(0),
    b = a;
  for (let end = estimates + <usize>panelCount(call) * TILE_BYTES; estimates < end; estimates += TILE_BYTES) {
    a = i32x4.sub(a, f32x4.gt(v128.load(estimates), bounds)); // a true lane is −1
    b = i32x4.sub(b, f32x4.gt(v128.load(estimates, 16), bounds));
    a = i32x4.sub(a, f32x4.gt(v128.load(estimates, 32), bounds));
    b = i32x4.sub(b, f32x4.gt(v128.load(estimates, 48), bounds));
  }
  const sum = i32x4.add(a, b);
  return (
    i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
  );
}

/** Measures the points whose estimates lie between: those above are nearer than the one of the rank, all of them. */
function measureBetween(call: SearchCall, query: u32, estimates: usize, low: f32, high: f32, rank: u32): f64 {
  const lows = f32x4.splat(low),
    highs = f32x4.splat(high);
  const indices = call.scratch,
    distances = call.scratch + 8;
  rank -= countAbove(call, estimates, high);
  clearHeap(call, query);
  for (let first: u32 = 0; first < call.count; first += PANEL_WIDTH, estimates += TILE_BYTES) {
    let mask = exceedMaskOfFour(estimates, lows);
    if (mask == 0) continue;
    mask &= ~exceedMaskOfFour(estimates, highs);
    for (; mask != 0; mask &= mask - 1) {
      const index = first + <u32>ctz(mask);
      if (index >= call.count) break;
      store<u32>(indices, index);
      measureSome(call, query, indices, 1, distances);
      const distance = load<f64>(distances);
      if (isWanted(call, query, rank, distance, index)) push(call, query, rank, distance, index);
    }
  }
  return worstDistance(call, query);
}
