// Exact distances of the candidates, of which the k nearest stay. Where k is small the candidates come in the
// order of their estimates, which is nearly that of their distances: a processor then sees no surprises.
import { isAbsolute, setBound } from './estimates';
import { Frame } from './frame';
import { distanceAt, heapSize, indexAt, insert, isWanted, push, setHeapSize } from './heap';
import { queryRow } from './points';
import { foundBy, foundCount, keyOfRank, keysOf, rankOf } from './reservoir';
import { Magnitudes, Squares, sumVectors } from './sums';

/** Up to so many neighbours, a list in order costs less than a heap. */
export const FEW: u32 = 32;

/** More candidates than so few neighbours have. */
const MOST: usize = 256;

/** Not a point. */
const NONE: u32 = 0xffffffff;

/** Distances from a query to some points. */
export function measureSome<T, V>(frame: Frame, query: u32, indices: usize, count: u32, distances: usize): void {
  if (isAbsolute(frame)) measureBy<T, V, Magnitudes>(frame, query, indices, count, distances);
  else measureBy<T, V, Squares>(frame, query, indices, count, distances);
}

function measureBy<T, V, Term>(frame: Frame, query: u32, indices: usize, count: u32, distances: usize): void {
  const row = queryRow(frame, query);
  const columns = frame.columns;
  const points = frame.points, size = columns * sizeof<T>();
  for (let end = indices + count * 4; indices < end; indices += 4, distances += 8) {
    store<f64>(distances, sumVectors<T, V, Term>(row, points + load<u32>(indices) * size, columns));
  }
}

/** Measures the candidates and keeps the k nearest, also of candidates that were measured before. */
export function measureCandidates<T, V, I, E>(frame: Frame): void {
  const distances = frame.estimates, sorted = distances + MOST * 8; // estimates are not needed any more
  const k = frame.neighbors;
  for (let query: u32 = 0; query < frame.queries; query++) {
    const count = foundCount(frame, query);
    if (k <= FEW) {
      const best = sortBest<I, E>(frame, query, count, sorted);
      measureSome<T, V>(frame, query, sorted, best, distances);
      const first = <usize>query * frame.slots;
      const to = distanceAt(frame, first), indices = indexAt(frame, first);
      let size = heapSize(frame, query);
      for (let i: u32 = 0; i < best; i++) size = insert(to, indices, size, k, load<f64>(distances + i * 8), load<u32>(sorted + i * 4));
      setHeapSize(frame, query, size);
      continue;
    }
    for (let at = foundBy(frame, query), end = at + count * 4; at < end; at += 4) {
      measureSome<T, V>(frame, query, at, 1, distances);
      const distance = load<f64>(distances), index = load<u32>(at);
      if (isWanted(frame, query, k, distance, index)) push(frame, query, k, distance, index);
    }
  }
}

/** Lists the candidates, best estimates first and no more than there should be; returns how many. */
function sortBest<I, E>(frame: Frame, query: u32, count: u32, sorted: usize): u32 {
  const found = foundBy(frame, query);
  const worst = keyOfRank<I, E>(frame, keysOf(frame, query), count, frame.candidates);
  for (let i: u32 = 0; i < count; i++) store<u32>(sorted + i * 4, NONE);
  for (let i: u32 = 0; i < count; i++) {
    let to = sorted + rankOf(frame, i) * 4;
    while (load<u32>(to) != NONE) to += 4; // one with the same key
    store<u32>(to, load<u32>(found + i * 4));
  }
  if (count <= frame.candidates) return count;
  setBound(frame, query, -worst);
  return frame.candidates;
}
