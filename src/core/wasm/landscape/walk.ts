// The walk of assembly/walk.ts: its memory, and the lists of points it requests on the way.

import { LARGEST } from '../../input/scaling.js';
import type { WalkEnd, Walker, WalkPlan } from '../../landscape/walk.js';
import type { Build } from '../build.js';
import { Walk, WalkStatus, WalkStop } from '../contract.js';
import { type Core, coreOf } from '../core.js';
import type { Arena, Segment } from '../memory/arena.js';
import { layOut } from '../memory/layout.js';
import { type Fields, MemoryRecord } from '../memory/record.js';
import { AnchoredPoints, listLength, listSizes } from './anchored-list.js';

type Part = keyof ReturnType<typeof walkSizes>;

/** Points measured × columns in one call: about a millisecond. */
const CALL = 1e6;

/** How a walk ended, by status. */
const ENDS: Readonly<Record<number, WalkEnd>> = {
  [WalkStatus.REACHED]: 'reached',
  [WalkStatus.CONVERGED]: 'converged',
  [WalkStatus.STALLED]: 'stalled',
  [WalkStatus.INCREASED]: 'increased',
  [WalkStatus.DIVERGED]: 'diverged',
};

/** A walk before its first step. */
const START = { phase: 0, trial: 0, iteration: 0, ending: WalkStatus.PAUSED, surplus: 0 };

export function wasmWalker(build: Build): (plan: WalkPlan) => Walker {
  const core = coreOf(build);
  return (plan) => new WasmWalker(core, plan);
}

class WasmWalker implements Walker {
  readonly #arena: Arena;
  readonly #core: Core;
  readonly #plan: WalkPlan;
  readonly #segment: Segment;
  readonly #at: Record<Part, number>;
  readonly #record: MemoryRecord<typeof Walk>;
  readonly #points: AnchoredPoints;
  readonly #all: AnchoredPoints | undefined;
  readonly #iterationsPerCall: number;

  constructor(core: Core, plan: WalkPlan) {
    this.#arena = core.arena;
    this.#core = core;
    this.#plan = plan;
    const { points, neighbors, labelling } = plan;
    const { columns } = points;
    // The same length for both lists, so that the search can reuse its workspace.
    const count = listLength(neighbors, points.count);
    const list = listSizes(columns, neighbors, count);
    const own = layOut(walkSizes(columns, neighbors));
    const lists = layOut(list);
    this.#segment = core.arena.allocate(own.total + lists.total * (labelling === undefined ? 1 : 2));
    const first = this.#segment.start + own.total;
    this.#points = new AnchoredPoints(core.arena, lists.at(first), points, neighbors, count);
    if (labelling !== undefined) {
      this.#all = new AnchoredPoints(core.arena, lists.at(first + lists.total), labelling.points, neighbors, count);
    }
    this.#at = own.at(this.#segment.start);
    this.#record = new MemoryRecord(core.arena, Walk, this.#at.record);
    this.#iterationsPerCall = Math.max(1, Math.floor(CALL / ((count + 4 * neighbors) * columns)));
    this.#describePlan();
  }

  start(point: Float64Array, low: Float64Array, high: Float64Array): void {
    const { offset, scale } = this.#plan.scaling;
    this.#put('low', low);
    this.#put('high', high);
    this.#put('trialPoint', point);
    this.#put(
      'trialRow',
      point.map((value, j) => (value - (offset[j] as number)) / (scale[j] as number)),
    );
    for (const [name, value] of Object.entries(START)) this.#record.setWord(name as keyof typeof START, value);
    this.#advance(0); // stale lists of another walk do no harm: the walk requests new ones
  }

  walk(iteration: number): WalkEnd | undefined {
    for (;;) {
      const until = Math.min(iteration, this.iteration + this.#iterationsPerCall);
      const end = this.#advance(until);
      if (end !== undefined || until === iteration) return end;
    }
  }

  get iteration(): number {
    return this.#record.word('iteration');
  }

  get score(): number {
    return this.#plan.sign * this.#record.real('score');
  }

  point(): Float64Array {
    const from = this.#at.point / 8;
    return this.#arena.reals.slice(from, from + this.#plan.points.columns);
  }

  neighbors(): Uint32Array {
    const from = this.#at.nearest / 4;
    return this.#arena.words.slice(from, from + this.#plan.neighbors);
  }

  release(): void {
    this.#arena.free(this.#segment);
  }

  /** Calls the core until the iterations are done or the walk ends, and supplies lists on request. */
  #advance(iteration: number): WalkEnd | undefined {
    for (;;) {
      const status = this.#core.loops.walkUntil(this.#at.record, iteration);
      if (status === WalkStatus.PAUSED) return undefined;
      if (status === WalkStatus.NEEDS_POINTS) this.#points.anchorAt(this.#record.word('wanted'));
      else if (status === WalkStatus.NEEDS_ALL) this.#all?.anchorAt(this.#record.word('wanted'));
      else return ENDS[status];
    }
  }

  #describePlan(): void {
    const { points, scaling, sign, step, stop, labelling, wantsAnomaly } = this.#plan;
    const { record: _, ...addresses } = this.#at;
    const fields: Fields<typeof Walk> = {
      ...addresses,
      ...START,
      ...{ score: 0, slope: 0, length: 0, wanted: 0 },
      sign,
      step,
      orientation: labelling?.orientation ?? 1,
      threshold: labelling?.threshold ?? Infinity,
      largest: LARGEST[points.precision],
      points: this.#points.address,
      all: this.#all?.address ?? 0,
      columns: points.columns,
      stop: WalkStop[stop.toUpperCase() as Uppercase<typeof stop>],
      wantsAnomaly: wantsAnomaly ? 1 : 0,
      isScaled: scaling.isScaled ? 1 : 0,
      isSingle: labelling?.precision === 'single' ? 1 : 0,
      patience: points.count,
    };
    this.#record.write(fields);
    this.#put('offset', scaling.offset);
    this.#put('scale', scaling.scale);
  }

  #put(part: 'offset' | 'scale' | 'low' | 'high' | 'trialPoint' | 'trialRow', values: Float64Array): void {
    this.#arena.reals.set(values, this.#at[part] / 8);
  }
}

function walkSizes(columns: number, neighbors: number) {
  const row = columns * 8;
  return {
    record: Walk.size,
    offset: row,
    scale: row,
    low: row,
    high: row,
    point: row,
    row,
    trialPoint: row,
    trialRow: row,
    gradient: row,
    direction: row,
    labelRow: row,
    targets: neighbors * row,
    nearest: neighbors * 4,
  };
}
