// The vector vocabulary. Every hot loop is written once over V, what a register holds: v128 in the simd
// and relaxed builds, a single number in the scalar build. T is the number a lane holds. All branches
// here are on types or build features, so they are resolved when compiling.

/** Numbers of type T in one V. */
export function lanes<T, V>(): u32 {
  return (sizeof<V>() / sizeof<T>()) as u32;
}

export function loadVector<T, V>(address: usize): V {
  if (isVector<V>()) return v128.load(address) as V;
  return load<T>(address) as V;
}

export function storeVector<T, V>(address: usize, value: V): void {
  if (isVector<V>()) v128.store(address, value);
  else store<T>(address, value);
}

/** One number, copied into every lane. */
export function loadSplat<T, V>(address: usize): V {
  if (isVector<V>()) return v128.load_splat<T>(address) as V;
  return load<T>(address) as V;
}

/** As many numbers of type T as V holds f64, widened to f64. */
export function loadWide<T, V>(address: usize): V {
  if (isVector<V>()) {
    if (sizeof<T>() == 4) return f64x2.promote_low_f32x4(v128.load64_zero(address)) as V;
    return v128.load(address) as V;
  }
  return (load<T>(address) as f64) as V;
}

export function splat<T, V>(value: T): V {
  if (isVector<V>()) return v128.splat<T>(value) as V;
  return value as V;
}

export function zero<T, V>(): V {
  return splat<T, V>(0 as T);
}

export function add<T, V>(a: V, b: V): V {
  if (isVector<V>()) return v128.add<T>(a, b) as V;
  return (a + b) as V;
}

export function subtract<T, V>(a: V, b: V): V {
  if (isVector<V>()) return v128.sub<T>(a, b) as V;
  return (a - b) as V;
}

export function multiply<T, V>(a: V, b: V): V {
  if (isVector<V>()) return v128.mul<T>(a, b) as V;
  return (a * b) as V;
}

export function absolute<T, V>(a: V): V {
  if (isVector<V>()) return v128.abs<T>(a) as V;
  return abs<T>(a as T) as V;
}

/** 1/√a in f64. */
export function inverseRoot<V>(a: V): V {
  if (isVector<V>()) return f64x2.div(f64x2.splat(1), f64x2.sqrt(a)) as V;
  return (1 / sqrt<f64>(a as f64)) as V;
}

/** c + a·b, fused where the build allows it: for estimates only, as results round alike in all builds. */
export function multiplyAdd<T, V>(a: V, b: V, c: V): V {
  if (isVector<V>()) {
    if (ASC_FEATURE_RELAXED_SIMD) return v128.relaxed_madd<T>(a, b, c) as V;
    return v128.add<T>(c, v128.mul<T>(a, b)) as V;
  }
  return (c + a * b) as V;
}

/** c − a·b of f32, fused where the build allows it: for estimates only. */
export function multiplySubtract<E>(c: E, a: E, b: E): E {
  if (isVector<E>()) {
    if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_nmadd(a, b, c) as E;
    return f32x4.sub(c, f32x4.mul(a, b)) as E;
  }
  return (c - a * b) as E;
}

/** Lane-wise maximum of numbers that are never NaN. */
export function larger<T, V>(a: V, b: V): V {
  if (isVector<V>()) return v128.pmax<T>(a, b) as V;
  return (a < b ? b : a) as V;
}

/** The lanes of f32 in which a exceeds b: other than zero where it does. */
export function exceeds<E>(a: E, b: E): E {
  if (isVector<E>()) return f32x4.gt(a, b) as E;
  return (a > b ? <f32>1 : <f32>0) as E;
}

/** The lanes that one of two has. */
export function either<E>(a: E, b: E): E {
  if (isVector<E>()) return v128.or(a, b) as E;
  return (a + b) as E;
}

/** 1 if there are any lanes, otherwise 0. */
export function anyOf<E>(lanes: E): u32 {
  if (isVector<E>()) return v128.any_true(lanes) as u32;
  return (lanes != 0) as u32;
}

