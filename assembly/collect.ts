// The first pass keeps the points that may be neighbours: a few more than k a query, by their estimates.
import { boundOf, scaleOf, setBound } from './estimates';
import { Frame } from './frame';
import { PANEL_WIDTH } from './contract';
import { LINE } from './panels';
import {
  candidate, capacity, estimateOf, foundBy, foundCount, indexMask, originOf, selectBest, setFoundCount, SLACK, wordOfRank,
} from './reservoir';
import { exceedMask, exceedMaskOfFour, lanes, larger, loadSplat, loadVector, multiplySubtract, splat, storeVector, subtract, zero } from './vector';

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
export function keepBest<I>(frame: Frame, query: u32): void {
  if (foundCount(frame, query) > frame.candidates) leaveOut(frame, query, selectBest<I>(frame, query, frame.candidates));
}

/** Keeps one more point, and now and then only those with the best estimates. */
function keep<I>(frame: Frame, query: u32, origin: f32, word: i32): void {
  const size = foundCount(frame, query);
  store<i32>(foundBy(frame, query) + size * 4, word);
  setFoundCount(frame, query, size + 1);
  if (size + 1 == capacity(frame)) raiseBound(frame, query, origin, selectBest<I>(frame, query, frame.candidates));
}

/** Keeps the points of a tile whose estimates exceed the bound of a query. */
export function collect<I, E>(frame: Frame, query: u32, first: u32, estimates: usize): void {
  const scale = scaleOf(frame, query);
  const bound = splat<f32, E>(boundOf(frame, query) * scale);
  let mask = exceedMaskOfFour<E>(estimates, bound);
  const self = load<u32>(frame.selves + query * 4);
  const origin = originOfQuery(frame, query);
  const share: f32 = 1 / (scale * origin);
  const indices = indexMask(frame);
  while (mask != 0) {
    const lane = <u32>ctz(mask);
    mask &= mask - 1;
    const index = first + lane;
    if (index >= frame.count || index == self) continue;
    keep<I>(frame, query, origin, candidate(indices, load<f32>(estimates + lane * 4) * share, index));
  }
}

/**
 * Keeps the points of all tiles of some panels, for a query that just has its first bound. One in twenty or so
 * exceeds it, but which cannot be foreseen: the bits of four panels are looked through at a time.
 */
export function collectAll<I, E>(frame: Frame, query: u32, first: u32, end: u32, estimates: usize): void {
  const scale = scaleOf(frame, query);
  const origin = originOfQuery(frame, query);
  const share = pinned<f32>(frame, 1 / (scale * origin));
  const indices = pinned<u32>(frame, indexMask(frame));
  const self = load<u32>(frame.selves + query * 4);
  const found = foundBy(frame, query);
  const most = capacity(frame);
  const bound = splat<f32, E>(boundOf(frame, query) * scale);
  const endPoint = min(end * PANEL_WIDTH, frame.count);
  let size = foundCount(frame, query);
  for (let point = first * PANEL_WIDTH; point < endPoint; point += 4 * PANEL_WIDTH, estimates += 512) {
    let mask = panelMask<E>(estimates, bound) | (panelMask<E>(estimates + 128, bound) << 16)
      | (panelMask<E>(estimates + 256, bound) << 32) | (panelMask<E>(estimates + 384, bound) << 48);
    if (endPoint - point < 64) mask &= (<u64>1 << (endPoint - point)) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const place = <u32>ctz(mask);
      const estimate = load<f32>(estimates + (place + (place & 48)) * 4);
      store<i32>(found + size * 4, candidate(indices, estimate * share, point + place));
      size += <u32>(point + place != self);
      if (size == most) {
        setFoundCount(frame, query, size);
        raiseBound(frame, query, origin, selectBest<I>(frame, query, frame.candidates));
        size = frame.candidates;
      }
    }
  }
  setFoundCount(frame, query, size);
}

