// A fitted one-class support vector machine, and its representation in model files.
import { CurvadError, describe } from '../core/errors.js';
import { RowReader } from '../core/input/matrix.js';
import { ScaledRows, Scaling } from '../core/input/scaling.js';
import type { Kernel } from '../core/kernel.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import type { SupportVectors, SvmBackend, SvmKernel } from '../core/svm/problem.js';
import { checkedCount, checkedSection } from './model-parts.js';

export interface FittedMachine {
  readonly vectors: SupportVectors;
  /** Indices of the support vectors among the training rows. */
  readonly indices: Uint32Array;
  /** Number of training rows. */
  readonly rows: number;
  readonly offset: number;
  readonly gap: number;
  readonly iterations: number;
  readonly kernel: SvmKernel;
  readonly scaling: Scaling;
  /** Reads new rows for the core. */
  readonly queries: ScaledRows;
}

/** Largest offset, so that scores stay finite. */
const LARGEST_OFFSET = 1e300;

/** Range of the units that training chooses. */
const SMALLEST_UNIT = 2 ** -840;
const LARGEST_UNIT = 2 ** 1000;

/** The input of `restoreMachine`. */
export function describeMachine(machine: FittedMachine): Pick<Model, 'fields' | 'sections'> {
  const { vectors, indices, rows, offset, gap, iterations, kernel, scaling } = machine;
  return {
    fields: {
      rows,
      columns: vectors.columns,
      vectors: vectors.count,
      rho: offset,
      gap,
      iterations,
      gamma: kernel.gamma,
      unit: kernel.unit,
      isByDifferences: kernel.isByDifferences,
    },
    sections: {
      vectors: vectors.rows(),
      coefficients: vectors.coefficients,
      indices,
      offset: scaling.offset,
      scale: scaling.scale,
    },
  };
}

export function restoreMachine(model: Model, plain: Kernel, nu: number, svm: SvmBackend): FittedMachine {
  const rows = checkedCount(model, 'rows');
  const columns = checkedCount(model, 'columns');
  const count = checkedCount(model, 'vectors');
  const kernel = checkedKernel(model, plain);
  const indices = checkedSection(model, 'indices', 'u32', count);
  checkIndices(indices, rows);
  const coefficients = checkedSection(model, 'coefficients', 'f64', count);
  checkCoefficients(coefficients, nu * rows);
  const data = checkedSection(model, 'vectors', 'f64', count * columns);
  const offset = checkedSection(model, 'offset', 'f64', columns);
  const scale = checkedSection(model, 'scale', 'f64', columns);
  checkedSection(model, 'scores', 'f64', rows);
  if (!scale.every((value) => value > 0)) throw corrupt('a scale is not positive');
  const rho = checkedNumber(model, 'rho', -LARGEST_OFFSET, LARGEST_OFFSET);
  const gap = checkedNumber(model, 'gap', 0, Number.MAX_VALUE);
  const iterations = checkedNumber(model, 'iterations', 0, Number.MAX_SAFE_INTEGER);
  checkRange(data, count, columns);
  const scaling = new Scaling(offset, scale);
  const queries = new ScaledRows(scaling, 'double');
  const vectors = svm.hold(data, columns, coefficients, kernel);
  return { vectors, indices, rows, offset: rho, gap, iterations, kernel, scaling, queries };
}

function checkedNumber(model: Model, name: string, least: number, most: number): number {
  const value = Object.hasOwn(model.fields, name) ? model.fields[name] : undefined;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  throw corrupt(`${name} must be a number from ${least} to ${most}, not ${describe(value)}`);
}

function checkedKernel({ fields }: Model, kernel: Kernel): SvmKernel {
  const unit = Object.hasOwn(fields, 'unit') ? fields['unit'] : undefined;
  const isByDifferences = Object.hasOwn(fields, 'isByDifferences') ? fields['isByDifferences'] : undefined;
  const isPowerOfTwo =
    typeof unit === 'number' && unit >= SMALLEST_UNIT && unit <= LARGEST_UNIT && Number.isInteger(Math.log2(unit));
  const isFitting = isPowerOfTwo && (unit === 1 || !(kernel.name === 'rbf' || kernel.name === 'sigmoid'));
  if (!isFitting) throw corrupt(`unit must be a power of two that fits the kernel, not ${describe(unit)}`);
  if (typeof isByDifferences !== 'boolean' || (isByDifferences && kernel.name !== 'rbf'))
    throw corrupt(`isByDifferences is ${describe(isByDifferences)}, which does not fit the kernel`);
  return { ...kernel, unit, isByDifferences };
}

function checkIndices(indices: Uint32Array, rows: number): void {
  const isRight = indices.every((index, i) => index < rows && (i === 0 || index > (indices[i - 1] as number)));
  if (!isRight) throw corrupt('its support vectors are not rows in ascending order');
}

function checkCoefficients(coefficients: Float64Array, sum: number): void {
  if (!coefficients.every((value) => value > 0 && value <= 1)) throw corrupt('a coefficient is not in (0, 1]');
  const total = coefficients.reduce((a, b) => a + b, 0);
  if (!(Math.abs(total - sum) <= 1e-6 * sum)) throw corrupt(`coefficients add up to ${total}, expected ${sum}`);
}

/** Stored rows are scaled already: they are only checked for their range. */
function checkRange(data: Float64Array, rows: number, columns: number): void {
  const unscaled = new Scaling(new Float64Array(columns), new Float64Array(columns).fill(1));
  const stored = unscaled.apply(new RowReader().attach({ data, rows, columns }), 'double');
  const row = new Float64Array(columns);
  try {
    for (let i = 0; i < rows; i++) stored.read(i, row, 0);
  } catch (cause) {
    if (cause instanceof CurvadError) throw corrupt(cause.message, cause);
    throw cause;
  }
}
