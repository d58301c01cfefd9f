// Sums over columns that become results: inner products and distances, always in f64 and unfused, over
// four interleaved lanes (column j goes to lane j mod 4; the total is (lane 0 + lane 2) + (lane 1 + lane
// 3)). The order is fixed so that every build, and src/core/js/sums.ts, rounds alike.
import { loadWide } from './vector';

/** What a sum adds up. These are names, told apart by their size when compiling. */
export type Products = i8;
export type Squares = i16;
export type Magnitudes = i32;

export function isSame<A, B>(): bool {
  return sizeof<A>() == sizeof<B>();
}

/** Terms of two registers of f64. */
function terms<Term>(a: v128, b: v128): v128 {
  if (isSame<Term, Products>()) return f64x2.mul(a, b);
  const difference = f64x2.sub(a, b);
  if (isSame<Term, Squares>()) return f64x2.mul(difference, difference);
  return f64x2.abs(difference);
}

/** One term. */
function term<Term>(a: f64, b: f64): f64 {
  if (isSame<Term, Products>()) return a * b;
  const difference = a - b;
  if (isSame<Term, Squares>()) return difference * difference;
  return abs(difference);
}

/** Over a vector of f64 and one of T. */
export function sumVectors<T, Term>(a: usize, b: usize, columns: u32): f64 {
  const size = sizeof<T>();
  const end = a + <usize>(columns & ~3) * 8;
  let low = f64x2.splat(0),
    high = f64x2.splat(0);
  for (; a < end; a += 32, b += 4 * size) {
    low = f64x2.add(low, terms<Term>(v128.load(a), loadWide<T>(b)));
    high = f64x2.add(high, terms<Term>(v128.load(a + 16), loadWide<T>(b + 2 * size)));
  }
  if (columns & 2) {
    low = f64x2.add(low, terms<Term>(v128.load(a), loadWide<T>(b)));
    a += 16;
    b += 2 * size;
  }
  let lane0 = f64x2.extract_lane(low, 0),
    lane2 = f64x2.extract_lane(high, 0);
  const lane1 = f64x2.extract_lane(low, 1),
    lane3 = f64x2.extract_lane(high, 1);
  if (columns & 1) {
    const last = term<Term>(load<f64>(a), load<T>(b) as f64);
    if (columns & 2) lane2 += last;
    else lane0 += last;
  }
  return lane0 + lane2 + (lane1 + lane3);
}