/** A bit for each point of a panel whose estimate exceeds the bound. */
function panelMask<E>(estimates: usize, bound: E): u64 {
  if (isVector<E>()) return <u64>exceedMaskOfFour<E>(estimates, bound);
  let mask: u64 = 0;
  for (let offset: usize = 0; offset < LINE; offset += 4 * sizeof<E>()) {
    mask |= <u64>exceedMaskOfFour<E>(estimates + offset, bound) << (offset >> 2);
  }
  return mask;
}

/**
 * The other side of a tile of a join: keeps the query for those of its points that it may be a neighbour of.
 * With x = q·p as the tile has it, scaled by the query's s, its estimate for p is x/s + c where −|q|²/2 = c,
 * and what the tile stored for the query is x + s c' where −|p|²/2 = c'.
 */
export function collectForPoints<I, E>(frame: Frame, query: u32, first: u32, estimates: usize): void {
  const register: usize = sizeof<E>();
  const scale = scaleOf(frame, query);
  const scales = splat<f32, E>(scale);
  const reach = loadSplat<f32, E>(frame.reaches + query * 4);
  const index = frame.firstQuery + query;
  const constant = load<f32>(frame.constants + <usize>index * 4);
  const unscaled: f32 = 1 / scale;
  const indices = indexMask(frame);
  for (let i: u32 = 0; i < 4; i++) {
    const tile = first + i * lanes<f32, E>();
    const at = estimates + <usize>i * register;
    const product = multiplySubtract<E>(loadVector<f32, E>(at), loadVector<f32, E>(frame.constants + <usize>tile * 4), scales);
    const bounds = loadVector<f32, E>(frame.bounds + (tile - frame.firstPoint) * 4);
    let mask = exceedMask<E>(multiplySubtract<E>(product, bounds, scales), reach);
    while (mask != 0) {
      const lane = <u32>ctz(mask);
      mask &= mask - 1;
      const point = tile + lane;
      const x = load<f32>(at + lane * 4) - load<f32>(frame.constants + <usize>point * 4) * scale;
      const origin = originOfPoint(frame, point);
      keep<I>(frame, point - frame.firstPoint, origin, candidate(indices, (x * unscaled + constant) / origin, index));
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
export function setFirstBound<I, E>(frame: Frame, query: u32, estimates: usize, panels: u32): void {
  const register: usize = sizeof<E>();
  const largest = load<f32>(frame.reaches + query * 4) * SLACK;
  const keys = frame.partials;
  const groups = min(panels, (frame.candidates + 1) / 2);
  let key = keys;
  for (let group: u32 = 0; group < groups; group++) {
    for (let offset: usize = 0; offset < LINE; offset += 4 * register) {
      let best = bestOfFour<E>(estimates + <usize>group * 128 + offset);
      for (let panel = group + groups; panel < panels; panel += groups) {
        best = larger<f32, E>(best, bestOfFour<E>(estimates + <usize>panel * 128 + offset));
      }
      // Floats that are not negative are in the order of their bits.
      storeVector<f32, E>(key, larger<f32, E>(subtract<f32, E>(splat<f32, E>(largest), best), zero<f32, E>()));
      key += register;
    }
  }
  const below = reinterpret<f32>(wordOfRank<I>(frame, keys, <u32>((key - keys) / 4), frame.candidates + 1));
  const value = largest - below;
  // Below the value, which itself must exceed it.
  setBound(frame, query, (value - (largest + below) * 1e-6) / scaleOf(frame, query) - 1e-30);
}

/** The largest of four registers, lane by lane. */
function bestOfFour<E>(at: usize): E {
  const register: usize = sizeof<E>();
  const left = larger<f32, E>(loadVector<f32, E>(at), loadVector<f32, E>(at + register));
  const right = larger<f32, E>(loadVector<f32, E>(at + 2 * register), loadVector<f32, E>(at + 3 * register));
  return larger<f32, E>(left, right);
}
