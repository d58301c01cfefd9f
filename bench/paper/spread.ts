// A mean with its population standard deviation, as the tables print it.

export interface Spread {
  readonly mean: number;
  readonly std: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, std: Math.sqrt(variance) };
}

export function scaled({ mean, std }: Spread, factor: number): Spread {
  return { mean: mean * factor, std: std * factor };
}

/** AUC in percent, or the paper's seconds: two digits. */
export function show(spread: Spread | undefined): string {
  return spread === undefined ? '–' : `${spread.mean.toFixed(2)}±${spread.std.toFixed(2)}`;
}

/** Seconds, with digits enough for small ones. */
export function showSeconds(spread: Spread | undefined): string {
  return spread === undefined ? '–' : `${spread.mean.toFixed(4)}±${spread.std.toFixed(4)}`;
}
