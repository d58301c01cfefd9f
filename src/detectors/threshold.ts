// Where normal ends: two clusters of the training scores (the paper), a share of them, or the higher of both.

import { kmeansGenerator } from 'ml-kmeans';
import type { Steps } from '../core/steps.js';

export interface Threshold {
  /** Scores above it are anomalies. */
  readonly value: number;
  /** All training scores are equal: there are no two clusters, and nothing is an anomaly. */
  readonly isDegenerate: boolean;
}

/** Rows K-means sees on each side of the split, at most. */
const MOST_ROWS = 2048;

const DEGENERATE: Threshold = { value: Infinity, isDegenerate: true };

/**
 * The middle between the centres of the two clusters K-means finds. K-means alone ends at one of several
 * local optima; it is started from the best of all splits of the sorted scores, so that it ends at the
 * global one.
 */
export function* twoMeansThreshold(scores: Float64Array): Steps<Threshold> {
  return yield* splitInTwo(scores.slice().sort());
}

/** The same of scores in ascending order, which are lost. */
function* splitInTwo(sorted: Float64Array): Steps<Threshold> {
  const least = sorted[0] as number;
  const range = (sorted[sorted.length - 1] as number) - least;
  if (range === 0) return DEGENERATE;
  // On [0, 1], as kernel scores can be so small that their squares vanish.
  for (let i = 0; i < sorted.length; i++) sorted[i] = ((sorted[i] as number) - least) / range;
  yield;
  const split = bestSplit(sorted);
  const sides = [sorted.subarray(0, split), sorted.subarray(split)];
  const rows = sides.flatMap(sharedRows);
  let centres = sides.map((side) => [meanOf(side)]);
  yield;
  for (const { centroids } of kmeansGenerator(rows, 2, { initialization: centres, tolerance: 0 })) {
    centres = centroids;
    yield;
  }
  const [[lower], [upper]] = centres as [[number], [number]];
  return { value: least + (range * (lower + upper)) / 2, isDegenerate: false };
}

/** The two-means threshold, but no lower than the score that a share of the training scores exceeds. */
export function* cappedThreshold(scores: Float64Array, share: number): Steps<Threshold> {
  const sorted = scores.slice().sort();
  yield;
  const { value } = percentileOf(sorted, share);
  const parted = yield* splitInTwo(sorted);
  return parted.isDegenerate ? parted : { value: Math.max(parted.value, value), isDegenerate: false };
}

/** The size of the lower side of the split between distinct values with the least squared error. */
function bestSplit(sorted: Float64Array): number {
  const count = sorted.length;
  // The error is least where the squared sums, each over the size of its side, add up to the most; around
  // the overall mean, so that no digits cancel.
  const centre = meanOf(sorted);
  let best = -Infinity;
  let split = 0;
  let sum = 0;
  for (let size = 1; size < count; size++) {
    sum += (sorted[size - 1] as number) - centre;
    if (sorted[size - 1] === sorted[size]) continue;
    const spread = sum * sum * (1 / size + 1 / (count - size));
    if (spread > best) {
      best = spread;
      split = size;
    }
  }
  return split;
}

/**
 * One side of the split as rows for K-means. Of many scores, neighbours share the row of their mean, so that
 * there need not be an array for every score. The first row, of fewer scores, moves towards the others as far
 * as it takes for the mean of all rows to be that of all scores.
 */
function sharedRows(sorted: Float64Array): number[][] {
  const rows: number[][] = [];
  const size = Math.ceil(sorted.length / MOST_ROWS);
  const count = Math.ceil(sorted.length / size);
  let others = 0;
  for (let end = sorted.length; rows.length < count - 1; end -= size) {
    const mean = meanOf(sorted, end - size, end);
    others += mean;
    rows.push([mean]);
  }
  rows.push([count * meanOf(sorted) - others]);
  return rows;
}

function meanOf(values: Float64Array, from = 0, to = values.length): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i] as number;
  return sum / (to - from);
}

/** The score that a share of the training scores exceeds: the percentile of numpy and PyOD. */
export function contaminationThreshold(scores: Float64Array, contamination: number): Threshold {
  return percentileOf(scores.slice().sort(), contamination);
}

function percentileOf(sorted: Float64Array, contamination: number): Threshold {
  if (sorted[0] === sorted[sorted.length - 1]) return DEGENERATE;
  // In numpy's order of operations, so that the count above it is numpy's to the last row.
  const position = ((100 * (1 - contamination)) / 100) * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return { value: low + (high - low) * (position - below), isDegenerate: false };
}
