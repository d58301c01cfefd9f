// Exact distances of the candidates, of which the k nearest stay. A few are all measured first and then taken
// about in order: by how many are nearer, which needs none of the branches a processor cannot predict.
import { isAbsolute } from './estimates';
import { Frame } from './frame';
import { insert, isWanted, push } from './heap';
import { queryRow } from './points';
import { foundBy, foundCount, rankKeys } from './reservoir';
import { Magnitudes, Squares, sumVectors } from './sums';

/** Up to so many neighbours, a list in order costs less than a heap. */
export const FEW: u32 = 32;

/** More than the candidates where neighbours are few, and the bits of a key that tell them apart. */
const MOST: u32 = 256;

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
  const distances = frame.estimates; // of which none are needed any more
  const k = frame.neighbors;
  for (let query: u32 = 0; query < frame.queries; query++) {
    const found = foundBy(frame, query);
    const count = foundCount(frame, query);
    measureSome<T, V>(frame, query, found, count, distances);
    if (k <= FEW) insertAll<I, E>(frame, query, found, count, distances);
    else for (let i: u32 = 0; i < count; i++) {
      const distance = load<f64>(distances + i * 8), index = load<u32>(found + i * 4);
      if (isWanted(frame, query, k, distance, index)) push(frame, query, k, distance, index);
    }
  }
}

/** Inserts candidates about in the order of their distances. */
function insertAll<I, E>(frame: Frame, query: u32, found: usize, count: u32, distances: usize): void {
  const keys = distances + MOST * 8, order = keys + MOST * 4 + 16;
  for (let i: u32 = 0; i < count; i++) {
    // All different, by their last bits: what these hide, `insert` puts right.
    store<u32>(keys + i * 4, (reinterpret<u32>(min(load<f64>(distances + i * 8), 3e38) as f32) & ~(MOST - 1)) | i);
  }
  const ranks = rankKeys<I, E>(frame, keys, count);
  for (let i: u32 = 0; i < count; i++) store<u32>(order + load<u32>(ranks + i * 4) * 4, i);
  for (let place: u32 = 0; place < count; place++) {
    const i = load<u32>(order + place * 4);
    insert(frame, query, frame.neighbors, load<f64>(distances + i * 8), load<u32>(found + i * 4));
  }
}
