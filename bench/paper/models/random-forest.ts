// Random forest for several outputs, as scikit-learn's RandomForestRegressor: the mean of regression trees,
// each grown on as many rows drawn with replacement; every split sees all columns. Bootstraps are drawn as
// there, so the same seed gives the same forest, except where columns split equally well.

import { RandomState } from '../numpy-random.js';
import { checkRows, emptyTable, fitted, type Regressor, rowOf, type Table } from './model.js';
import { RegressionTree, treeInputs } from './regression-tree.js';

export interface RandomForestOptions {
  /** Default 100. */
  trees?: number;
  /** Default 100. */
  maxDepth?: number;
  /** Whether trees see rows drawn with replacement instead of all rows. Default true. */
  bootstrap?: boolean;
  /** Default 0. */
  seed?: number;
}

export class RandomForest implements Regressor {
  readonly #options: Required<RandomForestOptions>;
  #trees: RegressionTree[] | undefined;
  #outputs = 0;

  constructor({ trees = 100, maxDepth = 100, bootstrap = true, seed = 0 }: RandomForestOptions = {}) {
    this.#options = { trees, maxDepth, bootstrap, seed };
  }

  fit(X: Table, Y: Table): this {
    checkRows(X, Y.rows);
    const { trees, maxDepth, bootstrap, seed } = this.#options;
    const inputs = treeInputs(X);
    const seeds = new RandomState(seed);
    this.#outputs = Y.columns;
    this.#trees = Array.from({ length: trees }, () => {
      const random = new RandomState(seeds.seed());
      const weights = new Float64Array(X.rows).fill(bootstrap ? 0 : 1);
      for (let draw = 0; bootstrap && draw < X.rows; draw++) {
        const row = random.integer(X.rows);
        weights[row] = (weights[row] as number) + 1;
      }
      return new RegressionTree(inputs, Y, weights, maxDepth, random);
    });
    return this;
  }

  predict(X: Table): Table {
    const trees = fitted(this.#trees);
    const predicted = emptyTable(X.rows, this.#outputs);
    for (let i = 0; i < X.rows; i++) {
      const sums = rowOf(predicted, i);
      const row = rowOf(X, i);
      for (const tree of trees) {
        const outputs = tree.predict(row);
        for (let t = 0; t < sums.length; t++) sums[t] = (sums[t] as number) + (outputs[t] as number);
      }
      for (let t = 0; t < sums.length; t++) sums[t] = (sums[t] as number) / trees.length;
    }
    return predicted;
  }
}
