// Points held in the WebAssembly memory or, after they were evicted, in an ordinary array until they are used again.
import {
  type FoundNeighbors,
  type Leftovers,
  type LentBytes,
  type Loan,
  PLACES,
  POINTS,
  type PointSearch,
  type PointSet,
  type PointsImage,
  type Precision,
  type Queries,
  type SelfJoin,
  type TreePlan,
} from '../backend.js';
import { released } from '../errors.js';
import type { RowSource } from '../input/matrix.js';
import { distanceOf, type Kernel } from '../kernel.js';
import { finish, inBlocks, type Steps } from '../steps.js';
import { type Exports, PANEL_WIDTH } from './contract.js';
import { type Core, coreFor, guestCore } from './core.js';
import { lendSegment } from './lending.js';
import type { Segment } from './memory/arena.js';
import { gatherRows, RowStorage } from './memory/row-storage.js';
import { inOrder, toCurvature, toNeighbors, toValues } from './search/answers.js';
import { kthDistances } from './search/kth-distances.js';
import { makePanels } from './search/panels.js';
import { callOf } from './search/points-call.js';
import { type Finish, type Searchable, searchBlock } from './search/search.js';
import type { SearchCall } from './search/search-call.js';
import { BLOCK, groupSize } from './search/self-join.js';
import { selfJoinInGroups, WasmSelfJoin } from './search/self-join-plan.js';
import { layOutHeld, lineSize, makeTree, placesIn, writePlan } from './search/tree.js';
import { LARGEST_BLOCK, type Workspace, workspaceFor } from './search/workspace.js';

/** The remedy if points in double precision do not fit. */
const HALVED = "use fewer rows or columns, or precision 'single' where the method has it";

/** What is to be held. */
export type Held = Pick<PointSet, 'count' | 'columns' | 'precision' | 'kernel' | 'tree'>;

export class WasmPoints implements PointSet, Searchable {
  readonly count: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  readonly tree: TreePlan | undefined;
  readonly isByKernel: boolean;
  readonly core: Core;
  readonly loops: Exports;
  readonly searchCall: SearchCall;
  readonly #place: RowStorage;
  readonly #isLent: boolean;
  readonly #bytes: number;
  #arePanelsReady = false;
  #workspace: Workspace | undefined;
  #places: Uint32Array | undefined;

