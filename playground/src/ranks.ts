// How high values are among others, for colours: from 0 to 255, by the ranks in a sample of them.

const SAMPLE = 4096;

export function levelsOf(values: Float64Array): Uint8Array {
  const step = Math.max(1, Math.floor(values.length / SAMPLE));
  const sample = new Float64Array(Math.ceil(values.length / step));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * step] as number;
  sample.sort();
  const levels = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++)
    levels[i] = Math.round((255 * countBelow(sample, values[i] as number)) / sample.length);
  return levels;
}

/** How many of ascending values are less. */
export function countBelow(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
