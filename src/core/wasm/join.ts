// The neighbours of points among themselves. The product of two points serves both of them, so every pair of
// blocks is visited once, for the queries of one and the points of the other: half the work of asking block
// by block. Each block is first taken over itself, which gives its points a good bound. All this needs room
// for the candidates of all points at once; where that is short, the points go in groups, and only pairs of
// blocks within a group are visited once.
import type { JoinPart } from '../backend.js';
import type { Segment } from './arena.js';
import { LARGEST_VISIT, PANEL_WIDTH } from './contract.js';
import { FRAME, type Frame } from './frame.js';
import { layOut } from './layout.js';
import { type Finish, measureOpen, type Searchable, sweep } from './search.js';
import { blockOf, planVisits, type Visits } from './visits.js';
import { LARGEST_BLOCK } from './workspace.js';

/** Points in a block. */
export const BLOCK = LARGEST_VISIT * PANEL_WIDTH;
/** All that a search needs, as a multiple of what the rows take; or a size that nobody would notice. */
const MOST = 2.25;
const UNNOTICED = 2 * 2 ** 20;

/** Of so many points, those that can be joined as one group beside what is `held` in memory, rows included. */
export function groupSize(points: number, slots: number, rows: number, held: number): number {
  const most = Math.max(UNNOTICED, MOST * rows - held) / (slots * 4 + 8);
  return most >= points ? points : Math.floor(most / BLOCK) * BLOCK;
}

/** Points from … to − 1. */
export type Range = Pick<JoinPart, 'from' | 'to'>;
const NONE: Range = { from: 0, to: 0 };

/** Points in whole panels. */
function padded({ from, to }: Range): number {
  return Math.ceil((to - from) / PANEL_WIDTH) * PANEL_WIDTH;
}

/** Room for the candidates of some points, and of others behind them. */
export function layOutCandidates(slots: number, points: Range, others: Range = NONE) {
  const count = padded(points) + padded(others);
  return layOut({ bounds: count * 4, counts: count * 4, found: count * slots * 4 });
}

export class Join {
  readonly #source: Searchable;
  readonly #points: Searchable;
  readonly #frame: Frame;
  readonly #group: Range;
  readonly #others: Range;
  readonly #room: Segment;
  /** Visits to the blocks of the group, to those before and after it, and to all points. */
  readonly #inside: Visits;
  readonly #outside: readonly Visits[];
  readonly #all: Visits;

  /** Of points in whole blocks but for the last of all, and others whose candidates are there, too. */
  constructor(points: Searchable, room: Segment, group: Range, others = NONE) {
    const { core, loops, frame, perPanel } = points;
    const plan = (first: number, end: number) => planVisits(first, end - first);
    const [first, end] = [group.from / BLOCK, Math.ceil(group.to / BLOCK)];
    this.#all = frame;
    this.#source = points;
    this.#frame = { ...frame };
    this.#points = { core, loops, isByKernel: false, perPanel, frame: this.#frame };
    this.#room = room;
    this.#group = group;
    this.#others = others;
    this.#inside = plan(first, end);
    this.#outside = [plan(0, first), plan(end, Math.ceil(frame.count / BLOCK))];
  }

  /** Visits to pairs of blocks: first every block to itself, then every two blocks to each other. */
  get visits(): number {
    const { blocks } = this.#inside;
    return (blocks * (blocks + 1)) / 2;
  }

