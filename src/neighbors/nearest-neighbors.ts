// Exact k-nearest-neighbour search, on its own: what the detectors stand on, for those who want the
// neighbours themselves.
/// <reference lib="esnext.disposable" preserve="true" />
import { type BackendName, POINTS, type PointSet, type Precision } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { type MatrixInput, RowReader } from '../core/matrix.js';
import { checkOptionNames, oneOf, wholeNumber } from '../core/options.js';
import { fitScaling, ScaledRows } from '../core/scaling.js';
import { BACKEND_CHOICES, type BackendChoice, selectBackend } from '../core/select.js';

export type Metric = 'euclidean' | 'manhattan';

export interface NearestNeighborsOptions {
  /** Default 'euclidean'. */
  metric?: Metric;
  /** How rows are stored; arithmetic is always double. Default 'single'. */
  precision?: Precision;
  /** What runs. Default 'auto'. */
  backend?: BackendChoice;
}

/** Neighbours of each row, nearest first: `k` entries a row. Equal distances go to the lower index. */
export interface Neighbors {
  readonly k: number;
  readonly indices: Uint32Array;
  readonly distances: Float64Array;
}

/** Holds rows and finds the nearest of them. */
export class NearestNeighbors {
  readonly #metric: Metric;
  readonly #backend: BackendChoice;
  readonly #points: PointSet;
  readonly #queries: ScaledRows;

  constructor(rows: MatrixInput, options?: NearestNeighborsOptions) {
    const given = checkOptionNames(options, ['metric', 'precision', 'backend'], 'NearestNeighbors');
    this.#metric = oneOf(given['metric'], 'metric', ['euclidean', 'manhattan'], 'euclidean', 'METRIC_UNKNOWN');
    this.#backend = oneOf(given['backend'], 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN');
    const reader = new RowReader().attach(rows);
    const { scaling, precision } = fitScaling(reader, {
      standardize: false,
      center: true,
      precision: oneOf(given['precision'], 'precision', ['single', 'double'], 'single', 'PRECISION_UNKNOWN'),
      isExplicit: given['precision'] !== undefined,
    });
    const name = this.#metric === 'euclidean' ? 'linear' : 'laplacian';
    const kernel = { name, gamma: 1, coef0: 0, degree: 1 } as const;
    this.#points = selectBackend(this.#backend).hold(scaling.apply(reader, precision), precision, kernel);
    this.#queries = new ScaledRows(scaling, precision);
  }

  /** What runs. */
  get backend(): BackendName {
    return selectBackend(this.#backend).name;
  }

  /** The k nearest rows of each row of its own, itself excluded. */
  ofEachRow(k: number): Neighbors {
    this.#checkCount(k, this.#points.count - 1);
    return this.#find(POINTS, this.#points.count, k);
  }

  /** The k nearest rows of each new row. */
  of(rows: MatrixInput, k: number): Neighbors {
    this.#checkCount(k, this.#points.count);
    const reader = new RowReader().attach(rows);
    if (reader.columns !== this.#points.columns) {
      throw new CurvadError('WRONG_WIDTH', `rows have ${reader.columns} columns, expected ${this.#points.columns}`);
    }
    const found = this.#find(this.#queries.attach(reader), reader.rows, k);
    this.#queries.detach();
    return found;
  }

  /** Frees the memory now instead of at the next garbage collection. */
  dispose(): void {
    this.#points.release();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #find(queries: ScaledRows | typeof POINTS, count: number, k: number): Neighbors {
    const indices = new Uint32Array(count * k);
    const distances = new Float64Array(count * k);
    this.#points.neighbors(queries, 0, count, k, indices, distances);
    if (this.#metric === 'euclidean')
      for (let i = 0; i < distances.length; i++) distances[i] = Math.sqrt(distances[i] as number);
    return { k, indices, distances };
  }

  #checkCount(k: number, most: number): void {
    wholeNumber(k ?? Number.NaN, 'k', 1, 1, 'NEIGHBORS_INVALID');
    if (k > most) throw new CurvadError('TOO_FEW_ROWS', `${k} neighbours asked of ${most} rows`);
  }
}
