// A walk up or down the CAD score, from one accepted point to the next. It works on lists of the points nearby
// (anchored-list.ts) and returns to ask for a new list when one does not reach far enough, so a step costs little
// more than its k neighbours, however many points there are. src/core/js/walk.ts takes the same steps, bit for bit,
// with a full search for every trial.
import { WalkStatus, WalkStop } from './contract';
import { curvatureOfNearest, findNearest, gradientOfNearest, AnchoredList } from './anchored-list';
import { Products, sumVectors } from './sums';

/** Phases of a walk: which trial comes next. */
const START: u32 = 0,
  NEXT: u32 = 1,
  FIXED: u32 = 2,
  LINE: u32 = 3,
  POLL_START: u32 = 4,
  POLL: u32 = 5,
  LABEL: u32 = 6;

/** As in src/core/js/walk.ts. */
const HALVINGS: u32 = 30;
const DECREASE: f64 = 1e-4;
const POLL_LENGTHS: u32 = 5;
const LEAST_DECREASE: f64 = 1e-9;
const FLAT: f64 = 1e-3;

/** The state of a walk. */
@unmanaged
export class Walk {
  /** 1 where the raw score is to fall, −1 where it is to rise. */
  sign: f64;
  /** η, or 0 for a line search. */
  step: f64;
  /** A point is an anomaly where orientation × raw score exceeds the threshold. */
  orientation: f64;
  threshold: f64;
  /** Largest magnitude a scaled value may have. */
  largest: f64;

  /** At the current point: sign × raw score, the slope down, and the typical distance of a neighbour. */
  score: f64;
  slope: f64;
  length: f64;

  points: AnchoredList;
  all: AnchoredList;
  columns: u32;
  stop: u32;
  wantsAnomaly: u32;
  isScaled: u32;
  isSingle: u32;

  /** Of the columns: value = scaled × scale + offset, within low … high. */
  offset: usize;
  scale: usize;
  low: usize;
  high: usize;

  /** The current point, scaled, and with the trial beside it; the gradient and the direction of the step. */
  point: usize;
  row: usize;
  trialPoint: usize;
  trialRow: usize;
  gradient: usize;
  direction: usize;
  /** The current point as the detector stores it, the neighbours to poll (k rows), and the indices of neighbours. */
  labelRow: usize;
  targets: usize;
  nearest: usize;

  phase: u32;
  trial: u32;
  iteration: u32;
  ending: u32;
  /** The row that needs a new list. */
  wanted: usize;
  /** Points measured beyond the k neighbours since the last list, and how many a new list is worth. */
  surplus: u32;
  patience: u32;
}

/** The trial point: current + factor × direction, kept within its bounds; false if it overflowed. */
function place(walk: Walk, factor: f64): bool {
  const largest = walk.largest;
  let isInside = true;
  for (let at: usize = 0, end = <usize>walk.columns * 8; at < end; at += 8) {
    const change = load<f64>(walk.direction + at);
    let value = load<f64>(walk.point + at),
      scaled = load<f64>(walk.row + at);
    if (change != 0) {
      const offset = load<f64>(walk.offset + at),
        scale = load<f64>(walk.scale + at);
      scaled += factor * change;
      value = (walk.isScaled ? scaled * scale : scaled) + offset;
      value = max(load<f64>(walk.low + at), min(load<f64>(walk.high + at), value));
      scaled = value - offset;
      if (walk.isScaled) scaled /= scale;
      if (!(abs(scaled) <= largest)) isInside = false;
    }
    store<f64>(walk.trialPoint + at, value);
    store<f64>(walk.trialRow + at, scaled);
  }
  return isInside;
}

/** The direction −sign ∇s, without what would leave the bounds; returns its length. */
function setSlope(walk: Walk): f64 {
  const sign = walk.sign;
  for (let at: usize = 0, end = <usize>walk.columns * 8; at < end; at += 8) {
    const value = load<f64>(walk.point + at);
    let change = -sign * load<f64>(walk.gradient + at);
    if (change < 0 ? value <= load<f64>(walk.low + at) : value >= load<f64>(walk.high + at)) change = 0;
    store<f64>(walk.direction + at, change);
  }
  return sqrt(sumVectors<f64, Products>(walk.direction, walk.direction, walk.columns));
}

/** Makes the trial, whose neighbours and score were just found, the current point. */
function accept(walk: Walk, score: f64): void {
  const list = walk.points,
    k = list.neighbors;
  const bytes = <usize>walk.columns * 8;
  memory.copy(walk.point, walk.trialPoint, bytes);
  memory.copy(walk.row, walk.trialRow, bytes);
  walk.score = score;
  gradientOfNearest(list, walk.gradient);
  const middle = load<f64>(list.distances + (k >> 1) * 8);
  walk.length = sqrt(middle > 0 ? middle : load<f64>(list.distances + (k - 1) * 8));
  for (let a: u32 = 0; a < k; a++) {
    store<u32>(walk.nearest + a * 4, load<u32>(list.indices + load<u32>(list.places + a * 4) * 4));
  }
}

/** Proposes the first trial of a step. */
function propose(walk: Walk): u32 {
  walk.slope = setSlope(walk);
  walk.trial = 0;
  if (walk.step > 0) {
    if (!place(walk, walk.step)) return WalkStatus.DIVERGED;
    walk.phase = FIXED;
  } else {
    walk.phase = LINE;
    proposeOnLine(walk);
  }
  return WalkStatus.PAUSED;
}

