// Anomaly paths: how an anomaly becomes normal, downhill on the landscape of the normal training rows, or how a normal row
// becomes anomalous, uphill. Neighbours are searched again at every step.

import { CurvadError, describe } from '../core/errors.js';
import { jsWalker } from '../core/js/walk.js';
import type { WalkEnd, Walker, WalkPlan } from '../core/landscape/walk.js';
import { checkOptionNames, number, oneOf, wholeNumber } from '../core/options.js';
import { type BackendChoice, implementationFor } from '../core/select.js';
import { wasmWalker } from '../core/wasm/landscape/walk.js';
import type { CAD } from '../detectors/cad.js';
import { type Rows, TableReader } from '../tables/reader.js';
import { type ConstraintOptions, Constraints } from './constraints.js';
import { type LinearParts, linearParts, type Start, startsOf } from './starts.js';

/** Where a path leads. */
export type PathDirection = 'normal' | 'anomalous';

/** When a path stops. */
export type PathStop = 'normal' | 'anomalous' | 'minimum' | 'maximum' | 'never';

/**
 * Why a path ended:
 * - 'normal', 'anomalous': the detector gives the point the label that was wanted;
 * - 'converged': at a minimum (maximum) of the landscape, where the slope vanishes;
 * - 'stalled': no step lowers (raises) the score, although the slope does not vanish: the set of neighbours
 *   changes there, or the constraints allow no more;
 * - 'increased': a fixed step raised (lowered) the score; that point is the last;
 * - 'diverged': a fixed step led beyond what numbers can hold;
 * - 'maxIterations'.
 */
export type PathEnd = PathDirection | 'converged' | 'stalled' | 'increased' | 'diverged' | 'maxIterations';

export interface PathOptions extends ConstraintOptions {
  /** 'normal' (default) goes down to where rows are normal, 'anomalous' up to where they are anomalies. */
  direction?: PathDirection;
  /**
   * 'auto' (default) searches each step's length: at no scale of the data does it need tuning, and the score
   * never rises. A number is the paper's fixed η of x − η∇s; with standardize it is in squared standard deviations.
   */
  step?: 'auto' | number;
  /**
   * 'normal' ('anomalous' on the way up) is the default and ends at the first point the detector labels so.
   * 'minimum' ('maximum') goes on as far as it can; it is the default for fixed steps, which then end when the
   * score rises (falls). 'never', for fixed steps, goes on regardless.
   */
  stop?: PathStop;
  /** Default 500, or 10000 for fixed steps. */
  maxIterations?: number;
  /** Keeps every n-th point, the start and the end. Default 1, all. */
  every?: number;
}

/** A path, from its start to its end. */
export interface AnomalyPath {
  /** The points of the path, start first, in input units. */
  readonly points: readonly Float64Array[];
  /** The detector's score at each point, but with neighbours among the normal training rows only. */
  readonly scores: Float64Array;
  /** Those neighbours of each point: indices of training rows, nearest first. */
  readonly neighbors: readonly Uint32Array[];
  /** The iteration of each point kept. */
  readonly iterations: Uint32Array;
  /** Why it ended. */
  readonly end: PathEnd;
  /** The detector's label of the last point: 1 is an anomaly. */
  readonly label: 0 | 1;
}

export const PATH_OPTION_NAMES = ['direction', 'step', 'stop', 'maxIterations', 'every', 'frozen', 'bounds'] as const;

/**
 * The path of one row. A row that is one of the training rows counts as that row, with its training label;
 * `predict` would take it as a new one, with itself among its neighbours. Linear kernel only. With
 * `standardize` the path is steepest in standard deviations; its points are in input units all the same.
 */
export function anomalyPath(cad: CAD, row: ArrayLike<number>, options?: PathOptions): AnomalyPath {
  return anomalyPaths(cad, [checkedRow(row)], options)[0] as AnomalyPath;
}

/** The paths of many rows. */
export function anomalyPaths(cad: CAD, rows: Rows, options?: PathOptions): AnomalyPath[] {
  const parts = linearParts(cad, 'an anomaly path');
  const given = checkOptionNames(options, PATH_OPTION_NAMES, 'anomalyPath');
  const route = checkedRoute(given);
  const constraints = new Constraints(given, parts.held.points.columns);
  const starts = startsOf(cad, parts, new TableReader(cad.recipe).attach(rows), constraints);
  return followAll(cad, parts, route, starts);
}

