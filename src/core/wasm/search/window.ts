// A window over the last rows of a stream in the WebAssembly memory. See assembly/window.ts: the ring of places is held
// twice, and the search sees the stretch of it that the window is now.

import type { Precision } from '../../backend.js';
import { CurvadError } from '../../errors.js';
import type { Kernel } from '../../kernel.js';
import type { WindowPoints, WindowShape } from '../../window/window-points.js';
import type { Build } from '../build.js';
import { type Exports, MAX_BLOCK_PANELS, PANEL_WIDTH } from '../contract.js';
import { type Core, coreFor, coreOf } from '../core.js';
import { EvictableSegment } from '../memory/arena.js';
import type { Layout } from '../memory/layout.js';
import { NO_POINTS } from '../memory/row-storage.js';
import { cachedPanels, orderBlocks } from './block-order.js';
import { packQueries, type Searchable, searchBlock } from './search.js';
import { EMPTY_CALL, kernelNumber, type SearchCall } from './search-call.js';
import { layOutWindow, type Part } from './window-layout.js';
import { type Workspace, workspaceFor } from './workspace.js';

export function wasmWindow(build: Build): (shape: WindowShape) => WindowPoints {
  const core = coreOf(build);
  return (shape) => new WasmWindow(core, shape);
}

/** How much longer a reach is taken to be, for rounding to f32. */
const REACH_ROUNDING = 1 + 4e-6;

class WasmWindow implements WindowPoints, Searchable {
  readonly capacity: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  readonly core: Core;
  readonly loops: Exports;
  readonly searchCall: SearchCall;
  readonly isByKernel = false;
  readonly #evictable = new EvictableSegment();
  readonly #layout: Layout<Part>;
  /** Places of the ring: more than rows, so that whole panels around the window hold none that have left. */
  readonly #places: number;
  #at: Record<Part, number> | undefined;
  /** Rows since it was filled, and those it was filled with. */
  #pushed = 0;
  /** Rows until the panels are made anew, so that they suit the rows of then. */
  #untilPacked = 0;
  #workspace: Workspace | undefined;
  /** Distances that were measured last. */
  #measured = 0;
  /** How far rows reach, by place. */
  readonly #reaches: Float64Array;
  /** A row that has left. */
  readonly #gone: Float64Array;
  /** The memory, as numbers of the precision. */
  #values: Float32Array | Float64Array = new Float64Array(0);
  #singles = new Float32Array(0);
  /** The row that is asked about. */
  #row: Float64Array = new Float64Array(0);
  readonly #query = {
    rows: 1,
    columns: 0,
    read: (_: number, into: Float64Array, at: number) => into.set(this.#row, at),
  };

