// Means, scatter matrices and Mahalanobis distances in WebAssembly: where rows and matrices lie in the
// memory, and work cut into calls of a few milliseconds.

import type { RowSource } from '../input/matrix.js';
import { type HeldMatrix, type Mahalanobis, type Measure, SINGULAR, type Whitening } from '../math/mahalanobis.js';
import type { Build } from './build.js';
import { type Exports, MAHALANOBIS_GROUP, SCATTER_BLOCK } from './contract.js';
import { type Core, coreFor, coreOf } from './core.js';
import { EvictableSegment, type Segment } from './memory/arena.js';
import { type Layout, layOut } from './memory/layout.js';

/** Products in one call: a few milliseconds. */
const CALL = 1e7;
/** New rows that are in memory together. */
const BATCH = 64;

const padded = (columns: number): number => Math.ceil(columns / 8) * 8;
const even = (count: number): number => count + (count % 2);

export function wasmMahalanobis(build: Build): Mahalanobis {
  const core = coreOf(build);
  return {
    hold: (rows) => new WasmMatrix(core, rows),
    whiten: (matrix, columns) => whiten(core, matrix, columns),
    measure: (whitening) => new WasmMeasure(core, whitening),
  };
}

class WasmMatrix implements HeldMatrix {
  readonly count: number;
  readonly columns: number;
  readonly #core: Core;
  readonly #loops: Exports;
  readonly #segment: Segment;
  readonly #at: Record<
    'rows' | 'indices' | 'location' | 'sums' | 'block' | 'matrix' | 'whitening' | 'distances',
    number
  >;

  constructor(core: Core, source: RowSource) {
    const { rows, columns } = source;
    this.count = rows;
    this.columns = columns;
    this.#core = coreFor(core, rows * columns * 8);
    this.#loops = this.#core.loops;
    const stride = padded(columns);
    const layout = layOut({
      rows: rows * columns * 8,
      indices: rows * 4,
      location: columns * 8,
      sums: columns * 8,
      block: Math.max(SCATTER_BLOCK * stride, MAHALANOBIS_GROUP * (columns + 1)) * 8,
      matrix: stride * stride * 8,
      whitening: even(columns) * columns * 8,
      distances: rows * 8,
    });
    const { arena } = this.#core;
    this.#segment = arena.allocate(layout.total);
    this.#at = layout.at(this.#segment.start);
    try {
      for (let i = 0; i < rows; i++) source.read(i, arena.reals, this.#at.rows / 8 + i * columns);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  mean(selected: Uint32Array): Float64Array {
    const { rows, indices, sums } = this.#at;
    const { columns } = this;
    const { reals } = this.#core.arena;
    this.#select(selected);
    reals.fill(0, sums / 8, sums / 8 + columns);
    const origin = rows + (selected[0] as number) * columns * 8;
    for (const [from, size] of this.#calls(selected.length, columns)) {
      this.#loops.sumRows(rows, indices + from * 4, size, columns, origin, sums);
    }
    const mean = new Float64Array(columns);
    for (let j = 0; j < columns; j++)
      mean[j] = (reals[origin / 8 + j] as number) + (reals[sums / 8 + j] as number) / selected.length;
    return mean;
  }

  scatter(selected: Uint32Array, location: Float64Array): Float64Array {
    const { rows, indices, block, matrix } = this.#at;
    const { columns } = this;
    const { reals } = this.#core.arena;
    const stride = padded(columns);
    this.#select(selected);
    reals.set(location, this.#at.location / 8);
    reals.fill(0, matrix / 8, matrix / 8 + stride * stride);
    for (const [from, size] of this.#calls(selected.length, columns * columns)) {
      this.#loops.addScatter(rows, indices + from * 4, size, columns, this.#at.location, block, matrix);
    }
    const result = new Float64Array(columns * columns);
    for (let j = 0; j < columns; j++) {
      for (let k = j; k < columns; k++) {
        result[j * columns + k] = result[k * columns + j] = reals[matrix / 8 + j * stride + k] as number;
      }
    }
    return result;
  }

  distances(selected: Uint32Array, whitening: Whitening, distances: Float64Array): void {
    const { columns } = this;
    const { rank } = whitening;
    const at = this.#at;
    const { reals } = this.#core.arena;
    this.#select(selected);
    const isTriangular = copyIn(reals, whitening, at.location, at.whitening);
    for (const [from, size] of this.#calls(selected.length, columns * rank)) {
      const to = at.distances + from * 8;
      const indices = at.indices + from * 4;
      this.#loops.measureRows(
        at.rows,
        indices,
        size,
        columns,
        at.location,
        at.whitening,
        rank,
        isTriangular,
        at.block,
        to,
      );
    }
    const first = at.distances / 8;
    for (let i = 0; i < selected.length; i++) distances[i] = reals[first + i] as number;
  }

  release(): void {
    this.#core.arena.free(this.#segment);
  }

  #select(selected: Uint32Array): void {
    this.#core.arena.words.set(selected, this.#at.indices / 4);
  }

  /** Parts [first, size] of the work, each for one call. */
  *#calls(count: number, products: number): Generator<[number, number]> {
    const most = Math.max(SCATTER_BLOCK, Math.floor(CALL / products / SCATTER_BLOCK) * SCATTER_BLOCK);
    for (let from = 0; from < count; from += most) yield [from, Math.min(most, count - from)];
  }
}

