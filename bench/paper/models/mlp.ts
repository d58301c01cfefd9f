// A multilayer perceptron for several outputs, as scikit-learn's MLPRegressor: rectified hidden layers,
// squared error, Adam on random batches until the loss stops falling. Starting weights and batches are drawn
// as there, so the same seed gives the same course, up to the rounding of sums.
import { DenseMemory } from './dense.js';
import { emptyTable, fitted, type Regressor, rowOf, type Table } from './model.js';
import { RandomState } from './random.js';

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

/** Addresses of what belongs to a layer; widths are numbers in a row, padding included. */
interface Layer {
  readonly inputs: number;
  readonly outputs: number;
  readonly width: number;
  /** Inputs × width; the intercepts follow. */
  readonly weights: number;
  readonly gradient: number;
  /** Outputs × (width of the inputs). */
  readonly transposed: number;
  /** Batch × width: what comes out, and how the loss changes with it. */
  readonly out: number;
  readonly delta: number;
}

const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-8;

/** Numbers in a padded row. */
function padded(count: number): number {
  return Math.ceil(count / 4) * 4;
}

export class Network {
  readonly #memory: DenseMemory;
  readonly #layers: readonly Layer[];
  readonly #batch: number;
  readonly #in: number;
  readonly #targets: number;
  /** All weights and intercepts lie together, as do gradients and the two moments: one step serves all. */
  readonly #parameters: { count: number; weights: number; gradient: number; m: number; v: number };
  #steps = 0;

  constructor(units: readonly number[], batch: number) {
    const sizes = units.slice(1).map((outputs, at) => ((units[at] as number) + 1) * padded(outputs));
    const count = sizes.reduce((sum, size) => sum + size, 0);
    const widest = Math.max(...units.map(padded));
    const memory = new DenseMemory(4 * count + units.length * widest * (widest + 2 * batch) + 2 * batch * widest);
    const [weights, gradient, m, v] = [count, count, count, count].map((size) => memory.take(size)) as [
      number,
      number,
      number,
      number,
    ];
    let offset = 0;
    this.#layers = sizes.map((size, at) => {
      const inputs = units[at] as number;
      const outputs = units[at + 1] as number;
      const width = padded(outputs);
      const places = { weights: weights + offset, gradient: gradient + offset };
      offset += size * 8;
      const transposed = memory.take(outputs * padded(inputs));
      return {
        inputs,
        outputs,
        width,
        ...places,
        transposed,
        out: memory.take(batch * width),
        delta: memory.take(batch * width),
      };
    });
    this.#in = memory.take(batch * padded(units[0] as number));
    this.#targets = memory.take(batch * padded(units.at(-1) as number));
    this.#parameters = { count, weights, gradient, m, v };
    this.#memory = memory;
    this.#batch = batch;
  }

  /** Weights and intercepts uniform within ±√(6 / (inputs + outputs)) (Glorot and Bengio). */
  initialize(random: RandomState): void {
    for (const { inputs, outputs, width, weights } of this.#layers) {
      const bound = Math.sqrt(6 / (inputs + outputs));
      const values = this.#memory.view(weights, (inputs + 1) * width);
      for (let i = 0; i <= inputs; i++) {
        for (let j = 0; j < outputs; j++) values[i * width + j] = -bound + 2 * bound * random.uniform();
      }
    }
  }

  /** Weights and intercepts of all layers, padding included; and the gradient that belongs to them. */
  get parameters(): { weights: Float64Array; gradient: Float64Array } {
    const { count, weights, gradient } = this.#parameters;
    return { weights: this.#memory.view(weights, count), gradient: this.#memory.view(gradient, count) };
  }

  /**
   * The loss on some rows; leaves its gradient, summed over outputs instead of averaged as in the loss
   * (scikit-learn's way; only the penalty is small enough not to be summed).
   */
  backpropagate(X: Table, Y: Table, rows: ArrayLike<number>, alpha: number): number {
    const { calls } = this.#memory;
    const count = rows.length;
    this.#load(this.#targets, Y, rows);
    this.#forward(X, rows);
    const last = this.#layers.at(-1) as Layer;
    calls.subtract(count * last.width, last.out, this.#targets);
    let loss = (0.5 * calls.squares(count * last.width, last.out)) / (count * last.outputs);
    for (let at = this.#layers.length - 1; at >= 0; at--) {
      const layer = this.#layers[at] as Layer;
      const { inputs, outputs, width, weights, gradient } = layer;
      const below = this.#layers[at - 1];
      const delta = layer === last ? layer.out : layer.delta;
      const from = below?.out ?? this.#in;
      const fromWidth = padded(inputs);
      loss += (0.5 * alpha * calls.squares(inputs * width, weights)) / count;
      calls.multiply(inputs, width, count, from, 8, fromWidth * 8, delta, gradient);
      calls.columnSums(count, width, delta, gradient + inputs * width * 8);
      calls.regularize(inputs * width, gradient, weights, alpha, count);
      calls.regularize(width, gradient + inputs * width * 8, weights, 0, count);
      if (below === undefined) continue;
      calls.transpose(inputs, outputs, weights, width * 8, layer.transposed, fromWidth * 8);
      calls.multiply(count, fromWidth, outputs, delta, width * 8, 8, layer.transposed, below.delta);
      calls.rectifyBack(count * fromWidth, below.delta, below.out);
    }
    return loss;
  }

  /** A step of Adam along the gradient. */
  step(learningRate: number): void {
    const { count, weights, gradient, m, v } = this.#parameters;
    this.#steps++;
    const rate = (learningRate * Math.sqrt(1 - BETA2 ** this.#steps)) / (1 - BETA1 ** this.#steps);
    this.#memory.calls.adam(count, weights, gradient, m, v, BETA1, BETA2, rate, EPSILON);
  }

  predict(X: Table): Table {
    const last = this.#layers.at(-1) as Layer;
    const predicted = emptyTable(X.rows, last.outputs);
    for (let from = 0; from < X.rows; from += this.#batch) {
      const count = Math.min(this.#batch, X.rows - from);
      this.#forward(
        X,
        Int32Array.from({ length: count }, (_, i) => from + i),
      );
      const out = this.#memory.view(last.out, count * last.width);
      for (let i = 0; i < count; i++) {
        rowOf(predicted, from + i).set(out.subarray(i * last.width, i * last.width + last.outputs));
      }
    }
    return predicted;
  }

  #forward(X: Table, rows: ArrayLike<number>): void {
    const { calls } = this.#memory;
    this.#load(this.#in, X, rows);
    let from = this.#in;
    this.#layers.forEach(({ inputs, width, weights, out }, at) => {
      calls.multiply(rows.length, width, inputs, from, padded(inputs) * 8, 8, weights, out);
      const isHidden = Number(at < this.#layers.length - 1);
      calls.addIntercepts(rows.length, width, out, weights + inputs * width * 8, isHidden);
      from = out;
    });
  }

  /** Copies some rows of a table, padded. */
  #load(address: number, { data, columns }: Table, rows: ArrayLike<number>): void {
    const width = padded(columns);
    const into = this.#memory.view(address, rows.length * width);
    for (let i = 0; i < rows.length; i++) {
      const at = (rows[i] as number) * columns;
      for (let j = 0; j < columns; j++) into[i * width + j] = data[at + j] as number;
    }
  }
}
