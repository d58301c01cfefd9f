// The kernels k(x, y) of the paper, from what is summed over columns: the inner product for
// polynomial, sigmoid and cosine, the squared L2 or the L1 distance for rbf and laplacian.

import { Kernel } from './contract';
import { hyperbolicTangent } from './elementary';

/** x^n by squaring; every backend multiplies in this order. */
function power(x: f64, n: u32): f64 {
  let result: f64 = 1;
  while (true) {
    if (n & 1) result *= x;
    n >>= 1;
    if (n == 0) return result;
    x *= x;
  }
}

/** k(x, y) from x·y, for polynomial and sigmoid; the inner product itself for linear and cosine. */
export function ofProduct(kernel: u32, gamma: f64, coef0: f64, degree: u32, product: f64): f64 {
  if (kernel == Kernel.POLYNOMIAL) return power(gamma * product + coef0, degree);
  if (kernel == Kernel.SIGMOID) return hyperbolicTangent(gamma * product + coef0);
  return product;
}
