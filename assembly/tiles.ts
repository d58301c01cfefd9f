// The innermost loop: 2 queries × 4 registers of points, 8 accumulators. More would not stay in
// registers, fewer would load each number too often; the compiler puts all loads of a step first, so that
// a step must not need more registers than there are.
import { boundOf, scaleOf } from './estimates';
import { SearchCall } from './search-call';
import { PANEL_WIDTH } from './contract';
import { LINE_BYTES, rowWords } from './panels';
import { isSame, Magnitudes } from './sums';
import { multiplyAdd, multiplySubtract, pairDistances, pairProducts } from './vector';

/** Whose neighbours a scan looks for, those of the queries or of the points as well: types told apart by their size. */
export type OneSide = i8;
export type BothSides = i16;

/** Adds two columns of one query to the sums of one register of points. */
function accumulate<Term>(query: v128, points: v128, sum: v128): v128 {
  if (isSame<Term, Magnitudes>()) return i32x4.add(sum, pairDistances(query, points));
  return i32x4.add(sum, pairProducts(query, points));
}

/** The products (or distances) of one register of points, times the query's scale. */
function weigh(sum: v128, weight: v128): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(sum), weight);
}

/** The lanes in which any of four registers exceeds a bound: for most points the only test. */
function exceeding(e0: v128, e1: v128, e2: v128, e3: v128, bound: v128): v128 {
  return f32x4.gt(f32x4.pmax(f32x4.pmax(e0, e1), f32x4.pmax(e2, e3)), bound);
}

/** By how much products exceed the bounds of their points: beyond its reach, a query may be their neighbour (collectForPoints). */
function excess(products: v128, bounds: usize, scale: v128): v128 {
  return multiplySubtract(products, v128.load(bounds), scale);
}

function storeEstimates(to: usize, e0: v128, e1: v128, e2: v128, e3: v128): void {
  const register: usize = sizeof<v128>();
  v128.store(to, e0);
  v128.store(to + register, e1);
  v128.store(to + 2 * register, e2);
  v128.store(to + 3 * register, e3);
}

/** The bits of so many panels, from 1 to 32. */
export function bitsOf(panels: u32): u32 {
  return (<u32>-1) >> (32 - panels);
}

/**
 * Scans the part that the call names, panels and words of each row, for one pair of queries. After the last words it
 * stores estimates from an offset on and appends the promising tiles to the list; examining them later, many together, keeps this loop tight. A tile is given by the
 * address of its estimates; bit 0 says that it is promising for the query, and bit 1 that it is for the points. While
 * there are no bounds yet, all estimates are stored and nothing is listed.
 */
