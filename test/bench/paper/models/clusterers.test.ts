// The clusterers of Table 3 against scikit-learn. Clusters are compared as partitions: their numbers mean nothing.
import { describe, expect, it } from 'vitest';
import { Birch } from '../../../../bench/paper/models/birch.js';
import { KMeans } from '../../../../bench/paper/models/kmeans.js';
import { tableOf } from '../../../../bench/paper/models/model.js';
import { fixture, isDataMissing, loadData, rowsOf } from '../../../support/data.js';

interface Clustering {
  name: string;
  /** Null for iris; of every five rows, the first is not trained on. */
  X: number[][] | null;
  clusters: number;
  threshold: number;
  branching: number;
  /** How many there are, and where. */
  subclusters: number;
  centers: number[][] | null;
  birch: number[];
  kmeans: number[];
  inertia: number;
}

const { clusterings: CASES } = fixture<{ clusterings: Clustering[] }>('models');
const isWithoutData = isDataMissing('clusterings of iris');

/** Clusters numbered in the order in which they first appear. */
function canonical(labels: readonly number[]): number[] {
  const order = [...new Set(labels)];
  return labels.map((label) => order.indexOf(label));
}

/** Rounded to nine digits, by the first coordinate, then the second, … */
function sorted(points: readonly Float64Array[]): number[][] {
  const rounded = points.map((point) => Array.from(point, (value) => Number(value.toFixed(9)) + 0));
  const firstDifference = (a: number[], b: number[]) => a.findIndex((value, j) => value !== b[j]);
  return rounded.sort((a, b) => (a[firstDifference(a, b)] ?? 0) - (b[firstDifference(a, b)] ?? 0));
}

describe.each(CASES)('$name', (given) => {
  const rows = () => (given.X ?? rowsOf(loadData('iris'))).map((row) => Array.from(row));
  const train = () => tableOf(rows().filter((_, i) => i % 5 !== 0));
  const isSkipped = given.X === null && isWithoutData;

  it.skipIf(isSkipped)('Birch finds the subclusters of scikit-learn and joins them alike', () => {
    const birch = new Birch(given).fit(train());
    expect(birch.centers.length).toBe(given.subclusters);
    if (given.centers !== null) expect(sorted(birch.centers)).toEqual(given.centers);
    expect(canonical(birch.predict(tableOf(rows())))).toEqual(given.birch);
  });

  it.skipIf(isSkipped)('K-means finds the clusters of the best of 100 starts of scikit-learn', () => {
    const kmeans = new KMeans(given).fit(train());
    expect(kmeans.inertia / given.inertia).toBeCloseTo(1, 10);
    expect(canonical(kmeans.predict(tableOf(rows())))).toEqual(given.kmeans);
  });
});

describe('few different rows', () => {
  const X = tableOf([
    [1, 2],
    [1, 2],
    [3, 4],
    [1, 2],
  ]);

  it('are the clusters themselves when more are asked for', () => {
    expect(canonical(new KMeans({ clusters: 3 }).fit(X).predict(X))).toEqual([0, 0, 1, 0]);
    expect(canonical(new Birch({ clusters: 3 }).fit(X).predict(X))).toEqual([0, 0, 1, 0]);
  });
});
