// Kernel values of a pair of queries with the eight points of a panel. They are computed in f64, times a unit,
// and rounded to f32 once, so that a row kept by the solver and a score see the same kernel. Sums run in
// column order and unfused, the exponential takes the same steps in every lane: all builds, and
// src/core/js/svm-kernel.ts, give the same bits.
import { SVM_PANEL_WIDTH } from './contract';
import { exponentials } from './elementary';
import { Kernel } from './contract';
import { ofProduct } from './kernels';
import { Products, Squares, isSame } from './sums';
import { SvmFrame } from './svm-frame';
import { add, larger, loadSplat, loadVector, multiply, splat, storeVector, subtract, zero } from './vector';

/** Points in a panel, and the bytes of one of its columns. */
export const LINE: usize = 64;
/** Beyond it a kernel value counts as this large: f32 holds no more. */
const LARGEST: f64 = 3e38;

function accumulate<V, Term>(query: V, points: V, sum: V): V {
  if (isSame<Term, Products>()) return add<f64, V>(sum, multiply<f64, V>(query, points));
  const difference = subtract<f64, V>(query, points);
  return add<f64, V>(sum, multiply<f64, V>(difference, difference));
}

/** Sums over columns of both queries, eight for each, into the tile. */
function sumTile<V, Term>(pair: usize, panel: usize, columns: usize, tile: usize): void {
  const register: usize = sizeof<V>();
  const end = pair + columns * 16;
  for (let offset: usize = 0; offset < LINE; offset += 4 * register) {
    let points = panel + offset;
    let a0 = zero<f64, V>(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    for (let query = pair; query < end; query += 16) {
      const qa = loadSplat<f64, V>(query), qb = loadSplat<f64, V>(query + 8);
      const p0 = loadVector<f64, V>(points), p1 = loadVector<f64, V>(points + register);
      const p2 = loadVector<f64, V>(points + 2 * register), p3 = loadVector<f64, V>(points + 3 * register);
      a0 = accumulate<V, Term>(qa, p0, a0);
      a1 = accumulate<V, Term>(qa, p1, a1);
      a2 = accumulate<V, Term>(qa, p2, a2);
      a3 = accumulate<V, Term>(qa, p3, a3);
      b0 = accumulate<V, Term>(qb, p0, b0);
      b1 = accumulate<V, Term>(qb, p1, b1);
      b2 = accumulate<V, Term>(qb, p2, b2);
      b3 = accumulate<V, Term>(qb, p3, b3);
      points += LINE;
    }
    const to = tile + offset;
    storeVector<f64, V>(to, a0);
    storeVector<f64, V>(to + register, a1);
    storeVector<f64, V>(to + 2 * register, a2);
    storeVector<f64, V>(to + 3 * register, a3);
    storeVector<f64, V>(to + LINE, b0);
    storeVector<f64, V>(to + LINE + register, b1);
    storeVector<f64, V>(to + LINE + 2 * register, b2);
    storeVector<f64, V>(to + LINE + 3 * register, b3);
  }
}

/** f64 that f32 can hold. */
function rounded<V>(a: V): V {
  if (isVector<V>()) return f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(a)) as V;
  return (<f64><f32>(a as f64)) as V;
}

/** e^(−γ D²) in the place of D², or of x·y where squares are given. */
function finishRbf<V>(frame: SvmFrame, values: usize, square: f64, squares: usize): void {
  const minusGamma = splat<f64, V>(-frame.gamma);
  const querySquare = splat<f64, V>(square);
  const two = splat<f64, V>(2);
  for (let offset: usize = 0; offset < LINE; offset += sizeof<V>()) {
    let distance = loadVector<f64, V>(values + offset);
    if (!frame.isByDifferences) {
      const both = add<f64, V>(querySquare, loadVector<f64, V>(squares + offset));
      distance = larger<f64, V>(subtract<f64, V>(both, multiply<f64, V>(two, distance)), zero<f64, V>());
    }
    storeVector<f64, V>(values + offset, rounded<V>(exponentials<V>(multiply<f64, V>(minusGamma, distance))));
  }
}

function valueOfProduct(frame: SvmFrame, product: f64): f64 {
  const value = ofProduct(frame.kernel, frame.gamma, frame.coef0, frame.degree, product) * frame.unit;
  return rounded<f64>(min(max(value, -LARGEST), LARGEST));
}

/** The other kernels, from x·y. */
function finishProduct(frame: SvmFrame, values: usize): void {
  for (let to = values; to < values + LINE; to += 8) {
    store<f64>(to, valueOfProduct(frame, load<f64>(to)));
  }
}

