// Wide rows that few numbers decide.
import { type Data, gaussianData } from './support.js';

/** Rows on a curved manifold of a few dimensions: sines of few numbers, with a little noise. */
export function manifold(rows: number, columns: number, intrinsic: number): Data {
  const inner = gaussianData(rows, intrinsic, 5);
  const weights = gaussianData(columns, intrinsic, 6);
  const { data } = gaussianData(rows, columns, 7);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let phase = 0;
      for (let a = 0; a < intrinsic; a++)
        phase += (inner.data[i * intrinsic + a] as number) * (weights.data[j * intrinsic + a] as number);
      data[i * columns + j] = Math.sin(phase / 2) + 0.01 * (data[i * columns + j] as number);
    }
  }
  return { data, rows, columns };
}
