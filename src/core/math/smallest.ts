// Selects the smallest of many values without sorting them all (Hoare's quickselect).

/** The indices of the `count` smallest values, ascending; of equal values the first. */
export function smallest(values: Float64Array, count: number): Uint32Array {
  const limit = valueAt(values.slice(), count - 1, values.length);
  const result = new Uint32Array(count);
  let ties = count;
  for (let i = 0; i < values.length; i++) if ((values[i] as number) < limit) ties--;
  let size = 0;
  for (let i = 0; i < values.length && size < count; i++) {
    if ((values[i] as number) < limit || ((values[i] as number) === limit && ties-- > 0)) result[size++] = i;
  }
  return result;
}

/** The value that would be at a place of the first `count` values if they were sorted; they are reordered. */
export function valueAt(values: Float64Array, place: number, count: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) < pivot) i++;
      while (pivot < (values[j] as number)) j--;
      if (i > j) break;
      const value = values[i] as number;
      values[i++] = values[j] as number;
      values[j--] = value;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return values[place] as number;
}
