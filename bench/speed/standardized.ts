// Real data sets as z-scores in single precision: everybody is given the same rows.
import { loadData } from '../../test/support/data.js';
import type { Data } from './support.js';

export function standardized(name: string): Data {
  const { X, rows, columns } = loadData(name);
  const data = new Float32Array(X.length);
  for (let j = 0; j < columns; j++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < rows; i++) sum += X[i * columns + j] as number;
    const mean = sum / rows;
    for (let i = 0; i < rows; i++) squares += ((X[i * columns + j] as number) - mean) ** 2;
    const deviation = Math.sqrt(squares / rows) || 1;
    for (let i = 0; i < rows; i++) data[i * columns + j] = ((X[i * columns + j] as number) - mean) / deviation;
  }
  return { data, rows, columns };
}