  constructor(core: Core, { capacity, columns, precision, kernel }: WindowShape) {
    this.capacity = capacity;
    this.columns = columns;
    this.precision = precision;
    this.kernel = kernel;
    this.#query.columns = columns;
    this.#gone = new Float64Array(columns).fill(Infinity);
    this.#places = (Math.ceil(capacity / PANEL_WIDTH) + 1) * PANEL_WIDTH;
    this.#reaches = new Float64Array(this.#places).fill(-Infinity);
    const bytes = precision === 'single' ? 4 : 8;
    this.#layout = layOutWindow(this.#places, columns, bytes);
    this.core = coreFor(core, this.#layout.total);
    this.loops = this.core.loops;
    const { gamma, coef0, degree } = kernel;
    const stepPanels = cachedPanels(Math.ceil(columns / 2));
    const shape = { count: 0, columns, bytes, unit: 0, queries: 1, firstQuery: 0, firstPoint: 0 };
    const kernelFields = { kernel: kernelNumber(kernel.name), gamma, coef0, degree };
    const visits = { stepPanels, blockPanels: MAX_BLOCK_PANELS, ...orderBlocks(0, 1) };
    this.searchCall = { ...EMPTY_CALL, ...NO_POINTS, ...kernelFields, ...shape, ...visits };
  }

  get count(): number {
    return Math.min(this.#pushed, this.capacity);
  }

  get isLost(): boolean {
    return this.#pushed > 0 && this.#evictable.segment === undefined;
  }

  get perPanel(): number {
    return PANEL_WIDTH * (this.columns + 8);
  }

  push(row: Float64Array): void {
    if (this.#pushed === 0) {
      this.fill(1, (into) => into.set(row));
      return;
    }
    if (this.#pushed >= this.capacity) {
      this.#put((this.#pushed - this.capacity) % this.#places, this.#gone);
      this.setReach(0, -Infinity);
    }
    let fits = this.#put(this.#pushed % this.#places, row);
    this.#pushed++;
    if (--this.#untilPacked === 0) fits = 0;
    if (!fits) this.#pack();
  }

  fill(count: number, write: (into: Float32Array | Float64Array) => void): void {
    const { core, columns } = this;
    if (this.#evictable.segment === undefined) {
      this.#evictable.segment = core.arena.allocateEvictable(this.#layout.total, this.#evictable, this);
      this.#at = this.#layout.at(this.#evictable.segment.start);
    }
    const { points } = this.#at as Record<Part, number>;
    const first = points / this.searchCall.bytes;
    const values = this.#viewOf(core.arena.buffer).subarray(first, first + this.#places * columns);
    const { words } = core.arena;
    const list = (this.#at as Record<Part, number>).list / 4;
    for (let i = 0; i < this.#places; i++) words[list + i] = i;
    values.fill(Infinity, count * columns);
    write(values.subarray(0, count * columns));
    this.#pushed = count;
    this.#reaches.fill(-Infinity);
    this.#lookAt(0, 2 * this.#places, this.#gone);
    this.#pack();
  }

  reserve(k: number): void {
    const workspace = workspaceFor(this.core, this.#places, this.columns, k, 1);
    if (workspace !== this.#workspace) workspace.describe(this.searchCall);
    this.#workspace = workspace;
    if (this.#evictable.segment !== undefined) this.core.arena.touch(this.#evictable.segment);
  }

  neighbors(row: Float64Array, k: number, ages: Uint32Array, distances: Float64Array): void {
    const before = this.#search(row, k);
    const { words, reals } = this.core.arena;
    const fromIndex = this.searchCall.indices / 4;
    const fromDistance = this.searchCall.distances / 8;
    for (let a = 0; a < k; a++) {
      ages[a] = (words[fromIndex + a] as number) - before;
      distances[a] = reals[fromDistance + a] as number;
    }
  }

  curvature(row: Float64Array, k: number): number {
    this.#search(row, k);
    if (this.kernel.name === 'linear') this.loops.curvature(this.core.call);
    else this.loops.kernelCurvature(this.core.call);
    return this.core.arena.reals[this.searchCall.scores / 8] as number;
  }

  sharpness(row: Float64Array, k: number): number {
    this.#search(row, k);
    this.loops.sharpness(this.core.call);
    return this.core.arena.reals[this.searchCall.scores / 8] as number;
  }

  setReach(age: number, distance: number): void {
    const place = (this.first + age) % this.#places;
    this.#reaches[place] = distance;
    if (!this.isLost) this.#writeReach(place);
  }

  reaching(row: Float64Array, ages: Uint32Array, distances: Float64Array): number {
    const before = this.#lookAround();
    this.#row = row;
    packQueries(this, this.#query, 0, 1);
    const { some, distances: measured, reaches } = this.#at as Record<Part, number>;
    const { core, loops } = this;
    const count = loops.listReached(core.call, reaches + (this.first - before) * 4, some);
    core.searchCall.setWord('count', count);
    loops.measureListed(core.call, some, measured);
    const { words, reals } = core.arena;
    for (let i = 0; i < count; i++) {
      ages[i] = (words[some / 4 + i] as number) - before;
      distances[i] = reals[measured / 8 + i] as number;
    }
    return count;
  }

  measureKth(row: Float64Array, ages: Uint32Array | undefined, k: number): number {
    if (ages !== undefined && this.#at !== undefined) this.core.arena.words.set(ages, this.#at.some / 4);
    this.#measured = ages?.length ?? this.count;
    const distances = this.#measureListed(ages === undefined ? 'list' : 'some', this.#measured, row);
    return this.loops.kthSmallest(distances, this.#measured, k);
  }

  countUpTo(distance: number): number {
    return this.loops.countUpTo((this.#at as Record<Part, number>).distances, this.#measured, distance);
  }

  listBetween(low: number, high: number, places: Uint32Array): number {
    const { distances, some } = this.#at as Record<Part, number>;
    const count = this.loops.listBetween(distances, this.#measured, low, high, some);
    const { words } = this.core.arena;
    for (let i = 0; i < count; i++) places[i] = words[some / 4 + i] as number;
    return count;
  }

  release(): void {
    if (this.#evictable.segment !== undefined) this.core.arena.freeEvictable(this.#evictable.segment);
    this.#evictable.segment = undefined;
    this.#pushed = 0;
  }

  /** Returns where the distances are. */
  #measureListed(part: 'list' | 'some', count: number, row: Float64Array): number {
    this.#lookAt(this.first, count, row);
    const { [part]: list, distances } = this.#at as Record<Part, number>;
    this.loops.measureListed(this.core.call, list, distances);
    return distances;
  }

  /** Place of the oldest row. */
  private get first(): number {
    return this.#pushed <= this.capacity ? 0 : (this.#pushed - this.capacity) % this.#places;
  }

  /** Finds the neighbours of a row; returns how many rows that have left the points begin with. */
  #search(row: Float64Array, k: number): number {
    this.reserve(k);
    const before = this.#lookAround();
    this.#row = row;
    searchBlock(this, this.#query, 0, 1);
    return before;
  }

  /** Has the points be whole panels that hold the window; returns how many rows that have left they begin with. */
  #lookAround(): number {
    const before = this.first % PANEL_WIDTH;
    const panels = Math.ceil((before + this.count) / PANEL_WIDTH);
    this.#lookAt(this.first - before, panels * PANEL_WIDTH);
    return before;
  }

  /** Puts a row in a place and its copy; returns 0 where all must be packed anew. */
  #put(place: number, row: Float64Array): number {
    const { core, columns, loops } = this;
    this.#lookAt(0, 2 * this.#places, row);
    const { points } = this.#at as Record<Part, number>;
    if (this.#values.buffer !== core.arena.buffer) this.#values = this.#viewOf(core.arena.buffer);
    const first = points / this.searchCall.bytes + place * columns;
    this.#values.set(row, first);
    this.#values.set(row, first + this.#places * columns);
    return loops.packPlace(core.call, place) & loops.packPlace(core.call, place + this.#places);
  }

  #viewOf(buffer: ArrayBuffer): Float32Array | Float64Array {
    return this.precision === 'single' ? new Float32Array(buffer) : new Float64Array(buffer);
  }

  #pack(): void {
    this.loops.packWindow(this.core.call, this.#places);
    this.searchCall.unit = this.core.searchCall.real('unit');
    this.#untilPacked = this.capacity;
    for (let place = 0; place < this.#places; place++) this.#writeReach(place);
  }

  /** What a reach takes from an estimate: see estimates.ts in assembly/. */
  #writeReach(place: number): void {
    const { unit } = this.searchCall;
    const relative = ((this.#reaches[place] as number) / unit) * REACH_ROUNDING;
    const taken = this.kernel.name === 'laplacian' ? relative : (0.5 * relative) / unit;
    const at = (this.#at as Record<Part, number>).reaches / 4 + place;
    const { buffer } = this.core.arena;
    if (this.#singles.buffer !== buffer) this.#singles = new Float32Array(buffer);
    this.#singles[at] = this.#singles[at + this.#places] = taken;
  }

  /** Has the points of the searchCall begin at some place, which for a search is the first of a panel. */
  #lookAt(place: number, count: number, row?: Float64Array): void {
    const { core, searchCall, columns } = this;
    if (this.isLost) throw new CurvadError('OUT_OF_MEMORY', 'there is no room for the window: use fewer rows');
    const at = this.#at as Record<Part, number>;
    searchCall.points = at.points + place * columns * searchCall.bytes;
    searchCall.panels = at.panels + place * Math.ceil(columns / 2) * 4;
    searchCall.weights = at.weights + place * 4;
    searchCall.constants = at.constants + place * 4;
    searchCall.count = count;
    const blocks = Math.ceil(count / PANEL_WIDTH / searchCall.blockPanels);
    if (blocks !== searchCall.blocks) Object.assign(searchCall, orderBlocks(0, blocks));
    if (row !== undefined) core.arena.reals.set(row, at.row / 8);
    searchCall.queries = 1;
    core.searchCall.write(searchCall);
    if (row === undefined) return;
    core.searchCall.setWord('rows', at.row);
    core.searchCall.setWord('selves', at.row + columns * 8); // which queries that are points write to
  }
}
