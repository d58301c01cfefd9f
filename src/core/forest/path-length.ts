// From path lengths to scores: c(n), the expected remaining path of a leaf of n rows, and 2^−x. Both use only arithmetic
// with defined rounding (Math.log and ** may differ in the last bit between engines), so that every backend and runtime
// gives the same scores.

const EULER = 0.5772156649015329;
/** ln 2 in two parts: n times the first is exact for every exponent n. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** Natural logarithm of a normal number: x = m 2^e, ln m = 2 artanh((m − 1) / (m + 1)). */
export function logarithm(x: number): number {
  let m = x;
  let e = 0;
  for (; m > Math.SQRT2; m *= 0.5) e++;
  for (; m < Math.SQRT1_2; m *= 2) e--;
  const s = (m - 1) / (m + 1); // at most 0.172
  const s2 = s * s;
  let series = 0;
  for (let k = 25; k > 1; k -= 2) series = (series + 1 / k) * s2;
  return e * LN2_HIGH + (2 * s + (2 * s * series + e * LN2_LOW));
}

/** e^r − 1 for |r| ≤ 0.35: its series, to below the rounding error. */
function exponentialLess1(r: number): number {
  let series = 1.6059043836821613e-10; // 1/13!
  series = series * r + 2.08767569878681e-9;
  series = series * r + 2.505210838544172e-8;
  series = series * r + 2.755731922398589e-7;
  series = series * r + 2.7557319223985893e-6;
  series = series * r + 2.48015873015873e-5;
  series = series * r + 1.984126984126984e-4;
  series = series * r + 1.388888888888889e-3;
  series = series * r + 8.333333333333333e-3;
  series = series * r + 4.1666666666666664e-2;
  series = series * r + 1.6666666666666666e-1;
  series = series * r + 0.5;
  return r + r * r * series;
}

/** 2^−x for 0 ≤ x ≤ 1000. */
export function inversePowerOfTwo(x: number): number {
  const n = Math.floor(x + 0.5);
  let power = 1 + exponentialLess1((n - x) * Math.LN2);
  for (let i = 0; i < n; i++) power *= 0.5;
  return power;
}

/**
 * c(n): the mean path length of an unsuccessful search in a binary search tree of n rows, which a leaf
 * of n rows adds for the subtree that was not grown. c(n) = 2 (ln(n − 1) + γ) − 2 (n − 1) / n.
 */
export function averagePathLength(n: number): number {
  if (n <= 1) return 0;
  if (n === 2) return 1;
  return 2 * (logarithm(n - 1) + EULER) - (2 * (n - 1)) / n;
}

/** Turns sums of path lengths over the trees into scores 2^(−E[h] / c(sample size)), in place. */
export function scoresFromPaths(sums: Float64Array, count: number, trees: number, sampleSize: number): void {
  const whole = trees * averagePathLength(sampleSize);
  for (let i = 0; i < count; i++) sums[i] = inversePowerOfTwo((sums[i] as number) / whole);
}
