// The first pass of a search collects candidates: by their estimates, a few more than k for each query.
import { boundOf, scaleOf, setBound } from './estimates';
import { SearchCall } from './search-call';
import { PANEL_WIDTH } from './contract';
import {
  candidate,
  capacity,
  estimateOf,
  foundBy,
  foundCount,
  indexMask,
  originOf,
  selectBest,
  setFoundCount,
  SLACK,
  wordOfRank,
} from './reservoir';
import { exceedMask, exceedMaskOfFour, lanes, multiplySubtract } from './vector';

/** Keeps a value from being recomputed: V8 would compute it again in every iteration, but it cannot move a load. */
function pinned<T>(call: SearchCall, value: T): T {
  store<T>(call.scratch, value);
  return load<T>(call.scratch);
}

/** The origin of a query of the block, which may be a point. */
function originOfQuery(call: SearchCall, query: u32): f32 {
  const self = load<u32>(call.selves + query * 4);
  if (self < call.count) return originOfPoint(call, self);
  return originOf(call, load<f32>(call.reaches + query * 4) / scaleOf(call, query));
}

function originOfPoint(call: SearchCall, index: u32): f32 {
  return originOf(call, -load<f32>(call.constants + <usize>index * 4));
}

/** Raises a bound: no point left out, all of them worse than the worst that stays, has a larger estimate. */
function raiseBound(call: SearchCall, query: u32, origin: f32, worst: i32): void {
  setBound(call, query, max(boundOf(call, query), estimateOf(call, origin, worst)));
}

/** Records in the bound that candidates worse than this one are left out. */
export function leaveOut(call: SearchCall, query: u32, worst: i32): void {
  raiseBound(call, query, originOfQuery(call, query), worst);
}

/** Keeps the best `candidates` of a query of the block. */
export function keepBest(call: SearchCall, query: u32): void {
  if (foundCount(call, query) > call.candidates) leaveOut(call, query, selectBest(call, query, call.candidates));
}

/** Appends a candidate, and selects the best when the slots are full. */
function keep(call: SearchCall, query: u32, origin: f32, word: i32): void {
  const size = foundCount(call, query);
  store<i32>(foundBy(call, query) + size * 4, word);
  setFoundCount(call, query, size + 1);
  if (size + 1 == capacity(call)) raiseBound(call, query, origin, selectBest(call, query, call.candidates));
}

/** Keeps the points of a tile whose estimates exceed the bound of a query. */
export function collect(call: SearchCall, query: u32, first: u32, estimates: usize): void {
  const scale = scaleOf(call, query);
  const bound = f32x4.splat(boundOf(call, query) * scale);
  let mask = exceedMaskOfFour(estimates, bound);
  const self = load<u32>(call.selves + query * 4);
  const origin = originOfQuery(call, query);
  const share: f32 = 1 / (scale * origin);
  const indices = indexMask(call);
  while (mask != 0) {
    const lane = <u32>ctz(mask);
    mask &= mask - 1;
    const index = first + lane;
    if (index >= call.count || index == self) continue;
    keep(call, query, origin, candidate(indices, load<f32>(estimates + lane * 4) * share, index));
  }
}

/**
 * Keeps the points of all tiles of some panels, for a query that just got its first bound. About one in twenty
 * exceeds it, but unpredictably, so the bits of four panels are examined together.
 */
export function collectAll(call: SearchCall, query: u32, first: u32, end: u32, estimates: usize): void {
  const scale = scaleOf(call, query);
  const origin = originOfQuery(call, query);
  const share = pinned<f32>(call, 1 / (scale * origin));
  const indices = pinned<u32>(call, indexMask(call));
  const self = load<u32>(call.selves + query * 4);
  const found = foundBy(call, query);
  const most = capacity(call);
  const bound = f32x4.splat(boundOf(call, query) * scale);
  const endPoint = min(end * PANEL_WIDTH, call.count);
  let size = foundCount(call, query);
  for (let point = first * PANEL_WIDTH; point < endPoint; point += 4 * PANEL_WIDTH, estimates += 512) {
    let mask =
      (<u64>exceedMaskOfFour(estimates, bound)) |
      ((<u64>exceedMaskOfFour(estimates + 128, bound)) << 16) |
      ((<u64>exceedMaskOfFour(estimates + 256, bound)) << 32) |
      ((<u64>exceedMaskOfFour(estimates + 384, bound)) << 48);
    if (endPoint - point < 64) mask &= ((<u64>1) << (endPoint - point)) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const place = <u32>ctz(mask);
      const estimate = load<f32>(estimates + (place + (place & 48)) * 4);
      store<i32>(found + size * 4, candidate(indices, estimate * share, point + place));
      size += <u32>(point + place != self);
      if (size == most) {
        setFoundCount(call, query, size);
        raiseBound(call, query, origin, selectBest(call, query, call.candidates));
        size = call.candidates;
      }
    }
  }
  setFoundCount(call, query, size);
}

