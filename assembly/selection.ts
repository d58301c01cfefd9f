// Which of many distances are small, without sorting them. Numbers that are not negative are in the order of their bits,
// so halving the range of bits finds the k-th smallest, whatever its magnitude.

const INFINITE: i64 = 0x7ff0000000000000;
/** So few numbers are gone through one after the other. */
const FEW: u32 = 4;

/** The k-th smallest of some numbers ≥ 0. */
export function kthSmallest(values: usize, count: u32, k: u32): f64 {
  let smallest = Infinity,
    largest: f64 = 0;
  const end = values + <usize>count * 8;
  for (let at = values; at < end; at += 8) {
    smallest = min(smallest, load<f64>(at));
    largest = max(largest, load<f64>(at));
  }
  // No more than `fewer` < k are at most `low`, and `more` ≥ k at most `high`.
  let low = reinterpret<i64>(smallest) - 1,
    high = reinterpret<i64>(largest);
  let fewer: u32 = 0,
    more = count;
  while (more - fewer > FEW && high - low > 1) {
    const middle = low + ((high - low) >> 1);
    const some = countUpTo(values, count, reinterpret<f64>(middle));
    if (some < k) {
      low = middle;
      fewer = some;
    } else {
      high = middle;
      more = some;
    }
  }
  if (high - low <= 1) return reinterpret<f64>(high);
  let bound: f64 = fewer == 0 ? -1 : reinterpret<f64>(low);
  for (; fewer < k;) {
    bound = smallestBeyond(values, count, bound);
    fewer = countUpTo(values, count, bound);
  }
  return bound;
}

function smallestBeyond(values: usize, count: u32, bound: f64): f64 {
  let smallest: f64 = reinterpret<f64>(INFINITE);
  for (let end = values + <usize>count * 8; values < end; values += 8) {
    const value = load<f64>(values);
    smallest = value > bound ? min(smallest, value) : smallest;
  }
  return smallest;
}

/** How many numbers are at most so large. */
export function countUpTo(values: usize, count: u32, bound: f64): u32 {
  const bounds = f64x2.splat(bound);
  let a = i64x2.splat(0),
    b = a;
  const end = values + <usize>(count & ~3) * 8;
  for (; values < end; values += 32) {
    a = i64x2.sub(a, f64x2.le(v128.load(values), bounds)); // a true lane is −1
    b = i64x2.sub(b, f64x2.le(v128.load(values, 16), bounds));
  }
  const sum = i64x2.add(a, b);
  let result = <u32>(i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1));
  for (let rest = count & 3; rest > 0; rest--, values += 8) result += <u32>(load<f64>(values) <= bound);
  return result;
}

/** Lists the places of numbers beyond `low` and up to `high`; returns how many there are. */
export function listBetween(values: usize, count: u32, low: f64, high: f64, to: usize): u32 {
  const from = to;
  for (let i: u32 = 0; i < count; i++, values += 8) {
    const value = load<f64>(values);
    store<u32>(to, i);
    to += ((<usize>(value > low)) & (<usize>(value <= high))) << 2;
  }
  return <u32>((to - from) >> 2);
}
