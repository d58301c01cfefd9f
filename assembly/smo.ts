// Sequential minimal optimisation of  min ½ αᵀKα,  0 ≤ α_i ≤ 1,  Σα fixed: the dual of the one-class
// support vector machine. Each step moves weight from a point j to a point i; j is chosen by the second-order
// gain b²/a (Fan, Chen and Lin 2005). Moving the gradient and finding the next i are one pass over the points.
// Padding has α = NaN: it can neither grow nor shrink. Ties go to the lower index, in every build.
import { NONE, SmoStatus, SVM_PANEL_WIDTH } from './contract';
import { fillRows } from './kernel-panels';
import { SvmCall } from './svm-call';
import { loadWide } from './vector';

/** Replaces a curvature that is not positive. */
const LEAST_CURVATURE: f64 = 1e-12;

/** The slot to be used next: an empty one, or the least recently used. */
function freeSlot(call: SvmCall): u32 {
  if (call.slotsUsed < call.slots) {
    const slot = call.slotsUsed;
    call.slotsUsed = slot + 1;
    return slot;
  }
  let oldest: u32 = 0;
  for (let slot: u32 = 1; slot < call.slots; slot++) {
    if (load<u32>(call.lastUses + slot * 4) < load<u32>(call.lastUses + oldest * 4)) oldest = slot;
  }
  store<u32>(call.slotOf + load<u32>(call.pointOf + oldest * 4) * 4, NONE);
  return oldest;
}

function touch(call: SvmCall, slot: u32): void {
  call.clock = call.clock + 1;
  store<u32>(call.lastUses + slot * 4, call.clock);
}

/** Gives a point a slot for its row. */
function assignSlot(call: SvmCall, point: u32): usize {
  const slot = freeSlot(call);
  store<u32>(call.slotOf + point * 4, slot);
  store<u32>(call.pointOf + slot * 4, point);
  touch(call, slot);
  return rowAt(call, slot);
}

function rowAt(call: SvmCall, slot: u32): usize {
  const padded = <usize>((call.count + SVM_PANEL_WIDTH - 1) / SVM_PANEL_WIDTH) * SVM_PANEL_WIDTH;
  return call.rows + <usize>slot * padded * 4;
}

function isKept(call: SvmCall, point: u32): bool {
  return load<u32>(call.slotOf + point * 4) != NONE;
}

/**
 * The kernel row of a point. Where it is missing, that of another point likely to be needed soon comes with
 * it: two rows cost little more than one, as reading the points is what takes the time.
 */
function rowOf(call: SvmCall, point: u32, other: u32): usize {
  const slot = load<u32>(call.slotOf + point * 4);
  if (slot != NONE) {
    touch(call, slot);
    return rowAt(call, slot);
  }
  const isWithOther = other != NONE && other != point && !isKept(call, other);
  const otherRow = isWithOther ? assignSlot(call, other) : 0;
  const row = assignSlot(call, point);
  fillRows(call, point, isWithOther ? other : point, row, isWithOther ? otherRow : row);
  return row;
}

/** Whose row to make beside that of a point, where it is missing: who is likely to be needed next. */
function companionOf(call: SvmCall, point: u32): u32 {
  if (isKept(call, point)) return NONE;
  if (call.shrinking != point && !isKept(call, call.shrinking)) return call.shrinking;
  let lowest = Infinity;
  let companion = NONE;
  for (let t: u32 = 0; t < call.count; t++) {
    const gradient = load<f64>(call.gradients + t * 8);
    if (gradient < lowest && t != point && load<f64>(call.coefficients + t * 8) < 1 && !isKept(call, t)) {
      lowest = gradient;
      companion = t;
    }
  }
  return companion;
}

/** Keeps the rows of the support vectors from … to − 1; those kept already are safe from being replaced. */
export function keepSupport(call: SvmCall, from: u32, to: u32): void {
  let waiting = NONE;
  for (let place = from; place < to; place++) {
    const point = load<u32>(call.support + place * 4);
    if (isKept(call, point)) continue;
    if (waiting == NONE) {
      waiting = point;
    } else {
      rowOf(call, waiting, point);
      waiting = NONE;
    }
  }
  if (waiting != NONE) rowOf(call, waiting, NONE);
}

/** Marks the kept rows of support vectors as just used. */
export function touchSupport(call: SvmCall): void {
  for (let place: u32 = 0; place < call.supportCount; place++) {
    const slot = load<u32>(call.slotOf + load<u32>(call.support + place * 4) * 4);
    if (slot != NONE) touch(call, slot);
  }
}

