// Soft clipping of z-scores, so that one extreme value does not outweigh all other columns: z up to 5 in magnitude, then
// 5 + ln(1 + z − 5). The logarithm gives the same bits in every runtime.
import { logarithm } from '../forest/path-length.js';

const LINEAR = 5;

export function softlyClipped(z: number): number {
  const beyond = Math.abs(z) - LINEAR;
  if (!(beyond > 0) || beyond === Infinity) return z;
  return Math.sign(z) * (LINEAR + logarithm(1 + beyond));
}

/** The inverse, to a few units in the last place. */
export function softlyUnclipped(value: number): number {
  const beyond = Math.abs(value) - LINEAR;
  return beyond > 0 ? Math.sign(value) * (LINEAR + Math.expm1(beyond)) : value;
}
