// A regression tree for several outputs, as scikit-learn's DecisionTreeRegressor: split where the squared
// error summed over all outputs falls most, halfway between two values, until nothing is left to split.
// The rows stay sorted by every column throughout: a split only parts each order, so nothing is sorted twice.

import type { RandomState } from '../numpy-random.js';
import type { Table } from './model.js';

/** Values of a column closer than this count as one. */
const SAME_VALUE = 1e-7;

/** Inputs as the trees see them. */
export interface TreeInputs {
  /** Column after column, rounded to f32 as scikit-learn does. */
  readonly columns: readonly Float32Array[];
  /** For each column, all rows sorted by it. */
  readonly orders: readonly Int32Array[];
}

export function treeInputs({ data, rows, columns }: Table): TreeInputs {
  const values = Array.from({ length: columns }, (_, j) =>
    Float32Array.from({ length: rows }, (_, i) => data[i * columns + j] as number),
  );
  const orders = values.map((column) =>
    Int32Array.from(column.keys()).sort((a, b) => (column[a] as number) - (column[b] as number) || a - b),
  );
  return { columns: values, orders };
}

interface Split {
  column: number;
  threshold: number;
}

export class RegressionTree {
  /** For each node: the column it asks for, or −1 in a leaf. */
  readonly #columns: number[] = [];
  readonly #thresholds: number[] = [];
  /** The right child of each node; the left one follows it directly. */
  readonly #rights: number[] = [];
  readonly #means: Float64Array[] = [];

  readonly #inputs: TreeInputs;
  readonly #Y: Table;
  /** How often each row counts. */
  readonly #weights: Float64Array;
  readonly #maxDepth: number;
  readonly #random: RandomState;
  /** For each column, the rows that count, sorted by it within each node. */
  readonly #orders: Int32Array[];
  readonly #goesLeft: Uint8Array;
  readonly #parted: Int32Array;
  readonly #left: Float64Array;

