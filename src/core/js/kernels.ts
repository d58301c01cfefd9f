// The kernels k(x, y), written as in the paper. See assembly/kernels.ts.
import type { Kernel } from '../kernel.js';
import { exponential, hyperbolicTangent } from './elementary.js';
import { absoluteDistance, innerProduct, squaredDistance } from './sums.js';

type Vector = Float32Array | Float64Array;

/** x^n by squaring; every backend multiplies in this order. */
export function power(x: number, n: number): number {
  let result = 1;
  let square = x;
  for (let bits = n; ; square *= square) {
    if (bits % 2 === 1) result *= square;
    bits = Math.floor(bits / 2);
    if (bits === 0) return result;
  }
}

/** k(x, y) from x·y, for polynomial and sigmoid; the inner product itself for linear and cosine. */
export function kernelOfProduct(kernel: Kernel, product: number): number {
  if (kernel.name === 'polynomial') return power(kernel.gamma * product + kernel.coef0, kernel.degree);
  if (kernel.name === 'sigmoid') return hyperbolicTangent(kernel.gamma * product + kernel.coef0);
  return product;
}

/** k(x, y). Linear and cosine are both the inner product here: normalised, they are the same. */
export function kernelValue(kernel: Kernel, x: Vector, y: Vector): number {
  if (kernel.name === 'rbf') return exponential(-kernel.gamma * squaredDistance(x, y));
  if (kernel.name === 'laplacian') return exponential(-kernel.gamma * absoluteDistance(x, y));
  return kernelOfProduct(kernel, innerProduct(x, y));
}