/** Writes a whitening into the memory; returns 1 where it is triangular, otherwise 0. */
function copyIn(reals: Float64Array, whitening: Whitening, location: number, matrix: number): 0 | 1 {
  const columns = whitening.location.length;
  const length = whitening.rank * columns;
  reals.set(whitening.location, location / 8);
  reals.set(whitening.matrix.subarray(0, length), matrix / 8);
  // Rows are taken two at a time.
  if (whitening.rank % 2 === 1) reals.fill(0, matrix / 8 + length, matrix / 8 + length + columns);
  return whitening.isTriangular ? 1 : 0;
}

function whiten(core: Core, matrix: Float64Array, columns: number): Float64Array | undefined {
  const loops = core.loops;
  const stride = padded(columns);
  const layout = layOut({ matrix: stride * stride * 8, diagonal: columns * 8, whitening: columns * columns * 8 });
  const segment = core.arena.allocate(layout.total);
  const at = layout.at(segment.start);
  const { reals } = core.arena;
  try {
    reals.fill(0, at.matrix / 8, at.matrix / 8 + stride * stride);
    for (let i = 0; i < columns; i++) {
      reals.set(matrix.subarray(i * columns, (i + 1) * columns), at.matrix / 8 + i * stride);
    }
    if (loops.factorMatrix(at.matrix, columns, SINGULAR, at.diagonal) === 0) return undefined;
    loops.invertFactor(at.matrix, columns, at.whitening);
    return reals.slice(at.whitening / 8, at.whitening / 8 + columns * columns);
  } finally {
    core.arena.free(segment);
  }
}

/** What a measure has in memory. */
type MeasurePart = 'location' | 'whitening' | 'rows' | 'indices' | 'group' | 'distances';

class WasmMeasure implements Measure {
  readonly #core: Core;
  readonly #loops: Exports;
  readonly #whitening: Whitening;
  readonly #layout: Layout<MeasurePart>;
  readonly #place = new EvictableSegment();
  #at: Record<MeasurePart, number> | undefined;

  constructor(core: Core, whitening: Whitening) {
    const columns = whitening.location.length;
    this.#core = core;
    this.#loops = core.loops;
    this.#whitening = whitening;
    this.#layout = layOut({
      location: columns * 8,
      whitening: even(whitening.rank) * columns * 8,
      rows: BATCH * columns * 8,
      indices: BATCH * 4,
      group: MAHALANOBIS_GROUP * (columns + 1) * 8,
      distances: BATCH * 8,
    });
  }

  distances(rows: RowSource, distances: Float64Array): void {
    const { columns } = rows;
    const { rank, isTriangular } = this.#whitening;
    for (let first = 0; first < rows.rows; first += BATCH) {
      const size = Math.min(BATCH, rows.rows - first);
      // Reading a row runs the caller's code, which may use the core too.
      const at = this.#moveIn();
      const { reals } = this.#core.arena;
      for (let i = 0; i < size; i++) rows.read(first + i, reals, at.rows / 8 + i * columns);
      const { indices, location, whitening, group } = at;
      const flag = isTriangular ? 1 : 0;
      this.#loops.measureRows(at.rows, indices, size, columns, location, whitening, rank, flag, group, at.distances);
      for (let i = 0; i < size; i++) distances[first + i] = reals[at.distances / 8 + i] as number;
    }
  }

  release(): void {
    if (this.#place.segment !== undefined) this.#core.arena.freeEvictable(this.#place.segment);
    this.#place.segment = undefined;
  }

  #moveIn(): Record<MeasurePart, number> {
    const { arena } = this.#core;
    if (this.#place.segment !== undefined && this.#at !== undefined) {
      arena.touch(this.#place.segment);
      return this.#at;
    }
    const segment = arena.allocateEvictable(this.#layout.total, this.#place, this);
    this.#place.segment = segment;
    this.#at = this.#layout.at(segment.start);
    copyIn(arena.reals, this.#whitening, this.#at.location, this.#at.whitening);
    for (let i = 0; i < BATCH; i++) arena.words[this.#at.indices / 4 + i] = i;
    return this.#at;
  }
}
