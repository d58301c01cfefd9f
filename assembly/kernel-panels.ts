// Kernel values of a pair of queries with the eight points of a panel. They are computed in f64, times a unit,
// and rounded to f32 once, so that a row kept by the solver and a score see the same kernel. Sums run in
// column order and unfused, the exponential takes the same steps in every lane: all builds, and
// src/core/js/svm-kernel.ts, give the same bits.
import { SVM_PANEL_WIDTH } from './contract';
import { exponentials } from './elementary';
import { Kernel } from './contract';
import { ofProduct } from './kernels';
import { Products, Squares, isSame } from './sums';
import { SvmCall } from './svm-call';

/** Points in a panel, and the bytes of one of its columns. */
export const LINE_BYTES: usize = 64;
/** Beyond it a kernel value counts as this large: f32 holds no more. */
const LARGEST: f64 = 3e38;

function accumulate<Term>(query: v128, points: v128, sum: v128): v128 {
  if (isSame<Term, Products>()) return f64x2.add(sum, f64x2.mul(query, points));
  const difference = f64x2.sub(query, points);
  return f64x2.add(sum, f64x2.mul(difference, difference));
}

/** Sums over columns of both queries, eight for each, into the tile. */
function sumTile<Term>(pair: usize, points: usize, columns: usize, tile: usize): void {
  const register: usize = sizeof<v128>();
  const end = pair + columns * 16;
  let a0 = f64x2.splat(0),
    a1 = a0,
    a2 = a0,
    a3 = a0,
    b0 = a0,
    b1 = a0,
    b2 = a0,
    b3 = a0;
  for (let query = pair; query < end; query += 16) {
    const qa = v128.load64_splat(query),
      qb = v128.load64_splat(query + 8);
    const p0 = v128.load(points),
      p1 = v128.load(points + register);
    const p2 = v128.load(points + 2 * register),
      p3 = v128.load(points + 3 * register);
    a0 = accumulate<Term>(qa, p0, a0);
    a1 = accumulate<Term>(qa, p1, a1);
    a2 = accumulate<Term>(qa, p2, a2);
    a3 = accumulate<Term>(qa, p3, a3);
    b0 = accumulate<Term>(qb, p0, b0);
    b1 = accumulate<Term>(qb, p1, b1);
    b2 = accumulate<Term>(qb, p2, b2);
    b3 = accumulate<Term>(qb, p3, b3);
    points += LINE_BYTES;
  }
  v128.store(tile, a0);
  v128.store(tile + register, a1);
  v128.store(tile + 2 * register, a2);
  v128.store(tile + 3 * register, a3);
  v128.store(tile + LINE_BYTES, b0);
  v128.store(tile + LINE_BYTES + register, b1);
  v128.store(tile + LINE_BYTES + 2 * register, b2);
  v128.store(tile + LINE_BYTES + 3 * register, b3);
}

/** f64 that f32 can hold. */
function rounded(a: v128): v128 {
  return f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(a));
}

/** e^(−γ D²) in the place of D², or of x·y where squares are given. */
function finishRbf(call: SvmCall, values: usize, square: f64, squares: usize): void {
  const minusGamma = f64x2.splat(-call.gamma);
  const querySquare = f64x2.splat(square);
  const two = f64x2.splat(2);
  for (let offset: usize = 0; offset < LINE_BYTES; offset += sizeof<v128>()) {
    let distance = v128.load(values + offset);
    if (!call.isByDifferences) {
      const both = f64x2.add(querySquare, v128.load(squares + offset));
      distance = f64x2.pmax(f64x2.sub(both, f64x2.mul(two, distance)), f64x2.splat(0));
    }
    v128.store(values + offset, rounded(exponentials(f64x2.mul(minusGamma, distance))));
  }
}

function valueOfProduct(call: SvmCall, product: f64): f64 {
  const value = ofProduct(call.kernel, call.gamma, call.coef0, call.degree, product) * call.unit;
  return <f64>(<f32>min(max(value, -LARGEST), LARGEST));
}

/** The other kernels, from x·y. */
function finishProduct(call: SvmCall, values: usize): void {
  for (let to = values; to < values + LINE_BYTES; to += 8) {
    store<f64>(to, valueOfProduct(call, load<f64>(to)));
  }
}