/** The kept row of the support vector in a place; beyond the last, any row: its α counts as 0. */
function supportRow(call: SvmCall, place: u32): usize {
  const point = load<u32>(call.support + min(place, call.supportCount - 1) * 4);
  return rowAt(call, load<u32>(call.slotOf + point * 4));
}

function supportAlpha(call: SvmCall, place: u32): f64 {
  if (place >= call.supportCount) return 0;
  return load<f64>(call.coefficients + load<u32>(call.support + place * 4) * 8);
}

/** Adds eight support vectors, from a place that is a multiple of 8, to the sums of all points, as addWeighted does. */
export function addRows(call: SvmCall, place: u32): void {
  addFour(call, place, call.evenSums);
  addFour(call, place + 1, call.oddSums);
}

/** Four support vectors, every other one. */
function addFour(call: SvmCall, place: u32, sums: usize): void {
  let r0 = supportRow(call, place),
    r1 = supportRow(call, place + 2);
  let r2 = supportRow(call, place + 4),
    r3 = supportRow(call, place + 6);
  const a0 = f64x2.splat(supportAlpha(call, place)),
    a1 = f64x2.splat(supportAlpha(call, place + 2));
  const a2 = f64x2.splat(supportAlpha(call, place + 4)),
    a3 = f64x2.splat(supportAlpha(call, place + 6));
  const end = sums + <usize>call.count * 8;
  const step: usize = sizeof<v128>() / 2;
  for (let at = sums; at < end; at += sizeof<v128>()) {
    const t0 = f64x2.mul(a0, loadWide<f32>(r0)),
      t1 = f64x2.mul(a1, loadWide<f32>(r1));
    const t2 = f64x2.mul(a2, loadWide<f32>(r2)),
      t3 = f64x2.mul(a3, loadWide<f32>(r3));
    const total = f64x2.add(f64x2.add(t0, t1), f64x2.add(t2, t3));
    v128.store(at, f64x2.add(v128.load(at), total));
    r0 += step;
    r1 += step;
    r2 += step;
    r3 += step;
  }
}

function note(call: SvmCall, lowest: f64, highest: f64, growing: u32, shrinking: u32): void {
  call.growing = growing;
  call.shrinking = shrinking;
  call.gap = growing == NONE || shrinking == NONE ? 0 : highest - lowest;
}

/**
 * Moves the gradient by a k(i,t) + b k(j,t) and notes who can grow with the lowest, and who can shrink with the
 * highest. Two points a step; each lane keeps the first best of its own.
 */
function moveGradient(call: SvmCall, rowI: usize, rowJ: usize, byI: f64, byJ: f64): void {
  const moveI = f64x2.splat(byI),
    moveJ = f64x2.splat(byJ);
  const one = f64x2.splat(1),
    none = f64x2.splat(0),
    two = f64x2.splat(2);
  let lowest = f64x2.splat(Infinity),
    highest = f64x2.splat(-Infinity);
  let growing = f64x2.splat(-1),
    shrinking = growing;
  let index = f64x2(0, 1);
  const end = call.gradients + <usize>call.count * 8;
  let alphas = call.coefficients;
  for (let at = call.gradients; at < end; at += 16) {
    const fromI = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(rowI)), moveI);
    const fromJ = f64x2.mul(f64x2.promote_low_f32x4(v128.load64_zero(rowJ)), moveJ);
    const gradient = f64x2.add(v128.load(at), f64x2.add(fromI, fromJ));
    v128.store(at, gradient);
    const alpha = v128.load(alphas);
    const isLower = v128.and(f64x2.lt(alpha, one), f64x2.lt(gradient, lowest));
    const isHigher = v128.and(f64x2.gt(alpha, none), f64x2.gt(gradient, highest));
    lowest = v128.bitselect(gradient, lowest, isLower);
    growing = v128.bitselect(index, growing, isLower);
    highest = v128.bitselect(gradient, highest, isHigher);
    shrinking = v128.bitselect(index, shrinking, isHigher);
    index = f64x2.add(index, two);
    rowI += 8;
    rowJ += 8;
    alphas += 16;
  }
  const least = min(f64x2.extract_lane(lowest, 0), f64x2.extract_lane(lowest, 1));
  const most = max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1));
  note(call, least, most, bestLane(f64x2.neg(lowest), growing), bestLane(highest, shrinking));
}

/** The index whose value is the largest; of equal ones the lower. −1 stands for none. */
function bestLane(values: v128, indices: v128): u32 {
  const a = f64x2.extract_lane(values, 0),
    b = f64x2.extract_lane(values, 1);
  const i = f64x2.extract_lane(indices, 0),
    j = f64x2.extract_lane(indices, 1);
  if (i < 0 && j < 0) return NONE;
  if (j < 0 || (i >= 0 && (a > b || (a == b && i < j)))) return i as u32;
  return j as u32;
}

