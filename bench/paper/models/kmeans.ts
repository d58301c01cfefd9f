// K-means as scikit-learn's KMeans: the best of several k-means++ starts by the sum of squared distances.
// The iterations are ml-kmeans's, run until no centre moves any more.
import { kmeans } from 'ml-kmeans';
import { type Clusterer, checkRows, fitted, nearestOf, rowsOf, type Table } from './model.js';

export interface KMeansOptions {
  clusters: number;
  /** Default 10. */
  starts?: number;
  /** Of the first start; the others count on from it. Default 0. */
  seed?: number;
}

export class KMeans implements Clusterer {
  readonly #options: Required<KMeansOptions>;
  #centers: readonly number[][] | undefined;
  /** Sum of squared distances of the training rows to their centres. */
  inertia = Number.NaN;

  constructor({ clusters, starts = 10, seed = 0 }: KMeansOptions) {
    this.#options = { clusters, starts, seed };
  }

  fit(X: Table): this {
    checkRows(X, X.rows);
    const { clusters, starts, seed } = this.#options;
    const rows = rowsOf(X).map((row) => Array.from(row));
    const distinct = [...new Map(rows.map((row) => [row.join(), row])).values()];
    // k-means++ cannot choose more centres than there are different rows
    const candidates =
      distinct.length <= clusters
        ? [distinct]
        : Array.from({ length: starts }, (_, start) => {
            const options = { seed: seed + start, tolerance: 0, maxIterations: 300 };
            return kmeans(rows, clusters, options).centroids;
          });
    this.inertia = Number.POSITIVE_INFINITY;
    for (const centers of candidates) {
      const inertia = rows.reduce((sum, row) => sum + nearestOf(centers, row).distance, 0);
      if (inertia >= this.inertia) continue;
      this.inertia = inertia;
      this.#centers = centers;
    }
    return this;
  }

  predict(X: Table): number[] {
    const centers = fitted(this.#centers);
    return rowsOf(X).map((row) => nearestOf(centers, row).index);
  }
}
