// exp and tanh as in assembly/elementary.ts, step by step, so that both give the same bits.

/** 1/13!, 1/12!, … 1/2!: the series of (e^r − 1 − r)/r². */
const SERIES = [
  1.6059043836821613e-10, 2.08767569878681e-9, 2.505210838544172e-8, 2.755731922398589e-7, 2.7557319223985893e-6,
  2.48015873015873e-5, 1.984126984126984e-4, 1.388888888888889e-3, 8.333333333333333e-3, 4.1666666666666664e-2,
  1.6666666666666666e-1, 0.5,
];

/** e^r − 1 for |r| ≤ 0.35. */
function exponentialLess1(r: number): number {
  return r + r * r * SERIES.reduce((p, coefficient) => p * r + coefficient);
}

/** e^x for x ≤ 700: e^x = 2^n e^r with r = x − n ln 2, ln 2 taken in two parts. */
export function exponential(x: number): number {
  if (x < -745.2) return 0;
  const n = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
  const half = Math.floor(n * 0.5);
  return (1 + exponentialLess1(r)) * 2 ** half * 2 ** (n - half);
}

export function hyperbolicTangent(x: number): number {
  const size = Math.abs(x);
  if (size > 20) return Math.sign(x);
  if (size > 0.17) return Math.sign(x) * (1 - 2 / (exponential(2 * size) + 1));
  const t = exponentialLess1(2 * x);
  return t / (t + 2);
}

/** e^x for x ≤ 0 to 10⁻⁹ of it, for kernel values that are then rounded to f32: `exponentials` of assembly/. */
export function kernelExponential(x: number): number {
  if (x < -87) return 0;
  const n = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
  const r2 = r * r;
  const r4 = r2 * r2;
  const low = 1 + r + (0.5 + r * 0.16666666666666666) * r2;
  const pairs =
    0.041666666666666664 + r * 0.008333333333333333 + (0.001388888888888889 + r * 0.0001984126984126984) * r2;
  return (low + (pairs + r4 * 0.0000248015873015873) * r4) * 2 ** n;
}
