// The points with the best estimates of one query, loosely kept: they are appended until the slots are
// full, and only then the best few are selected. A heap would decide for every point, and its branches
// cannot be predicted; this is what keeps the top-k cheap beside the distances. A smaller key is better.
import { Frame } from './frame';
import { heapSize, setHeapSize } from './heap';

function swap(frame: Frame, a: usize, b: usize): void {
  const key = load<f64>(frame.distances + a * 8);
  store<f64>(frame.distances + a * 8, load<f64>(frame.distances + b * 8));
  store<f64>(frame.distances + b * 8, key);
  const index = load<u32>(frame.indices + a * 4);
  store<u32>(frame.indices + a * 4, load<u32>(frame.indices + b * 4));
  store<u32>(frame.indices + b * 4, index);
}

/** Drops all but the best `keep` entries (quickselect) and returns the key of the worst of these. */
export function selectBest(frame: Frame, query: u32, keep: u32): f64 {
  const keys = frame.distances;
  const base: usize = <usize>query * frame.slots;
  const target = base + keep - 1;
  let low = base, high = base + heapSize(frame, query) - 1;
  while (low < high) {
    const pivot = load<f64>(keys + ((low + high) >> 1) * 8);
    let i = low, j = high;
    while (i <= j) {
      while (load<f64>(keys + i * 8) < pivot) i++;
      while (load<f64>(keys + j * 8) > pivot) j--;
      if (i > j) break;
      swap(frame, i, j);
      i++;
      j--;
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else break;
  }
  setHeapSize(frame, query, keep);
  return load<f64>(keys + target * 8);
}
