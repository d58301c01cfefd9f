// Mean and standard deviation of every column, in one pass that keeps its digits (Welford).
import type { FlatMatrix } from '../index.js';

export interface Moments {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

export function momentsOf({ data, rows, columns }: FlatMatrix): Moments {
  const mean = new Float64Array(columns);
  const squares = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = data[i * columns + j] as number;
      const delta = value - (mean[j] as number);
      mean[j] = (mean[j] as number) + delta / (i + 1);
      squares[j] = (squares[j] as number) + delta * (value - (mean[j] as number));
    }
  }
  return { mean, deviation: squares.map((sum) => Math.sqrt(sum / rows)) };
}