/** The point that can shrink whose exchange with i gains the most, b²/a; two points a step. */
function bestPartner(call: SvmCall, row: usize, gradientI: f64, selfI: f64): u32 {
  const origin = f64x2.splat(gradientI),
    self = f64x2.splat(selfI);
  const none = f64x2.splat(0),
    two = f64x2.splat(2),
    least = f64x2.splat(LEAST_CURVATURE);
  let most = none,
    partner = f64x2.splat(-1),
    index = f64x2(0, 1);
  const end = call.gradients + <usize>call.count * 8;
  let alphas = call.coefficients,
    diagonal = call.diagonal;
  for (let at = call.gradients; at < end; at += 16) {
    const b = f64x2.sub(v128.load(at), origin);
    const cross = f64x2.mul(two, f64x2.promote_low_f32x4(v128.load64_zero(row)));
    const a = f64x2.sub(f64x2.add(self, v128.load(diagonal)), cross);
    const gain = f64x2.div(f64x2.mul(b, b), v128.bitselect(a, least, f64x2.gt(a, none)));
    const isEligible = v128.and(f64x2.gt(b, none), f64x2.gt(v128.load(alphas), none));
    const isBetter = v128.and(isEligible, f64x2.gt(gain, most));
    most = v128.bitselect(gain, most, isBetter);
    partner = v128.bitselect(index, partner, isBetter);
    index = f64x2.add(index, two);
    row += 8;
    alphas += 16;
    diagonal += 16;
  }
  return bestLane(most, partner);
}

function pairCurvature(selfI: f64, selfJ: f64, cross: f64): f64 {
  const a = selfI + selfJ - 2 * cross;
  return a > 0 ? a : LEAST_CURVATURE;
}

/** Finds the first pair to look at, from gradients as they are given. */
export function startSmo(call: SvmCall): void {
  // Any row will do: it is multiplied by 0. The first slot was cleared.
  moveGradient(call, call.rows, call.rows, 0, 0);
}

/** Takes steps until it is finished or stalled, `limit` steps were taken, or a budget of work is used up. */
export function iterateSmo(call: SvmCall, limit: u32, budget: f64): u32 {
  const passes: f64 = call.count * 6;
  const rowCost: f64 = <f64>call.count * (call.columns * 2 + 30);
  let work: f64 = 0;
  while (work < budget && call.iterations < limit) {
    if (!(call.gap > 0 && call.gap >= call.tolerance)) return SmoStatus.FINISHED;
    if (isStalled(call)) return SmoStatus.STALLED;
    if (!isKept(call, call.growing)) work += rowCost;
    if (!step(call)) return SmoStatus.STALLED;
    work += passes;
  }
  return SmoStatus.RUNNING;
}

/** Whether the gap has long not shrunk by a tenth: kernel values rounded to f32 need not allow a smaller one. */
function isStalled(call: SvmCall): bool {
  if (call.gap < 0.9 * call.bestGap) {
    call.bestGap = call.gap;
    call.gainedAt = call.iterations;
  }
  return call.iterations - call.gainedAt > call.patience;
}

/** One exchange; false where rounding leaves nothing to exchange. */
function step(call: SvmCall): bool {
  const i = call.growing;
  const gradientI = load<f64>(call.gradients + i * 8),
    selfI = load<f64>(call.diagonal + i * 8);
  const rowI = rowOf(call, i, companionOf(call, i));
  const j = bestPartner(call, rowI, gradientI, selfI);
  if (j == NONE) return false;
  const rowJ = rowOf(call, j, companionOf(call, j));
  const a = pairCurvature(selfI, load<f64>(call.diagonal + j * 8), load<f32>(rowI + j * 4) as f64);
  const atI = call.coefficients + i * 8,
    atJ = call.coefficients + j * 8;
  const alphaI = load<f64>(atI),
    alphaJ = load<f64>(atJ);
  const sum = alphaI + alphaJ;
  let nextJ = alphaJ - (load<f64>(call.gradients + j * 8) - gradientI) / a;
  // Within the bounds, and the sum of both stays what it is.
  if (nextJ < 0) nextJ = 0;
  let nextI = sum - nextJ;
  if (nextI > 1) {
    nextI = 1;
    nextJ = sum - 1;
  }
  if (nextI == alphaI && nextJ == alphaJ) return false;
  store<f64>(atI, nextI);
  store<f64>(atJ, nextJ);
  moveGradient(call, rowI, rowJ, nextI - alphaI, nextJ - alphaJ);
  call.iterations = call.iterations + 1;
  return true;
}
