// Birch as in scikit-learn: a clustering feature tree condenses the rows to subclusters, whose centres are
// then joined into clusters by Ward's method. A row belongs where its nearest subcluster does.
import { agnes } from 'ml-hclust';
import { subclusterCenters } from './cf-tree.js';
import { type Clusterer, checkRows, fitted, nearestOf, rowsOf, type Table } from './model.js';

export interface BirchOptions {
  clusters: number;
  /** Largest radius of a subcluster. Default 0.5. */
  threshold?: number;
  /** Most entries of a node of the tree. Default 50. */
  branching?: number;
}

export class Birch implements Clusterer {
  readonly #options: Required<BirchOptions>;
  #fit: { centers: Float64Array[]; labels: number[] } | undefined;

  constructor({ clusters, threshold = 0.5, branching = 50 }: BirchOptions) {
    this.#options = { clusters, threshold, branching };
  }

  fit(X: Table): this {
    checkRows(X, X.rows);
    const { clusters, threshold, branching } = this.#options;
    const centers = subclusterCenters(rowsOf(X), threshold, branching);
    this.#fit = { centers, labels: wardLabels(centers, clusters) };
    return this;
  }

  /** The centres of the subclusters. */
  get centers(): readonly Float64Array[] {
    return fitted(this.#fit).centers;
  }

  predict(X: Table): number[] {
    const { centers, labels } = fitted(this.#fit);
    return rowsOf(X).map((row) => labels[nearestOf(centers, row).index] as number);
  }
}

/** A label for each point; with fewer points than clusters, each is one of its own. */
function wardLabels(points: readonly Float64Array[], clusters: number): number[] {
  const labels = [...points.keys()];
  if (points.length <= clusters) return labels;
  const { children } = agnes(
    points.map((point) => Array.from(point)),
    { method: 'ward2' },
  ).group(clusters);
  children.forEach((cluster, label) => {
    for (const index of cluster.indices()) labels[index] = label;
  });
  return labels;
}
