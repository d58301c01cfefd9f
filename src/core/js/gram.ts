// The kernel CAD score s = Σ_{a<b} K_ab / √(K_aa K_bb), K_ab = k(e_a, e_b) on the difference vectors
// e_a = x_a − x_i. For rbf and laplacian K_ab depends on x_a − x_b alone and K_aa = 1.
import type { Kernel } from '../kernel.js';
import { kernelValue } from './kernels.js';

type Vector = Float32Array | Float64Array;

/** Only a kernel that is no inner product (c₀ < 0) gets there: beyond it a pair counts as overflow, and as 0. */
const LARGEST = 1e290;

export function kernelCurvature(kernel: Kernel, vertex: Vector, neighbors: readonly Vector[]): number {
  const isOfDistance = kernel.name === 'rbf' || kernel.name === 'laplacian';
  const edges = isOfDistance ? neighbors : neighbors.map((neighbor) => difference(neighbor, vertex));
  // An edge whose K_aa is not positive and finite takes part in no pair.
  const weights = edges.map((edge) => {
    if (isOfDistance) return 1;
    const self = kernelValue(kernel, edge, edge);
    return self > 0 && self < Infinity ? 1 / Math.sqrt(self) : 0;
  });
  let score = 0;
  edges.forEach((a, i) => {
    edges.slice(i + 1).forEach((b, offset) => {
      const weight = weights[i] as number;
      const other = weights[i + 1 + offset] as number;
      if (weight === 0 || other === 0) return;
      const value = kernelValue(kernel, a, b) * weight * other;
      if (Math.abs(value) < LARGEST) score += value;
    });
  });
  return score;
}

function difference(x: Vector, y: Vector): Float64Array {
  return Float64Array.from(x, (value, j) => value - (y[j] as number));
}
