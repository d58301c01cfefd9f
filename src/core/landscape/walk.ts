// A walk on the CAD score: what it needs, and what there is to say about it. The rule of the walk is the same
// everywhere, to the last bit: js/walk.ts says it plainly, assembly/walk.ts walks fast.
import type { PointSet, Precision } from '../backend.js';
import type { Scaling } from '../input/scaling.js';

/**
 * Why a walk ended: at the label wanted; where the slope is nothing; where no step helps although there is a
 * slope (the set of neighbours changes there); a fixed step raised the score; or it left the numbers.
 */
export type WalkEnd = 'reached' | 'converged' | 'stalled' | 'increased' | 'diverged';

/** Who is an anomaly: points whose `orientation` × raw score among `points` exceeds the threshold. */
export interface Labelling {
  readonly points: PointSet;
  readonly precision: Precision;
  readonly orientation: 1 | -1;
  readonly threshold: number;
}

export interface WalkPlan {
  /** The points whose curvature is walked on (linear kernel), and how many of them are neighbours. */
  readonly points: PointSet;
  readonly neighbors: number;
  /** From the units of the input to those of the points. */
  readonly scaling: Scaling;
  /** 1 where the raw score is to fall, −1 where it is to rise. */
  readonly sign: 1 | -1;
  /** η of x − η∇s, or 0 for a line search. */
  readonly step: number;
  /** 'label' needs a labelling; 'extremum' ends a walk of fixed steps when the score turns; 'never' does not. */
  readonly stop: 'never' | 'extremum' | 'label';
  readonly labelling?: Labelling | undefined;
  readonly wantsAnomaly: boolean;
}

/** Walks from one start after another. */
export interface Walker {
  /** Starts at a point, in input units, that lies within the bounds of its columns. */
  start(point: Float64Array, low: Float64Array, high: Float64Array): void;
  /** Walks on until so many iterations are done; tells why if it ended before. */
  walk(iteration: number): WalkEnd | undefined;
  /** Iterations done. */
  readonly iteration: number;
  /** The raw score where it is. */
  readonly score: number;
  /** A copy of where it is, in input units. */
  point(): Float64Array;
  /** The k nearest points there, nearest first. */
  neighbors(): Uint32Array;
  /** Frees the memory. */
  release(): void;
}
