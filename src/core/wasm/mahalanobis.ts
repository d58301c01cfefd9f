// Means, scatter matrices and Mahalanobis distances in WebAssembly: the memory layout, and work split into calls of a few
// milliseconds.

import type { RowSource } from '../input/matrix.js';
import { type HeldMatrix, type Mahalanobis, type Measure, SINGULAR, type Whitening } from '../math/mahalanobis.js';
import type { Build } from './build.js';
import { type Exports, MAHALANOBIS_GROUP, MahalanobisCall, SCATTER_BLOCK } from './contract.js';
import { type Core, coreFor, coreOf } from './core.js';
import { EvictableSegment, type Segment } from './memory/arena.js';
import { type Layout, layOut } from './memory/layout.js';
import { MemoryRecord } from './memory/record.js';

/** Products in one call: a few milliseconds. */
const CALL = 1e7;
/** New rows processed together. */
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
  readonly #call: MemoryRecord<typeof MahalanobisCall>;

  constructor(core: Core, source: RowSource) {
    const { rows, columns } = source;
    this.count = rows;
    this.columns = columns;
    this.#core = coreFor(core, rows * columns * 8);
    this.#loops = this.#core.loops;
    const stride = padded(columns);
    const layout = layOut({
      call: MahalanobisCall.size,
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
    const { call, ...at } = layout.at(this.#segment.start);
    this.#at = at;
    this.#call = new MemoryRecord(arena, MahalanobisCall, call);
    this.#call.write({ ...at, columns, rank: 0, isTriangular: 0 });
    try {
      for (let i = 0; i < rows; i++) source.read(i, arena.reals, this.#at.rows / 8 + i * columns);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  mean(selected: Uint32Array): Float64Array {
    const { rows, location, sums } = this.#at;
    const { columns } = this;
    const { reals } = this.#core.arena;
    this.#select(selected);
    reals.fill(0, sums / 8, sums / 8 + columns);
    // Relative to the first row, so that the mean of a constant column is exactly that constant.
    const origin = rows / 8 + (selected[0] as number) * columns;
    reals.copyWithin(location / 8, origin, origin + columns);
    for (const [from, size] of this.#parts(selected.length, columns)) {
      this.#loops.sumRows(this.#call.address, from, size);
    }
    const mean = new Float64Array(columns);
    for (let j = 0; j < columns; j++)
      mean[j] = (reals[origin + j] as number) + (reals[sums / 8 + j] as number) / selected.length;
    return mean;
  }

  scatter(selected: Uint32Array, location: Float64Array): Float64Array {
    const { matrix } = this.#at;
    const { columns } = this;
    const { reals } = this.#core.arena;
    const stride = padded(columns);
    this.#select(selected);
    reals.set(location, this.#at.location / 8);
    reals.fill(0, matrix / 8, matrix / 8 + stride * stride);
    for (const [from, size] of this.#parts(selected.length, columns * columns)) {
      this.#loops.addScatter(this.#call.address, from, size);
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
    copyIn(reals, whitening, at.location, at.whitening);
    this.#call.setWord('rank', rank);
    this.#call.setWord('isTriangular', Number(whitening.isTriangular));
    for (const [from, size] of this.#parts(selected.length, columns * rank)) {
      this.#loops.measureRows(this.#call.address, from, size);
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

  /** Parts [first, size] of the work, one call each. */
  *#parts(count: number, products: number): Generator<[number, number]> {
    const most = Math.max(SCATTER_BLOCK, Math.floor(CALL / products / SCATTER_BLOCK) * SCATTER_BLOCK);
    for (let from = 0; from < count; from += most) yield [from, Math.min(most, count - from)];
  }
}

/** Writes a whitening into the memory. */
function copyIn(reals: Float64Array, whitening: Whitening, location: number, matrix: number): void {
  const columns = whitening.location.length;
  const length = whitening.rank * columns;
  reals.set(whitening.location, location / 8);
  reals.set(whitening.matrix.subarray(0, length), matrix / 8);
  // Rows are processed two at a time.
  if (whitening.rank % 2 === 1) reals.fill(0, matrix / 8 + length, matrix / 8 + length + columns);
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

/** The memory of a measure. */
type MeasurePart = 'call' | 'location' | 'whitening' | 'rows' | 'indices' | 'block' | 'distances';

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
      call: MahalanobisCall.size,
      location: columns * 8,
      whitening: even(whitening.rank) * columns * 8,
      rows: BATCH * columns * 8,
      indices: BATCH * 4,
      block: MAHALANOBIS_GROUP * (columns + 1) * 8,
      distances: BATCH * 8,
    });
  }

  distances(rows: RowSource, distances: Float64Array): void {
    const { columns } = rows;
    for (let first = 0; first < rows.rows; first += BATCH) {
      const size = Math.min(BATCH, rows.rows - first);
      // Look up addresses again: reading a row runs the caller's code, which may use the core.
      const at = this.#moveIn();
      const { reals } = this.#core.arena;
      for (let i = 0; i < size; i++) rows.read(first + i, reals, at.rows / 8 + i * columns);
      this.#loops.measureRows(at.call, 0, size);
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
    const at = this.#layout.at(segment.start);
    this.#at = at;
    const { rank, isTriangular, location } = this.#whitening;
    const fields = { ...at, columns: location.length, rank, isTriangular: Number(isTriangular), sums: 0, matrix: 0 };
    new MemoryRecord(arena, MahalanobisCall, at.call).write(fields);
    copyIn(arena.reals, this.#whitening, at.location, at.whitening);
    for (let i = 0; i < BATCH; i++) arena.words[at.indices / 4 + i] = i;
    return at;
  }
}
