// The kernel CAD score s = Σ_{a<b} K_ab / √(K_aa K_bb), K_ab = k(e_a, e_b) on the difference vectors
// e_a = x_a − x_i. For rbf and laplacian K_ab depends on e_a − e_b = x_a − x_b alone and K_aa = 1, so
// the neighbours themselves take the place of the differences and nothing is normalised.
import { exponential } from './elementary';
import { SearchCall } from './search-call';
import { Kernel } from './contract';
import { ofProduct } from './kernels';
import { pointRow, queryRow } from './points';
import { Magnitudes, Products, Squares, sumVectors } from './sums';

/** Only a kernel that is no inner product (c₀ < 0) gets there: beyond it a pair counts as overflow, and as 0. */
const LARGEST: f64 = 1e290;

/** Lists the k difference vectors (or neighbours) of one query in the call's edges. */
function gatherEdges<T>(call: SearchCall, query: u32, isDifference: bool): void {
  const columns: usize = call.columns;
  const row = queryRow(call, query);
  for (let a: usize = 0; a < call.neighbors; a++) {
    const slot = <usize>query * call.slots + a;
    const point = pointRow<T>(call, load<u32>(call.indices + slot * 4));
    const edge = call.edges + a * columns * 8;
    for (let j: usize = 0; j < columns; j++) {
      const origin = isDifference ? load<f64>(row + j * 8) : 0;
      store<f64>(edge + j * 8, (load<T>(point + j * sizeof<T>()) as f64) - origin);
    }
  }
}

/** Fills 1/√K_aa, or 0 where K_aa is not positive and finite: such an edge takes part in no pair. */
function weighEdges(call: SearchCall): void {
  for (let a: usize = 0; a < call.neighbors; a++) {
    const edge = call.edges + a * call.columns * 8;
    const square = sumVectors<f64, Products>(edge, edge, call.columns);
    const self = ofProduct(call.kernel, call.gamma, call.coef0, call.degree, square);
    store<f64>(call.edgeWeights + a * 8, self > 0 && self < Infinity ? 1 / sqrt(self) : 0);
  }
}

/** Σ over pairs for the kernels of an inner product. */
function sumNormalised(call: SearchCall): f64 {
  const edgeBytes = <usize>call.columns * 8;
  let score: f64 = 0;
  for (let a: usize = 0; a < call.neighbors; a++) {
    const weight = load<f64>(call.edgeWeights + a * 8);
    if (weight == 0) continue;
    const edge = call.edges + a * edgeBytes;
    for (let b = a + 1; b < call.neighbors; b++) {
      const other = load<f64>(call.edgeWeights + b * 8);
      if (other == 0) continue;
      const product = sumVectors<f64, Products>(edge, call.edges + b * edgeBytes, call.columns);
      const value = ofProduct(call.kernel, call.gamma, call.coef0, call.degree, product) * weight * other;
      if (abs(value) < LARGEST) score += value;
    }
  }
  return score;
}

/** Σ over pairs for the kernels of a distance. */
function sumOfDistances<Term>(call: SearchCall): f64 {
  const edgeBytes = <usize>call.columns * 8;
  let score: f64 = 0;
  for (let a: usize = 0; a < call.neighbors; a++) {
    const edge = call.edges + a * edgeBytes;
    for (let b = a + 1; b < call.neighbors; b++) {
      const distance = sumVectors<f64, Term>(edge, call.edges + b * edgeBytes, call.columns);
      score += exponential(-call.gamma * distance);
    }
  }
  return score;
}

/** The score of every query, from its neighbours. */
export function kernelCurvature<T>(call: SearchCall): void {
  const kernel = call.kernel;
  const isOfDistance = kernel == Kernel.RBF || kernel == Kernel.LAPLACIAN;
  for (let query: u32 = 0; query < call.queries; query++) {
    gatherEdges<T>(call, query, !isOfDistance);
    if (!isOfDistance) weighEdges(call);
    const score =
      kernel == Kernel.RBF
        ? sumOfDistances<Squares>(call)
        : kernel == Kernel.LAPLACIAN
          ? sumOfDistances<Magnitudes>(call)
          : sumNormalised(call);
    store<f64>(call.scores + query * 8, score);
  }
}
