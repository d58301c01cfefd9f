// Exact distances of the candidates, of which the k nearest stay. A few are all measured first and then taken
// about in order: by how many are nearer, which needs none of the branches a processor cannot predict.
import { isAbsolute } from './estimates';
import { Frame } from './frame';
import { insert, isWanted, push } from './heap';
import { pointRow, queryRow } from './points';
import { foundBy, foundCount, rankKeys } from './reservoir';
import { Magnitudes, Squares, sumVectors } from './sums';

/** Up to so many neighbours, a list in order costs less than a heap. */
export const FEW: u32 = 32;

/** More than the candidates where neighbours are few, and the bits of a key that tell them apart. */
const MOST: u32 = 256;

export function exactDistance<T, V>(frame: Frame, query: u32, index: u32): f64 {
  const row = queryRow(frame, query);
  const point = pointRow<T>(frame, index);
  if (isAbsolute(frame)) return sumVectors<T, V, Magnitudes>(row, point, frame.columns);
  return sumVectors<T, V, Squares>(row, point, frame.columns);
}

/** Measures the candidates and keeps the k nearest, also of candidates that were measured before. */
export function measureCandidates<T, V, I, E>(frame: Frame): void {
  for (let query: u32 = 0; query < frame.queries; query++) {
    if (frame.neighbors > FEW) pushAll<T, V>(frame, query);
    else insertAll<T, V, I, E>(frame, query);
  }
}

function pushAll<T, V>(frame: Frame, query: u32): void {
  const k = frame.neighbors;
  const found = foundBy(frame, query);
  for (let i: u32 = 0; i < foundCount(frame, query); i++) {
    const index = load<u32>(found + i * 4);
    const distance = exactDistance<T, V>(frame, query, index);
    if (isWanted(frame, query, k, distance, index)) push(frame, query, k, distance, index);
  }
}

/** No estimates are needed any more: their room has keys | order | distances. */
function insertAll<T, V, I, E>(frame: Frame, query: u32): void {
  const keys = frame.estimates;
  const found = foundBy(frame, query);
  const count = foundCount(frame, query);
  for (let i: u32 = 0; i < count; i++) {
    const distance = exactDistance<T, V>(frame, query, load<u32>(found + i * 4));
    store<f64>(keys + MOST * 8 + i * 8, distance);
    // All different, by their last bits: what these hide, `insert` puts right.
    store<u32>(keys + i * 4, (reinterpret<u32>(min(distance, 3e38) as f32) & ~(MOST - 1)) | i);
  }
  insertInOrder<I, E>(frame, query, keys, keys + MOST * 4, keys + MOST * 8);
}

/** Inserts candidates whose distances and keys are known. */
function insertInOrder<I, E>(frame: Frame, query: u32, keys: usize, order: usize, distances: usize): void {
  const found = foundBy(frame, query);
  const end = foundCount(frame, query) * 4;
  const ranks = rankKeys<I, E>(frame, keys, foundCount(frame, query));
  for (let at: usize = 0; at < end; at += 4) store<u32>(order + load<u32>(ranks + at) * 4, <u32>at);
  for (let place: usize = 0; place < end; place += 4) {
    const at: usize = load<u32>(order + place);
    insert(frame, query, frame.neighbors, load<f64>(distances + at * 2), load<u32>(found + at));
  }
}
