// Estimates from the 16-bit panels: e is larger for nearer points, and its error is bounded.
//
//   products     e = q·p − |p|²/2   as |q − p|² = |q|² − 2e
//   magnitudes   e = −Σ |q − p|
//
// Every query has a bound: points whose estimates do not exceed it are no neighbours.
import { SearchCall } from './search-call';
import { Kernel } from './contract';

/** Whether distances are L1, not L2. Only the innermost loops are compiled for each. */
export function isAbsolute(call: SearchCall): bool {
  return call.kernel == Kernel.LAPLACIAN;
}

/** Norms beyond this many units are not estimated: every point is measured. */
export const MAX_ESTIMATED_NORM: f64 = 1e30;

/**
 * Bound on the error of e for products, as a share of |q|² + |p|². Rounding to integers moves a row by
 * at most ½√d steps of its ≥ 32767: ρ = ½√d/32767 of its norm, so |q·p − estimate| ≤ (2ρ + ρ²)|q||p| ≤
 * 1.05ρ(|q|² + |p|²) for any d that fits memory; the rest is for f32 and f64 rounding.
 */
export function productError(call: SearchCall): f64 {
  return (1.1 * 0.5 * sqrt(<f64>call.columns)) / 32767 + 2e-6;
}

export function setBound(call: SearchCall, query: u32, bound: f32): void {
  store<f32>(call.bounds + query * 4, bound);
}

export function boundOf(call: SearchCall, query: u32): f32 {
  return load<f32>(call.bounds + query * 4);
}

/** The factor between the sums of a query and its estimates, so that tiles compare without dividing. */
export function scaleOf(call: SearchCall, query: u32): f32 {
  return load<f32>(call.scales + query * 4);
}

/** An estimate that every point at this (squared) distance or nearer is sure to exceed. */
export function estimateAt(call: SearchCall, query: u32, distance: f64): f32 {
  let least: f64;
  if (isAbsolute(call)) {
    // Each of the two rounded numbers of a column is off by half a step.
    least = -((distance * (1 + 1e-9)) / call.unit + <f64>call.columns);
  } else {
    const norm = load<f64>(call.norms + query * 8);
    if (!(norm < MAX_ESTIMATED_NORM)) return -Infinity;
    const square = norm * norm;
    const error = productError(call);
    const relative = distance / (call.unit * call.unit);
    least = 0.5 * (square - relative) - 1e-12 * (square + relative);
    // Points have norms of at most 1, and their constants hold their own share of the error.
    least -= error * (norm > 1 ? 2 * norm : square) + 1e-19 * (1 + norm);
  }
  return (least - abs(least) * 1e-6 - 1e-30) as f32;
}
