// Where normal ends: two clusters of the training scores (the paper), or a share of them.
import { kmeans } from 'ml-kmeans';

export interface Threshold {
  /** Scores above it are anomalies. */
  readonly value: number;
  /** All training scores are equal: there are no two clusters, and nothing is an anomaly. */
  readonly isDegenerate: boolean;
}

const DEGENERATE: Threshold = { value: Infinity, isDegenerate: true };

/**
 * The middle between the centres of the two clusters K-means finds. K-means alone ends at one of several
 * local optima; it is started from the best of all splits of the sorted scores, so that it ends at the
 * global one.
 */
export function twoMeansThreshold(scores: Float64Array): Threshold {
  const sorted = scores.slice().sort();
  const least = sorted[0] as number;
  const range = (sorted[sorted.length - 1] as number) - least;
  if (range === 0) return DEGENERATE;
  // On [0, 1], as kernel scores can be so small that their squares vanish.
  const relative = sorted.map((score) => (score - least) / range);
  const { centroids } = kmeans(
    Array.from(relative, (score) => [score]),
    2,
    { initialization: bestSplit(relative).map((centre) => [centre]), tolerance: 0 },
  );
  const [low, high] = centroids as [[number], [number]];
  return { value: least + (range * (low[0] + high[0])) / 2, isDegenerate: false };
}

/** The means of the two sides of the split between distinct values with the least squared error. */
function bestSplit(sorted: Float64Array): [number, number] {
  const count = sorted.length;
  const total = sorted.reduce((sum, value) => sum + value, 0);
  // The error is least where the squared means, weighted by the sizes of the sides, sum to the most;
  // around the overall mean, so that no digits cancel.
  const centre = total / count;
  let best = -Infinity;
  let means: [number, number] = [centre, centre];
  let sum = 0;
  for (let size = 1; size < count; size++) {
    sum += (sorted[size - 1] as number) - centre;
    if (sorted[size - 1] === sorted[size]) continue;
    const spread = sum * sum * (1 / size + 1 / (count - size));
    if (spread > best) {
      best = spread;
      means = [centre + sum / size, centre - sum / (count - size)];
    }
  }
  return means;
}

/** The score that a share of the training scores exceeds: the percentile of numpy and PyOD. */
export function contaminationThreshold(scores: Float64Array, contamination: number): Threshold {
  const sorted = scores.slice().sort();
  if (sorted[0] === sorted[sorted.length - 1]) return DEGENERATE;
  // In numpy's order of operations, so that the count above it is numpy's to the last row.
  const position = ((100 * (1 - contamination)) / 100) * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return { value: low + (high - low) * (position - below), isDegenerate: false };
}
