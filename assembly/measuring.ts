// Exact distances of the candidates, of which the k nearest stay. Where k is small the candidates come in the
// order of their estimates, which is nearly that of their distances: a processor then sees no surprises.
import { keepBest, leaveOut } from './collect';
import { isAbsolute } from './estimates';
import { Frame } from './frame';
import { clearHeap, distanceAt, indexAt, insert, isWanted, push } from './heap';
import { queryRow } from './points';
import { foundBy, foundCount, indexMask, rankOf, wordOfRank } from './reservoir';
import { Magnitudes, Squares, sumVectors } from './sums';

/** Up to so many neighbours, a list in order costs less than a heap. */
export const FEW: u32 = 32;

/** More candidates than so few neighbours have. */
const MOST: usize = 256;

/** Up to so many columns, measuring one of many candidates too many costs less than telling which are too many. */
const NARROW: u32 = 64;

/** Distances from a query to some points. */
export function measureSome(frame: Frame, query: u32, indices: usize, count: u32, distances: usize): void {
  if (frame.bytes == 4) measureBy<f32>(frame, query, indices, count, distances);
  else measureBy<f64>(frame, query, indices, count, distances);
}

function measureBy<T>(frame: Frame, query: u32, indices: usize, count: u32, distances: usize): void {
  if (isAbsolute(frame)) measureSums<T, Magnitudes>(frame, query, indices, count, distances);
  else measureSums<T, Squares>(frame, query, indices, count, distances);
}

function measureSums<T, Term>(frame: Frame, query: u32, indices: usize, count: u32, distances: usize): void {
  const row = queryRow(frame, query);
  const columns = frame.columns;
  const points = frame.points, size = columns * sizeof<T>();
  for (let end = indices + count * 4; indices < end; indices += 4, distances += 8) {
    store<f64>(distances, sumVectors<T, Term>(row, points + load<u32>(indices) * size, columns));
  }
}

/** Measures the candidates and keeps the k nearest. */
export function measureCandidates(frame: Frame): void {
  const distances = frame.scratch, indices = distances + MOST * 8;
  const k = frame.neighbors;
  for (let query: u32 = 0; query < frame.queries; query++) {
    if (k <= FEW) {
      const best = listBest(frame, query, indices);
      measureSome(frame, query, indices, best, distances);
      const first = <usize>query * frame.slots;
      const to = distanceAt(frame, first), toIndices = indexAt(frame, first);
      let size: u32 = 0;
      for (let i: u32 = 0; i < best; i++) {
        size = insert(to, toIndices, size, k, load<f64>(distances + i * 8), load<u32>(indices + i * 4));
      }
      continue;
    }
    clearHeap(frame, query);
    if (frame.columns > NARROW) keepBest(frame, query);
    for (let at = foundBy(frame, query), end = at + foundCount(frame, query) * 4; at < end; at += 4) {
      const index = load<u32>(at) & indexMask(frame);
      store<u32>(indices, index);
      measureSome(frame, query, indices, 1, distances);
      const distance = load<f64>(distances);
      if (isWanted(frame, query, k, distance, index)) push(frame, query, k, distance, index);
    }
  }
}

/** Lists the candidates, best estimates first and no more than there should be; returns how many. */
function listBest(frame: Frame, query: u32, indices: usize): u32 {
  const found = foundBy(frame, query), count = foundCount(frame, query);
  const mask = indexMask(frame);
  const worst = wordOfRank(frame, found, count, frame.candidates);
  for (let i: u32 = 0; i < count; i++) store<u32>(indices + rankOf(frame, i) * 4, load<u32>(found + i * 4) & mask);
  if (count <= frame.candidates) return count;
  leaveOut(frame, query, worst);
  return frame.candidates;
}