  constructor(inputs: TreeInputs, Y: Table, weights: Float64Array, maxDepth: number, random: RandomState) {
    this.#inputs = inputs;
    this.#Y = Y;
    this.#weights = weights;
    this.#maxDepth = maxDepth;
    this.#random = random;
    this.#orders = inputs.orders.map((order) => order.filter((row) => (weights[row] as number) > 0));
    const count = (this.#orders[0] as Int32Array).length;
    this.#goesLeft = new Uint8Array(Y.rows);
    this.#parted = new Int32Array(count);
    this.#left = new Float64Array(Y.columns);
    this.#grow(0, count, 0);
  }

  /** Number of nodes, leaves included. */
  get size(): number {
    return this.#columns.length;
  }

  /** The outputs for one row of inputs. */
  predict(row: ArrayLike<number>): Float64Array {
    let node = 0;
    for (;;) {
      const column = this.#columns[node] as number;
      if (column < 0) return this.#means[node] as Float64Array;
      const isLeft = Math.fround(row[column] as number) <= (this.#thresholds[node] as number);
      node = isLeft ? node + 1 : (this.#rights[node] as number);
    }
  }

  /** Adds the node of the rows start … end − 1 and all below it. */
  #grow(start: number, end: number, depth: number): void {
    const node = this.#columns.length;
    const { sums, weight, impurity } = this.#summary(start, end);
    const isLeaf = depth >= this.#maxDepth || end - start < 2 || impurity <= Number.EPSILON;
    const split = isLeaf ? undefined : this.#bestSplit(start, end, sums, weight);
    this.#columns.push(split?.column ?? -1);
    this.#thresholds.push(split?.threshold ?? 0);
    this.#rights.push(0);
    this.#means.push(sums.map((sum) => sum / weight));
    if (split === undefined) return;
    const middle = this.#part(start, end, split);
    this.#grow(start, middle, depth + 1);
    this.#rights[node] = this.#columns.length;
    this.#grow(middle, end, depth + 1);
  }

  /** Weighted sums of the outputs, and their mean variance. */
  #summary(start: number, end: number) {
    const { data, columns } = this.#Y;
    const order = this.#orders[0] as Int32Array;
    const sums = new Float64Array(columns);
    let weight = 0;
    let squares = 0;
    for (let s = start; s < end; s++) {
      const row = order[s] as number;
      const w = this.#weights[row] as number;
      weight += w;
      for (let t = 0; t < columns; t++) {
        const value = data[row * columns + t] as number;
        sums[t] = (sums[t] as number) + w * value;
        squares += w * value * value;
      }
    }
    const ofMeans = sums.reduce((sum, value) => sum + (value / weight) ** 2, 0);
    return { sums, weight, impurity: (squares / weight - ofMeans) / columns };
  }

  /** Columns are tried in random order, so that none is preferred when several split equally well. */
  #bestSplit(start: number, end: number, sums: Float64Array, weight: number): Split | undefined {
    const columns = Int32Array.from(this.#orders.keys());
    this.#random.shuffle(columns);
    let best: Split | undefined;
    let bestGain = Number.NEGATIVE_INFINITY;
    for (const column of columns) {
      const found = this.#bestPlace(column, start, end, sums, weight);
      if (found.gain > bestGain) {
        bestGain = found.gain;
        best = { column, threshold: this.#between(column, found.place) };
      }
    }
    return best;
  }

  /** The place in a column's order with the largest Σ_t (left sum)²/left weight + (right sum)²/right weight. */
  #bestPlace(column: number, start: number, end: number, sums: Float64Array, weight: number) {
    const values = this.#inputs.columns[column] as Float32Array;
    const order = this.#orders[column] as Int32Array;
    const { data, columns } = this.#Y;
    const left = this.#left.fill(0);
    let leftWeight = 0;
    let gain = Number.NEGATIVE_INFINITY;
    let place = start;
    for (let s = start; s < end - 1; s++) {
      const row = order[s] as number;
      const w = this.#weights[row] as number;
      leftWeight += w;
      for (let t = 0, at = row * columns; t < columns; t++) {
        left[t] = (left[t] as number) + w * (data[at + t] as number);
      }
      if ((values[order[s + 1] as number] as number) <= (values[row] as number) + SAME_VALUE) continue;
      let ofLeft = 0;
      let ofRight = 0;
      for (let t = 0; t < columns; t++) {
        const sum = left[t] as number;
        const rest = (sums[t] as number) - sum;
        ofLeft += sum * sum;
        ofRight += rest * rest;
      }
      const here = ofLeft / leftWeight + ofRight / (weight - leftWeight);
      if (here > gain) {
        gain = here;
        place = s + 1;
      }
    }
    return { gain, place };
  }

  /** Halfway between the values before and at a place. */
  #between(column: number, place: number): number {
    const values = this.#inputs.columns[column] as Float32Array;
    const order = this.#orders[column] as Int32Array;
    const below = values[order[place - 1] as number] as number;
    const above = values[order[place] as number] as number;
    const middle = below / 2 + above / 2;
    return middle === above ? below : middle;
  }

  /** Brings the left rows before the right ones in every order; gives the first place of the right ones. */
  #part(start: number, end: number, { column, threshold }: Split): number {
    const values = this.#inputs.columns[column] as Float32Array;
    for (let s = start; s < end; s++) {
      const row = (this.#orders[column] as Int32Array)[s] as number;
      this.#goesLeft[row] = Number((values[row] as number) <= threshold);
    }
    let middle = start;
    for (const order of this.#orders) {
      middle = start;
      let rights = 0;
      for (let s = start; s < end; s++) {
        const row = order[s] as number;
        if (this.#goesLeft[row]) order[middle++] = row;
        else this.#parted[rights++] = row;
      }
      order.set(this.#parted.subarray(0, rights), middle);
    }
    return middle;
  }
}