  /** Takes note that the points, or what is needed to search them, may have moved in memory. */
  refresh(): void {
    Object.assign(this.#frame, this.#source.frame);
  }

  /** Forgets all candidates and bounds. */
  clear(): void {
    const { from, to } = this.#group;
    this.#write(from, to - from, this.#inside);
    this.#points.loops.clearCandidates(FRAME);
  }

  /** Makes visits from … to − 1. */
  collect(from: number, to: number): void {
    const inside = this.#inside;
    const { blocks } = inside;
    let visit = from;
    for (; visit < Math.min(to, blocks); visit++) this.#visitItself(blockOf(inside, visit));
    let past = blocks;
    for (let block = 0; visit < to; block++) {
      // Those of a block go to all that come after it.
      const end = past + blocks - block - 1;
      if (visit < end) {
        const next = block + 1 + visit - past;
        const count = Math.min(to, end) - visit;
        this.#visit(blockOf(inside, block), inside, 'join', this.#group, next, next + count);
        visit += count;
      }
      past = end;
    }
  }

  /** Visits all points outside the group. */
  collectOutside(): void {
    for (const visits of this.#outside) {
      for (let block = 0; block < this.#inside.blocks; block++) {
        this.#visit(blockOf(this.#inside, block), visits, 'collect', NONE);
      }
    }
  }

  /** Has the points of the group and the others visit each other. */
  meet(): void {
    const first = this.#others.from / BLOCK;
    const visits = planVisits(first, Math.ceil(this.#others.to / BLOCK) - first);
    for (let block = 0; block < this.#inside.blocks; block++) {
      this.#visit(blockOf(this.#inside, block), visits, 'join', this.#others);
    }
  }

  /** What is known of the group and the others, each as bounds | counts | candidates. */
  known(): Uint32Array[] {
    return this.#memory.map((arrays) => {
      const known = new Uint32Array(arrays.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const array of arrays) {
        known.set(array, at);
        at += array.length;
      }
      return known;
    });
  }

  /** Takes over what was known elsewhere. */
  adopt(known: ReadonlyArray<Uint32Array | undefined>): void {
    for (const [i, arrays] of this.#memory.entries()) {
      let at = 0;
      for (const array of arrays) {
        array.set(known[i]?.subarray(at, at + array.length) ?? []);
        at += array.length;
      }
    }
  }

  /** Finds the neighbours of points from … to − 1 among their candidates and hands them on, block by block. */
  settle(from: number, to: number, finish: Finish): void {
    const { loops } = this.#points;
    for (let first = from; first < to; first += LARGEST_BLOCK) {
      const count = Math.min(LARGEST_BLOCK, to - first);
      this.#write(first, count, this.#all);
      loops.queryPoints(FRAME, first);
      loops.measureCandidates(FRAME);
      if (loops.settle(FRAME) > 0) {
        loops.packQueries(FRAME);
        measureOpen(this.#points);
      }
      finish(first, count);
    }
  }

  #visitItself(block: number): void {
    this.#visit(block, planVisits(block, 1), 'collect', NONE);
  }

  /**
   * Makes the points of a block the queries, as many at a time as can be, and takes them over others: of visits
   * from … to − 1, and of points whose candidates are those of the group, or of the others.
   */
  #visit(block: number, visits: Visits, pass: 'collect' | 'join', over: Range, from = 0, to = visits.blocks): void {
    const { loops } = this.#points;
    const start = block * BLOCK;
    const end = from < to ? Math.min(start + BLOCK, this.#group.to) : start;
    for (let first = start; first < end; first += LARGEST_BLOCK) {
      this.#write(first, Math.min(LARGEST_BLOCK, end - first), visits, over);
      loops.packOwnQueries(FRAME);
      sweep(this.#points, loops[pass], from, to);
    }
  }

  /** The memory of the group and of the others. */
  get #memory(): Uint32Array[][] {
    this.#write(this.#group.from, 0, this.#all);
    const { bounds, counts, found, slots } = this.#frame;
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

  #write(firstQuery: number, queries: number, { firstBlock, blocks, blockStep }: Visits, over = this.#group): void {
    const frame = this.#frame;
    const layout = layOutCandidates(frame.slots, this.#group, this.#others);
    const { bounds, counts, found } = layout.at(this.#room.start);
    const row = firstQuery - this.#group.from;
    const behind = over === this.#others ? padded(this.#group) : 0;
    Object.assign(frame, { firstQuery, queries, firstBlock, blocks, blockStep });
    frame.firstPoint = over.from - behind + row;
    frame.bounds = bounds + row * 4;
    frame.counts = counts + row * 4;
    frame.found = found + row * frame.slots * 4;
    this.#points.core.frame.write(frame);
  }
}
