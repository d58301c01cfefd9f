// The network under the MLP: layers of weights and intercepts, rectified in between, the loss and its gradient
// by backpropagation, and the steps of Adam. Everything lies in one WebAssembly memory; see assembly/dense.ts.

import type { RandomState } from '../numpy-random.js';
import { DenseMemory } from './dense.js';
import { emptyTable, rowOf, type Table } from './model.js';

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
    const take = (numbers: number) => memory.take(numbers);
    const all = { count, weights: take(count), gradient: take(count), m: take(count), v: take(count) };
    let offset = 0;
    this.#layers = sizes.map((size, at) => {
      const inputs = units[at] as number;
      const outputs = units[at + 1] as number;
      const width = padded(outputs);
      const places = { weights: all.weights + offset, gradient: all.gradient + offset };
      offset += size * 8;
      const transposed = take(outputs * padded(inputs));
      return { inputs, outputs, width, ...places, transposed, out: take(batch * width), delta: take(batch * width) };
    });
    this.#in = take(batch * padded(units[0] as number));
    this.#targets = take(batch * padded(units.at(-1) as number));
    this.#parameters = all;
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
   * The loss on some rows: ½ mean squared error over rows and outputs, plus ½ alpha ‖weights‖² / rows.
   * Leaves a gradient in which the error is summed over outputs, not averaged: scikit-learn's way.
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
