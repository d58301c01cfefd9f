// The distance by which neighbours are found: squared L2, L1, or D² in the kernel's feature space.
import { distanceOf, type Kernel } from '../kernel.js';
import { kernelOfProduct } from './kernels.js';
import { absoluteDistance, plainProduct, squaredDistance } from './sums.js';

type Vector = Float32Array | Float64Array;

/** D² = k(x,x) − 2k(x,y) + k(y,y), at least 0; infinite where the kernel overflows. */
function kernelDistance(kernel: Kernel, x: Vector, y: Vector): number {
  const [xx, xy, yy] = kernel.name === 'cosine' ? cosines(x, y) : products(kernel, x, y);
  const distance = xx - 2 * xy + yy;
  if (distance <= 0) return 0;
  return Number.isNaN(distance) ? Infinity : distance;
}

function products(kernel: Kernel, x: Vector, y: Vector): [number, number, number] {
  return [
    kernelOfProduct(kernel, plainProduct(x, x)),
    kernelOfProduct(kernel, plainProduct(x, y)),
    kernelOfProduct(kernel, plainProduct(y, y)),
  ];
}

/** The cosine kernel is 0 where either vector is zero. */
function cosines(x: Vector, y: Vector): [number, number, number] {
  const xNorm = Math.sqrt(plainProduct(x, x));
  const yNorm = Math.sqrt(plainProduct(y, y));
  const cosine = xNorm === 0 || yNorm === 0 ? 0 : plainProduct(x, y) / (xNorm * yNorm);
  return [xNorm === 0 ? 0 : 1, cosine, yNorm === 0 ? 0 : 1];
}

export function distance(kernel: Kernel, x: Vector, y: Vector): number {
  switch (distanceOf(kernel.name)) {
    case 'squared':
      return squaredDistance(x, y);
    case 'absolute':
      return absoluteDistance(x, y);
    case 'kernel':
      return kernelDistance(kernel, x, y);
  }
}
