// The neighbours of points among themselves. The product of two points serves both of them, so every pair of
// blocks is visited once, for the queries of one and the points of the other: half the work of asking block
// by block. Each block is first taken over itself, which gives its points a good bound. All this needs room
// for the candidates of all points at once; where that is short, the points go in groups, and only pairs of
// blocks within a group are visited once.
import type { Segment } from './arena.js';
import { FRAME, type Frame, writeFrame } from './frame.js';
import { type Finish, measureOpen, type Searchable, sweep } from './search.js';
import { blockOf, LARGEST_VISIT, planVisits, type Visits } from './visits.js';
import { LARGEST_BLOCK, layOut } from './workspace.js';

/** Points in a panel, and in a block: as many as are asked about at a time, a few times over. */
const WIDTH = 16;
export const BLOCK = LARGEST_VISIT * WIDTH;
/** Bytes for candidates, or a share of what the rows take where that is more. */
const COMFORTABLE = 4 * 2 ** 20;
const SHARE = 0.85;

/** Points that can be joined as one group, where all rows take so many bytes. */
export function groupSize(slots: number, bytes: number): number {
  const most = Math.max(COMFORTABLE, SHARE * bytes) / (slots * 8 + 8);
  return Math.floor(most / BLOCK) * BLOCK;
}

/** Room for the candidates of so many points. */
export function layOutCandidates(slots: number, points: number) {
  const padded = Math.ceil(points / WIDTH) * WIDTH;
  return layOut({ bounds: padded * 4, counts: padded * 4, keys: points * slots * 4, found: points * slots * 4 });
}

export class Join {
  readonly #points: Searchable;
  readonly #frame: Frame;
  readonly #from: number;
  readonly #to: number;
  readonly #room: Segment;
  /** Visits to the blocks of the group, to those before and after it, and to all points. */
  readonly #inside: Visits;
  readonly #outside: readonly Visits[];
  readonly #all: Visits;

  /** Of points from … to − 1, which make whole blocks but for the last of all. */
  constructor(points: Searchable, room: Segment, from: number, to: number) {
    const { core, loops, distance, frame, perPanel } = points;
    const plan = (first: number, end: number) => planVisits(first, end - first);
    const [first, end] = [from / BLOCK, Math.ceil(to / BLOCK)];
    this.#all = frame;
    this.#frame = { ...frame };
    this.#points = { core, loops, distance, isByKernel: false, perPanel, frame: this.#frame };
    this.#room = room;
    this.#from = from;
    this.#to = to;
    this.#inside = plan(first, end);
    this.#outside = [plan(0, first), plan(end, Math.ceil(frame.count / BLOCK))];
  }

  /** Visits to pairs of blocks: first every block to itself, then every two blocks to each other. */
  get visits(): number {
    const { blocks } = this.#inside;
    return (blocks * (blocks + 1)) / 2;
  }

  /** Forgets all candidates. */
  clear(): void {
    this.#write(this.#from, this.#to - this.#from, this.#inside);
    this.#points.loops.clearCandidates(FRAME);
  }

  /** Makes visits from … to − 1. */
  collect(from: number, to: number): void {
    const { blocks } = this.#inside;
    const { loops } = this.#points;
    let visit = from;
    for (; visit < Math.min(to, blocks); visit++) {
      const home = visit;
      this.#forQueriesOf(home, this.#inside, () => sweep(this.#points, loops.collect, home, home + 1));
    }
    let past = blocks;
    for (let block = 0; visit < to; block++) {
      // Those of a block go to all that come after it.
      const end = past + blocks - block - 1;
      if (visit < end) {
        const next = block + 1 + visit - past;
        const count = Math.min(to, end) - visit;
        this.#forQueriesOf(block, this.#inside, () => sweep(this.#points, loops.join, next, next + count));
        visit += count;
      }
      past = end;
    }
  }

  /** Visits all points outside the group. */
  collectOutside(): void {
    for (const visits of this.#outside) {
      if (visits.blocks === 0) continue;
      for (let block = 0; block < this.#inside.blocks; block++) {
        this.#forQueriesOf(block, visits, () => sweep(this.#points, this.#points.loops.collect));
      }
    }
  }

  /** Finds the neighbours among the candidates and hands them on, block by block. */
  settle(finish: Finish): void {
    const { loops, distance } = this.#points;
    for (let first = this.#from; first < this.#to; first += LARGEST_BLOCK) {
      const count = Math.min(LARGEST_BLOCK, this.#to - first);
      this.#write(first, count, this.#all);
      loops.queryPoints(FRAME, first);
      loops.takeNorms(FRAME, distance);
      loops.clearNeighbors(FRAME);
      loops.measureCandidates(FRAME, distance);
      if (loops.settle(FRAME, distance) > 0) {
        loops.packQueries(FRAME, distance);
        measureOpen(this.#points);
      }
      finish(first, count);
    }
  }

  /** Makes the points of a block the queries, as many at a time as can be. */
  #forQueriesOf(visit: number, visits: Visits, work: () => void): void {
    const start = blockOf(this.#inside, visit) * BLOCK;
    const end = Math.min(start + BLOCK, this.#to);
    for (let first = start; first < end; first += LARGEST_BLOCK) {
      this.#write(first, Math.min(LARGEST_BLOCK, end - first), visits);
      this.#points.loops.packOwnQueries(FRAME, this.#points.distance);
      work();
    }
  }

  #write(firstQuery: number, queries: number, { firstBlock, blocks, blockStep }: Visits): void {
    const frame = this.#frame;
    const { bounds, counts, keys, found } = layOutCandidates(frame.slots, this.#to - this.#from).at(this.#room.start);
    const row = firstQuery - this.#from;
    Object.assign(frame, { firstQuery, queries, firstBlock, blocks, blockStep });
    frame.bounds = bounds + row * 4;
    frame.counts = counts + row * 4;
    frame.keys = keys + row * frame.slots * 4;
    frame.found = found + row * frame.slots * 4;
    writeFrame(this.#points.core.arena, frame);
  }
}
