// The rows with the highest scores, the highest first.

/** Of more rows only so many are listed. */
const MOST = 10_000;

export function highest(scores: Float64Array, sorted: Float64Array, most = MOST): Uint32Array {
  const least = sorted[Math.max(0, sorted.length - most)] ?? 0;
  const rows: number[] = [];
  for (let row = 0; row < scores.length; row++) if ((scores[row] as number) >= least) rows.push(row);
  rows.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  return Uint32Array.from(rows.slice(0, most));
}

/** How many scores are above a threshold. */
export function countAbove(sorted: Float64Array, threshold: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= threshold) low = middle + 1;
    else high = middle;
  }
  return sorted.length - low;
}
