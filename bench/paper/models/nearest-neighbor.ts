// 1-NN: a row gets the label of the nearest training row (of equally near ones, the first), found by
// curvad's own exact search.
import { NearestNeighbors } from 'curvad';
import { type Classifier, checkRows, fitted, type Table } from './model.js';

export class NearestNeighborClassifier implements Classifier {
  #labels: readonly number[] = [];
  #neighbors: NearestNeighbors | undefined;

  fit(X: Table, labels: ArrayLike<number>): this {
    checkRows(X, labels.length);
    this.#neighbors?.dispose();
    this.#labels = Array.from(labels);
    this.#neighbors = new NearestNeighbors(X, { precision: 'double' });
    return this;
  }

  predict(X: Table): number[] {
    const { indices } = fitted(this.#neighbors).of(X, 1);
    return Array.from(indices, (index) => this.#labels[index] as number);
  }
}
