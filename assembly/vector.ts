// What the hot loops need of registers beyond the built-in instructions.

/** Numbers of type T in a register. */
export function lanes<T>(): u32 {
  return (sizeof<v128>() / sizeof<T>()) as u32;
}

/** Two numbers of type T, widened to f64. */
export function loadWide<T>(address: usize): v128 {
  if (sizeof<T>() == 4) return f64x2.promote_low_f32x4(v128.load64_zero(address));
  return v128.load(address);
}

/** 1/√a in f64. */
export function inverseRoot(a: v128): v128 {
  return f64x2.div(f64x2.splat(1), f64x2.sqrt(a));
}

/** c + a·b of f32. */
export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(c, f32x4.mul(a, b));
}

/** c − a·b of f32. */
export function multiplySubtract(c: v128, a: v128, b: v128): v128 {
  return f32x4.sub(c, f32x4.mul(a, b));
}

/** Of four registers of f32, a bit per lane, lowest lane first: 1 where it exceeds b. */
export function exceedMaskOfFour(at: usize, b: v128): u32 {
  return narrowMasks(
    f32x4.gt(v128.load(at), b),
    f32x4.gt(v128.load(at, 16), b),
    f32x4.gt(v128.load(at, 32), b),
    f32x4.gt(v128.load(at, 48), b),
  );
}

/** A bit per lane of four registers of 32-bit masks, lowest lane first. */
export function narrowMasks(a: v128, b: v128, c: v128, d: v128): u32 {
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d))) as u32;
}

/** A bit per lane of f32, lowest lane first: 1 where a exceeds b. */
export function exceedMask(a: v128, b: v128): u32 {
  return i32x4.bitmask(f32x4.gt(a, b)) as u32;
}

/** Adds 1 to every lane of a count where the i32 lane of a is below that of b. */
export function addLess(count: v128, a: v128, b: v128): v128 {
  return i32x4.sub(count, i32x4.lt_s(a, b)); // a true lane is −1
}

/** The larger lanes of i32, those of b only where its rank is below a limit. */
export function largerWhereLess(a: v128, b: v128, ranks: v128, limit: i32): v128 {
  return i32x4.max_s(a, v128.bitselect(b, a, i32x4.lt_s(ranks, i32x4.splat(limit))));
}

/** The largest lane of i32. */
export function largestLane(a: v128): i32 {
  const pairs = i32x4.max_s(a, i32x4.shuffle(a, a, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.max_s(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2)), 0);
}

/** Stores the sums of the lanes of four registers of i32, one after the other. */
export function storeSums(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
  v128.store(to, i32x4.add(i64x2.shuffle(ab, cd, 0, 2), i64x2.shuffle(ab, cd, 1, 3)));
}

/** Of lanes that hold two i16: the sum of the two products, as i32. */
export function pairProducts(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

/** Of lanes that hold two i16: the sum of the two absolute differences, as i32. */
export function pairDistances(a: v128, b: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_s(i16x8.abs(i16x8.sub(a, b)));
}
