// The neighbours of points among themselves. The product of two points serves both of them, so every pair of
// blocks is visited once, for the queries of one and the points of the other: half the work of asking block
// by block. Each block is first taken over itself, which gives its points a good bound. All this needs room
// for the candidates of all points at once; where that is short, the points go in groups, and only pairs of
// blocks within a group are visited once.
import type { Candidates } from '../backend.js';
import type { Segment } from './arena.js';
import { FRAME, type Frame, writeFrame } from './frame.js';
import { type Finish, measureCandidates, measureOpen, type Searchable, sweep } from './search.js';
import { blockOf, LARGEST_VISIT, planVisits, type Visits } from './visits.js';
import { LARGEST_BLOCK, layOut } from './workspace.js';

/** Points in a panel, and in a block: as many as are asked about at a time, a few times over. */
const WIDTH = 16;
export const BLOCK = LARGEST_VISIT * WIDTH;
/** All that a search needs, as a multiple of what the rows take; or a size that nobody would notice. */
const MOST = 2.25;
const UNNOTICED = 2 * 2 ** 20;

/** Of so many points, those that can be joined as one group beside what is `held` in memory, rows included. */
export function groupSize(points: number, slots: number, rows: number, held: number): number {
  const most = Math.max(UNNOTICED, MOST * rows - held) / (slots * 4 + 8);
  return most >= points ? points : Math.floor(most / BLOCK) * BLOCK;
}

/** Room for the candidates of so many points. */
export function layOutCandidates(slots: number, points: number) {
  const padded = Math.ceil(points / WIDTH) * WIDTH;
  return layOut({ bounds: padded * 4, counts: padded * 4, found: points * slots * 4 });
}

export class Join {
  readonly #source: Searchable;
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
    const { core, loops, frame, perPanel } = points;
    const plan = (first: number, end: number) => planVisits(first, end - first);
    const [first, end] = [from / BLOCK, Math.ceil(to / BLOCK)];
    this.#all = frame;
    this.#source = points;
    this.#frame = { ...frame };
    this.#points = { core, loops, isByKernel: false, perPanel, frame: this.#frame };
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

  /** Visits of a block to itself: the first ones. */
  get homes(): number {
    return this.#inside.blocks;
  }

  /** Takes note that the points, or what is needed to search them, may have moved in memory. */
  refresh(): void {
    Object.assign(this.#frame, this.#source.frame);
  }

  /** Forgets all candidates and bounds. */
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

  /** Finds the neighbours of points from … to − 1 among their candidates and hands them on, block by block. */
  settle(from: number, to: number, finish: Finish): void {
    this.#settle(from, to, finish, () => measureCandidates(this.#points));
  }

  /** The same among candidates that were collected elsewhere. */
  settleAmong(lists: readonly Candidates[], from: number, to: number, finish: Finish): void {
    const places = lists.map(() => 0);
    this.#settle(from, to, finish, (first, count) => {
      for (const [i, list] of lists.entries()) {
        places[i] = this.#put(list, first - from, count, places[i] as number, i === 0);
        this.#points.loops.measureCandidates(FRAME);
      }
    });
  }

  /** What was collected here. */
  candidates(): Candidates {
    this.#write(this.#from, this.#to - this.#from, this.#all);
    const { buffer, words } = this.#points.core.arena;
    const { bounds, counts, found, slots } = this.#frame;
    const rows = this.#to - this.#from;
    const list = {
      bounds: new Float32Array(buffer, bounds, rows).slice(),
      counts: new Uint32Array(buffer, counts, rows).slice(),
    };
    const indices = new Uint32Array(list.counts.reduce((sum, count) => sum + count, 0));
    let at = 0;
    for (let row = 0; row < rows; row++) {
      const first = found / 4 + row * slots;
      for (let i = 0; i < (list.counts[row] as number); i++) indices[at++] = words[first + i] as number;
    }
    return { ...list, indices };
  }

  /** The estimate that candidates of each point must exceed, as a view of the memory. */
  get bounds(): Float32Array {
    this.#write(this.#from, this.#to - this.#from, this.#all);
    return new Float32Array(this.#points.core.arena.buffer, this.#frame.bounds, this.#to - this.#from);
  }

  #settle(from: number, to: number, finish: Finish, measure: (first: number, count: number) => void): void {
    const { loops } = this.#points;
    for (let first = from; first < to; first += LARGEST_BLOCK) {
      const count = Math.min(LARGEST_BLOCK, to - first);
      this.#write(first, count, this.#all);
      loops.queryPoints(FRAME, first);
      loops.takeNorms(FRAME);
      loops.clearNeighbors(FRAME);
      measure(first, count);
      if (loops.settle(FRAME) > 0) {
        loops.packQueries(FRAME);
        measureOpen(this.#points);
      }
      finish(first, count);
    }
  }

  /** Gives points candidates from a list; returns where in it those of the next points are. */
  #put(list: Candidates, row: number, rows: number, place: number, isFirst: boolean): number {
    const { buffer, words } = this.#points.core.arena;
    const bounds = new Float32Array(buffer, this.#frame.bounds, rows);
    for (let i = 0; i < rows; i++) {
      const count = list.counts[row + i] as number;
      const bound = list.bounds[row + i] as number;
      // What one list leaves out must not be nearer than what any list leaves out.
      bounds[i] = isFirst ? bound : Math.max(bounds[i] as number, bound);
      words[this.#frame.counts / 4 + i] = count;
      const found = this.#frame.found / 4 + i * this.#frame.slots;
      for (let j = 0; j < count; j++) words[found + j] = list.indices[place++] as number;
    }
    return place;
  }

  /** Makes the points of a block the queries, as many at a time as can be. */
  #forQueriesOf(visit: number, visits: Visits, work: () => void): void {
    const start = blockOf(this.#inside, visit) * BLOCK;
    const end = Math.min(start + BLOCK, this.#to);
    for (let first = start; first < end; first += LARGEST_BLOCK) {
      this.#write(first, Math.min(LARGEST_BLOCK, end - first), visits);
      this.#points.loops.packOwnQueries(FRAME);
      work();
    }
  }

  #write(firstQuery: number, queries: number, { firstBlock, blocks, blockStep }: Visits): void {
    const frame = this.#frame;
    const { bounds, counts, found } = layOutCandidates(frame.slots, this.#to - this.#from).at(this.#room.start);
    const row = firstQuery - this.#from;
    Object.assign(frame, { firstQuery, queries, firstBlock, blocks, blockStep });
    frame.bounds = bounds + row * 4;
    frame.counts = counts + row * 4;
    frame.found = found + row * frame.slots * 4;
    writeFrame(this.#points.core.arena, frame);
  }
}