/** Fills the tile with kernel values: eight of the first query, eight of the second. */
export function kernelTile<V>(frame: SvmFrame, pair: usize, squareA: f64, squareB: f64, panel: u32): void {
  const columns: usize = frame.columns;
  const points = frame.panels + <usize>panel * columns * LINE;
  const tile = frame.tile;
  if (frame.isByDifferences) sumTile<V, Squares>(pair, points, columns, tile);
  else sumTile<V, Products>(pair, points, columns, tile);
  if (frame.kernel == Kernel.RBF) {
    const squares = frame.squares + <usize>panel * LINE;
    finishRbf<V>(frame, tile, squareA, squares);
    finishRbf<V>(frame, tile + LINE, squareB, squares);
  } else {
    finishProduct(frame, tile);
    finishProduct(frame, tile + LINE);
  }
}

/** Adds Σ c_p k(q, p) over one panel to a query's two partial sums: one of even points, one of odd. */
function addWeighted<V>(values: usize, coefficients: usize, sums: usize): void {
  const step: usize = 16; // from one pair of points to the next
  for (let lane: usize = 0; lane < 16; lane += sizeof<V>()) {
    const at = values + lane, by = coefficients + lane;
    const t0 = multiply<f64, V>(loadVector<f64, V>(by), loadVector<f64, V>(at));
    const t1 = multiply<f64, V>(loadVector<f64, V>(by + step), loadVector<f64, V>(at + step));
    const t2 = multiply<f64, V>(loadVector<f64, V>(by + 2 * step), loadVector<f64, V>(at + 2 * step));
    const t3 = multiply<f64, V>(loadVector<f64, V>(by + 3 * step), loadVector<f64, V>(at + 3 * step));
    const total = add<f64, V>(add<f64, V>(t0, t1), add<f64, V>(t2, t3));
    storeVector<f64, V>(sums + lane, add<f64, V>(loadVector<f64, V>(sums + lane), total));
  }
}

/** Takes all queries over panels from … to − 1, a chunk of panels at a time, in order. */
export function sumKernels<V>(frame: SvmFrame, from: u32, to: u32): void {
  const pairs = (frame.queries + 1) >> 1;
  const pairBytes = <usize>frame.columns * 16;
  for (let first = from; first < to; first += frame.chunk) {
    const end = min(first + frame.chunk, to);
    for (let pair: usize = 0; pair < pairs; pair++) {
      const squares = frame.querySquares + pair * 16;
      const squareA = load<f64>(squares), squareB = load<f64>(squares + 8);
      const sums = frame.sums + pair * 32;
      for (let panel = first; panel < end; panel++) {
        kernelTile<V>(frame, frame.pairs + pair * pairBytes, squareA, squareB, panel);
        const coefficients = frame.coefficients + <usize>panel * LINE;
        addWeighted<V>(frame.tile, coefficients, sums);
        addWeighted<V>(frame.tile + LINE, coefficients, sums + 16);
      }
    }
  }
}

/** Kernel rows of two points. */
export function fillRows<V>(frame: SvmFrame, pointA: u32, pointB: u32, rowA: usize, rowB: usize): void {
  gather(frame, pointA, frame.pairs);
  gather(frame, pointB, frame.pairs + 8);
  const squareA = load<f64>(frame.squares + <usize>pointA * 8), squareB = load<f64>(frame.squares + <usize>pointB * 8);
  const panels = (frame.count + SVM_PANEL_WIDTH - 1) / SVM_PANEL_WIDTH;
  for (let panel: u32 = 0; panel < panels; panel++) {
    kernelTile<V>(frame, frame.pairs, squareA, squareB, panel);
    const at = <usize>panel * SVM_PANEL_WIDTH * 4;
    narrow<V>(frame.tile, rowA + at);
    narrow<V>(frame.tile + LINE, rowB + at);
  }
}

/** One point as a query of a pair. */
function gather(frame: SvmFrame, point: u32, to: usize): void {
  const columns: usize = frame.columns;
  const from = frame.panels + <usize>(point / SVM_PANEL_WIDTH) * columns * LINE + <usize>(point % SVM_PANEL_WIDTH) * 8;
  for (let column: usize = 0; column < columns; column++) store<f64>(to + column * 16, load<f64>(from + column * LINE));
}

/** Eight f64 as f32. */
function narrow<V>(from: usize, to: usize): void {
  for (let offset: usize = 0; offset < LINE; offset += sizeof<V>()) {
    if (isVector<V>()) v128.store64_lane(to + offset / 2, f32x4.demote_f64x2_zero(v128.load(from + offset)), 0);
    else store<f32>(to + offset / 2, <f32>load<f64>(from + offset));
  }
}

/** Fills k(x,x) of every point. */
export function prepareDiagonal(frame: SvmFrame): void {
  for (let point: usize = 0; point < frame.count; point++) {
    const isOne = frame.kernel == Kernel.RBF;
    store<f64>(frame.diagonal + point * 8, isOne ? 1 : valueOfProduct(frame, load<f64>(frame.squares + point * 8)));
  }
}
