// The innermost loop: 2 queries × 4 registers of points, 8 accumulators. More would not stay in
// registers, fewer would load each number too often; the compiler puts all loads of a step first, so that
// a step must not need more registers than there are. I is a register of i32, E one of f32.
import { boundOf, scaleOf } from './estimates';
import { Frame } from './frame';
import { PANEL_WIDTH } from './contract';
import { LINE, rowWords } from './panels';
import { isSame, Magnitudes } from './sums';
import {
  add, anyOf, either, exceeds, larger, loadSplat, loadVector, multiply, multiplyAdd, multiplySubtract, pairDistances, pairProducts,
  splat, storeVector, toFloat, zero,
} from './vector';

/** Whose neighbours a sweep looks for, the queries' alone or the points' as well: names, told apart by their size. */
export type OneSide = i8;
export type BothSides = i16;

/** Adds two columns of one query to the sums of one register of points. */
function accumulate<I, Term>(query: I, points: I, sum: I): I {
  if (isSame<Term, Magnitudes>()) return add<i32, I>(sum, pairDistances<I>(query, points));
  return add<i32, I>(sum, pairProducts<I>(query, points));
}

/** The products (or distances) of one register of points, times the query's scale. */
function weigh<I, E>(sum: I, weight: E): E {
  return multiply<f32, E>(toFloat<I, E>(sum), weight);
}

/** The lanes in which any of four registers exceeds a bound: the one test most points ever meet. */
function exceeding<E>(e0: E, e1: E, e2: E, e3: E, bound: E): E {
  return exceeds<E>(larger<f32, E>(larger<f32, E>(e0, e1), larger<f32, E>(e2, e3)), bound);
}

/** The lanes in which the query may be among the neighbours of any of the points: see collectForPoints. */
function wanting<E>(x0: E, x1: E, x2: E, x3: E, bounds: usize, scale: E, reach: E): E {
  const register: usize = sizeof<E>();
  const u0 = multiplySubtract<E>(x0, loadVector<f32, E>(bounds), scale);
  const u1 = multiplySubtract<E>(x1, loadVector<f32, E>(bounds + register), scale);
  const u2 = multiplySubtract<E>(x2, loadVector<f32, E>(bounds + 2 * register), scale);
  const u3 = multiplySubtract<E>(x3, loadVector<f32, E>(bounds + 3 * register), scale);
  return exceeding<E>(u0, u1, u2, u3, reach);
}

function storeEstimates<E>(to: usize, e0: E, e1: E, e2: E, e3: E): void {
  const register: usize = sizeof<E>();
  storeVector<f32, E>(to, e0);
  storeVector<f32, E>(to + register, e1);
  storeVector<f32, E>(to + 2 * register, e2);
  storeVector<f32, E>(to + 3 * register, e3);
}

/**
 * Takes one pair of queries over some panels and some words of each row. After the last words it adds
 * the tiles worth a look to the list of those found; looking at them later, many at once, keeps this
 * loop going. A tile is known by where its estimates are; of both sides, bit 0 says that it is worth a look
 * for the query, and bit 1 that it is for the points. Where there are no bounds yet, all estimates are wanted,
 * and no list.
 */