/** Of four registers of f32, a bit per lane, lowest lane first: 1 where it exceeds b. */
export function exceedMaskOfFour<E>(at: usize, b: E): u32 {
  if (isVector<E>()) {
    const low = i16x8.narrow_i32x4_s(f32x4.gt(v128.load(at), b), f32x4.gt(v128.load(at, 16), b));
    const high = i16x8.narrow_i32x4_s(f32x4.gt(v128.load(at, 32), b), f32x4.gt(v128.load(at, 48), b));
    return i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) as u32;
  }
  return <u32>(load<f32>(at) > (b as f32)) | (<u32>(load<f32>(at, 4) > (b as f32)) << 1)
    | (<u32>(load<f32>(at, 8) > (b as f32)) << 2) | (<u32>(load<f32>(at, 12) > (b as f32)) << 3);
}

/** A bit per lane of f32, lowest lane first: 1 where a exceeds b. */
export function exceedMask<V>(a: V, b: V): u32 {
  if (isVector<V>()) return i32x4.bitmask(f32x4.gt(a, b)) as u32;
  return (a > b) as u32;
}

/** Adds 1 to every lane of a count where the i32 lane of a is below that of b. */
export function addLess<I>(count: I, a: I, b: I): I {
  if (isVector<I>()) return i32x4.sub(count, i32x4.lt_s(a, b)) as I; // a true lane is −1
  return ((count as i32) + <i32>(a < b)) as I;
}

/** The larger lanes of i32, those of b only where its rank is below a limit. */
export function largerWhereLess<I>(a: I, b: I, ranks: I, limit: i32): I {
  if (isVector<I>()) return i32x4.max_s(a, v128.bitselect(b, a, i32x4.lt_s(ranks, i32x4.splat(limit)))) as I;
  return ((ranks as i32) < limit && a < b ? b : a) as I;
}

/** The largest lane of i32. */
export function largestLane<I>(a: I): i32 {
  if (isVector<I>()) {
    const pairs = i32x4.max_s(a, i32x4.shuffle(a, a, 2, 3, 0, 1));
    return i32x4.extract_lane(i32x4.max_s(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2)), 0);
  }
  return a as i32;
}

/** Stores the sums of the lanes of four registers of i32, one after the other. */
export function storeSums<I>(to: usize, a: I, b: I, c: I, d: I): void {
  if (isVector<I>()) {
    const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7));
    const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7));
    v128.store(to, i32x4.add(i64x2.shuffle(ab, cd, 0, 2), i64x2.shuffle(ab, cd, 1, 3)));
  } else {
    store<i32>(to, a as i32);
    store<i32>(to + 4, b as i32);
    store<i32>(to + 8, c as i32);
    store<i32>(to + 12, d as i32);
  }
}

/** Lanes of i32 as f32. */
export function toFloat<I, V>(a: I): V {
  if (isVector<I>()) return f32x4.convert_i32x4_s(a) as V;
  return (a as f32) as V;
}

/** Of lanes that hold two i16: the sum of the two products, as i32. */
export function pairProducts<I>(a: I, b: I): I {
  if (isVector<I>()) return i32x4.dot_i16x8_s(a, b) as I;
  return (low(a as i32) * low(b as i32) + high(a as i32) * high(b as i32)) as I;
}

/** Of lanes that hold two i16: the sum of the two absolute differences, as i32. */
export function pairDistances<I>(a: I, b: I): I {
  if (isVector<I>()) return i32x4.extadd_pairwise_i16x8_s(i16x8.abs(i16x8.sub(a, b))) as I;
  return (abs(low(a as i32) - low(b as i32)) + abs(high(a as i32) - high(b as i32))) as I;
}

function low(pair: i32): i32 {
  return (pair << 16) >> 16;
}

function high(pair: i32): i32 {
  return pair >> 16;
}
