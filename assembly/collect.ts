// The first pass keeps the points that may be neighbours: a few more than k a query, by their estimates.
import { boundOf, scaleOf, setBound } from './estimates';
import { Frame } from './frame';
import { PANEL_WIDTH } from './contract';
import {
  candidate, capacity, estimateOf, foundBy, foundCount, indexMask, originOf, selectBest, setFoundCount, SLACK, wordOfRank,
} from './reservoir';
import { exceedMask, exceedMaskOfFour, lanes, multiplySubtract } from './vector';

/** A value computed once: V8 would compute it in every turn of the loop that uses it, but cannot move a load. */
function pinned<T>(frame: Frame, value: T): T {
  store<T>(frame.scratch, value);
  return load<T>(frame.scratch);
}

/** The origin of a query of the block, which may be a point. */
function originOfQuery(frame: Frame, query: u32): f32 {
  const self = load<u32>(frame.selves + query * 4);
  if (self < frame.count) return originOfPoint(frame, self);
  return originOf(frame, load<f32>(frame.reaches + query * 4) / scaleOf(frame, query));
}

function originOfPoint(frame: Frame, index: u32): f32 {
  return originOf(frame, -load<f32>(frame.constants + <usize>index * 4));
}

/** Raises a bound: no point left out, all of them worse than the worst that stays, has a larger estimate. */
function raiseBound(frame: Frame, query: u32, origin: f32, worst: i32): void {
  setBound(frame, query, max(boundOf(frame, query), estimateOf(frame, origin, worst)));
}

/** Takes note that candidates of a query of the block worse than this one are left out. */
export function leaveOut(frame: Frame, query: u32, worst: i32): void {
  raiseBound(frame, query, originOfQuery(frame, query), worst);
}

/** Drops all candidates of a query of the block but as many as there should be. */
export function keepBest(frame: Frame, query: u32): void {
  if (foundCount(frame, query) > frame.candidates) leaveOut(frame, query, selectBest(frame, query, frame.candidates));
}

/** Keeps one more point, and now and then only those with the best estimates. */
function keep(frame: Frame, query: u32, origin: f32, word: i32): void {
  const size = foundCount(frame, query);
  store<i32>(foundBy(frame, query) + size * 4, word);
  setFoundCount(frame, query, size + 1);
  if (size + 1 == capacity(frame)) raiseBound(frame, query, origin, selectBest(frame, query, frame.candidates));
}

/** Keeps the points of a tile whose estimates exceed the bound of a query. */
export function collect(frame: Frame, query: u32, first: u32, estimates: usize): void {
  const scale = scaleOf(frame, query);
  const bound = f32x4.splat(boundOf(frame, query) * scale);
  let mask = exceedMaskOfFour(estimates, bound);
  const self = load<u32>(frame.selves + query * 4);
  const origin = originOfQuery(frame, query);
  const share: f32 = 1 / (scale * origin);
  const indices = indexMask(frame);
  while (mask != 0) {
    const lane = <u32>ctz(mask);
    mask &= mask - 1;
    const index = first + lane;
    if (index >= frame.count || index == self) continue;
    keep(frame, query, origin, candidate(indices, load<f32>(estimates + lane * 4) * share, index));
  }
}

/**
 * Keeps the points of all tiles of some panels, for a query that just has its first bound. One in twenty or so
 * exceeds it, but which cannot be foreseen: the bits of four panels are looked through at a time.
 */
export function collectAll(frame: Frame, query: u32, first: u32, end: u32, estimates: usize): void {
  const scale = scaleOf(frame, query);
  const origin = originOfQuery(frame, query);
  const share = pinned<f32>(frame, 1 / (scale * origin));
  const indices = pinned<u32>(frame, indexMask(frame));
  const self = load<u32>(frame.selves + query * 4);
  const found = foundBy(frame, query);
  const most = capacity(frame);
  const bound = f32x4.splat(boundOf(frame, query) * scale);
  const endPoint = min(end * PANEL_WIDTH, frame.count);
  let size = foundCount(frame, query);
  for (let point = first * PANEL_WIDTH; point < endPoint; point += 4 * PANEL_WIDTH, estimates += 512) {
    let mask = <u64>exceedMaskOfFour(estimates, bound) | (<u64>exceedMaskOfFour(estimates + 128, bound) << 16)
      | (<u64>exceedMaskOfFour(estimates + 256, bound) << 32) | (<u64>exceedMaskOfFour(estimates + 384, bound) << 48);
    if (endPoint - point < 64) mask &= (<u64>1 << (endPoint - point)) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const place = <u32>ctz(mask);
      const estimate = load<f32>(estimates + (place + (place & 48)) * 4);
      store<i32>(found + size * 4, candidate(indices, estimate * share, point + place));
      size += <u32>(point + place != self);
      if (size == most) {
        setFoundCount(frame, query, size);
        raiseBound(frame, query, origin, selectBest(frame, query, frame.candidates));
        size = frame.candidates;
      }
    }
  }
  setFoundCount(frame, query, size);
}

/**
 * The other side of a tile of a join: keeps the query for those of its points that it may be a neighbour of.
 * With x = q·p as the tile has it, scaled by the query's s, its estimate for p is x/s + c where −|q|²/2 = c,
 * and what the tile stored for the query is x + s c' where −|p|²/2 = c'.
 */
export function collectForPoints(frame: Frame, query: u32, first: u32, estimates: usize): void {
  const register: usize = sizeof<v128>();
  const scale = scaleOf(frame, query);
  const scales = f32x4.splat(scale);
  const reach = v128.load32_splat(frame.reaches + query * 4);
  const index = frame.firstQuery + query;
  const constant = load<f32>(frame.constants + <usize>index * 4);
  const unscaled: f32 = 1 / scale;
  const indices = indexMask(frame);
  for (let i: u32 = 0; i < 4; i++) {
    const tile = first + i * lanes<f32>();
    const at = estimates + <usize>i * register;
    const product = multiplySubtract(v128.load(at), v128.load(frame.constants + <usize>tile * 4), scales);
    const bounds = v128.load(frame.bounds + (tile - frame.firstPoint) * 4);
    let mask = exceedMask(multiplySubtract(product, bounds, scales), reach);
    while (mask != 0) {
      const lane = <u32>ctz(mask);
      mask &= mask - 1;
      const point = tile + lane;
      const x = load<f32>(at + lane * 4) - load<f32>(frame.constants + <usize>point * 4) * scale;
      const origin = originOfPoint(frame, point);
      keep(frame, point - frame.firstPoint, origin, candidate(indices, (x * unscaled + constant) / origin, index));
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
export function setFirstBound(frame: Frame, query: u32, estimates: usize, panels: u32): void {
  const largest = load<f32>(frame.reaches + query * 4) * SLACK;
  const keys = frame.partials;
  const groups = min(panels, (frame.candidates + 1) / 2);
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
  const below = reinterpret<f32>(wordOfRank(frame, keys, <u32>((key - keys) / 4), frame.candidates + 1));
  const value = largest - below;
  // Below the value, which itself must exceed it.
  setBound(frame, query, (value - (largest + below) * 1e-6) / scaleOf(frame, query) - 1e-30);
}

/** The largest of four registers, lane by lane. */
function bestOfFour(at: usize): v128 {
  const register: usize = sizeof<v128>();
  const left = f32x4.pmax(v128.load(at), v128.load(at + register));
  const right = f32x4.pmax(v128.load(at + 2 * register), v128.load(at + 3 * register));
  return f32x4.pmax(left, right);
}
