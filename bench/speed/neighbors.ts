// Whether neighbours are those that a peer found.
import type { Data } from './support.js';

/** The share of a peer's neighbours that are no farther than the true k-th one. */
export function recallOf({ data, columns }: Data, k: number, ours: Uint32Array, theirs: Int32Array): number {
  let right = 0;
  for (let i = 0; i < ours.length; i++) {
    const row = Math.floor(i / k);
    const index = theirs[i] as number;
    const farthest = distance(data, columns, row, ours[row * k + k - 1] as number);
    if (index >= 0 && distance(data, columns, row, index) <= farthest * (1 + 1e-6)) right++;
  }
  return right / ours.length;
}

function distance(data: Float32Array, columns: number, a: number, b: number): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) {
    sum += ((data[a * columns + j] as number) - (data[b * columns + j] as number)) ** 2;
  }
  return sum;
}

/** Rows where the peer names another neighbour, other than one at a distance equal to 10⁻⁶. */
export function differences({ data, columns }: Data, k: number, ours: Uint32Array, theirs: Int32Array): number {
  let rows = 0;
  for (let row = 0; row < ours.length / k; row++) {
    const mine = ours.subarray(row * k, (row + 1) * k);
    const other = theirs.subarray(row * k, (row + 1) * k);
    const farthest = distance(data, columns, row, mine[k - 1] as number);
    const isRight = (index: number, among: Uint32Array | Int32Array): boolean =>
      among.includes(index) || Math.abs(distance(data, columns, row, index) - farthest) <= 1e-6 * farthest;
    if (!mine.every((index) => isRight(index, other)) || !other.every((index) => isRight(index, mine))) rows++;
  }
  return rows;
}