/** Fills the tile with kernel values: eight of the first query, eight of the second. */
export function kernelTile(call: SvmCall, pair: usize, squareA: f64, squareB: f64, panel: u32): void {
  const columns: usize = call.columns;
  const points = call.panels + <usize>panel * columns * LINE_BYTES;
  const tile = call.tile;
  if (call.isByDifferences) sumTile<Squares>(pair, points, columns, tile);
  else sumTile<Products>(pair, points, columns, tile);
  if (call.kernel == Kernel.RBF) {
    const squares = call.squares + <usize>panel * LINE_BYTES;
    finishRbf(call, tile, squareA, squares);
    finishRbf(call, tile + LINE_BYTES, squareB, squares);
  } else {
    finishProduct(call, tile);
    finishProduct(call, tile + LINE_BYTES);
  }
}

/** Adds Σ c_p k(q, p) over one panel to a query's two partial sums: one of even points, one of odd. */
function addWeighted(values: usize, coefficients: usize, sums: usize): void {
  const step: usize = 16; // from one pair of points to the next
  const t0 = f64x2.mul(v128.load(coefficients), v128.load(values));
  const t1 = f64x2.mul(v128.load(coefficients + step), v128.load(values + step));
  const t2 = f64x2.mul(v128.load(coefficients + 2 * step), v128.load(values + 2 * step));
  const t3 = f64x2.mul(v128.load(coefficients + 3 * step), v128.load(values + 3 * step));
  const total = f64x2.add(f64x2.add(t0, t1), f64x2.add(t2, t3));
  v128.store(sums, f64x2.add(v128.load(sums), total));
}

/** Takes all queries over panels from … to − 1, a chunk of panels at a time, in order. */
export function sumKernels(call: SvmCall, from: u32, to: u32): void {
  const pairs = (call.queries + 1) >> 1;
  const pairBytes = <usize>call.columns * 16;
  for (let first = from; first < to; first += call.chunk) {
    const end = min(first + call.chunk, to);
    for (let pair: usize = 0; pair < pairs; pair++) {
      const squares = call.querySquares + pair * 16;
      const squareA = load<f64>(squares),
        squareB = load<f64>(squares + 8);
      const sums = call.sums + pair * 32;
      for (let panel = first; panel < end; panel++) {
        kernelTile(call, call.pairs + pair * pairBytes, squareA, squareB, panel);
        const coefficients = call.coefficients + <usize>panel * LINE_BYTES;
        addWeighted(call.tile, coefficients, sums);
        addWeighted(call.tile + LINE_BYTES, coefficients, sums + 16);
      }
    }
  }
}

/** Kernel rows of two points. */
export function fillRows(call: SvmCall, pointA: u32, pointB: u32, rowA: usize, rowB: usize): void {
  gather(call, pointA, call.pairs);
  gather(call, pointB, call.pairs + 8);
  const squareA = load<f64>(call.squares + <usize>pointA * 8),
    squareB = load<f64>(call.squares + <usize>pointB * 8);
  const panels = (call.count + SVM_PANEL_WIDTH - 1) / SVM_PANEL_WIDTH;
  for (let panel: u32 = 0; panel < panels; panel++) {
    kernelTile(call, call.pairs, squareA, squareB, panel);
    const at = <usize>panel * SVM_PANEL_WIDTH * 4;
    narrow(call.tile, rowA + at);
    narrow(call.tile + LINE_BYTES, rowB + at);
  }
}

/** One point as a query of a pair. */
function gather(call: SvmCall, point: u32, to: usize): void {
  const columns: usize = call.columns;
  const from =
    call.panels + <usize>(point / SVM_PANEL_WIDTH) * columns * LINE_BYTES + <usize>(point % SVM_PANEL_WIDTH) * 8;
  for (let column: usize = 0; column < columns; column++)
    store<f64>(to + column * 16, load<f64>(from + column * LINE_BYTES));
}

/** Eight f64 as f32. */
function narrow(from: usize, to: usize): void {
  for (let offset: usize = 0; offset < LINE_BYTES; offset += sizeof<v128>()) {
    v128.store64_lane(to + offset / 2, f32x4.demote_f64x2_zero(v128.load(from + offset)), 0);
  }
}

/** Fills k(x,x) of every point. */
export function prepareDiagonal(call: SvmCall): void {
  for (let point: usize = 0; point < call.count; point++) {
    const isOne = call.kernel == Kernel.RBF;
    store<f64>(call.diagonal + point * 8, isOne ? 1 : valueOfProduct(call, load<f64>(call.squares + point * 8)));
  }
}
