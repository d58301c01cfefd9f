// exp and tanh, from nothing but arithmetic whose rounding is defined, so that every build, every runtime
// and src/core/js/elementary.ts give the same bits. (Library versions use tables, which this module may
// not have, and differ from engine to engine.)

/** e^r − 1 for |r| ≤ 0.35: its series, to below the rounding error. */
function exponentialLess1(r: f64): f64 {
  let p: f64 = 1.6059043836821613e-10; // 1/13!
  p = p * r + 2.08767569878681e-9;
  p = p * r + 2.505210838544172e-8;
  p = p * r + 2.755731922398589e-7;
  p = p * r + 2.7557319223985893e-6;
  p = p * r + 2.48015873015873e-5;
  p = p * r + 1.984126984126984e-4;
  p = p * r + 1.388888888888889e-3;
  p = p * r + 8.333333333333333e-3;
  p = p * r + 4.1666666666666664e-2;
  p = p * r + 1.6666666666666666e-1;
  p = p * r + 0.5;
  return r + r * r * p;
}

/** e^x for x ≤ 700: e^x = 2^n e^r with r = x − n ln 2, ln 2 taken in two parts. */
export function exponential(x: f64): f64 {
  if (x < -745.2) return 0;
  const n = Math.floor(x * 1.4426950408889634 + 0.5);
  const r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
  // In two steps, as 2^n alone may be below the smallest normal number.
  const half = Math.floor(n * 0.5);
  return (1 + exponentialLess1(r)) * powerOfTwo(half) * powerOfTwo(n - half);
}

function powerOfTwo(n: f64): f64 {
  return reinterpret<f64>((<i64>n + 1023) << 52);
}

export function hyperbolicTangent(x: f64): f64 {
  const size = abs(x);
  if (size > 20) return x > 0 ? 1 : -1;
  if (size > 0.17) {
    const t = 1 - 2 / (exponential(2 * size) + 1);
    return x > 0 ? t : -t;
  }
  const t = exponentialLess1(2 * x);
  return t / (t + 2);
}

/** Below it `exponentials` gives 0: f32, to which it is rounded, holds nothing smaller in full. */
const VANISHING: f64 = -87;

/**
 * e^x for every lane of f64, x ≤ 0, to 10⁻⁹ of it: for kernel values that are then rounded to f32. The series
 * ends at r⁸/8!, and is grouped so that its steps need not wait for one another.
 */
export function exponentials(x: v128): v128 {
  const vanishes = f64x2.lt(x, f64x2.splat(VANISHING));
  if (i64x2.all_true(vanishes)) return f64x2.splat(0);
  const n = f64x2.floor(f64x2.add(scaled(x, 1.4426950408889634), f64x2.splat(0.5)));
  const r = f64x2.sub(f64x2.sub(x, scaled(n, 0.6931471803691238)), scaled(n, 1.9082149292705877e-10));
  const r2 = f64x2.mul(r, r),
    r4 = f64x2.mul(r2, r2);
  const a = f64x2.add(f64x2.splat(1), r);
  const b = f64x2.add(f64x2.splat(0.5), scaled(r, 0.16666666666666666));
  const c = f64x2.add(f64x2.splat(0.041666666666666664), scaled(r, 0.008333333333333333));
  const d = f64x2.add(f64x2.splat(0.001388888888888889), scaled(r, 0.0001984126984126984));
  const low = f64x2.add(a, f64x2.mul(b, r2));
  const high = f64x2.add(f64x2.add(c, f64x2.mul(d, r2)), scaled(r4, 0.0000248015873015873));
  const power = f64x2.add(low, f64x2.mul(high, r4));
  // 2^52 + n + 1023 has n + 1023 in its lowest bits; moved up, they are the exponent of 2^n.
  const scale = i64x2.shl(f64x2.add(n, f64x2.splat(4503599627371519)), 52);
  return v128.andnot(f64x2.mul(power, scale), vanishes);
}

function scaled(a: v128, by: f64): v128 {
  return f64x2.mul(a, f64x2.splat(by));
}
