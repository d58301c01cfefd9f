// The (kernel) CAD score of rows whose neighbours are already known: the last step of a search in parts.
import { CurvadError } from '../core/errors.js';
import { type MatrixInput, RowReader } from '../core/input/matrix.js';
import { Scaling } from '../core/input/scaling.js';
import { curvature, sharpness } from '../core/js/curvature.js';
import { kernelCurvature } from '../core/js/gram.js';
import { checkOptionNames, wholeNumber } from '../core/options.js';
import { type KernelOptions, readKernel } from './kernel-options.js';
import { type RowScaling, readScaling } from './row-scaling.js';

export interface CurvatureOptions extends KernelOptions {
  /** How rows are moved and scaled, from `scalingOf`. Default: unscaled, in double precision. */
  scaling?: RowScaling;
}

/**
 * The raw score of each row, exactly as the equation gives it, from the rows of its k neighbours, nearest first: k
 * consecutive rows of `neighbors` for every row. With the scaling of a CAD fitted on all rows, these are its raw scores
 * to the last bit.
 */
export function curvatureOfNeighbors(
  rows: MatrixInput,
  neighbors: MatrixInput,
  k: number,
  options?: CurvatureOptions,
): Float64Array {
  const names = ['kernel', 'gamma', 'degree', 'coef0', 'scaling'];
  const { scaling, ...kernelOptions } = checkOptionNames(options, names, 'curvatureOfNeighbors');
  const reader = new RowReader().attach(rows);
  const kernel = readKernel(kernelOptions, reader.columns);
  return ofEach(reader, neighbors, k, scaling as RowScaling | undefined, (vertex, found) =>
    kernel.name === 'linear' ? curvature(vertex, found) : kernelCurvature(kernel, vertex, found),
  );
}

/** The sharpness of each row's vertex, from 0 (flat) to 1, as in LandmarkCAD. */
export function sharpnessOfNeighbors(
  rows: MatrixInput,
  neighbors: MatrixInput,
  k: number,
  scaling: RowScaling,
): Float64Array {
  return ofEach(new RowReader().attach(rows), neighbors, k, scaling, sharpness);
}

/** Evaluates a function of each stored row and its k neighbours. */
function ofEach(
  reader: RowReader,
  neighbors: MatrixInput,
  k: number,
  given: RowScaling | undefined,
  score: (vertex: Float64Array, neighbors: readonly Float64Array[]) => number,
): Float64Array {
  wholeNumber(k ?? Number.NaN, 'k', 2, 2, 'NEIGHBORS_INVALID');
  const others = new RowReader().attach(neighbors);
  const { columns } = reader;
  if (others.columns !== columns)
    throw new CurvadError('WRONG_WIDTH', `neighbors have ${others.columns} columns, rows have ${columns}`);
  if (others.rows !== reader.rows * k) {
    throw new CurvadError(
      'LENGTHS_DIFFER',
      `${reader.rows} rows need ${reader.rows * k} neighbors, got ${others.rows}`,
    );
  }
  const { scaling, precision } =
    given === undefined
      ? {
          scaling: new Scaling(new Float64Array(columns), new Float64Array(columns).fill(1)),
          precision: 'double' as const,
        }
      : readScaling(given, columns);
  const vertices = scaling.apply(reader, precision);
  const ends = scaling.apply(others, precision);
  const vertex = new Float64Array(columns);
  const found = Array.from({ length: k }, () => new Float64Array(columns));
  return Float64Array.from({ length: reader.rows }, (_, i) => {
    vertices.read(i, vertex, 0);
    for (const [a, end] of found.entries()) ends.read(i * k + a, end, 0);
    return score(vertex, found);
  });
}