  /** Room for rows, which are to be filled in; or points that another thread lends. */
  constructor(core: Core, { count, columns, precision, kernel, tree }: Held, lent?: LentBytes) {
    this.tree = tree;
    this.count = count;
    this.columns = columns;
    this.precision = precision;
    this.kernel = kernel;
    this.isByKernel = distanceOf(kernel.name) === 'kernel';
    this.#bytes = precision === 'single' ? 4 : 8;
    this.#isLent = lent !== undefined;
    this.core = lent ? guestCore(core.build, lent) : coreFor(core, this.count * this.columns * this.#bytes);
    this.loops = this.core.loops;
    this.#place = new RowStorage(this.core.arena, precision, this.count, this.columns);
    this.searchCall = callOf(this, this.#panelWidth);
    if (lent === undefined) this.#moveIn();
    else this.#settleAt(lent);
  }

  /** Points that are held elsewhere: a copy, or where they are. */
  static ofImage(core: Core, image: PointsImage): WasmPoints {
    const { bytes, unit } = image;
    const isCopy = bytes instanceof Uint8Array;
    const points = new WasmPoints(core, image, isCopy ? undefined : bytes);
    if (isCopy) points.#place.image.set(bytes);
    points.searchCall.unit = unit;
    points.#arePanelsReady = true;
    return points;
  }

  /** Takes rows from … to − 1. */
  fill(source: RowSource, from: number, to: number): void {
    this.#place.fill(source, from, to);
  }

  rows(): Float32Array | Float64Array {
    return this.#heldRows.slice();
  }

  get unit(): number {
    return this.searchCall.unit;
  }

  lend(): Loan | undefined {
    const { count, columns, precision, kernel, tree, unit, core } = this;
    this.#moveBackIn();
    const lent = lendSegment(core, this.#place.segment as Segment);
    return lent && { image: { count, columns, precision, kernel, tree, unit, bytes: lent.bytes }, end: lent.end };
  }

  get leftovers(): Leftovers | undefined {
    return this.#isLent ? this.core.arena.leftovers : undefined;
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

  copyRows(from: number, to: number, into: Float32Array | Float64Array): void {
    into.set(this.#heldRows.subarray(from * this.columns, to * this.columns), from * this.columns);
  }

  gather(indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void {
    gatherRows(this.#heldRows, this.columns, indices.subarray(from, to), into, at);
  }

  neighbors(queries: Queries, from: number, to: number, k: number, into: FoundNeighbors): void {
    this.#search(queries, from, to, k, toNeighbors(this, from, k, into));
  }

  exactNeighbors(...question: Parameters<PointSet['neighbors']>): void {
    const { share } = this.searchCall;
    this.searchCall.share = 1;
    try {
      this.neighbors(...question);
    } finally {
      this.searchCall.share = share;
    }
  }

  searchOfPoints(k: number): PointSearch {
    if (this.#isTree) return 'tree';
    return this.#canJoin(0, this.count, this.prepare(k, this.count)) ? 'join' : 'plain';
  }

  kthDistances(queries: Queries, from: number, to: number, k: number, distances: Float64Array): void {
    kthDistances(this, queries, [from, to], k, distances);
  }

  curvature(queries: Queries, from: number, to: number, k: number, scores: Float64Array): void {
    this.#search(queries, from, to, k, toCurvature(this, from, scores));
  }

  sharpness(queries: Queries, from: number, to: number, k: number, values: Float64Array): void {
    this.#search(queries, from, to, k, toValues(this, 'sharpness', from, values));
  }

  get order(): Uint32Array | undefined {
    if (this.tree === undefined) return undefined;
    this.#moveBackIn();
    return this.core.arena.words.slice(this.searchCall.order / 4, this.searchCall.order / 4 + this.count);
  }

  selfJoin(k: number): SelfJoin | undefined {
    if (this.#isTree) return undefined;
    const block = this.prepare(k, this.count);
    if (!this.#canJoin(0, this.count, block)) return undefined;
    return new WasmSelfJoin(this, k, this.#groupSize === this.count);
  }

  gradient(queries: Queries, from: number, to: number, k: number, gradients: Float64Array): void {
    this.#search(queries, from, to, k, toValues(this, 'gradient', from, gradients));
  }

  release(): void {
    if (this.#place.segment !== undefined && !this.#isLent) this.core.arena.freeEvictable(this.#place.segment);
    this.#place.segment = this.#place.outside = undefined;
  }

  get #heldRows(): Float32Array | Float64Array {
    if (this.#place.segment === undefined && this.#place.outside === undefined) throw released();
    return this.#place.rows;
  }

  /** Finds the neighbours of queries from … to − 1, block by block. */
  #search(queries: Queries, from: number, to: number, k: number, finish: Finish): void {
    const block = this.prepare(k, to - from);
    if (this.tree !== undefined && queries === POINTS && to - from === this.count) {
      this.#search(PLACES, from, to, k, inOrder(this, finish));
      return;
    }
    const isJoined =
      queries === (this.tree?.isJoined ? PLACES : POINTS) &&
      this.#canJoin(from, to, block) &&
      selfJoinInGroups(this, k, { from, to }, Math.min(to - from, this.#groupSize), finish);
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
    return !this.#isTree && !this.isByKernel && isWhole && isEnough && block === LARGEST_BLOCK;
  }

  /** Points that can be joined at a time. */
  get #groupSize(): number {
    const held = (this.#place.segment?.size ?? 0) + (this.#workspace?.segment.size ?? 0);
    return groupSize(this.count, this.searchCall.slots, this.count * this.columns * this.#bytes, held);
  }

  /** Makes sure that there is a workspace and that the points are in memory; returns the block size. */
  prepare(k: number, queries: number): number {
    // The workspace first: allocating it may evict the points, but never the other way round.
    const workspace = workspaceFor(this.core, this.count, this.columns, k, queries);
    if (workspace !== this.#workspace) workspace.describe(this.searchCall);
    this.#workspace = workspace;
    this.#moveBackIn();
    return workspace.block;
  }

  /** Makes sure that the points are in memory, with panels. */
  #moveBackIn(): void {
    const { segment, outside } = this.#place;
    if (segment !== undefined) {
      if (!this.#isLent) this.core.arena.touch(segment);
    } else if (outside !== undefined) {
      this.#moveIn();
      this.#place.rows.set(outside);
    } else throw released();
    if (!this.#arePanelsReady) finish(this.preparePanels());
  }

  /** Makes panels, or a tree, of the rows. */
  *preparePanels(): Steps<void> {
    const { loops, searchCall, core, tree } = this;
    const segment = this.#place.segment;
    if (segment === undefined) return; // it was moved out meanwhile, and is prepared when it moves back in
    const step = (work: () => void): void => {
      if (this.#place.segment !== segment) return;
      core.searchCall.write(searchCall);
      work();
      searchCall.unit = core.searchCall.real('unit');
    };
    const maker = { loops, searchCall, call: core.call, step, arena: core.arena };
    yield* tree === undefined ? makePanels(maker) : makeTree(maker, tree);
    this.#arePanelsReady = this.#place.segment === segment;
  }

  /** Takes room. */
  #moveIn(): void {
    const layout = layOutHeld(this, this.#bytes);
    const remedy = this.precision === 'double' ? HALVED : undefined;
    const segment = this.core.arena.allocateEvictable(layout.total, this.#place, this, remedy);
    this.#place.segment = segment;
    this.#place.outside = undefined;
    Object.assign(this.searchCall, layout.at(segment.start));
    writePlan(this);
    this.#arePanelsReady = false;
  }

  /** Takes points that another thread lends as they are. What is written beside them needs room here. */
  #settleAt({ place }: LentBytes): void {
    this.#place.segment = place;
    Object.assign(this.searchCall, layOutHeld(this, this.#bytes).at(place.start));
    if (this.tree !== undefined) this.searchCall.line = this.core.arena.allocate(lineSize(this.columns)).start;
  }

  /** What a query costs for each panel: the columns, and the test of an estimate or the kernel function itself. */
  get perPanel(): number {
    return this.#panelWidth * (this.isByKernel ? 2 * this.columns + 60 : this.columns + 8);
  }

  /** The places of points that lie in an order but are compared in panels. */
  places(): Uint32Array | undefined {
    if (!this.tree?.isJoined) return undefined;
    this.#places ??= placesIn(this.order as Uint32Array);
    return this.#places;
  }

  /** Whether a tree is searched. */
  get #isTree(): boolean {
    return this.tree !== undefined && !this.tree.isJoined;
  }

  /** Points in a panel: a cache line of 32-bit words, or of full numbers for kernel distances. */
  get #panelWidth(): number {
    return this.isByKernel ? 64 / this.#bytes : PANEL_WIDTH;
  }
}
