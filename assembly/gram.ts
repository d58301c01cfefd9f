// The kernel CAD score s = Σ_{a<b} K_ab / √(K_aa K_bb), K_ab = k(e_a, e_b) on the difference vectors
// e_a = x_a − x_i. For rbf and laplacian K_ab depends on e_a − e_b = x_a − x_b alone and K_aa = 1, so
// the neighbours themselves take the place of the differences and nothing is normalised.
import { exponential } from './elementary';
import { Frame } from './frame';
import { Kernel } from './contract';
import { ofProduct } from './kernels';
import { pointRow, queryRow } from './points';
import { Magnitudes, Products, Squares, sumVectors } from './sums';

/** Only a kernel that is no inner product (c₀ < 0) gets there: beyond it a pair counts as overflow, and as 0. */
const LARGEST: f64 = 1e290;

/** Lists the k difference vectors (or neighbours) of one query in the frame's edges. */
function gatherEdges<T>(frame: Frame, query: u32, isDifference: bool): void {
  const columns: usize = frame.columns;
  const row = queryRow(frame, query);
  for (let a: usize = 0; a < frame.neighbors; a++) {
    const slot = <usize>query * frame.slots + a;
    const point = pointRow<T>(frame, load<u32>(frame.indices + slot * 4));
    const edge = frame.edges + a * columns * 8;
    for (let j: usize = 0; j < columns; j++) {
      const origin = isDifference ? load<f64>(row + j * 8) : 0;
      store<f64>(edge + j * 8, (load<T>(point + j * sizeof<T>()) as f64) - origin);
    }
  }
}

/** Fills 1/√K_aa, or 0 where K_aa is not positive and finite: such an edge takes part in no pair. */
function weighEdges(frame: Frame): void {
  for (let a: usize = 0; a < frame.neighbors; a++) {
    const edge = frame.edges + a * frame.columns * 8;
    const square = sumVectors<f64, Products>(edge, edge, frame.columns);
    const self = ofProduct(frame.kernel, frame.gamma, frame.coef0, frame.degree, square);
    store<f64>(frame.edgeWeights + a * 8, self > 0 && self < Infinity ? 1 / sqrt(self) : 0);
  }
}

/** Σ over pairs for the kernels of an inner product. */
function sumNormalised(frame: Frame): f64 {
  const edgeBytes = <usize>frame.columns * 8;
  let score: f64 = 0;
  for (let a: usize = 0; a < frame.neighbors; a++) {
    const weight = load<f64>(frame.edgeWeights + a * 8);
    if (weight == 0) continue;
    const edge = frame.edges + a * edgeBytes;
    for (let b = a + 1; b < frame.neighbors; b++) {
      const other = load<f64>(frame.edgeWeights + b * 8);
      if (other == 0) continue;
      const product = sumVectors<f64, Products>(edge, frame.edges + b * edgeBytes, frame.columns);
      const value = ofProduct(frame.kernel, frame.gamma, frame.coef0, frame.degree, product) * weight * other;
      if (abs(value) < LARGEST) score += value;
    }
  }
  return score;
}

/** Σ over pairs for the kernels of a distance. */
function sumOfDistances<Term>(frame: Frame): f64 {
  const edgeBytes = <usize>frame.columns * 8;
  let score: f64 = 0;
  for (let a: usize = 0; a < frame.neighbors; a++) {
    const edge = frame.edges + a * edgeBytes;
    for (let b = a + 1; b < frame.neighbors; b++) {
      const distance = sumVectors<f64, Term>(edge, frame.edges + b * edgeBytes, frame.columns);
      score += exponential(-frame.gamma * distance);
    }
  }
  return score;
}

/** The score of every query, from its neighbours. */
export function kernelCurvature<T>(frame: Frame): void {
  const kernel = frame.kernel;
  const isOfDistance = kernel == Kernel.RBF || kernel == Kernel.LAPLACIAN;
  for (let query: u32 = 0; query < frame.queries; query++) {
    gatherEdges<T>(frame, query, !isOfDistance);
    if (!isOfDistance) weighEdges(frame);
    const score = kernel == Kernel.RBF ? sumOfDistances<Squares>(frame)
      : kernel == Kernel.LAPLACIAN ? sumOfDistances<Magnitudes>(frame)
      : sumNormalised(frame);
    store<f64>(frame.scores + query * 8, score);
  }
}
