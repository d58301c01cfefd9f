// Which panels of a self-join have to be compared. Where points are put in order first (see tree.ts), those of a panel lie
// close together, and boxes around two panels tell at least how far apart their points are.
//
// Let b be the bound of a point q, |q| its norm and R² = |q|² − 2b (L1: R = −b), in units. `verifyCandidates` accepts
// the neighbours of q if its k-th distance r satisfies b < estimateAt(r), and estimateAt(r) ≤ (|q|² − r²)/2 (L1: −r):
// then r < R. So points at least R away may be left out without being looked at, as if their estimates did not exceed the
// bound; and a query that is not accepted is compared with all points. Two panels may be left out for each other where
// their boxes are farther apart than the R of all points in both.
//
// Distances of boxes may be too large by what tree.ts says, where |q| is at most the distance from the centre to the
// farthest corner of the box. Numbers of boxes were rounded twice, to be relative to the unit of the panels.
import { PANEL_WIDTH } from './contract';
import { isAbsolute, productError } from './estimates';
import { SearchCall } from './search-call';
import { isSame, Magnitudes, Squares } from './sums';
import { boxesOf, precisionOf, SKEW, treeWidth } from './tree';
import { multiplyAdd } from './vector';

/** Whether the panels of a call lie in an order, with boxes around them. */
export function isOrdered(call: SearchCall): bool {
  return call.order != 0;
}

/** Makes numbers of boxes relative to another unit. */
export function scaleBoxes(call: SearchCall, factor: f64): void {
  const groups = (call.count + PANEL_WIDTH * PANEL_WIDTH - 1) / (PANEL_WIDTH * PANEL_WIDTH);
  for (let at = call.boxes, end = boxesOf(call, groups); at < end; at += 4) {
    store<f32>(at, ((load<f32>(at) as f64) * factor) as f32);
  }
}

/** Notes how far away a neighbour of the points of some panels may be. Their bounds begin with that of point `start`. */
export function findLimits(call: SearchCall, panel: u32, end: u32, start: u32): void {
  const factor = f32x4.splat((isAbsolute(call) ? 0 : -1.000001 / (0.5 - productError(call))) as f32);
  const twice = f32x4.splat(isAbsolute(call) ? -1 : -2);
  const slack = f32x4.splat(1e-6);
  for (; panel < end; panel++) {
    const side = <usize>panel * (PANEL_WIDTH * 4);
    const bounds = call.bounds + side - <usize>start * 4,
      constants = call.constants + side;
    let most = f32x4.splat(0);
    for (let at: usize = 0; at < PANEL_WIDTH * 4; at += 16) {
      const bound = v128.load(bounds + at);
      const reach = multiplyAdd(bound, twice, f32x4.mul(v128.load(constants + at), factor));
      // Of what is no number, of missing points, the other is the larger.
      most = f32x4.pmax(most, multiplyAdd(f32x4.abs(bound), slack, reach));
    }
    most = f32x4.pmax(most, i32x4.shuffle(most, most, 2, 3, 0, 1));
    const reach = max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)) as f64;
    store<f32>(call.limits + panel * 4, limitOf(call, panel, isAbsolute(call) ? reach : sqrt(reach)));
  }
}

/** What the distance of a box is compared with. */
function limitOf(call: SearchCall, panel: u32, reach: f64): f32 {
  const width = treeWidth(call);
  const box = boxesOf(call, panel / PANEL_WIDTH) + (panel % PANEL_WIDTH) * 4;
  let length: f64 = 0;
  for (let axis: usize = 0; axis < width; axis++) {
    const corner = max(abs(load<f32>(box + axis * 128)), abs(load<f32>(box + axis * 128 + 64))) as f64;
    length += isAbsolute(call) ? corner : corner * corner;
  }
  if (!isAbsolute(call)) length = sqrt(length);
  const precision = 2 * precisionOf(call);
  const most = reach * (1 + SKEW + precision + (<f64>call.columns + 8) * 2.3e-16) + 2.01 * precision * length + 1e-30;
  const limit = (isAbsolute(call) ? most : most * most) * (1 + <f64>(width + 6) / 8388608) + 1e-37;
  return limit < <f64>f32.MAX_VALUE ? (limit as f32) : f32.MAX_VALUE;
}

/** A bit for each panel from `first` to `end` − 1, of 16 that have their boxes together: 1 where it may matter to a panel. */
export function nearPanels(call: SearchCall, panel: u32, first: u32, end: u32): u32 {
  const near = isAbsolute(call)
    ? compareBoxes<Magnitudes>(call, panel, first)
    : compareBoxes<Squares>(call, panel, first);
  return (near >> (first % PANEL_WIDTH)) & ((1 << (end - first)) - 1);
}

/** Compares a box with 16, by the farther of the limits of both. */
function compareBoxes<Term>(call: SearchCall, panel: u32, first: u32): u32 {
  const width = treeWidth(call);
  let box = boxesOf(call, panel / PANEL_WIDTH) + (panel % PANEL_WIDTH) * 4;
  let boxes = boxesOf(call, first / PANEL_WIDTH);
  const limit = v128.load32_splat(call.limits + panel * 4);
  const limits = call.limits + (first & ~(PANEL_WIDTH - 1)) * 4;
  const m0 = f32x4.pmax(v128.load(limits), limit),
    m1 = f32x4.pmax(v128.load(limits, 16), limit),
    m2 = f32x4.pmax(v128.load(limits, 32), limit),
    m3 = f32x4.pmax(v128.load(limits, 48), limit);
  let s0 = f32x4.splat(0),
    s1 = s0,
    s2 = s0,
    s3 = s0;
  for (let axis: u32 = 0; axis < width; axis++, box += 128, boxes += 128) {
    const lower = v128.load32_splat(box),
      upper = v128.load32_splat(box + 64);
    s0 = add<Term>(s0, between(boxes, lower, upper));
    s1 = add<Term>(s1, between(boxes + 16, lower, upper));
    s2 = add<Term>(s2, between(boxes + 32, lower, upper));
    s3 = add<Term>(s3, between(boxes + 48, lower, upper));
  }
  const low = i16x8.narrow_i32x4_s(f32x4.le(s0, m0), f32x4.le(s1, m1));
  const high = i16x8.narrow_i32x4_s(f32x4.le(s2, m2), f32x4.le(s3, m3));
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) as u32;
}

/** How far some ranges are from another. */
@inline
function between(boxes: usize, lower: v128, upper: v128): v128 {
  const above = f32x4.sub(v128.load(boxes), upper),
    below = f32x4.sub(lower, v128.load(boxes, 64));
  return f32x4.pmax(f32x4.splat(0), f32x4.pmax(above, below));
}


@inline
function add<Term>(sum: v128, difference: v128): v128 {
  if (isSame<Term, Squares>()) return multiplyAdd(difference, difference, sum);
  return f32x4.add(sum, difference);
}
