// CAD as one would write it from the paper: all distances, a full sort, and every pair of edges. The
// measure of what the core gains.
import type { Data } from './support.js';

export function straightforwardScores({ data, rows, columns }: Data, k: number): Float64Array {
  const scores = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const neighbors: Array<{ index: number; distance: number }> = [];
    for (let p = 0; p < rows; p++) {
      if (p === i) continue;
      let distance = 0;
      for (let j = 0; j < columns; j++) {
        const difference = (data[p * columns + j] as number) - (data[i * columns + j] as number);
        distance += difference * difference;
      }
      neighbors.push({ index: p, distance });
    }
    neighbors.sort((a, b) => a.distance - b.distance || a.index - b.index);
    scores[i] = pairwiseCosines(
      data,
      columns,
      i,
      neighbors.slice(0, k).map(({ index }) => index),
    );
  }
  return scores;
}

function pairwiseCosines(data: Float32Array, columns: number, vertex: number, neighbors: readonly number[]): number {
  let score = 0;
  for (let a = 0; a < neighbors.length - 1; a++) {
    for (let b = a + 1; b < neighbors.length; b++) {
      let product = 0;
      let squareA = 0;
      let squareB = 0;
      for (let j = 0; j < columns; j++) {
        const origin = data[vertex * columns + j] as number;
        const edgeA = (data[(neighbors[a] as number) * columns + j] as number) - origin;
        const edgeB = (data[(neighbors[b] as number) * columns + j] as number) - origin;
        product += edgeA * edgeB;
        squareA += edgeA * edgeA;
        squareB += edgeB * edgeB;
      }
      if (squareA > 0 && squareB > 0) score += product / Math.sqrt(squareA * squareB);
    }
  }
  return score;
}
