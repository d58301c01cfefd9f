// How high values are among others, for colours: from 0 to 255, by the ranks in a sample of them.

const SAMPLE = 4096;
const HIGHEST = 255;
/** Cells of the table that says where among the limits a value is, about. */
const CELLS = 2048;

export function levelsOf(values: Float64Array): Uint8Array {
  const limits = limitsOf(values);
  const first = limits[0] as number;
  const scale = CELLS / ((limits[HIGHEST - 1] as number) - first);
  const levels = new Uint8Array(values.length);
  if (!Number.isFinite(scale)) return levels.map((_, i) => countBelow(limits, values[i] as number));
  const cellOf = (value: number): number => Math.max(0, Math.min(CELLS, Math.floor((value - first) * scale)));
  /** Limits in lower cells: those are below a value for certain, as those in higher ones are not. */
  const lower = new Uint16Array(CELLS + 2);
  for (const limit of limits) lower[cellOf(limit) + 1] = (lower[cellOf(limit) + 1] as number) + 1;
  for (let cell = 1; cell < lower.length; cell++) lower[cell] = (lower[cell] as number) + (lower[cell - 1] as number);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    const cell = cellOf(value);
    levels[i] = countBelow(limits, value, lower[cell], lower[cell + 1]);
  }
  return levels;
}

/** Values above the i-th limit have at least level i + 1: that share of the sample is below them. */
function limitsOf(values: Float64Array): Float64Array {
  const step = Math.max(1, Math.floor(values.length / SAMPLE));
  const sample = new Float64Array(Math.ceil(values.length / step));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * step] as number;
  sample.sort();
  return Float64Array.from(
    { length: HIGHEST },
    (_, i) => sample[Math.max(0, Math.ceil(((i + 0.5) * sample.length) / HIGHEST) - 1)] as number,
  );
}

/** How many of ascending values are less; of some in the middle, where it is known how many at least, and at most. */
function countBelow(ascending: Float64Array, value: number, least = 0, most = ascending.length): number {
  let [low, high] = [least, most];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