/** Proposes the next trial of a line search: half as far each time, and a poll when that does not help. */
function proposeOnLine(walk: Walk): void {
  for (; walk.trial < HALVINGS && walk.slope > 0; walk.trial++) {
    if (place(walk, (walk.length * halved(walk.trial)) / walk.slope)) return;
  }
  walk.phase = POLL_START;
  walk.trial = 0;
}

/** 2^−n. */
function halved(n: u32): f64 {
  let value: f64 = 1;
  for (let i: u32 = 0; i < n; i++) value *= 0.5;
  return value;
}

/** Keeps the rows of the neighbours of the current point: the list may change during a poll. */
function keepTargets(walk: Walk): void {
  const list = walk.points;
  const bytes = <usize>walk.columns * 8;
  for (let a: usize = 0; a < list.neighbors; a++) {
    memory.copy(walk.targets + a * bytes, list.rows + <usize>load<u32>(list.places + a * 4) * bytes, bytes);
  }
}

/** Proposes the next trial of a poll: past a neighbour or short of it (away from it on the way up). */
function proposePoll(walk: Walk): bool {
  for (; walk.trial < walk.points.neighbors * POLL_LENGTHS; walk.trial++) {
    const target = walk.targets + <usize>(walk.trial / POLL_LENGTHS) * walk.columns * 8;
    for (let at: usize = 0, end = <usize>walk.columns * 8; at < end; at += 8) {
      const isFixed = load<f64>(walk.low + at) == load<f64>(walk.high + at);
      store<f64>(walk.direction + at, isFixed ? 0 : walk.sign * (load<f64>(target + at) - load<f64>(walk.row + at)));
    }
    if (place(walk, 1.5 * halved(walk.trial % POLL_LENGTHS))) return true;
  }
  return false;
}

/** Whether the current point has the label wanted, once its neighbours among all points were found. */
function isReached(walk: Walk): bool {
  const isAnomaly = walk.orientation * curvatureOfNearest(walk.all, walk.labelRow) > walk.threshold;
  return isAnomaly == (walk.wantsAnomaly != 0);
}

/** Rounds the current point as the detector does. */
function storeForLabel(walk: Walk): void {
  for (let at: usize = 0, end = <usize>walk.columns * 8; at < end; at += 8) {
    const scaled = load<f64>(walk.row + at);
    store<f64>(walk.labelRow + at, walk.isSingle ? <f64>(<f32>scaled) : scaled);
  }
}

/** Finds neighbours in the list of the walk, and asks for a new one where measuring has become expensive. */
function findOnWalk(walk: Walk, row: usize): bool {
  const list = walk.points;
  const isFresh = list.isAtAnchor;
  if (isFresh) walk.surplus = 0;
  if (walk.surplus <= walk.patience && findNearest(list, row)) {
    walk.surplus += list.measured - list.neighbors;
    return true;
  }
  walk.wanted = row;
  return false;
}

/** Looks at a trial: accepts it (then the step is done) or proposes the next; an ending is not WalkStatus.PAUSED. */
function judge(walk: Walk, score: f64): u32 {
  const before = walk.score;
  const isLower = score < before - LEAST_DECREASE * (1 + abs(before));
  if (walk.phase == START) {
    accept(walk, score);
    walk.phase = NEXT;
    return WalkStatus.PAUSED;
  }
  if (walk.phase == FIXED) {
    if (walk.stop != WalkStop.NEVER && score > before) walk.ending = WalkStatus.INCREASED;
  } else if (walk.phase == LINE) {
    if (!isLower || !(score < before - DECREASE * (walk.length * halved(walk.trial)) * walk.slope)) {
      walk.trial++;
      proposeOnLine(walk);
      return WalkStatus.PAUSED;
    }
  } else if (!isLower) {
    walk.trial++;
    return proposePoll(walk) ? WalkStatus.PAUSED : endOfPoll(walk);
  }
  accept(walk, score);
  walk.iteration++;
  walk.phase = NEXT;
  if (walk.stop != WalkStop.LABEL) return walk.ending;
  storeForLabel(walk);
  walk.phase = LABEL;
  return WalkStatus.PAUSED;
}

function endOfPoll(walk: Walk): u32 {
  return walk.slope * walk.length <= FLAT ? WalkStatus.CONVERGED : WalkStatus.STALLED;
}

/** Walks until so many iterations are done, it ends, or a list is needed. */
export function walkUntil(walk: Walk, iteration: u32): u32 {
  while (true) {
    if (walk.phase == LABEL) {
      if (!findNearest(walk.all, walk.labelRow)) {
        walk.wanted = walk.labelRow;
        return WalkStatus.NEEDS_ALL;
      }
      walk.phase = NEXT;
      if (isReached(walk)) return WalkStatus.REACHED;
      if (walk.ending != WalkStatus.PAUSED) return walk.ending;
    }
    if (walk.phase == NEXT) {
      if (walk.iteration >= iteration) return WalkStatus.PAUSED;
      if (propose(walk) != WalkStatus.PAUSED) return WalkStatus.DIVERGED;
    }
    if (walk.phase == POLL_START) {
      if (!findOnWalk(walk, walk.row)) return WalkStatus.NEEDS_POINTS;
      keepTargets(walk);
      walk.phase = POLL;
      if (!proposePoll(walk)) return endOfPoll(walk);
    }
    if (!findOnWalk(walk, walk.trialRow)) return WalkStatus.NEEDS_POINTS;
    const status = judge(walk, walk.sign * curvatureOfNearest(walk.points, walk.trialRow));
    if (status != WalkStatus.PAUSED) return status;
  }
}
