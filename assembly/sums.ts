// Sums over columns that become results: inner products and distances, always in f64 and unfused, over
// four interleaved lanes (column j goes to lane j mod 4; the total is (lane 0 + lane 2) + (lane 1 + lane
// 3)). The order is fixed so that every build, and src/core/js/sums.ts, rounds alike.
import { absolute, add, loadVector, loadWide, multiply, subtract, zero } from './vector';

/** What a sum adds up. These are names, told apart by their size when compiling. */
export type Products = i8;
export type Squares = i16;
export type Magnitudes = i32;

export function isSame<A, B>(): bool {
  return sizeof<A>() == sizeof<B>();
}

/** One term, of two values or two registers of f64. */
function term<V, Term>(a: V, b: V): V {
  if (isSame<Term, Products>()) return multiply<f64, V>(a, b);
  const difference = subtract<f64, V>(a, b);
  if (isSame<Term, Squares>()) return multiply<f64, V>(difference, difference);
  return absolute<f64, V>(difference);
}

/** Over a vector of f64 and one of T. */
export function sumVectors<T, V, Term>(a: usize, b: usize, columns: u32): f64 {
  let lane0: f64 = 0, lane1: f64 = 0, lane2: f64 = 0, lane3: f64 = 0;
  const size = sizeof<T>();
  const end = a + <usize>(columns & ~3) * 8;
  if (isVector<V>()) {
    let low = zero<f64, V>(), high = zero<f64, V>();
    for (; a < end; a += 32, b += 4 * size) {
      low = add<f64, V>(low, term<V, Term>(loadVector<f64, V>(a), loadWide<T, V>(b)));
      high = add<f64, V>(high, term<V, Term>(loadVector<f64, V>(a + 16), loadWide<T, V>(b + 2 * size)));
    }
    if (columns & 2) {
      low = add<f64, V>(low, term<V, Term>(loadVector<f64, V>(a), loadWide<T, V>(b)));
      a += 16;
      b += 2 * size;
    }
    lane0 = f64x2.extract_lane(low, 0);
    lane1 = f64x2.extract_lane(low, 1);
    lane2 = f64x2.extract_lane(high, 0);
    lane3 = f64x2.extract_lane(high, 1);
  } else {
    for (; a < end; a += 32, b += 4 * size) {
      lane0 += term<f64, Term>(load<f64>(a), load<T>(b) as f64);
      lane1 += term<f64, Term>(load<f64>(a + 8), load<T>(b + size) as f64);
      lane2 += term<f64, Term>(load<f64>(a + 16), load<T>(b + 2 * size) as f64);
      lane3 += term<f64, Term>(load<f64>(a + 24), load<T>(b + 3 * size) as f64);
    }
    if (columns & 2) {
      lane0 += term<f64, Term>(load<f64>(a), load<T>(b) as f64);
      lane1 += term<f64, Term>(load<f64>(a + 8), load<T>(b + size) as f64);
      a += 16;
      b += 2 * size;
    }
  }
  if (columns & 1) {
    const last = term<f64, Term>(load<f64>(a), load<T>(b) as f64);
    if (columns & 2) lane2 += last;
    else lane0 += last;
  }
  return lane0 + lane2 + (lane1 + lane3);
}
