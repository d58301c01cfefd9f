// Training of the one-class support vector machine:  min ½ αᵀKα,  0 ≤ α_i ≤ 1,  Σα = νn. A backend's solver
// makes the steps, on kernel values rounded to f32; what is here chooses where it starts, and checks its
// result against gradients computed afresh in f64, from which it goes on where they do not agree.
import type { Kernel } from '../core/kernel.js';
import { RowReader } from '../core/matrix.js';
import type { SupportVectors, SvmBackend } from '../core/svm-problem.js';

export interface Training {
  /** Row after row. */
  readonly rows: Float64Array;
  readonly columns: number;
  readonly kernel: Kernel;
  readonly nu: number;
  readonly tolerance: number;
  readonly maxIterations: number;
  /** Bytes for kernel rows. */
  readonly cacheSize: number;
}

interface Machine {
  readonly vectors: SupportVectors;
  /** Σ_j α_j k(x_i, x_j) of every row. */
  readonly sums: Float64Array;
}

export interface TrainedMachine extends Machine {
  /** Which rows the vectors are, ascending. */
  readonly indices: Uint32Array;
  /** ρ. */
  readonly offset: number;
  readonly gap: number;
  readonly iterations: number;
}

/** Up to this many rows the solver starts from the first ones; beyond, from what a sample suggests. */
const SMALL = 2000;
/** One row of so many is in the sample. */
const STRIDE = 8;
/** The solver aims at this share of the tolerance, so that rounding rarely asks for another round. */
const AIM = 0.9;
const MOST_ROUNDS = 10;
/** Gradients are known to about this share of the largest. */
const ROUNDING = 1e-12;

export function trainOneClass(training: Training, svm: SvmBackend): TrainedMachine {
  const { tolerance, maxIterations } = training;
  const alphas = startingPoint(training, svm);
  let machine = machineOf(training, alphas, svm);
  let iterations = 0;
  let gap = Infinity;
  for (let round = 1; ; round++) {
    const { sums } = machine;
    const target = Math.max(tolerance, ROUNDING * largestMagnitude(sums));
    machine.vectors.release();
    iterations += svm.solve({
      ...training,
      alphas,
      gradient: sums,
      tolerance: AIM * target,
      maxIterations: maxIterations - iterations,
    });
    machine = machineOf(training, alphas, svm);
    const before = gap;
    gap = gapOf(alphas, machine.sums);
    if (gap <= target || gap > before / 2 || iterations >= maxIterations || round === MOST_ROUNDS) {
      return { ...machine, indices: supportOf(alphas), offset: offsetOf(alphas, machine.sums), gap, iterations };
    }
  }
}

/** The rows with α > 0, and what they add up to at every row. */
function machineOf({ rows, columns, kernel }: Training, alphas: Float64Array, svm: SvmBackend): Machine {
  const indices = supportOf(alphas);
  const chosen = new Float64Array(indices.length * columns);
  indices.forEach((index, at) => {
    chosen.set(rows.subarray(index * columns, (index + 1) * columns), at * columns);
  });
  const coefficients = Float64Array.from(indices, (index) => alphas[index] as number);
  const vectors = svm.hold(chosen, columns, coefficients, kernel);
  try {
    return { vectors, sums: sumsOf(vectors, rows) };
  } catch (error) {
    vectors.release();
    throw error;
  }
}

function sumsOf(vectors: SupportVectors, data: Float64Array): Float64Array {
  const { columns } = vectors;
  const rows = data.length / columns;
  const sums = new Float64Array(rows);
  vectors.sum(new RowReader().attach({ data, rows, columns }), 0, rows, sums);
  return sums;
}

function supportOf(alphas: Float64Array): Uint32Array {
  return Uint32Array.from(alphas.keys()).filter((i) => (alphas[i] as number) > 0);
}

/** How much the largest sum among α > 0 exceeds the smallest among α < 1; not positive in an exact solution. */
function gapOf(alphas: Float64Array, sums: Float64Array): number {
  let lowest = Infinity;
  let highest = -Infinity;
  alphas.forEach((alpha, i) => {
    const sum = sums[i] as number;
    if (alpha < 1) lowest = Math.min(lowest, sum);
    if (alpha > 0) highest = Math.max(highest, sum);
  });
  return Math.max(highest - lowest, 0); // 0 as well where all α are 1
}

/**
 * ρ: the mean sum of the rows with 0 < α < 1, which lie on the boundary. Where there is none, the middle
 * between the rows inside (α = 0) and outside (α = 1), or, where all are outside, the highest of them.
 */
function offsetOf(alphas: Float64Array, sums: Float64Array): number {
  let inside = Infinity;
  let outside = -Infinity;
  let total = 0;
  let free = 0;
  alphas.forEach((alpha, i) => {
    const sum = sums[i] as number;
    if (alpha === 0) inside = Math.min(inside, sum);
    else if (alpha === 1) outside = Math.max(outside, sum);
    else {
      total += sum;
      free++;
    }
  });
  if (free > 0) return total / free;
  return inside === Infinity ? outside : (inside + outside) / 2;
}

function largestMagnitude(values: Float64Array): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

/**
 * Where the solver starts. In the solution about νn rows have α = 1, those with the lowest sums, and only
 * few lie between 0 and 1. A machine trained on a sample tells almost which: most of the exchanges that a
 * start from the first νn rows would need, each with two new kernel rows, are saved.
 */
function startingPoint(training: Training, svm: SvmBackend): Float64Array {
  const { rows, columns, nu } = training;
  const count = rows.length / columns;
  if (count <= SMALL)
    return weighted(
      Uint32Array.from({ length: count }, (_, i) => i),
      nu,
    );
  const sample = new Float64Array(Math.ceil(count / STRIDE) * columns);
  for (let i = 0; i * STRIDE < count; i++) {
    sample.set(rows.subarray(i * STRIDE * columns, (i * STRIDE + 1) * columns), i * columns);
  }
  const { vectors } = trainOneClass({ ...training, rows: sample }, svm);
  const sums = sumsOf(vectors, rows);
  vectors.release();
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => (sums[a] as number) - (sums[b] as number) || a - b);
  return weighted(order, nu);
}

/** α = 1 for the first of an order, and what is left of νn for the next. */
function weighted(order: Uint32Array, nu: number): Float64Array {
  const alphas = new Float64Array(order.length);
  const whole = Math.floor(nu * order.length);
  for (let i = 0; i < whole; i++) alphas[order[i] as number] = 1;
  if (whole < order.length) alphas[order[whole] as number] = nu * order.length - whole;
  return alphas;
}
