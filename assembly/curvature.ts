// The CAD score s = Σ_{a<b} u_a·u_b over the unit edges u_a from a query to its neighbours, and its
// gradient. With S = Σ u_a over the m edges that are not zero, ‖S‖² = m + 2s, hence
//   s = (‖S‖² − m)/2   and   ∇s = −Σ_a (S − (u_a·S) u_a)/r_a:   O(kd) instead of O(k²d).
import { SearchCall } from './search-call';
import { pointRow, queryRow } from './points';
import { Products, sumVectors } from './sums';
import { inverseRoot, lanes, loadWide } from './vector';

/** u_a = (x_a − x)/r_a of one neighbour. */
export function unitEdge<T>(point: usize, row: usize, inverse: f64, unit: usize, columns: usize): void {
  const width: usize = lanes<f64>();
  const whole = columns - (columns % width);
  const inverses = f64x2.splat(inverse);
  for (let j: usize = 0; j < whole; j += width) {
    const edge = f64x2.sub(loadWide<T>(point + j * sizeof<T>()), v128.load(row + j * 8));
    v128.store(unit + j * 8, f64x2.mul(edge, inverses));
  }
  for (let j = whole; j < columns; j++) {
    store<f64>(unit + j * 8, ((load<T>(point + j * sizeof<T>()) as f64) - load<f64>(row + j * 8)) * inverse);
  }
}

/** Adds a vector to a sum. */
export function addVector(sum: usize, vector: usize, columns: usize): void {
  const width: usize = lanes<f64>();
  const whole = columns - (columns % width);
  for (let j: usize = 0; j < whole; j += width) {
    v128.store(sum + j * 8, f64x2.add(v128.load(sum + j * 8), v128.load(vector + j * 8)));
  }
  for (let j = whole; j < columns; j++) store<f64>(sum + j * 8, load<f64>(sum + j * 8) + load<f64>(vector + j * 8));
}

/** Takes (S − (u_a·S) u_a)/r_a, the part of S across one edge, from the gradient. */
export function subtractAcross(unit: usize, sum: usize, inverse: f64, result: usize, columns: usize): void {
  const width: usize = lanes<f64>();
  const whole = columns - (columns % width);
  const projection = sumVectors<f64, Products>(unit, sum, <u32>columns);
  const projections = f64x2.splat(projection),
    inverses = f64x2.splat(inverse);
  for (let j: usize = 0; j < whole; j += width) {
    const along = f64x2.mul(projections, v128.load(unit + j * 8));
    const across = f64x2.mul(f64x2.sub(v128.load(sum + j * 8), along), inverses);
    v128.store(result + j * 8, f64x2.sub(v128.load(result + j * 8), across));
  }
  for (let j = whole; j < columns; j++) {
    const across = (load<f64>(sum + j * 8) - projection * load<f64>(unit + j * 8)) * inverse;
    store<f64>(result + j * 8, load<f64>(result + j * 8) - across);
  }
}

/** Where 1/r_a of the a-th edge that is not zero is kept, and where the address of its end. */
function inverseOf(call: SearchCall, a: u32): usize {
  return call.edgeWeights + <usize>a * 8;
}

function endOf(call: SearchCall, a: u32): usize {
  return call.edgeWeights + <usize>(2 * call.neighbors + a) * 4;
}

/**
 * Fills S, first in the call's edges, for one query and returns m. A few columns at a time over all edges, so that
 * their sums stay in registers; whatever lies behind the last column goes along and is not looked at.
 */
function sumUnitEdges<T>(call: SearchCall, query: u32): u32 {
  const width = lanes<f64>();
  const inverses = inverseOf(call, 0),
    points = endOf(call, 0);
  let slot = <usize>query * call.slots;
  let edges = call.neighbors;
  // Neighbours come nearest first: edges that are zero are the first of them.
  for (; edges > 0 && load<f64>(call.distances + slot * 8) == 0; edges--) slot++;
  for (let a: u32 = 0; a < edges; a += width) {
    const squares = v128.load(call.distances + (slot + a) * 8);
    v128.store(inverses + a * 8, inverseRoot(squares));
  }
  for (let a: u32 = 0; a < edges; a++) {
    store<u32>(points + a * 4, <u32>pointRow<T>(call, load<u32>(call.indices + (slot + a) * 4)));
  }
  const row = queryRow(call, query);
  for (let j: u32 = 0; j < call.columns; j += 2 * width) {
    const x0 = v128.load(row + j * 8),
      x1 = v128.load(row + (j + width) * 8);
    let s0 = f64x2.splat(0),
      s1 = s0;
    for (let a: u32 = 0; a < edges; a++) {
      const point = <usize>load<u32>(points + a * 4) + j * sizeof<T>();
      const inverse = v128.load64_splat(inverses + a * 8);
      s0 = f64x2.add(s0, f64x2.mul(f64x2.sub(loadWide<T>(point), x0), inverse));
      s1 = f64x2.add(s1, f64x2.mul(f64x2.sub(loadWide<T>(point + width * sizeof<T>()), x1), inverse));
    }
    v128.store(call.edges + j * 8, s0);
    v128.store(call.edges + (j + width) * 8, s1);
  }
  return edges;
}

/** The score of every query, from its neighbours and their squared distances. */
export function curvature<T>(call: SearchCall): void {
  for (let query: u32 = 0; query < call.queries; query++) {
    const edges = sumUnitEdges<T>(call, query);
    const square = sumVectors<f64, Products>(call.edges, call.edges, call.columns);
    store<f64>(call.scores + query * 8, (square - <f64>edges) * 0.5);
  }
}

/** ‖S‖/m of every query, from 0 (flat) to 1; 0 where it has no edges. */
export function sharpness<T>(call: SearchCall): void {
  for (let query: u32 = 0; query < call.queries; query++) {
    const edges = sumUnitEdges<T>(call, query);
    const square = sumVectors<f64, Products>(call.edges, call.edges, call.columns);
    store<f64>(call.scores + query * 8, edges == 0 ? 0 : sqrt(square) / <f64>edges);
  }
}

/** The gradient of the score at every query. */
export function gradient<T>(call: SearchCall): void {
  const columns: usize = call.columns;
  const sum = call.edges;
  for (let query: u32 = 0; query < call.queries; query++) {
    const edges = sumUnitEdges<T>(call, query);
    const result = call.gradients + <usize>query * columns * 8;
    memory.fill(result, 0, columns * 8);
    for (let a: u32 = 0; a < edges; a++) {
      const inverse = load<f64>(inverseOf(call, a));
      const unit = sum + columns * 8;
      unitEdge<T>(load<u32>(endOf(call, a)), queryRow(call, query), inverse, unit, columns);
      subtractAcross(unit, sum, inverse, result, columns);
    }
  }
}
