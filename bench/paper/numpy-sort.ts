// The beginning of NumPy's argsort with its order of equal values, which is neither stable nor random: it
// comes from how its quicksort swaps. Ranges are sorted independently of each other, so that only those
// which reach into the beginning need sorting.

/** Ranges of at most one more than this are sorted by insertion. */
const SMALL = 15;

/**
 * The first `count` entries of `np.argsort(values)` (quicksort, without vector instructions, as in NumPy of
 * the paper's time). `order` is scratch space of at least as many entries as `values`; the result is a view
 * of it.
 */
export function argsortBeginning(values: Float64Array, count: number, order: Uint32Array): Uint32Array {
  for (let i = 0; i < values.length; i++) order[i] = i;
  // Beyond this depth NumPy changes to heapsort, with another order of ties.
  sortRange({ values, order, count }, 0, values.length - 1, 2 * Math.floor(Math.log2(values.length)));
  return order.subarray(0, count);
}

/** Values, the order they get, and how many places of it are wanted. */
interface Sorting {
  readonly values: Float64Array;
  readonly order: Uint32Array;
  readonly count: number;
}

/** Sorts order[left … right], as far as it is among the first `count`. */
function sortRange(sorting: Sorting, left: number, right: number, depth: number): void {
  const { values: v, order, count } = sorting;
  let [end, depthLeft] = [right, depth];
  while (end - left > SMALL) {
    if (depthLeft-- < 0) throw new Error('these values would make NumPy change to heapsort, which is not imitated');
    const pivot = partition(v, order, left, end);
    if (pivot + 1 < count) sortRange(sorting, pivot + 1, end, depthLeft);
    end = pivot - 1;
  }
  insertionSort(v, order, left, end);
}

/** Parts the range around the median of its first, middle and last value; returns where that one is. */
function partition(v: Float64Array, order: Uint32Array, left: number, right: number): number {
  const at = (i: number): number => v[order[i] as number] as number;
  const swap = (i: number, j: number): void => {
    const kept = order[i] as number;
    order[i] = order[j] as number;
    order[j] = kept;
  };
  const middle = left + ((right - left) >> 1);
  if (at(middle) < at(left)) swap(middle, left);
  if (at(right) < at(middle)) swap(right, middle);
  if (at(middle) < at(left)) swap(middle, left);
  const pivot = at(middle);
  swap(middle, right - 1);
  let [i, j] = [left, right - 1];
  for (;;) {
    do i++;
    while (at(i) < pivot);
    do j--;
    while (pivot < at(j));
    if (i >= j) break;
    swap(i, j);
  }
  swap(i, right - 1);
  return i;
}

function insertionSort(v: Float64Array, order: Uint32Array, left: number, right: number): void {
  for (let i = left + 1; i <= right; i++) {
    const entry = order[i] as number;
    const value = v[entry] as number;
    let j = i;
    for (; j > left && value < (v[order[j - 1] as number] as number); j--) order[j] = order[j - 1] as number;
    order[j] = entry;
  }
}
