// Support vectors in the WebAssembly memory or, after eviction, in an ordinary array until they are used again. Queries are
// processed block by block, so that no call takes more than a few milliseconds.
//
//   call | panels | squares | coefficients | pairs | squares of the queries | sums | tile
import { released } from '../../errors.js';
import type { RowSource } from '../../input/matrix.js';
import type { SupportVectors, SvmKernel } from '../../svm/problem.js';
import { type Exports, SVM_PANEL_WIDTH, SvmCall as SvmCallLayout } from '../contract.js';
import { type Core, coreFor } from '../core.js';
import type { Arena, Evictable, Segment } from '../memory/arena.js';
import { layOut } from '../memory/layout.js';
import { MemoryRecord } from '../memory/record.js';
import { callFor, fillPanels, padded, readPanels, type SvmCall } from './svm-call.js';

/** Queries answered together, unless rows are wide. */
const LARGEST_BLOCK = 32;
/** Query × column values of a block. */
const BLOCK_VALUES = 2 ** 16;
/** Query × point × column products in one call: a few milliseconds. */
const CALL = 2e7;
/** Extra cost of a kernel value, in products. */
const KERNEL_COST = 30;

/** The storage of the vectors. Must not refer to its owner. */
class RowStorage implements Evictable {
  readonly #arena: Arena;
  readonly call: SvmCall;
  segment: Segment | undefined;
  outside: Float64Array | undefined;

  constructor(arena: Arena, call: SvmCall) {
    this.#arena = arena;
    this.call = call;
  }

  rows(): Float64Array {
    if (this.outside !== undefined) return this.outside.slice();
    return this.segment === undefined ? new Float64Array(0) : readPanels(this.#arena, this.call);
  }

  evict(): void {
    this.outside = this.rows();
    this.segment = undefined;
  }
}

export class WasmSupportVectors implements SupportVectors {
  readonly count: number;
  readonly columns: number;
  readonly coefficients: Float64Array;
  readonly #arena: Arena;
  readonly #loops: Exports;
  readonly #place: RowStorage;
  readonly #block: number;
  /** Buffer for one query. */
  readonly #query: Float64Array;

  constructor(core: Core, rows: Float64Array, columns: number, coefficients: Float64Array, kernel: SvmKernel) {
    this.count = coefficients.length;
    this.columns = columns;
    this.coefficients = coefficients;
    const { arena, loops } = coreFor(core, rows.byteLength);
    this.#arena = arena;
    this.#loops = loops;
    this.#place = new RowStorage(arena, callFor(kernel, this.count, columns));
    this.#block = Math.max(2, Math.min(LARGEST_BLOCK, Math.floor(BLOCK_VALUES / columns) * 2));
    this.#query = new Float64Array(columns);
    this.#moveIn(rows);
  }

  rows(): Float64Array {
    const { segment, outside } = this.#place;
    if (segment === undefined && outside === undefined) throw released();
    return this.#place.rows();
  }

  sum(queries: RowSource, from: number, to: number, sums: Float64Array): void {
    const { call } = this.#place;
    const start = this.#presentAt();
    const record = new MemoryRecord(this.#arena, SvmCallLayout, start);
    const panels = padded(this.count) / SVM_PANEL_WIDTH;
    for (let first = from; first < to; first += this.#block) {
      const count = Math.min(this.#block, to - first);
      this.#copyIn(queries, first, count);
      call.queries = count;
      record.write(call);
      const panelsPerCall = Math.max(1, Math.floor(CALL / (count * SVM_PANEL_WIDTH * (this.columns + KERNEL_COST))));
      for (let panel = 0; panel < panels; panel += panelsPerCall) {
        this.#loops.sumKernels(start, panel, Math.min(panel + panelsPerCall, panels));
      }
      const { reals } = this.#arena;
      const at = call.sums / 8;
      for (let i = 0; i < count; i++) {
        sums[first - from + i] = ((reals[at + 2 * i] as number) + (reals[at + 2 * i + 1] as number)) / call.unit;
      }
    }
  }

  release(): void {
    if (this.#place.segment !== undefined) this.#arena.freeEvictable(this.#place.segment);
    this.#place.segment = this.#place.outside = undefined;
  }

  /** The address of the record, once the vectors are in memory. */
  #presentAt(): number {
    const { segment, outside } = this.#place;
    if (segment !== undefined) this.#arena.touch(segment);
    else if (outside !== undefined) this.#moveIn(outside);
    else throw released();
    return (this.#place.segment as Segment).start;
  }

  #moveIn(rows: Float64Array): void {
    const { columns } = this;
    const { call } = this.#place;
    const vector = padded(this.count) * 8;
    const sizes = {
      panels: vector * columns,
      squares: vector,
      coefficients: vector,
      pairs: this.#block * columns * 8,
      querySquares: this.#block * 8,
      sums: this.#block * 16,
      tile: SVM_PANEL_WIDTH * 16,
    };
    const layout = layOut(sizes, SvmCallLayout.size);
    const segment = this.#arena.allocateEvictable(layout.total, this.#place, this);
    this.#place.segment = segment;
    this.#place.outside = undefined;
    Object.assign(call, layout.at(segment.start));
    fillPanels(this.#arena, call, rows);
    const { reals } = this.#arena;
    reals.fill(0, call.coefficients / 8, call.coefficients / 8 + vector / 8);
    reals.set(this.coefficients, call.coefficients / 8);
  }

  /** Packs queries in pairs, with q·q of each, and clears their sums. */
  #copyIn(queries: RowSource, first: number, count: number): void {
    const { call } = this.#place;
    const { columns } = this;
    const { reals } = this.#arena;
    const query = this.#query;
    for (let i = 0; i < count; i++) {
      queries.read(first + i, query, 0);
      const pair = call.pairs / 8 + (i >> 1) * 2 * columns + (i & 1);
      let square = 0;
      for (let j = 0; j < columns; j++) {
        const value = query[j] as number;
        square += value * value;
        reals[pair + 2 * j] = value;
      }
      reals[call.querySquares / 8 + i] = square;
    }
    reals.fill(0, call.sums / 8, call.sums / 8 + 2 * this.#block);
  }
}