/**
 * The other side of a tile of a self-join: keeps the query as a candidate of those points whose neighbour it may be.
 * With x = q·p as the tile has it, scaled by the query's s, its estimate for p is x/s + c where −|q|²/2 = c,
 * and what the tile stored for the query is x + s c' where −|p|²/2 = c'.
 */
export function collectForPoints(call: SearchCall, query: u32, first: u32, estimates: usize): void {
  const register: usize = sizeof<v128>();
  const scale = scaleOf(call, query);
  const scales = f32x4.splat(scale);
  const reach = v128.load32_splat(call.reaches + query * 4);
  const index = call.firstQuery + query;
  const constant = load<f32>(call.constants + <usize>index * 4);
  const unscaled: f32 = 1 / scale;
  const indices = indexMask(call);
  for (let i: u32 = 0; i < 4; i++) {
    const tile = first + i * lanes<f32>();
    const at = estimates + <usize>i * register;
    const product = multiplySubtract(v128.load(at), v128.load(call.constants + <usize>tile * 4), scales);
    const bounds = v128.load(call.bounds + (tile - call.firstPoint) * 4);
    let mask = exceedMask(multiplySubtract(product, bounds, scales), reach);
    while (mask != 0) {
      const lane = <u32>ctz(mask);
      mask &= mask - 1;
      const point = tile + lane;
      const x = load<f32>(at + lane * 4) - load<f32>(call.constants + <usize>point * 4) * scale;
      const origin = originOfPoint(call, point);
      keep(call, point - call.firstPoint, origin, candidate(indices, (x * unscaled + constant) / origin, index));
    }
  }
}

/**
 * The first bound of a query, from the estimates of the first block it was taken over. The best of every
 * four points are as many different points, so the rank-th best of these is a bound that as many exceed;
 * one more than there are candidates, as the query itself may be among them. Of several panels where there
 * are enough, the best of four in each: hardly a looser bound, from fewer keys. These panels are far apart, as
 * rows that follow each other are often alike. Without a bound every tile of points is promising, so that their
 * estimates are all there.
 */
export function setFirstBound(call: SearchCall, query: u32, estimates: usize, panels: u32): void {
  const largest = load<f32>(call.reaches + query * 4) * SLACK;
  const keys = call.partials;
  const groups = min(panels, (call.candidates + 1) / 2);
  let key = keys;
  for (let group: u32 = 0; group < groups; group++) {
    let best = bestOfFour(estimates + <usize>group * 128);
    for (let panel = group + groups; panel < panels; panel += groups) {
      best = f32x4.pmax(best, bestOfFour(estimates + <usize>panel * 128));
    }
    // Floats that are not negative are in the order of their bits.
    v128.store(key, f32x4.pmax(f32x4.sub(f32x4.splat(largest), best), f32x4.splat(0)));
    key += sizeof<v128>();
  }
  const below = reinterpret<f32>(wordOfRank(call, keys, <u32>((key - keys) / 4), call.candidates + 1));
  const value = largest - below;
  // Below the value, which itself must exceed it.
  setBound(call, query, (value - (largest + below) * 1e-6) / scaleOf(call, query) - 1e-30);
}

/** The largest of four registers, lane by lane. */
function bestOfFour(at: usize): v128 {
  const register: usize = sizeof<v128>();
  const left = f32x4.pmax(v128.load(at), v128.load(at + register));
  const right = f32x4.pmax(v128.load(at + 2 * register), v128.load(at + 3 * register));
  return f32x4.pmax(left, right);
}
