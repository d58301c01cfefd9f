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

/** Below it `exponentials` gives 0: e^−700 is 10⁻³⁰⁴, and beyond it 2^n would need a second step. */
const VANISHING: f64 = -700;

/** e^x for every lane of f64, x ≤ 0: the bits of `exponential`, except that e^x below 10⁻³⁰⁴ is 0. */
export function exponentials<V>(x: V): V {
  if (!isVector<V>()) return ((x as f64) < VANISHING ? 0 : exponential(x as f64)) as V;
  const vanishes = f64x2.lt(x, f64x2.splat(VANISHING));
  if (i64x2.all_true(vanishes)) return f64x2.splat(0) as V;
  const n = f64x2.floor(f64x2.add(f64x2.mul(x, f64x2.splat(1.4426950408889634)), f64x2.splat(0.5)));
  const coarse = f64x2.sub(x, f64x2.mul(n, f64x2.splat(0.6931471803691238)));
  const r = f64x2.sub(coarse, f64x2.mul(n, f64x2.splat(1.9082149292705877e-10)));
  let p = f64x2.splat(1.6059043836821613e-10); // the series of exponentialLess1
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.08767569878681e-9));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.505210838544172e-8));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.755731922398589e-7));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.7557319223985893e-6));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(2.48015873015873e-5));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1.984126984126984e-4));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1.388888888888889e-3));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(8.333333333333333e-3));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(4.1666666666666664e-2));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(1.6666666666666666e-1));
  p = f64x2.add(f64x2.mul(p, r), f64x2.splat(0.5));
  const less1 = f64x2.add(r, f64x2.mul(f64x2.mul(r, r), p));
  // 2^52 + n + 1023 has n + 1023 in its lowest bits; moved up, they are the exponent of 2^n.
  const power = i64x2.shl(f64x2.add(n, f64x2.splat(4503599627371519)), 52);
  return v128.andnot(f64x2.mul(f64x2.add(f64x2.splat(1), less1), power), vanishes) as V;
}
