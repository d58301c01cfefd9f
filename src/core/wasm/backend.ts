// Points held in the WebAssembly memory, or, when room was needed there, as an ordinary array until
// they are used again.

import {
  type Backend,
  POINTS,
  type PointSet,
  type PointsImage,
  type Precision,
  type Queries,
  type SelfJoin,
} from '../backend.js';
import { released } from '../errors.js';
import type { RowSource } from '../input/matrix.js';
import { distanceOf, type Kernel } from '../kernel.js';
import { finish, inBlocks, type Steps } from '../steps.js';
import type { Build } from './build.js';
import { type Exports, MAX_BLOCK_PANELS, PANEL_WIDTH } from './contract.js';
import { type Core, coreFor, coreOf } from './core.js';
import { gatherRows, layOutPoints, NO_POINTS, RowStorage } from './memory/row-storage.js';
import { cachedPanels, orderBlocks } from './search/block-order.js';
import { copyNeighbors, type Finish, type Searchable, searchBlock } from './search/search.js';
import { kernelNumber, SEARCH_CALL, type SearchCall } from './search/search-call.js';
import { BLOCK, groupSize } from './search/self-join.js';
import { selfJoinInGroups, WasmSelfJoin } from './search/self-join-plan.js';
import { growTree } from './search/tree.js';
import { LARGEST_BLOCK, NO_WORKSPACE, type Workspace, workspaceFor } from './search/workspace.js';

type Vector = Float32Array | Float64Array;

/** What helps where points in double precision do not fit. */
const HALVED = "use fewer rows or columns, or precision 'single' where the method has it";

/** The backend of one build. Throws where the runtime refuses to compile. */
export function wasmBackend(build: Build): Backend {
  const core = coreOf(build);
  return {
    name: `wasm-${build}`,
    hold: (rows, precision, kernel) => hold(core, rows, precision, kernel),
    holdImage(image) {
      const points = new WasmPoints(core, { ...image, rows: image.count }, image.precision, image.kernel);
      points.takeImage(image);
      return points;
    },
  };
}

function* hold(core: Core, rows: RowSource, precision: Precision, kernel: Kernel): Steps<PointSet> {
  const points = new WasmPoints(core, rows, precision, kernel);
  try {
    yield* inBlocks(rows.rows, rows.columns, (from, to) => points.fill(rows, from, to));
    yield* points.preparePanels();
    return points;
  } catch (error) {
    points.release();
    throw error;
  }
}

class WasmPoints implements PointSet, Searchable {
  readonly count: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  readonly core: Core;
  readonly loops: Exports;
  readonly searchCall: SearchCall;
  readonly #place: RowStorage;
  #arePanelsReady = false;
  #workspace: Workspace | undefined;

