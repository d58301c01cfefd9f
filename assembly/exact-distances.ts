// Exact distances of the candidates, of which the k nearest stay. Where k is small the candidates come in the
// order of their estimates, which is nearly that of their distances: a processor then sees no surprises.
import { keepBest, leaveOut } from './candidates';
import { isAbsolute } from './estimates';
import { SearchCall } from './search-call';
import { clearHeap, distanceAt, indexAt, insert, isWanted, push } from './heap';
import { pointIn, queryRow } from './points';
import { foundBy, foundCount, indexMask, rankOf, wordOfRank } from './reservoir';
import { Magnitudes, Squares, sumVectors } from './sums';

/** Up to so many neighbours, a list in order costs less than a heap. */
export const SORTED_LIST_MAX_K: u32 = 32;

/** More candidates than so few neighbours have. */
const SORTED_LIST_MAX_CANDIDATES: usize = 256;

/** Up to so many columns, measuring one of many candidates too many costs less than telling which are too many. */
const UNFILTERED_MAX_COLUMNS: u32 = 64;

/** Distances from a query to some points. */
export function measureSome(call: SearchCall, query: u32, indices: usize, count: u32, distances: usize): void {
  if (call.bytes == 4) measureBy<f32>(call, query, indices, count, distances);
  else measureBy<f64>(call, query, indices, count, distances);
}

function measureBy<T>(call: SearchCall, query: u32, indices: usize, count: u32, distances: usize): void {
  if (isAbsolute(call)) measureSums<T, Magnitudes>(call, query, indices, count, distances);
  else measureSums<T, Squares>(call, query, indices, count, distances);
}

function measureSums<T, Term>(call: SearchCall, query: u32, indices: usize, count: u32, distances: usize): void {
  const row = queryRow(call, query);
  const columns = call.columns;
  const points = call.points,
    size = columns * sizeof<T>();
  for (let end = indices + count * 4; indices < end; indices += 4, distances += 8) {
    store<f64>(distances, sumVectors<T, Term>(row, points + load<u32>(indices) * size, columns));
  }
}

/** Measures the candidates and keeps the k nearest. */
export function measureCandidates(call: SearchCall): void {
  const distances = call.scratch,
    indices = distances + SORTED_LIST_MAX_CANDIDATES * 8;
  const k = call.neighbors;
  for (let query: u32 = 0; query < call.queries; query++) {
    if (k <= SORTED_LIST_MAX_K) {
      const best = listBest(call, query, indices);
      measureSome(call, query, indices, best, distances);
      const first = <usize>query * call.slots;
      const to = distanceAt(call, first),
        toIndices = indexAt(call, first);
      let size: u32 = 0;
      for (let i: u32 = 0; i < best; i++) {
        size = insert(to, toIndices, size, k, load<f64>(distances + i * 8), load<u32>(indices + i * 4));
      }
      continue;
    }
    clearHeap(call, query);
    if (call.columns > UNFILTERED_MAX_COLUMNS) keepBest(call, query);
    for (let at = foundBy(call, query), end = at + foundCount(call, query) * 4; at < end; at += 4) {
      const index = pointIn(call, load<u32>(at) & indexMask(call));
      store<u32>(indices, index);
      measureSome(call, query, indices, 1, distances);
      const distance = load<f64>(distances);
      if (isWanted(call, query, k, distance, index)) push(call, query, k, distance, index);
    }
  }
}

/** Lists the candidates, best estimates first and no more than there should be; returns how many. */
function listBest(call: SearchCall, query: u32, indices: usize): u32 {
  const found = foundBy(call, query),
    count = foundCount(call, query);
  const mask = indexMask(call);
  const worst = wordOfRank(call, found, count, call.candidates);
  for (let i: u32 = 0; i < count; i++)
    store<u32>(indices + rankOf(call, i) * 4, pointIn(call, load<u32>(found + i * 4) & mask));
  if (count <= call.candidates) return count;
  leaveOut(call, query, worst);
  return call.candidates;
}