export function followAll(cad: CAD, parts: LinearParts, route: Route, starts: readonly Start[]): AnomalyPath[] {
  const walker = walkerFor(parts.backend, planOf(cad, parts, route));
  try {
    return starts.map((start) => follow(cad, parts, route, walker, start));
  } finally {
    walker.release();
  }
}

export function walkerFor(backend: BackendChoice, plan: WalkPlan): Walker {
  return implementationFor(backend, { js: jsWalker, wasm: wasmWalker })(plan);
}

/** The checked options. */
export interface Route {
  readonly direction: PathDirection;
  /** η, or 0 if the length of each step is searched. */
  readonly step: number;
  readonly stop: WalkPlan['stop'];
  readonly maxIterations: number;
  readonly every: number;
}

const DIRECTIONS: readonly PathDirection[] = ['normal', 'anomalous'];

export function checkedRoute(given: Record<string, unknown>): Route {
  const direction = oneOf(given['direction'], 'direction', DIRECTIONS, 'normal', 'DIRECTION_UNKNOWN');
  const isSearched = given['step'] === undefined || given['step'] === 'auto';
  const step = isSearched
    ? 0
    : (number(given['step'], 'step', "'auto' or a positive number", (value) => value > 0, 'STEP_INVALID') ?? 0);
  const extremum = direction === 'normal' ? 'minimum' : 'maximum';
  const allowed = [direction, extremum, ...(isSearched ? [] : ['never'])];
  const stop = oneOf(given['stop'], 'stop', allowed, isSearched ? direction : extremum, 'STOP_INVALID');
  return {
    direction,
    step,
    stop: stop === direction ? 'label' : stop === 'never' ? 'never' : 'extremum',
    maxIterations: wholeNumber(
      given['maxIterations'],
      'maxIterations',
      1,
      isSearched ? 500 : 10_000,
      'ITERATIONS_INVALID',
    ),
    every: wholeNumber(given['every'], 'every', 1, 1, 'EVERY_INVALID'),
  };
}

function planOf(cad: CAD, { held, normal, neighbors, orientation }: LinearParts, route: Route): WalkPlan {
  const { points, scaling } = held;
  const { precision } = held.queries;
  const wantsAnomaly = route.direction === 'anomalous';
  return {
    points: normal.points,
    neighbors,
    scaling,
    sign: wantsAnomaly === orientation < 0 ? 1 : -1,
    step: route.step,
    stop: route.stop,
    labelling: route.stop === 'label' ? { points, precision, orientation, threshold: cad.threshold } : undefined,
    wantsAnomaly,
  };
}

/** Walks from a start, and records the points to keep. */
function follow(cad: CAD, parts: LinearParts, route: Route, walker: Walker, start: Start): AnomalyPath {
  const points: Float64Array[] = [];
  const scores: number[] = [];
  const neighbors: Uint32Array[] = [];
  const iterations: number[] = [];
  const note = (): void => {
    if (iterations[iterations.length - 1] === walker.iteration) return;
    points.push(walker.point());
    scores.push(walker.score * parts.orientation);
    neighbors.push(walker.neighbors().map((index) => parts.normal.indices[index] as number));
    iterations.push(walker.iteration);
  };
  walker.start(start.point, start.low, start.high);
  note();
  const wanted = route.direction === 'anomalous' ? 1 : 0;
  let end: WalkEnd | undefined = route.stop === 'label' && start.label === wanted ? 'reached' : undefined;
  while (end === undefined && walker.iteration < route.maxIterations) {
    end = walker.walk(Math.min(walker.iteration + route.every, route.maxIterations));
    note();
  }
  const last = points[points.length - 1] as Float64Array;
  return {
    points,
    scores: Float64Array.from(scores),
    neighbors,
    iterations: Uint32Array.from(iterations),
    end: end === 'reached' ? route.direction : (end ?? 'maxIterations'),
    label: walker.iteration === 0 ? start.label : (cad.predict([last])[0] as 0 | 1),
  };
}

/** A single row, given as one: not a list of rows. */
export function checkedRow(row: unknown): ArrayLike<number> {
  if (Array.isArray(row) || ArrayBuffer.isView(row)) return row as ArrayLike<number>;
  throw new CurvadError('ROW_TYPE', `the row must be an array of numbers, got ${describe(row)}`);
}
