// A multilayer perceptron for several outputs, as scikit-learn's MLPRegressor: rectified hidden layers,
// squared error, Adam on random batches until the loss stops falling. Starting weights and batches are drawn
// as there, so the same seed gives the same course, up to the rounding of sums.

import { RandomState } from '../numpy-random.js';
import { checkRows, fitted, type Regressor, type Table } from './model.js';
import { Network } from './network.js';

export interface MLPOptions {
  /** Units of the hidden layers. Default [100, 50]. */
  hidden?: readonly number[];
  /** Default 0.001. */
  learningRate?: number;
  /** Rows of a batch, at most. Default 200. */
  batch?: number;
  /** Weight of the squared weights in the loss. Default 1e-4. */
  alpha?: number;
  /** Training ends when the loss has not fallen by this for more than `patience` passes. Default 1e-4. */
  tolerance?: number;
  /** Default 10. */
  patience?: number;
  /** Passes over the rows, at most. Default 10000. */
  maxIterations?: number;
  /** Default 0. */
  seed?: number;
}

export class MLP implements Regressor {
  readonly #options: Required<MLPOptions>;
  #network: Network | undefined;
  /** The loss of each pass: ½ mean squared error over rows and outputs, plus the penalty. */
  losses: number[] = [];

  constructor(options: MLPOptions = {}) {
    const adam = { learningRate: 1e-3, batch: 200, alpha: 1e-4 };
    const end = { tolerance: 1e-4, patience: 10, maxIterations: 10000 };
    this.#options = { hidden: [100, 50], ...adam, ...end, seed: 0, ...options };
  }

  fit(X: Table, Y: Table): this {
    checkRows(X, Y.rows);
    const { hidden, alpha, learningRate, tolerance, patience, maxIterations, seed } = this.#options;
    const batch = Math.min(this.#options.batch, X.rows);
    const random = new RandomState(seed);
    const network = new Network([X.columns, ...hidden, Y.columns], batch);
    network.initialize(random);
    const order = Int32Array.from({ length: X.rows }, (_, i) => i);
    let best = Number.POSITIVE_INFINITY;
    let idle = 0;
    this.losses = [];
    while (this.losses.length < maxIterations && idle <= patience) {
      permute(order, random);
      let sum = 0;
      for (let from = 0; from < X.rows; from += batch) {
        const rows = order.subarray(from, from + batch);
        sum += network.backpropagate(X, Y, rows, alpha) * rows.length;
        network.step(learningRate);
      }
      const loss = sum / X.rows;
      this.losses.push(loss);
      idle = loss > best - tolerance ? idle + 1 : 0;
      best = Math.min(best, loss);
    }
    this.#network = network;
    return this;
  }

  predict(X: Table): Table {
    return fitted(this.#network).predict(X);
  }
}

/** The order of the order: scikit-learn shuffles positions and applies them to the last pass's order. */
function permute(order: Int32Array, random: RandomState): void {
  const positions = Int32Array.from(order.keys());
  random.shuffle(positions);
  order.set(positions.map((position) => order[position] as number));
}
