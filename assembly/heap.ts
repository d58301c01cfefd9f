// The best points so far of one query: a binary heap with the worst on top, so that one look tells
// whether a point gets in. Order is by distance, then by index: equal distances go to the lower index,
// whatever the order of visits.
import { Frame } from './frame';

export function distanceAt(frame: Frame, slot: usize): usize {
  return frame.distances + slot * sizeof<f64>();
}

export function indexAt(frame: Frame, slot: usize): usize {
  return frame.indices + slot * sizeof<u32>();
}

function isWorse(distance: f64, index: u32, thanDistance: f64, thanIndex: u32): bool {
  return distance > thanDistance || (distance == thanDistance && index > thanIndex);
}

function siftUp(frame: Frame, base: usize, position: usize, distance: f64, index: u32): void {
  while (position > 0) {
    const parent = base + ((position - 1) >> 1);
    const parentDistance = load<f64>(distanceAt(frame, parent));
    const parentIndex = load<u32>(indexAt(frame, parent));
    if (!isWorse(distance, index, parentDistance, parentIndex)) break;
    store<f64>(distanceAt(frame, base + position), parentDistance);
    store<u32>(indexAt(frame, base + position), parentIndex);
    position = (position - 1) >> 1;
  }
  store<f64>(distanceAt(frame, base + position), distance);
  store<u32>(indexAt(frame, base + position), index);
}

/** Puts an entry in place of the top of a heap of the given size. */
function siftDown(frame: Frame, base: usize, size: usize, distance: f64, index: u32): void {
  let position: usize = 0;
  while (true) {
    let child = position * 2 + 1;
    if (child >= size) break;
    let childDistance = load<f64>(distanceAt(frame, base + child));
    let childIndex = load<u32>(indexAt(frame, base + child));
    if (child + 1 < size) {
      const otherDistance = load<f64>(distanceAt(frame, base + child + 1));
      const otherIndex = load<u32>(indexAt(frame, base + child + 1));
      if (isWorse(otherDistance, otherIndex, childDistance, childIndex)) {
        child++;
        childDistance = otherDistance;
        childIndex = otherIndex;
      }
    }
    if (!isWorse(childDistance, childIndex, distance, index)) break;
    store<f64>(distanceAt(frame, base + position), childDistance);
    store<u32>(indexAt(frame, base + position), childIndex);
    position = child;
  }
  store<f64>(distanceAt(frame, base + position), distance);
  store<u32>(indexAt(frame, base + position), index);
}

/** Entries a query has. */
export function heapSize(frame: Frame, query: u32): u32 {
  return load<u32>(frame.sizes + query * 4);
}

export function setHeapSize(frame: Frame, query: u32, size: u32): void {
  store<u32>(frame.sizes + query * 4, size);
}

export function clearHeap(frame: Frame, query: u32): void {
  setHeapSize(frame, query, 0);
}

/** Distance of the worst entry. */
export function worstDistance(frame: Frame, query: u32): f64 {
  return load<f64>(distanceAt(frame, <usize>query * frame.slots));
}

/** Whether a point at this distance would be among the best `limit`. */
export function isWanted(frame: Frame, query: u32, limit: u32, distance: f64, index: u32): bool {
  if (heapSize(frame, query) < limit) return true;
  const top = <usize>query * frame.slots;
  return isWorse(load<f64>(distanceAt(frame, top)), load<u32>(indexAt(frame, top)), distance, index);
}

/** Lets in a point that is wanted. */
export function push(frame: Frame, query: u32, limit: u32, distance: f64, index: u32): void {
  const base = <usize>query * frame.slots;
  const size = heapSize(frame, query);
  if (size == limit) {
    siftDown(frame, base, size, distance, index);
  } else {
    setHeapSize(frame, query, size + 1);
    siftUp(frame, base, size, distance, index);
  }
}

/** As push, for a list that is short and kept in order from nearest to farthest. Returns how many it has then. */
export function insert(distances: usize, indices: usize, size: u32, limit: u32, distance: f64, index: u32): u32 {
  let at: usize = size;
  if (size == limit) {
    at--;
    if (!isWorse(load<f64>(distances + at * 8), load<u32>(indices + at * 4), distance, index)) return size;
  } else {
    size++;
  }
  while (at > 0) {
    const before = load<f64>(distances + at * 8 - 8);
    const indexBefore = load<u32>(indices + at * 4 - 4);
    if (!isWorse(before, indexBefore, distance, index)) break;
    store<f64>(distances + at * 8, before);
    store<u32>(indices + at * 4, indexBefore);
    at--;
  }
  store<f64>(distances + at * 8, distance);
  store<u32>(indices + at * 4, index);
  return size;
}

/** Turns a heap into a list from nearest to farthest. */
export function sortHeap(frame: Frame, query: u32): void {
  const base = <usize>query * frame.slots;
  for (let size: usize = heapSize(frame, query); size > 1; size--) {
    const last = base + size - 1;
    const distance = load<f64>(distanceAt(frame, last));
    const index = load<u32>(indexAt(frame, last));
    store<f64>(distanceAt(frame, last), load<f64>(distanceAt(frame, base)));
    store<u32>(indexAt(frame, last), load<u32>(indexAt(frame, base)));
    siftDown(frame, base, size - 1, distance, index);
  }
}
