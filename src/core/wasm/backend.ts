// Points held in the WebAssembly memory, or, when room was needed there, as an ordinary array until
// they are used again. Work goes in block by block and visit by visit, so that no call into the module
// takes more than a few milliseconds: there could be no progress otherwise, and V8 cannot switch to its
// optimised code inside a running call.
import { type Backend, POINTS, type PointSet, type Precision, type Queries } from '../backend.js';
import { CurvadError } from '../errors.js';
import { distanceOf, KERNEL_NAMES, type Kernel } from '../kernel.js';
import type { RowSource } from '../matrix.js';
import { atOnce, inBlocks, type Pausing } from '../pauses.js';
import type { Build } from './build.js';
import { type Core, coreOf, type Loops } from './core.js';
import { emptyFrame, FRAME, type Frame, readUnit, writeFrame } from './frame.js';
import { Place } from './place.js';
import { LARGEST_VISIT, layOut, type Workspace, workspaceFor } from './workspace.js';

type Vector = Float32Array | Float64Array;

/** The distances of assembly/index.ts, by number. */
const DISTANCES = ['squared', 'absolute', 'kernel'] as const;
/** Lines of a panel that fit the first-level cache. */
const CACHED_LINES = 256;
/** Query × point × column products in one call: a few milliseconds. */
const CALL = 5e7;
/** "Not one of the points." */
const NONE = 0xffffffff;
/** What helps where points in double precision do not fit. */
const HALVED = "use fewer rows or columns, or precision 'single' where the method has it";

/** The backend of one build. Throws where the runtime refuses to compile. */
export function wasmBackend(build: Build): Backend {
  const core = coreOf(build);
  return {
    name: `wasm-${build}`,
    hold: (rows, precision, kernel) => atOnce(holdInSteps(core, rows, precision, kernel)),
    holdInSteps: (rows, precision, kernel) => holdInSteps(core, rows, precision, kernel),
  };
}

function* holdInSteps(core: Core, rows: RowSource, precision: Precision, kernel: Kernel): Pausing<PointSet> {
  const points = new WasmPoints(core, rows, precision, kernel);
  try {
    yield* inBlocks(rows.rows, rows.columns, (from, to) => points.fill(rows, from, to));
    return points;
  } catch (error) {
    points.release();
    throw error;
  }
}

class WasmPoints implements PointSet {
  readonly count: number;
  readonly columns: number;
  readonly precision: Precision;
  readonly kernel: Kernel;
  readonly #core: Core;
  readonly #loops: Loops;
  readonly #distance: number;
  readonly #frame: Frame;
  readonly #place: Place;
  #arePanelsReady = false;
  #workspace: Workspace | undefined;

  /** Room for rows; they are to be filled in. */
  constructor(core: Core, source: RowSource, precision: Precision, kernel: Kernel) {
    this.count = source.rows;
    this.columns = source.columns;
    this.precision = precision;
    this.kernel = kernel;
    this.#core = core;
    this.#loops = core.loops[precision];
    this.#distance = DISTANCES.indexOf(distanceOf(kernel.name));
    const { gamma, coef0, degree } = kernel;
    const { count, columns } = this;
    this.#frame = { ...emptyFrame(), gamma, coef0, degree, count, columns };
    this.#frame.kernel = KERNEL_NAMES.indexOf(kernel.name);
    this.#place = new Place(core.arena, precision, count * columns);
    this.#planVisits();
    this.#moveIn();
  }

  /** Takes rows from … to − 1. */
  fill(source: RowSource, from: number, to: number): void {
    const row = new Float64Array(this.columns);
    const { rows } = this.#place;
    for (let i = from; i < to; i++) {
      source.read(i, row, 0);
      rows.set(row, i * this.columns);
    }
  }

  rows(): Vector {
    return this.#heldRows.slice();
  }

