// Finds the k nearest rows of each row in a block among the rows of many blocks, visited one after the other. The bounding
// box of a block tells which rows may have neighbours in it; if there are none, the block need not be read at all. The
// result equals one search over all rows, ties included.
import { CurvadError, describe } from '../core/errors.js';
import { type MatrixInput, RowReader, type RowSource } from '../core/input/matrix.js';
import type { FittedScaling } from '../core/input/scaling.js';
import { type Distance, distanceOf } from '../core/kernel.js';
import { checkOptionNames } from '../core/options.js';
import { type Approximation, readApproximation } from './approximation.js';
import { KBest } from './k-best.js';
import { type KernelOptions, readKernel } from './kernel-options.js';
import { NearestNeighbors } from './nearest-neighbors.js';
import { type RowScaling, readScaling } from './row-scaling.js';

export interface BlockSearchOptions {
  /** How rows are moved and scaled, from `scalingOf`: the same for all blocks. */
  readonly scaling: RowScaling;
  /** Search in the feature space of a kernel. Default linear, which is the euclidean distance. */
  readonly kernel?: KernelOptions;
  /**
   * Visit fewer blocks: each reported distance is then at most 1 + ε times the true one.
   * Default false, exact.
   */
  readonly approximate?: boolean | Partial<Approximation>;
}

/** Margin, so that a bound never exceeds a distance through different rounding. */
const ROUNDING = 1 - 1e-12;
/** Bound on the error of a clipped value's logarithm. */
const CLIPPED = 1e-12;

export class BlockSearch {
  /** The nearest rows so far: distances as they are compared, rows of the neighbours as given. */
  readonly best: KBest;
  /** The rows of the block as one array. */
  readonly rows: Float64Array;
  readonly columns: number;
  readonly #ids: ArrayLike<number>;
  readonly #options: BlockSearchOptions;
  readonly #scaling: FittedScaling;
  /** The stored rows. */
  readonly #stored: Float64Array;
  readonly #distance: Distance;
  /** Factor of bounds before comparison. */
  readonly #factor: number;

  /** @param ids Ids of the rows: whole numbers, ascending. Of equal distances, the lower id counts as nearer. */
  constructor(rows: MatrixInput, ids: ArrayLike<number>, k: number, options: BlockSearchOptions) {
    checkOptionNames(options, ['scaling', 'kernel', 'approximate'], 'BlockSearch');
    const reader = checkedRows(rows, ids);
    const { columns } = reader;
    const kernel = readKernel(options.kernel, columns);
    const epsilon = readApproximation(options.approximate)?.epsilon ?? 0;
    this.columns = columns;
    this.best = new KBest(reader.rows, k, columns);
    this.rows = valuesOf(reader);
    this.#ids = ids;
    this.#options = options;
    this.#scaling = readScaling(options.scaling, columns);
    this.#stored = valuesOf(this.#scaling.scaling.apply(reader, this.#scaling.precision));
    this.#distance = distanceOf(kernel.name);
    this.#factor = ROUNDING * (1 + epsilon) ** (this.#distance === 'squared' ? 2 : 1);
    this.#searchItself(reader.rows);
  }

  get count(): number {
    return this.#ids.length;
  }

  /** The largest distance to a k-th neighbour so far, as distances are compared. */
  get reach(): number {
    let reach = 0;
    for (let i = 0; i < this.count; i++) reach = Math.max(reach, this.best.reachOf(i));
    return reach;
  }

  /**
   * The search radius of each row, as a euclidean distance between stored rows: rows farther away cannot be among its k
   * nearest. Infinity for most kernels, for which euclidean distances give no bound.
   */
  get limits(): Float64Array {
    return Float64Array.from({ length: this.count }, (_, i) => {
      const reach = this.best.reachOf(i) / this.#factor;
      if (this.#distance === 'kernel') return Infinity;
      return this.#distance === 'squared' ? Math.sqrt(reach) : reach; // no sum of absolutes is below the root of squares
    });
  }

  /** The rows that may have one of their nearest rows in a block, given the corners of its bounding box. */
  wanting(low: ArrayLike<number>, high: ArrayLike<number>): Uint32Array {
    const { columns } = this;
    if (low.length !== columns || high.length !== columns)
      throw new CurvadError('WRONG_WIDTH', `the corners of a box must have ${columns} values`);
    const { scaling, precision } = this.#scaling;
    // Scaling and rounding preserve the order of values; a clipped value may be off by its last digit.
    const corners = valuesOf(scaling.apply(new RowReader().attach([low, high]), precision));
    if (scaling.isClipped)
      for (let j = 0; j < 2 * columns; j++) corners[j] = (corners[j] as number) + (j < columns ? -CLIPPED : CLIPPED);
    const wanting = Array.from({ length: this.count }, (_, i) => i).filter(
      (i) => !(this.#boundOf(i, corners) > this.best.reachOf(i)),
    );
    return Uint32Array.from(wanting);
  }

  /** Searches another block for nearer rows, for the rows that `wanting` returned for it, or for all. */
  visit(rows: MatrixInput, ids: ArrayLike<number>, wanting?: Uint32Array): this {
    const reader = checkedRows(rows, ids);
    const { columns, best } = this;
    if (reader.columns !== columns)
      throw new CurvadError('WRONG_WIDTH', `rows have ${reader.columns} columns, expected ${columns}`);
    const asking = wanting ?? Uint32Array.from({ length: this.count }, (_, i) => i);
    if (asking.length === 0) return this;
    const data = new Float64Array(asking.length * columns);
    asking.forEach((row, i) => {
      data.set(this.rows.subarray(row * columns, (row + 1) * columns), i * columns);
    });
    const { scaling, kernel } = this.#options;
    const search = new NearestNeighbors(rows, { scaling, ...(kernel && { kernel }) });
    try {
      const queries = { data, rows: asking.length, columns };
      const found = search.of(queries, Math.min(best.k, reader.rows), { squared: true });
      best.merge(found, { ids, rows: valuesOf(reader) }, asking);
    } finally {
      search.dispose();
    }
    return this;
  }

  #searchItself(count: number): void {
    const { best, columns } = this;
    if (count < 2) return;
    const { scaling, kernel } = this.#options;
    const search = new NearestNeighbors(
      { data: this.rows, rows: count, columns },
      { scaling, ...(kernel && { kernel }) },
    );
    try {
      best.merge(search.ofEachRow(Math.min(best.k, count - 1), { squared: true }), { ids: this.#ids, rows: this.rows });
    } finally {
      search.dispose();
    }
  }

  /** A lower bound of the distance from a row to anything in a box; 0 in the feature space of most kernels. */
  #boundOf(row: number, corners: Float64Array): number {
    if (this.#distance === 'kernel') return 0;
    const { columns } = this;
    const isSquared = this.#distance === 'squared';
    let sum = 0;
    for (let j = 0, at = row * columns; j < columns; j++, at++) {
      const value = this.#stored[at] as number;
      const outside = Math.max((corners[j] as number) - value, value - (corners[columns + j] as number), 0);
      sum += isSquared ? outside * outside : outside;
    }
    return sum * this.#factor;
  }
}

function checkedRows(rows: MatrixInput, ids: ArrayLike<number>): RowReader {
  const reader = new RowReader().attach(rows);
  if (ids?.length !== reader.rows)
    throw new CurvadError('LENGTHS_DIFFER', `${reader.rows} rows need as many ids, got ${describe(ids)}`);
  return reader;
}

function valuesOf(source: RowSource): Float64Array {
  const { rows, columns } = source;
  const values = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) source.read(row, values, row * columns);
  return values;
}
