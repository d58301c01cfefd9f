// The best points so far of one query: a binary heap with the worst on top, so that one comparison tells
// whether a point is better. Order is by distance, then by index: equal distances go to the lower index,
// whatever the order in which points are seen.
import { SearchCall } from './search-call';

export function distanceAt(call: SearchCall, slot: usize): usize {
  return call.distances + slot * sizeof<f64>();
}

export function indexAt(call: SearchCall, slot: usize): usize {
  return call.indices + slot * sizeof<u32>();
}

function isWorse(distance: f64, index: u32, thanDistance: f64, thanIndex: u32): bool {
  return distance > thanDistance || (distance == thanDistance && index > thanIndex);
}

function siftUp(call: SearchCall, base: usize, position: usize, distance: f64, index: u32): void {
  while (position > 0) {
    const parent = base + ((position - 1) >> 1);
    const parentDistance = load<f64>(distanceAt(call, parent));
    const parentIndex = load<u32>(indexAt(call, parent));
    if (!isWorse(distance, index, parentDistance, parentIndex)) break;
    store<f64>(distanceAt(call, base + position), parentDistance);
    store<u32>(indexAt(call, base + position), parentIndex);
    position = (position - 1) >> 1;
  }
  store<f64>(distanceAt(call, base + position), distance);
  store<u32>(indexAt(call, base + position), index);
}

/** Puts an entry in place of the top of a heap of the given size. */
function siftDown(call: SearchCall, base: usize, size: usize, distance: f64, index: u32): void {
  let position: usize = 0;
  while (true) {
    let child = position * 2 + 1;
    if (child >= size) break;
    let childDistance = load<f64>(distanceAt(call, base + child));
    let childIndex = load<u32>(indexAt(call, base + child));
    if (child + 1 < size) {
      const otherDistance = load<f64>(distanceAt(call, base + child + 1));
      const otherIndex = load<u32>(indexAt(call, base + child + 1));
      if (isWorse(otherDistance, otherIndex, childDistance, childIndex)) {
        child++;
        childDistance = otherDistance;
        childIndex = otherIndex;
      }
    }
    if (!isWorse(childDistance, childIndex, distance, index)) break;
    store<f64>(distanceAt(call, base + position), childDistance);
    store<u32>(indexAt(call, base + position), childIndex);
    position = child;
  }
  store<f64>(distanceAt(call, base + position), distance);
  store<u32>(indexAt(call, base + position), index);
}

/** Entries a query has. */
export function heapSize(call: SearchCall, query: u32): u32 {
  return load<u32>(call.sizes + query * 4);
}

export function setHeapSize(call: SearchCall, query: u32, size: u32): void {
  store<u32>(call.sizes + query * 4, size);
}

export function clearHeap(call: SearchCall, query: u32): void {
  setHeapSize(call, query, 0);
}

/** Distance of the worst entry. */
export function worstDistance(call: SearchCall, query: u32): f64 {
  return load<f64>(distanceAt(call, <usize>query * call.slots));
}

/** Whether a point at this distance would be among the best `limit`. */
export function isWanted(call: SearchCall, query: u32, limit: u32, distance: f64, index: u32): bool {
  if (heapSize(call, query) < limit) return true;
  const top = <usize>query * call.slots;
  return isWorse(load<f64>(distanceAt(call, top)), load<u32>(indexAt(call, top)), distance, index);
}

/** Inserts a point that `isWanted`. */
export function push(call: SearchCall, query: u32, limit: u32, distance: f64, index: u32): void {
  const base = <usize>query * call.slots;
  const size = heapSize(call, query);
  if (size == limit) {
    siftDown(call, base, size, distance, index);
  } else {
    setHeapSize(call, query, size + 1);
    siftUp(call, base, size, distance, index);
  }
}

/** As push, for a short list that is kept sorted from nearest to farthest. Returns its new size. */
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
export function sortHeap(call: SearchCall, query: u32): void {
  const base = <usize>query * call.slots;
  for (let size: usize = heapSize(call, query); size > 1; size--) {
    const last = base + size - 1;
    const distance = load<f64>(distanceAt(call, last));
    const index = load<u32>(indexAt(call, last));
    store<f64>(distanceAt(call, last), load<f64>(distanceAt(call, base)));
    store<u32>(indexAt(call, last), load<u32>(indexAt(call, base)));
    siftDown(call, base, size - 1, distance, index);
  }
}