  /** Room for rows; they are to be filled in. */
  constructor(core: Core, source: Pick<RowSource, 'rows' | 'columns'>, precision: Precision, kernel: Kernel) {
    this.count = source.rows;
    this.columns = source.columns;
    this.precision = precision;
    this.kernel = kernel;
    const { gamma, coef0, degree } = kernel;
    const { count, columns } = this;
    this.core = coreFor(core, count * columns * this.#bytes);
    this.loops = this.core.loops;
    this.#place = new RowStorage(this.core.arena, precision, count, columns);
    const stepPanels = cachedPanels(this.isByKernel ? columns : Math.ceil(columns / 2));
    const blockPanels = this.isByKernel ? stepPanels : MAX_BLOCK_PANELS;
    const shape = { count, columns, bytes: this.#bytes, unit: 0, queries: 0, firstQuery: 0, firstPoint: 0 };
    const order = orderBlocks(0, Math.ceil(count / this.#panelWidth / blockPanels));
    const kernelFields = { kernel: kernelNumber(kernel.name), gamma, coef0, degree };
    this.searchCall = { ...NO_POINTS, ...NO_WORKSPACE, ...kernelFields, ...shape, ...order, stepPanels, blockPanels };
    this.#moveIn();
  }

  /** Takes rows from … to − 1. */
  fill(source: RowSource, from: number, to: number): void {
    this.#place.fill(source, from, to);
  }

  rows(): Vector {
    return this.#heldRows.slice();
  }

  get unit(): number {
    return this.searchCall.unit;
  }

  get imageSize(): number {
    this.#moveBackIn();
    return this.#place.segment?.size ?? 0;
  }

  *copyImage(into: Uint8Array): Steps<void> {
    yield* inBlocks(into.length, 1, (from, to) => {
      this.#moveBackIn(); // where it was moved out during a pause
      into.set(this.#place.image.subarray(from, to), from);
    });
  }

  takeImage({ bytes, unit }: PointsImage): void {
    this.#place.image.set(bytes);
    this.searchCall.unit = unit;
    this.#arePanelsReady = true;
  }

  copyRows(from: number, to: number, into: Vector): void {
    into.set(this.#heldRows.subarray(from * this.columns, to * this.columns), from * this.columns);
  }

  gather(indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void {
    gatherRows(this.#heldRows, this.columns, indices.subarray(from, to), into, at);
  }

  neighbors(
    queries: Queries,
    from: number,
    to: number,
    k: number,
    indices: Uint32Array,
    distances: Float64Array,
  ): void {
    this.#search(queries, from, to, k, this.takeNeighbors(from, k, indices, distances));
  }

  curvature(queries: Queries, from: number, to: number, k: number, scores: Float64Array): void {
    this.#search(queries, from, to, k, this.takeCurvature(from, scores));
  }

  sharpness(queries: Queries, from: number, to: number, k: number, values: Float64Array): void {
    this.#search(queries, from, to, k, this.takeSharpness(from, values));
  }

  selfJoin(k: number): SelfJoin | undefined {
    const block = this.prepare(k, this.count);
    if (!this.#canJoin(0, this.count, block)) return undefined;
    return new WasmSelfJoin(this, k, this.#groupSize === this.count);
  }

  /** Takes neighbours over into lists that begin with query `from`. */
  takeNeighbors(from: number, k: number, indices: Uint32Array, distances: Float64Array): Finish {
    return (first, count) => copyNeighbors(this, count, { indices, distances }, (first - from) * k, k);
  }

  takeCurvature(from: number, scores: Float64Array): Finish {
    return this.#take(this.kernel.name === 'linear' ? 'curvature' : 'kernelCurvature', from, scores);
  }

  takeSharpness(from: number, values: Float64Array): Finish {
    return this.#take('sharpness', from, values);
  }

  #take(loop: 'curvature' | 'kernelCurvature' | 'sharpness', from: number, scores: Float64Array): Finish {
    return (first, count) => {
      this.loops[loop](SEARCH_CALL);
      this.#copyOut(this.searchCall.scores, count, scores, first - from);
    };
  }

  gradient(queries: Queries, from: number, to: number, k: number, gradients: Float64Array): void {
    this.#search(queries, from, to, k, (first, count) => {
      this.loops.gradient(SEARCH_CALL);
      this.#copyOut(this.searchCall.gradients, count * this.columns, gradients, (first - from) * this.columns);
    });
  }

  release(): void {
    if (this.#place.segment !== undefined) this.core.arena.freeEvictable(this.#place.segment);
    this.#place.segment = this.#place.outside = undefined;
  }

  get #heldRows(): Vector {
    if (this.#place.segment === undefined && this.#place.outside === undefined) throw released();
    return this.#place.rows;
  }

  /** Finds the neighbours of queries from … to − 1, block by block. */
  #search(queries: Queries, from: number, to: number, k: number, finish: Finish): void {
    const block = this.prepare(k, to - from);
    const isJoined =
      queries === POINTS &&
      this.#canJoin(from, to, block) &&
      selfJoinInGroups(this, k, from, to, Math.min(to - from, this.#groupSize), finish);
    for (let first = isJoined ? to : from; first < to; first += block) {
      const count = Math.min(block, to - first);
      searchBlock(this, queries, first, count);
      finish(first, count);
    }
  }

  /** Whether points from … to − 1 can be joined, and are enough that it is worth it. */
  #canJoin(from: number, to: number, block: number): boolean {
    const isWhole = from % BLOCK === 0 && (to % BLOCK === 0 || to === this.count);
    const isEnough = Math.min(to - from, this.#groupSize) > BLOCK;
    const isPossible = this.searchCall.order === 0 && !this.isByKernel;
    return isPossible && isWhole && isEnough && block === LARGEST_BLOCK;
  }

  /** Points that can be joined at a time. */
  get #groupSize(): number {
    const held = (this.#place.segment?.size ?? 0) + (this.#workspace?.segment.size ?? 0);
    return groupSize(this.count, this.searchCall.slots, this.count * this.columns * this.#bytes, held);
  }

  /** Sees to it that there is a workspace and that the points are in memory; returns its block size. */
  prepare(k: number, queries: number): number {
    // The workspace first: making room for it may move the points out, but never the other way round.
    const workspace = workspaceFor(this.core, this.count, this.columns, k, queries);
    if (workspace !== this.#workspace) workspace.describe(this.searchCall);
    this.#workspace = workspace;
    this.#moveBackIn();
    return workspace.block;
  }

  /** Sees to it that the points are in memory, with panels. */
  #moveBackIn(): void {
    const { segment, outside } = this.#place;
    if (segment !== undefined) this.core.arena.touch(segment);
    else if (outside !== undefined) {
      this.#moveIn();
      this.#place.rows.set(outside);
    } else throw released();
    if (!this.#arePanelsReady) finish(this.preparePanels());
  }

  /** Makes panels, or a tree, of the rows. */
  *preparePanels(): Steps<void> {
    const { loops, searchCall, count, columns } = this;
    const { searchCall: call } = this.core;
    const { segment } = this.#place;
    if (segment === undefined) return; // it was moved out meanwhile, and is prepared when it moves back in
    const step = (work: () => void): void => {
      if (this.#place.segment !== segment) return;
      call.write(searchCall);
      work();
      searchCall.unit = call.real('unit');
    };
    searchCall.unit = 0;
    if (searchCall.order > 0) yield* growTree(0, count, (...range) => step(() => loops.halve(SEARCH_CALL, ...range)));
    else {
      yield* inBlocks(count, columns, (from, to) => step(() => loops.findScale(SEARCH_CALL, from, to)));
      // In whole panels, of which none has more than 16 points.
      yield* inBlocks(Math.ceil(count / PANEL_WIDTH), PANEL_WIDTH * columns, (from, to) =>
        step(() => loops.packPoints(SEARCH_CALL, PANEL_WIDTH * from, Math.min(PANEL_WIDTH * to, count))),
      );
    }
    this.#arePanelsReady = this.#place.segment === segment;
  }

  #copyOut(from: number, count: number, to: Float64Array, at: number): void {
    const { reals } = this.core.arena;
    for (let i = 0; i < count; i++) to[at + i] = reals[from / 8 + i] as number;
  }

  /** Takes room. */
  #moveIn(): void {
    const layout = layOutPoints(this.count, this.columns, this.#bytes, this.isByKernel);
    const remedy = this.precision === 'double' ? HALVED : undefined;
    const segment = this.core.arena.allocateEvictable(layout.total, this.#place, this, remedy);
    this.#place.segment = segment;
    this.#place.outside = undefined;
    Object.assign(this.searchCall, layout.at(segment.start));
    this.#arePanelsReady = false;
  }

  /** What a query costs for each panel: the columns, and the test of an estimate or the kernel function itself. */
  get perPanel(): number {
    return this.#panelWidth * (this.isByKernel ? 2 * this.columns + 60 : this.columns + 8);
  }

  get isByKernel(): boolean {
    return distanceOf(this.kernel.name) === 'kernel';
  }

  get #bytes(): number {
    return this.precision === 'single' ? 4 : 8;
  }

  /** Points in a panel: a cache line of 32-bit words, or of full numbers for kernel distances. */
  get #panelWidth(): number {
    return this.isByKernel ? 64 / this.#bytes : PANEL_WIDTH;
  }
}