export function scanPair<Term, Sides>(
  call: SearchCall,
  pair: u32,
  estimates: usize,
  found: u32,
  areAllWanted: bool,
): u32 {
  const register: usize = sizeof<v128>();
  const firstPanel = call.firstPanel;
  const word = call.word,
    depth = call.depth;
  const words: usize = rowWords(call);
  const isLast = word + depth == rowWords(call);
  const firstQuery = call.pairs + (<usize>pair * words + word) * 8;
  const endQuery = firstQuery + <usize>depth * 8;
  const scaleA = v128.load32_splat(call.scales + pair * 8),
    scaleB = v128.load32_splat(call.scales + pair * 8 + 4);
  const boundA = f32x4.splat(boundOf(call, 2 * pair) * scaleOf(call, 2 * pair));
  const boundB = f32x4.splat(boundOf(call, 2 * pair + 1) * scaleOf(call, 2 * pair + 1));
  const reachA = v128.load32_splat(call.reaches + pair * 8),
    reachB = v128.load32_splat(call.reaches + pair * 8 + 4);
  const promising = call.promising;
  const firstPartials = call.partials + <usize>pair * 128;

  for (let bits = call.panelBits; bits != 0; bits &= bits - 1) {
    const place = <u32>ctz(bits);
    const panel = firstPanel + place;
    const partials = firstPartials + <usize>place * (2 * LINE_BYTES);
    let a0 = i32x4.splat(0),
      a1 = a0,
      a2 = a0,
      a3 = a0,
      b0 = a0,
      b1 = a0,
      b2 = a0,
      b3 = a0;
    if (word > 0) {
      a0 = v128.load(partials);
      a1 = v128.load(partials + register);
      a2 = v128.load(partials + 2 * register);
      a3 = v128.load(partials + 3 * register);
      b0 = v128.load(partials + 4 * register);
      b1 = v128.load(partials + 5 * register);
      b2 = v128.load(partials + 6 * register);
      b3 = v128.load(partials + 7 * register);
    }
    let points = call.panels + (<usize>panel * words + word) * LINE_BYTES;
    for (let query = firstQuery; query < endQuery; query += 8) {
      const qa = v128.load32_splat(query),
        qb = v128.load32_splat(query + 4);
      const p0 = v128.load(points),
        p1 = v128.load(points + register);
      const p2 = v128.load(points + 2 * register),
        p3 = v128.load(points + 3 * register);
      a0 = accumulate<Term>(qa, p0, a0);
      a1 = accumulate<Term>(qa, p1, a1);
      a2 = accumulate<Term>(qa, p2, a2);
      a3 = accumulate<Term>(qa, p3, a3);
      b0 = accumulate<Term>(qb, p0, b0);
      b1 = accumulate<Term>(qb, p1, b1);
      b2 = accumulate<Term>(qb, p2, b2);
      b3 = accumulate<Term>(qb, p3, b3);
      points += LINE_BYTES;
    }
    if (isLast) {
      const at = estimates + <usize>(panel - firstPanel) * 128;
      const to = call.estimates + at;
      const side = <usize>panel * PANEL_WIDTH * 4;
      const w0 = v128.load(call.weights + side),
        w1 = v128.load(call.weights + side + register);
      const w2 = v128.load(call.weights + side + 2 * register);
      const w3 = v128.load(call.weights + side + 3 * register);
      const c0 = v128.load(call.constants + side),
        c1 = v128.load(call.constants + side + register);
      const c2 = v128.load(call.constants + side + 2 * register);
      const c3 = v128.load(call.constants + side + 3 * register);
      const x0 = weigh(a0, w0),
        x1 = weigh(a1, w1),
        x2 = weigh(a2, w2),
        x3 = weigh(a3, w3);
      const y0 = weigh(b0, w0),
        y1 = weigh(b1, w1),
        y2 = weigh(b2, w2),
        y3 = weigh(b3, w3);
      const e0 = multiplyAdd(c0, scaleA, x0),
        e1 = multiplyAdd(c1, scaleA, x1);
      const e2 = multiplyAdd(c2, scaleA, x2),
        e3 = multiplyAdd(c3, scaleA, x3);
      const f0 = multiplyAdd(c0, scaleB, y0),
        f1 = multiplyAdd(c1, scaleB, y1);
      const f2 = multiplyAdd(c2, scaleB, y2),
        f3 = multiplyAdd(c3, scaleB, y3);
      if (isSame<Sides, OneSide>() && areAllWanted) {
        storeEstimates(to, e0, e1, e2, e3);
        storeEstimates(to + 64, f0, f1, f2, f3);
        continue; // of rows in one go, which need no partial sums
      }
      const forA = exceeding(e0, e1, e2, e3, boundA),
        forB = exceeding(f0, f1, f2, f3, boundB);
      let fromA = f32x4.splat(0),
        fromB = f32x4.splat(0);
      if (isSame<Sides, BothSides>()) {
        const bounds = call.bounds + side - <usize>call.firstPoint * 4;
        const bounds1 = bounds + register,
          bounds2 = bounds1 + register,
          bounds3 = bounds2 + register;
        const r0 = excess(x0, bounds, scaleA),
          r1 = excess(x1, bounds1, scaleA);
        const r2 = excess(x2, bounds2, scaleA),
          r3 = excess(x3, bounds3, scaleA);
        const s0 = excess(y0, bounds, scaleB),
          s1 = excess(y1, bounds1, scaleB);
        const s2 = excess(y2, bounds2, scaleB),
          s3 = excess(y3, bounds3, scaleB);
        fromA = exceeding(r0, r1, r2, r3, reachA);
        fromB = exceeding(s0, s1, s2, s3, reachB);
      }
      if (v128.any_true(v128.or(v128.or(forA, forB), v128.or(fromA, fromB)))) {
        const worthA = (<u32>v128.any_true(forA)) | ((<u32>v128.any_true(fromA)) << 1),
          worthB = (<u32>v128.any_true(forB)) | ((<u32>v128.any_true(fromB)) << 1);
        storeEstimates(to, e0, e1, e2, e3);
        storeEstimates(to + 64, f0, f1, f2, f3);
        store<u32>(promising + found * 4, (at as u32) | worthA);
        found += <u32>(worthA > 0);
        store<u32>(promising + found * 4, ((at as u32) + 64) | worthB);
        found += <u32>(worthB > 0);
      }
    } else {
      v128.store(partials, a0);
      v128.store(partials + register, a1);
      v128.store(partials + 2 * register, a2);
      v128.store(partials + 3 * register, a3);
      v128.store(partials + 4 * register, b0);
      v128.store(partials + 5 * register, b1);
      v128.store(partials + 6 * register, b2);
      v128.store(partials + 7 * register, b3);
    }
  }
  return found;
}
