// The chi-square distribution function and its quantiles. The distribution function is the regularised incomplete gamma
// function P(k/2, x/2), by its series left of the mode and by a continued fraction right of it; quantiles are found by
// Newton steps within a shrinking bracket.

/** Lanczos' coefficients for g = 7, as published by Godfrey: ln Γ to about 1e-15. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x ≥ 0.5. */
function logGamma(x: number): number {
  const sum = LANCZOS.reduce((total, coefficient, i) => (i === 0 ? coefficient : total + coefficient / (x - 1 + i)));
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The density of the gamma distribution of shape a times x: x^a e^-x / Γ(a). */
function scaledDensity(a: number, x: number): number {
  return Math.exp(a * Math.log(x) - x - logGamma(a));
}

/** P(a, x) by x^a e^-x / Γ(a+1) · (1 + x/(a+1) + x²/((a+1)(a+2)) + …). */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum * scaledDensity(a, x);
}

/** Q(a, x) = 1 − P(a, x) by Legendre's continued fraction (Lentz's algorithm). */
function upperFraction(a: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let result = d;
  for (let n = 1; n < 10_000; n++) {
    const an = -n * (n - a);
    b += 2;
    d = an * d + b;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = b + an / c;
    if (Math.abs(c) < tiny) c = tiny;
    const factor = c * d;
    result *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return result * scaledDensity(a, x);
}

/** The distribution function of chi-square with k degrees of freedom. */
export function chiSquareShare(x: number, k: number): number {
  if (!(x > 0)) return 0;
  if (x === Infinity) return 1;
  const [a, half] = [k / 2, x / 2];
  return half < a + 1 ? lowerSeries(a, half) : 1 - upperFraction(a, half);
}

/** The quantile function of chi-square with k degrees of freedom; 0 for 0, ∞ for 1. */
export function chiSquareQuantile(share: number, k: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return Infinity;
  let low = 0;
  let high = k + 1;
  while (chiSquareShare(high, k) < share) high *= 2;
  let x = high / 2;
  for (let step = 0; step < 200; step++) {
    const off = chiSquareShare(x, k) - share;
    if (off > 0) high = x;
    else low = x;
    const newton = x - (off * x) / scaledDensity(k / 2, x / 2);
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-15 * x) return next;
    x = next;
  }
  return x;
}
