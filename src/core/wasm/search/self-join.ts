// Finds the neighbours of points among themselves. The product of two points serves both, so every pair of blocks
// is scanned once, for the queries of one block and the points of the other: half the work of a search block by
// block. Each block is first scanned against itself, which gives its points a good bound. All this needs room for
// the candidates of all points at once; where memory is short, the points are split into groups, and only pairs of
// blocks within a group are scanned once.
import type { JoinPart } from '../../backend.js';
import { MAX_BLOCK_PANELS, PANEL_WIDTH } from '../contract.js';
import type { Segment } from '../memory/arena.js';
import { layOut } from '../memory/layout.js';
import { type BlockOrder, blockAt, orderBlocks } from './block-order.js';
import { type Finish, measureOpen, type Searchable, scanBlocks } from './search.js';
import type { SearchCall } from './search-call.js';
import { LARGEST_BLOCK } from './workspace.js';

/** Points in a block. */
export const BLOCK = MAX_BLOCK_PANELS * PANEL_WIDTH;
/** Memory a search may use in all, as a multiple of the size of the rows, and how much it may always use. */
const MAX_MEMORY_PER_ROW_BYTES = 2.25;
const ALWAYS_ALLOWED_BYTES = 2 * 2 ** 20;

/** How many of the points fit into one group. `rows` is the size of the rows, `held` all that is in memory now (bytes). */
export function groupSize(points: number, slots: number, rows: number, held: number): number {
  const most = Math.max(ALWAYS_ALLOWED_BYTES, MAX_MEMORY_PER_ROW_BYTES * rows - held) / (slots * 4 + 8);
  return most >= points ? points : Math.floor(most / BLOCK) * BLOCK;
}

/** Points from … to − 1. */
export type Range = Pick<JoinPart, 'from' | 'to'>;
const NO_POINTS: Range = { from: 0, to: 0 };

/** Points in whole panels. */
function padded({ from, to }: Range): number {
  return Math.ceil((to - from) / PANEL_WIDTH) * PANEL_WIDTH;
}

/** Room for the candidates of some points, and of others behind them. */
export function layOutCandidates(slots: number, points: Range, others: Range = NO_POINTS) {
  const count = padded(points) + padded(others);
  // Of all panels up to the last, as many as have their boxes together.
  const limits = Math.ceil(Math.max(points.to, others.to) / PANEL_WIDTH ** 2) * PANEL_WIDTH * 4;
  return layOut({ bounds: count * 4, counts: count * 4, limits, found: count * slots * 4 });
}

export class GroupJoin {
  readonly #source: Searchable;
  readonly #points: Searchable;
  readonly #searchCall: SearchCall;
  readonly #group: Range;
  readonly #others: Range;
  readonly #room: Segment;
  /** The order of the blocks of the group, of those before and after it, and of all blocks. */
  readonly #inside: BlockOrder;
  readonly #outside: readonly BlockOrder[];
  readonly #all: BlockOrder;

  /** The group, and `others` whose candidates are in the same memory, consist of whole blocks, except for the very last. */
  constructor(points: Searchable, room: Segment, group: Range, others = NO_POINTS) {
    const { core, loops, searchCall, perPanel } = points;
    const plan = (first: number, end: number) => orderBlocks(first, end - first);
    const [first, end] = [group.from / BLOCK, Math.ceil(group.to / BLOCK)];
    this.#all = searchCall;
    this.#source = points;
    this.#searchCall = { ...searchCall };
    this.#points = { core, loops, isByKernel: false, perPanel, searchCall: this.#searchCall };
    this.#room = room;
    this.#group = group;
    this.#others = others;
    this.#inside = plan(first, end);
    this.#outside = [plan(0, first), plan(end, Math.ceil(searchCall.count / BLOCK))];
  }

  /** Pairs of blocks to scan: first every block with itself, then every two different blocks. */
  get blockPairs(): number {
    const { blocks } = this.#inside;
    return (blocks * (blocks + 1)) / 2;
  }

