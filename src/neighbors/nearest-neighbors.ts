// The exact k-nearest-neighbour search that the detectors use, as a class of its own.
/// <reference lib="esnext.disposable" preserve="true" />

import type { BackendName, PointSet, Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import type { RowReader } from '../core/input/matrix.js';
import { type FittedScaling, fitScaling, type ScaledRows } from '../core/input/scaling.js';
import { isTranslationInvariant, type Kernel, kernelOfMetric, METRICS, type Metric } from '../core/kernel.js';
import { checkOptionNames, flag, oneOf, wholeNumber } from '../core/options.js';
import { BACKEND_CHOICES, type BackendChoice, selectBackend } from '../core/select.js';
import { finish, type Steps } from '../core/steps.js';
import { ASYNC_OPTION_NAMES, type AsyncOptions, checkAsyncOptions } from '../parallel/options.js';
import { Run } from '../parallel/run.js';
import { neighborsOfPoints, neighborsWork } from '../parallel/work.js';
import { allRowsOf, type Rows, TableReader } from '../tables/reader.js';
import type { Recipe } from '../tables/recipe.js';
import { type Approximation, readApproximation } from './approximation.js';
import { type KernelOptions, readKernel } from './kernel-options.js';
import { measureRecall, type Recall } from './recall.js';
import { PRECISIONS, type RowScaling, readScaling } from './row-scaling.js';

export interface NearestNeighborsOptions {
  /** Default 'euclidean'. */
  metric?: Metric;
  /**
   * Search in the feature space of a kernel instead of by a metric. `distances` are then the values compared: the
   * squared L2 distance for linear and rbf, L1 for laplacian, k(x,x) − 2k(x,y) + k(y,y) for the others.
   */
  kernel?: KernelOptions;
  /** How rows are stored; arithmetic is always double. Default 'single' if that stores all rows exactly. */
  precision?: Precision;
  /** How rows are moved and scaled, from `scalingOf`: for searching parts of the rows in several processes. */
  scaling?: RowScaling;
  /**
   * Allow a search that may miss neighbours if it is faster: no distance is more than 1 + ε times the true one, with
   * ε 0.25 for `true`. `ofEachRow` then reports its recall. Default false: exact.
   */
  approximate?: boolean | Partial<Approximation>;
  /** The backend. Default 'auto'. */
  backend?: BackendChoice;
}

export interface SearchOptions {
  /** Return squared euclidean distances, as they are compared: different squares may have the same rounded root. */
  squared?: boolean;
}

/** Neighbours of each row, nearest first: `k` entries per row. Equal distances are ordered by index. */
export interface Neighbors {
  readonly k: number;
  readonly indices: Uint32Array;
  readonly distances: Float64Array;
  /** The measured recall of an approximate search of the rows among themselves. */
  readonly recall?: Recall;
}

const OPTION_NAMES: ReadonlyArray<keyof NearestNeighborsOptions> = [
  'metric',
  'kernel',
  'precision',
  'scaling',
  'approximate',
  'backend',
];

/** Stores rows and finds the nearest of them. */
export class NearestNeighbors {
  readonly #isEuclidean: boolean;
  readonly #backend: BackendChoice;
  readonly #points: PointSet;
  readonly #scaling: FittedScaling;
  /** The precision that new rows are rounded to. */
  readonly #asked: Precision;
  readonly #epsilon: number | undefined;
  /** How tables become rows, if it was given one. */
  readonly #recipe: Recipe | undefined;

  constructor(rows: Rows, options?: NearestNeighborsOptions) {
    const given = checkOptionNames(options, OPTION_NAMES, 'NearestNeighbors');
    const metric = oneOf(given['metric'], 'metric', METRICS, 'euclidean', 'METRIC_UNKNOWN');
    if (given['metric'] !== undefined && given['kernel'] !== undefined)
      throw new CurvadError('METRIC_UNKNOWN', 'give a metric or a kernel, not both');
    this.#isEuclidean = metric === 'euclidean' && given['kernel'] === undefined;
    this.#backend = oneOf(given['backend'], 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN');
    const reader = finish(allRowsOf(rows));
    this.#recipe = reader.recipe;
    const kernel = given['kernel'] === undefined ? kernelOfMetric(metric) : readKernel(given['kernel'], reader.columns);
    this.#scaling = chooseScaling(reader, kernel, given);
    const { scaling, precision } = this.#scaling;
    // Rows stored exactly are compared with new rows that are not rounded either.
    this.#asked = (given['scaling'] ?? given['precision']) === undefined ? 'double' : precision;
    this.#epsilon = readApproximation(given['approximate'])?.epsilon;
    const plan = { epsilon: this.#epsilon };
    this.#points = finish(selectBackend(this.#backend).hold(scaling.apply(reader, precision), precision, kernel, plan));
  }

  /** The backend in use. */
  get backend(): BackendName {
    return selectBackend(this.#backend).name;
  }

  /** The k nearest other rows of each stored row. */
  ofEachRow(k: number, options?: SearchOptions): Neighbors {
    return finish(this.#ofEachRow(k, readSearchOptions(options, 'ofEachRow')));
  }

  /** Like `ofEachRow`, with the same result, without blocking this thread. */
  async ofEachRowAsync(k: number, options?: SearchOptions & AsyncOptions): Promise<Neighbors> {
    const [run, isSquared] = this.#run(options, 'ofEachRowAsync');
    return run.finish(this.#ofEachRow(k, isSquared));
  }

  /** The k nearest rows of each new row. */
  of(rows: Rows, k: number, options?: SearchOptions): Neighbors {
    const isSquared = readSearchOptions(options, 'of');
    this.#checkCount(k, this.#points.count);
    // A single query takes microseconds: steps would make it half as slow again.
    const { queries, found } = this.#ask(new TableReader(this.#recipe).attach(rows), k);
    this.#points.neighbors(queries, 0, queries.rows, k, found);
    return this.#finished(found, isSquared);
  }

  /** Like `of`, with the same result, without blocking this thread. The rows must not change until it is done. */
  async ofAsync(rows: Rows, k: number, options?: SearchOptions & AsyncOptions): Promise<Neighbors> {
    const [run, isSquared] = this.#run(options, 'ofAsync');
    return run.finish(this.#of(rows, k, isSquared));
  }

  /** Frees the memory now instead of at the next garbage collection. */
  dispose(): void {
    this.#points.release();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  *#ofEachRow(k: number, isSquared: boolean): Steps<Neighbors> {
    this.#checkCount(k, this.#points.count - 1);
    const found = emptyLists(this.#points.count, k);
    const isExact = this.#epsilon === undefined;
    yield* neighborsOfPoints(this.#points, k, found.indices, found.distances, [0, isExact ? 1 : 0.9]);
    if (isExact) return this.#finished(found, isSquared);
    return { ...this.#finished(found, isSquared), recall: yield* measureRecall(this.#points, k, [0.9, 1]) };
  }

  *#of(rows: Rows, k: number, isSquared: boolean): Steps<Neighbors> {
    this.#checkCount(k, this.#points.count);
    const { queries, found } = this.#ask(yield* new TableReader(this.#recipe).attachInSteps(rows), k);
    yield neighborsWork({ points: this.#points, queries, k }, found.indices, found.distances, [0, 1]);
    return this.#finished(found, isSquared);
  }

  /** Scaled new rows, and arrays for their neighbours. */
  #ask(reader: RowReader, k: number): { queries: ScaledRows; found: Neighbors } {
    if (reader.columns !== this.#points.columns) {
      throw new CurvadError('WRONG_WIDTH', `rows have ${reader.columns} columns, expected ${this.#points.columns}`);
    }
    return { queries: this.#scaling.scaling.apply(reader, this.#asked), found: emptyLists(reader.rows, k) };
  }

  #finished(found: Neighbors, isSquared: boolean): Neighbors {
    const { distances } = found;
    if (this.#isEuclidean && !isSquared)
      for (let i = 0; i < distances.length; i++) distances[i] = Math.sqrt(distances[i] as number);
    return found;
  }

  #run(options: unknown, what: string): [Run, boolean] {
    const given = checkOptionNames(options, ['squared', ...ASYNC_OPTION_NAMES], what);
    const { squared, ...others } = given;
    const threads = () => import('curvad-thread:knn');
    return [new Run(checkAsyncOptions(others, what), this.backend, threads), readSearchOptions({ squared }, what)];
  }

  #checkCount(k: number, most: number): void {
    wholeNumber(k ?? Number.NaN, 'k', 1, 1, 'NEIGHBORS_INVALID');
    if (k > most)
      throw new CurvadError(
        'TOO_FEW_ROWS',
        `${k} neighbors of each row were requested, but only ${most} rows are available`,
      );
  }
}

function chooseScaling(rows: RowReader, kernel: Kernel, given: Record<string, unknown>): FittedScaling {
  if (given['scaling'] !== undefined) {
    if (given['precision'] !== undefined)
      throw new CurvadError('SCALING_INVALID', 'the scaling already has a precision: remove the option precision');
    return readScaling(given['scaling'], rows.columns);
  }
  const isInvariant = isTranslationInvariant(kernel.name);
  const initial = isInvariant ? 'single' : 'double';
  return finish(
    fitScaling(rows, {
      standardize: false,
      center: isInvariant,
      precision: oneOf(given['precision'], 'precision', PRECISIONS, initial, 'PRECISION_UNKNOWN'),
      isExplicit: given['precision'] !== undefined,
    }),
  );
}

function readSearchOptions(options: unknown, what: string): boolean {
  if (options === undefined) return false;
  return flag(checkOptionNames(options, ['squared'], what)['squared'], 'squared', false, 'SQUARED_INVALID');
}

function emptyLists(rows: number, k: number): Neighbors {
  try {
    return { k, indices: new Uint32Array(rows * k), distances: new Float64Array(rows * k) };
  } catch (cause) {
    throw new CurvadError('OUT_OF_MEMORY', `cannot allocate ${rows * k} neighbors`, { cause });
  }
}
