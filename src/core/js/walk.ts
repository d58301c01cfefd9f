// The walk on the CAD score, in plain TypeScript. A fixed step is the paper's: x − η∇s. Otherwise each step is
// a line search against the gradient: first as far as the typical neighbour is, then half as far each time,
// until the score falls by a share of what the slope promises. The score jumps where the set of neighbours
// changes, and there the gradient may point at a wall; then the way to each neighbour is polled. A step is
// taken only where the score is lower, so it never rises. assembly/walk.ts does the same.

import { LARGEST } from '../input/scaling.js';
import type { Labelling, WalkEnd, Walker, WalkPlan } from '../landscape/walk.js';
import { curvature, gradient } from './curvature.js';
import { innerProduct } from './sums.js';

/** Trials of a line search. */
const HALVINGS = 30;
/** Share of the promised decrease that is enough. */
const DECREASE = 1e-4;
/** Trials towards one neighbour: 3/2 of the way (past it), 3/4, 3/8, … */
const POLL_LENGTHS = 5;
/** Relative decrease every step must bring, so that a walk cannot go on for ever. */
const LEAST_DECREASE = 1e-9;
/** Slope × distance of a typical neighbour up to which it is flat: no step would bring that decrease. */
const FLAT = 1e-3;

/** A place: in input units, scaled, and what the neighbours there make of it. */
interface Place {
  point: Float64Array;
  row: Float64Array;
  /** sign × raw score. */
  score: number;
  indices: Uint32Array;
  /** Rows of the neighbours. */
  rows: Float64Array[];
  /** Distance of the middle neighbour, or of the farthest where that is 0. */
  length: number;
}

export function jsWalker(plan: WalkPlan): Walker {
  return new JsWalker(plan);
}

class JsWalker implements Walker {
  readonly #plan: WalkPlan;
  #place: Place | undefined;
  #low: Float64Array = new Float64Array(0);
  #high: Float64Array = new Float64Array(0);
  iteration = 0;

  constructor(plan: WalkPlan) {
    this.#plan = plan;
  }

  start(point: Float64Array, low: Float64Array, high: Float64Array): void {
    this.#low = low;
    this.#high = high;
    this.iteration = 0;
    const { offset, scale } = this.#plan.scaling;
    const row = point.map((value, j) => (value - (offset[j] as number)) / (scale[j] as number));
    this.#place = this.#look(point.slice(), row);
  }

  walk(iteration: number): WalkEnd | undefined {
    while (this.iteration < iteration) {
      const end = this.#step();
      if (end !== undefined) return end;
    }
    return undefined;
  }

  get score(): number {
    return this.#plan.sign * this.#here.score;
  }

  point(): Float64Array {
    return this.#here.point.slice();
  }

  neighbors(): Uint32Array {
    return this.#here.indices.slice();
  }

  release(): void {
    this.#place = undefined;
  }

  get #here(): Place {
    if (this.#place === undefined) throw new Error('the walk was not started');
    return this.#place;
  }

  /** One accepted step, or why there is none. */
  #step(): WalkEnd | undefined {
    const { stop, step, labelling } = this.#plan;
    const before = this.#here;
    const direction = this.#direction(before);
    const slope = Math.sqrt(innerProduct(direction, direction));
    const next = step > 0 ? this.#move(before, direction, step) : this.#descend(before, direction, slope);
    if (next === undefined) {
      if (step > 0) return 'diverged';
      return slope * before.length <= FLAT ? 'converged' : 'stalled';
    }
    this.#place = next;
    this.iteration++;
    if (stop === 'label' && labelling !== undefined && this.#isReached(next, labelling)) return 'reached';
    return step > 0 && stop !== 'never' && next.score > before.score ? 'increased' : undefined;
  }

  /** −sign ∇s, without what would leave the bounds. */
  #direction({ point, row, rows }: Place): Float64Array {
    return gradient(row, rows).map((value, j) => {
      const change = -this.#plan.sign * value;
      const at = point[j] as number;
      const isBlocked = change < 0 ? at <= (this.#low[j] as number) : at >= (this.#high[j] as number);
      return isBlocked ? 0 : change;
    });
  }

  /** A lower place: on the line against the gradient, or else towards a neighbour. */
  #descend(before: Place, direction: Float64Array, slope: number): Place | undefined {
    const enough = before.score - LEAST_DECREASE * (1 + Math.abs(before.score));
    for (let trial = 0; trial < HALVINGS && slope > 0; trial++) {
      const length = before.length * 2 ** -trial;
      const next = this.#move(before, direction, length / slope);
      const promised = before.score - DECREASE * length * slope;
      if (next !== undefined && next.score < enough && next.score < promised) return next;
    }
    return this.#poll(before, enough);
  }

  #poll(before: Place, enough: number): Place | undefined {
    const { sign } = this.#plan;
    for (const target of before.rows) {
      // On the way up, away from the neighbour.
      const direction = target.map((value, j) =>
        this.#low[j] === this.#high[j] ? 0 : sign * (value - (before.row[j] as number)),
      );
      for (let trial = 0; trial < POLL_LENGTHS; trial++) {
        const next = this.#move(before, direction, 1.5 * 2 ** -trial);
        if (next !== undefined && next.score < enough) return next;
      }
    }
    return undefined;
  }

  /** The place at a factor times a direction, kept within the bounds; nothing where it leaves the numbers. */
  #move(from: Place, direction: Float64Array, factor: number): Place | undefined {
    const { offset, scale } = this.#plan.scaling;
    const point = from.point.slice();
    const row = from.row.slice();
    for (let j = 0; j < direction.length; j++) {
      if (direction[j] === 0) continue;
      const [shift, unit] = [offset[j] as number, scale[j] as number];
      const moved = (row[j] as number) + factor * (direction[j] as number);
      point[j] = Math.max(this.#low[j] as number, Math.min(this.#high[j] as number, moved * unit + shift));
      row[j] = ((point[j] as number) - shift) / unit;
      if (!(Math.abs(row[j] as number) <= LARGEST[this.#plan.points.precision])) return undefined;
    }
    return this.#look(point, row);
  }

  #look(point: Float64Array, row: Float64Array): Place {
    const { points, neighbors: k, sign } = this.#plan;
    const indices = new Uint32Array(k);
    const distances = new Float64Array(k);
    points.neighbors(single(row), 0, 1, k, { indices, distances });
    const rows = [...indices].map((_, a) => {
      const neighbor = new Float64Array(row.length);
      points.gather(indices, a, a + 1, neighbor, 0);
      return neighbor;
    });
    const middle = distances[k >> 1] as number;
    const length = Math.sqrt(middle > 0 ? middle : (distances[k - 1] as number));
    return { point, row, indices, rows, length, score: sign * curvature(row, rows) };
  }

  /** Whether the detector gives a place the label wanted. */
  #isReached({ row }: Place, { points, precision, orientation, threshold }: Labelling): boolean {
    const stored = precision === 'single' ? Float64Array.from(row, Math.fround) : row;
    const score = new Float64Array(1);
    points.curvature(single(stored), 0, 1, this.#plan.neighbors, score);
    return orientation * (score[0] as number) > threshold === this.#plan.wantsAnomaly;
  }
}

function single(row: Float64Array) {
  return { rows: 1, columns: row.length, read: (_: number, into: Float64Array, at: number) => into.set(row, at) };
}