  /** Reads the addresses again: the points and the workspace may have moved in memory. */
  refresh(): void {
    Object.assign(this.#searchCall, this.#source.searchCall);
  }

  /** Forgets all candidates and bounds. */
  clear(): void {
    const { from, to } = this.#group;
    this.#write(from, to - from, this.#inside);
    this.#points.loops.clearCandidates(this.#points.core.call);
  }

  /** Scans pairs of blocks from … to − 1. */
  collect(from: number, to: number): void {
    const inside = this.#inside;
    const { blocks } = inside;
    let pair = from;
    for (; pair < Math.min(to, blocks); pair++) this.#scanItself(blockAt(inside, pair));
    let past = blocks;
    for (let block = 0; pair < to; block++) {
      // A block is scanned against all blocks that come after it.
      const end = past + blocks - block - 1;
      if (pair < end) {
        const next = block + 1 + pair - past;
        const count = Math.min(to, end) - pair;
        this.#scan(blockAt(inside, block), inside, 'selfJoin', this.#group, { from: next, to: next + count });
        pair += count;
      }
      past = end;
    }
  }

  /** Scans all points outside the group. */
  collectOutside(): void {
    for (const order of this.#outside) {
      for (let block = 0; block < this.#inside.blocks; block++) {
        this.#scan(blockAt(this.#inside, block), order, 'collect', NO_POINTS);
      }
    }
  }

  /** Collects candidates among the others for the group, and among the group for the others. */
  exchange(): void {
    const first = this.#others.from / BLOCK;
    const order = orderBlocks(first, Math.ceil(this.#others.to / BLOCK) - first);
    for (let block = 0; block < this.#inside.blocks; block++) {
      this.#scan(blockAt(this.#inside, block), order, 'selfJoin', this.#others);
    }
  }

  /** A copy of the candidates of the group and of the others, each as bounds | counts | candidates. */
  candidates(): Uint32Array[] {
    return this.#memory.map((arrays) => {
      const candidates = new Uint32Array(arrays.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const array of arrays) {
        candidates.set(array, at);
        at += array.length;
      }
      return candidates;
    });
  }

  /** Loads candidates that were collected elsewhere. */
  load(candidates: ReadonlyArray<Uint32Array | undefined>): void {
    for (const [i, arrays] of this.#memory.entries()) {
      let at = 0;
      for (const array of arrays) {
        array.set(candidates[i]?.subarray(at, at + array.length) ?? []);
        at += array.length;
      }
    }
  }

  /** Finds the neighbours of points from … to − 1 among their candidates and calls `finish` for each block. */
  resolve(from: number, to: number, finish: Finish): void {
    const { loops, core } = this.#points;
    for (let first = from; first < to; first += LARGEST_BLOCK) {
      const count = Math.min(LARGEST_BLOCK, to - first);
      this.#write(first, count, this.#all);
      if (this.#searchCall.order > 0) loops.queryPlaces(core.call);
      else loops.queryPoints(core.call, first);
      loops.measureCandidates(core.call);
      if (loops.verifyCandidates(core.call) > 0) {
        loops.packQueries(core.call);
        measureOpen(this.#points);
      }
      finish(first, count);
    }
  }

  #scanItself(block: number): void {
    this.#scan(block, orderBlocks(block, 1), 'collect', NO_POINTS);
  }

  /**
   * Makes the points of a block the queries, as many at a time as a call allows, and scans the blocks from … to − 1
   * of an order. `over` tells whose candidates the points of these blocks have: those of the group or of the others.
   */
  #scan(
    block: number,
    order: BlockOrder,
    pass: 'collect' | 'selfJoin',
    over: Range,
    { from, to }: Range = { from: 0, to: order.blocks },
  ): void {
    const { loops, core } = this.#points;
    const start = block * BLOCK;
    const end = from < to ? Math.min(start + BLOCK, this.#group.to) : start;
    for (let first = start; first < end; first += LARGEST_BLOCK) {
      this.#write(first, Math.min(LARGEST_BLOCK, end - first), order, over);
      loops.packOwnQueries(core.call);
      scanBlocks(this.#points, loops[pass], from, to);
    }
  }

  /** Views of the bounds, counts and candidates of the group and of the others. */
  get #memory(): Uint32Array[][] {
    this.#write(this.#group.from, 0, this.#all);
    const { bounds, counts, found, slots } = this.#searchCall;
    const { words } = this.#points.core.arena;
    let first = 0;
    const next = (range: Range): Uint32Array[] => {
      const count = padded(range);
      const part = (at: number, size: number) => words.subarray(at / 4 + first * size, at / 4 + (first + count) * size);
      const arrays = [part(bounds, 1), part(counts, 1), part(found, slots)];
      first += count;
      return arrays;
    };
    return [next(this.#group), next(this.#others)];
  }

  #write(firstQuery: number, queries: number, { firstBlock, blocks, blockStep }: BlockOrder, over = this.#group): void {
    const searchCall = this.#searchCall;
    const layout = layOutCandidates(searchCall.slots, this.#group, this.#others);
    const { bounds, counts, limits, found } = layout.at(this.#room.start);
    const row = firstQuery - this.#group.from;
    const behind = over === this.#others ? padded(this.#group) : 0;
    Object.assign(searchCall, { firstQuery, queries, firstBlock, blocks, blockStep });
    searchCall.firstPoint = over.from - behind + row;
    searchCall.bounds = bounds + row * 4;
    searchCall.counts = counts + row * 4;
    searchCall.limits = limits;
    searchCall.found = found + row * searchCall.slots * 4;
    this.#points.core.searchCall.write(searchCall);
  }
}