export function sweepPair<I, E, Term, Sides>(frame: Frame, pair: u32, firstPanel: u32, endPanel: u32, word: u32, depth: u32, estimates: usize, found: u32, areAllWanted: bool): u32 {
  const register: usize = sizeof<I>();
  const tile = register * 4;
  const words: usize = rowWords(frame);
  const isLast = word + depth == rowWords(frame);
  const firstQuery = frame.pairs + (<usize>pair * words + word) * 8;
  const endQuery = firstQuery + <usize>depth * 8;
  const scaleA = loadSplat<f32, E>(frame.scales + pair * 8), scaleB = loadSplat<f32, E>(frame.scales + pair * 8 + 4);
  const boundA = splat<f32, E>(boundOf(frame, 2 * pair) * scaleOf(frame, 2 * pair));
  const boundB = splat<f32, E>(boundOf(frame, 2 * pair + 1) * scaleOf(frame, 2 * pair + 1));
  const reachA = loadSplat<f32, E>(frame.reaches + pair * 8), reachB = loadSplat<f32, E>(frame.reaches + pair * 8 + 4);
  const promising = frame.promising;
  let partials = frame.partials + <usize>pair * 128;

  for (let panel = firstPanel; panel < endPanel; panel++) {
    for (let offset: usize = 0; offset < LINE; offset += tile) {
      let a0 = zero<i32, I>(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
      if (word > 0) {
        a0 = loadVector<i32, I>(partials);
        a1 = loadVector<i32, I>(partials + register);
        a2 = loadVector<i32, I>(partials + 2 * register);
        a3 = loadVector<i32, I>(partials + 3 * register);
        b0 = loadVector<i32, I>(partials + 4 * register);
        b1 = loadVector<i32, I>(partials + 5 * register);
        b2 = loadVector<i32, I>(partials + 6 * register);
        b3 = loadVector<i32, I>(partials + 7 * register);
      }
      let points = frame.panels + (<usize>panel * words + word) * LINE + offset;
      for (let query = firstQuery; query < endQuery; query += 8) {
        const qa = loadSplat<i32, I>(query), qb = loadSplat<i32, I>(query + 4);
        const p0 = loadVector<i32, I>(points), p1 = loadVector<i32, I>(points + register);
        const p2 = loadVector<i32, I>(points + 2 * register), p3 = loadVector<i32, I>(points + 3 * register);
        a0 = accumulate<I, Term>(qa, p0, a0);
        a1 = accumulate<I, Term>(qa, p1, a1);
        a2 = accumulate<I, Term>(qa, p2, a2);
        a3 = accumulate<I, Term>(qa, p3, a3);
        b0 = accumulate<I, Term>(qb, p0, b0);
        b1 = accumulate<I, Term>(qb, p1, b1);
        b2 = accumulate<I, Term>(qb, p2, b2);
        b3 = accumulate<I, Term>(qb, p3, b3);
        points += LINE;
      }
      if (isLast) {
        const at = estimates + <usize>(panel - firstPanel) * 128 + offset;
        const to = frame.estimates + at;
        const side = (<usize>panel * PANEL_WIDTH) * 4 + offset;
        const w0 = loadVector<f32, E>(frame.weights + side), w1 = loadVector<f32, E>(frame.weights + side + register);
        const w2 = loadVector<f32, E>(frame.weights + side + 2 * register);
        const w3 = loadVector<f32, E>(frame.weights + side + 3 * register);
        const c0 = loadVector<f32, E>(frame.constants + side), c1 = loadVector<f32, E>(frame.constants + side + register);
        const c2 = loadVector<f32, E>(frame.constants + side + 2 * register);
        const c3 = loadVector<f32, E>(frame.constants + side + 3 * register);
        const x0 = weigh<I, E>(a0, w0), x1 = weigh<I, E>(a1, w1), x2 = weigh<I, E>(a2, w2), x3 = weigh<I, E>(a3, w3);
        const y0 = weigh<I, E>(b0, w0), y1 = weigh<I, E>(b1, w1), y2 = weigh<I, E>(b2, w2), y3 = weigh<I, E>(b3, w3);
        const e0 = multiplyAdd<f32, E>(c0, scaleA, x0), e1 = multiplyAdd<f32, E>(c1, scaleA, x1);
        const e2 = multiplyAdd<f32, E>(c2, scaleA, x2), e3 = multiplyAdd<f32, E>(c3, scaleA, x3);
        const f0 = multiplyAdd<f32, E>(c0, scaleB, y0), f1 = multiplyAdd<f32, E>(c1, scaleB, y1);
        const f2 = multiplyAdd<f32, E>(c2, scaleB, y2), f3 = multiplyAdd<f32, E>(c3, scaleB, y3);
        if (isSame<Sides, OneSide>() && areAllWanted) {
          storeEstimates<E>(to, e0, e1, e2, e3);
          storeEstimates<E>(to + 64, f0, f1, f2, f3);
          continue; // of rows in one go, which need no partial sums
        }
        const forA = exceeding<E>(e0, e1, e2, e3, boundA), forB = exceeding<E>(f0, f1, f2, f3, boundB);
        let fromA = zero<f32, E>(), fromB = zero<f32, E>();
        if (isSame<Sides, BothSides>()) {
          const bounds = frame.bounds + side - <usize>frame.firstPoint * 4;
          fromA = wanting<E>(x0, x1, x2, x3, bounds, scaleA, reachA);
          fromB = wanting<E>(y0, y1, y2, y3, bounds, scaleB, reachB);
        }
        if (anyOf<E>(either<E>(either<E>(forA, forB), either<E>(fromA, fromB)))) {
          const worthA = anyOf<E>(forA) | (anyOf<E>(fromA) << 1), worthB = anyOf<E>(forB) | (anyOf<E>(fromB) << 1);
          storeEstimates<E>(to, e0, e1, e2, e3);
          storeEstimates<E>(to + 64, f0, f1, f2, f3);
          store<u32>(promising + found * 4, (at as u32) | worthA);
          found += <u32>(worthA > 0);
          store<u32>(promising + found * 4, (at as u32) + 64 | worthB);
          found += <u32>(worthB > 0);
        }
      } else {
        storeVector<i32, I>(partials, a0);
        storeVector<i32, I>(partials + register, a1);
        storeVector<i32, I>(partials + 2 * register, a2);
        storeVector<i32, I>(partials + 3 * register, a3);
        storeVector<i32, I>(partials + 4 * register, b0);
        storeVector<i32, I>(partials + 5 * register, b1);
        storeVector<i32, I>(partials + 6 * register, b2);
        storeVector<i32, I>(partials + 7 * register, b3);
      }
      partials += 2 * tile;
    }
  }
  return found;
}