  copyRows(from: number, to: number, into: Vector): void {
    into.set(this.#heldRows.subarray(from * this.columns, to * this.columns), from * this.columns);
  }

  gather(indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void {
    const { columns } = this;
    const rows = this.#heldRows;
    for (let i = from; i < to; i++) {
      const row = (indices[i] as number) * columns;
      for (let j = 0; j < columns; j++) into[at++] = rows[row + j] as number;
    }
  }

  neighbors(
    queries: Queries,
    from: number,
    to: number,
    k: number,
    indices: Uint32Array,
    distances: Float64Array,
  ): void {
    const block = this.#prepare(k, to - from);
    const { arena } = this.#core;
    for (let first = from; first < to; first += block) {
      const count = this.#search(queries, first, Math.min(block, to - first));
      const { slots } = this.#frame;
      for (let query = 0; query < count; query++) {
        const result = (first - from + query) * k;
        const fromIndex = this.#frame.indices / 4 + query * slots;
        const fromDistance = this.#frame.distances / 8 + query * slots;
        for (let a = 0; a < k; a++) {
          indices[result + a] = arena.words[fromIndex + a] as number;
          distances[result + a] = arena.reals[fromDistance + a] as number;
        }
      }
    }
  }

  curvature(queries: Queries, from: number, to: number, k: number, scores: Float64Array): void {
    const block = this.#prepare(k, to - from);
    for (let first = from; first < to; first += block) {
      const count = this.#search(queries, first, Math.min(block, to - first));
      if (this.kernel.name === 'linear') this.#loops.curvature(FRAME);
      else this.#loops.kernelCurvature(FRAME);
      this.#copyOut(this.#frame.scores, count, scores, first - from);
    }
  }

  gradient(queries: Queries, from: number, to: number, k: number, gradients: Float64Array): void {
    const block = this.#prepare(k, to - from);
    for (let first = from; first < to; first += block) {
      const count = this.#search(queries, first, Math.min(block, to - first));
      this.#loops.gradient(FRAME);
      this.#copyOut(this.#frame.gradients, count * this.columns, gradients, (first - from) * this.columns);
    }
  }

  release(): void {
    if (this.#place.segment !== undefined) this.#core.arena.vacate(this.#place.segment);
    this.#place.segment = this.#place.outside = undefined;
  }

  get #heldRows(): Vector {
    if (this.#place.segment === undefined && this.#place.outside === undefined) throw released();
    return this.#place.rows;
  }

  /** Sees to it that there is a workspace and that the points are in memory; returns its block size. */
  #prepare(k: number, queries: number): number {
    const { arena } = this.#core;
    // The workspace first: making room for it may move the points out, but never the other way round.
    const workspace = workspaceFor(this.#core, this.columns, k, queries);
    if (workspace !== this.#workspace) workspace.describe(this.#frame);
    this.#workspace = workspace;
    const { segment, outside } = this.#place;
    if (segment !== undefined) arena.touch(segment);
    else if (outside !== undefined) this.#moveBackIn(outside);
    else throw released();
    if (!this.#arePanelsReady) {
      writeFrame(arena, this.#frame);
      this.#loops.preparePoints(FRAME, this.#distance);
      this.#frame.unit = readUnit(arena);
      this.#arePanelsReady = true;
    }
    return workspace.block;
  }

  /** Finds the neighbours of one block of queries. */
  #search(queries: Queries, first: number, count: number): number {
    const distance = this.#distance;
    const { blocks } = this.#frame;
    this.#frame.queries = count;
    writeFrame(this.#core.arena, this.#frame);
    if (queries === POINTS) this.#loops.queryPoints(FRAME, first);
    else this.#copyIn(queries, first, count);
    this.#loops.prepareQueries(FRAME, distance);
    const visits = this.#visitsPerCall(count);
    for (let visit = 0; visit < blocks; visit += visits) {
      this.#loops.collect(FRAME, distance, visit, Math.min(visit + visits, blocks));
    }
    if (this.#loops.settle(FRAME, distance) > 0) {
      for (let visit = 0; visit < blocks; visit += visits) {
        this.#loops.measure(FRAME, distance, visit, Math.min(visit + visits, blocks));
      }
      this.#loops.settleOpen(FRAME);
    }
    return count;
  }

  #copyIn(queries: RowSource, first: number, count: number): void {
    const { reals, words } = this.#core.arena;
    const rows = this.#frame.rows / 8;
    const selves = this.#frame.selves / 4;
    for (let query = 0; query < count; query++) {
      queries.read(first + query, reals, rows + query * this.columns);
      words[selves + query] = NONE;
    }
  }

  #copyOut(from: number, count: number, to: Float64Array, at: number): void {
    const { reals } = this.#core.arena;
    for (let i = 0; i < count; i++) to[at + i] = reals[from / 8 + i] as number;
  }

  /** Takes room for rows | panels | weights | constants, or rows | panels | k(p,p) for kernel distances. */
  #moveIn(): void {
    const { count, columns } = this;
    const padded = Math.ceil(count / 16) * 16;
    const points = count * columns * this.#bytes;
    const layout = layOut(
      this.#isByKernel
        ? { points, panels: padded * columns * this.#bytes, diagonal: count * 8 }
        : { points, panels: padded * Math.ceil(columns / 2) * 4, weights: padded * 4, constants: padded * 4 },
    );
    const remedy = this.precision === 'double' ? HALVED : undefined;
    const segment = this.#core.arena.rent(layout.total, this.#place, this, remedy);
    this.#place.segment = segment;
    this.#place.outside = undefined;
    Object.assign(this.#frame, layout.at(segment.start));
    this.#arePanelsReady = false;
  }

  #moveBackIn(rows: Vector): void {
    this.#moveIn();
    this.#place.rows.set(rows);
  }

  /** Visits step through the blocks by about the golden ratio, so that they meet all parts of the data early. */
  #planVisits(): void {
    const lines = this.#isByKernel ? this.columns : Math.ceil(this.columns / 2);
    const panels = Math.ceil(this.count / this.#panelWidth);
    const blockPanels = Math.max(1, Math.min(LARGEST_VISIT, Math.floor(CACHED_LINES / lines)));
    const blocks = Math.ceil(panels / blockPanels);
    let blockStep = Math.max(1, Math.round(blocks * 0.618));
    while (greatestCommonDivisor(blockStep, blocks) > 1) blockStep++;
    Object.assign(this.#frame, { blockPanels, blocks, blockStep });
  }

  #visitsPerCall(queries: number): number {
    // Beyond its columns a pair costs the test of its estimate, or the kernel function itself.
    const perPair = this.#isByKernel ? 2 * this.columns + 60 : this.columns + 8;
    const perVisit = queries * this.#frame.blockPanels * this.#panelWidth * perPair;
    return Math.max(1, Math.floor(CALL / perVisit));
  }

  get #isByKernel(): boolean {
    return distanceOf(this.kernel.name) === 'kernel';
  }

  get #bytes(): number {
    return this.precision === 'single' ? 4 : 8;
  }

  /** Points in a panel: a cache line of 32-bit words, or of full numbers for kernel distances. */
  get #panelWidth(): number {
    return this.#isByKernel ? 64 / this.#bytes : 16;
  }
}

function released(): CurvadError {
  return new CurvadError('DISPOSED', 'these points were released');
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
