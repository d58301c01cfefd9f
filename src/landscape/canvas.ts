// The frame of a landscape: checks options, takes defaults from the training rows, and lays out the grid.

import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, oneOf } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import { CAD, type CADParts } from '../detectors/cad.js';
import { type AnyDetector, Detector } from '../detectors/detector.js';
import { FeatureGrid } from './grid.js';
import { type TrainingColumns, trainingColumns } from './training-columns.js';

/** The corners of a landscape. */
export interface LandscapeBounds {
  readonly x: readonly [low: number, high: number];
  readonly y: readonly [low: number, high: number];
}

export interface LandscapeOptions {
  /** The two features to draw over, first x. Default [0, 1]. */
  features?: readonly [x: number, y: number];
  /**
   * The area to draw. Default: the range of the training rows, or of the kept sample of them, with a margin of a
   * twentieth on each side.
   */
  bounds?: LandscapeBounds;
  /** Cells along x and y, or one number for both. Default 150, as in the paper. */
  resolution?: number | readonly [width: number, height: number];
  /** 'all' training rows (default) or only those labelled 'normal' are neighbours; 'normal' is for CAD. */
  neighbors?: 'all' | 'normal';
  /**
   * The row that the slice goes through if there are more than two features: its other features apply to all cells.
   * Default: the median of each training column.
   */
  at?: ArrayLike<number>;
}

/** Scores on a grid. Cell (i, j) has x = xs[i], y = ys[j] and the score values[j × width + i]. */
export interface Landscape {
  readonly values: Float64Array;
  readonly width: number;
  readonly height: number;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly bounds: LandscapeBounds;
  readonly features: readonly [x: number, y: number];
  /** Scores above it are anomalies. */
  readonly threshold: number;
}

const OPTION_NAMES: ReadonlyArray<keyof LandscapeOptions> = ['features', 'bounds', 'resolution', 'neighbors', 'at'];

/** A landscape without its values. */
export interface Canvas {
  readonly grid: FeatureGrid;
  readonly neighbors: 'all' | 'normal';
  /** Of a CAD. */
  readonly parts: CADParts | undefined;
  /** The values are all 0. */
  readonly empty: Landscape;
}

export function checkDetector(detector: unknown): asserts detector is AnyDetector {
  if (detector instanceof Detector) return;
  throw new CurvadError('DETECTOR_UNSUPPORTED', `landscape needs a detector, got ${describe(detector)}`);
}

export function* layOut(detector: AnyDetector, options: unknown, what: string): Steps<Canvas> {
  const given = checkOptionNames(options, OPTION_NAMES, what) as Record<keyof LandscapeOptions, unknown>;
  const { threshold } = detector; // fitted, or this throws
  const neighbors = oneOf(given.neighbors, 'neighbors', ['all', 'normal'], 'all', 'NEIGHBORHOOD_UNKNOWN');
  const parts = detector instanceof CAD ? detector.parts : undefined;
  if (parts === undefined && neighbors === 'normal') {
    throw new CurvadError(
      'DETECTOR_UNSUPPORTED',
      "neighbors 'normal' is for CAD: other detectors score among all rows",
    );
  }
  const training = trainingColumns(detector);
  const at = yield* checkedRowAt(given.at, training, detector.width);
  const features = checkedFeatures(given.features, at.length);
  const bounds = yield* checkedBounds(given.bounds, features, training);
  const [width, height] = checkedResolution(given.resolution);
  const xs = spaced(bounds.x, width);
  const ys = spaced(bounds.y, height);
  const grid = new FeatureGrid(xs, ys, features, at);
  const values = new Float64Array(grid.rows);
  return { grid, neighbors, parts, empty: { values, width, height, xs, ys, bounds, features, threshold } };
}

/** Evenly spaced, both ends included exactly. */
function spaced([low, high]: readonly [number, number], count: number): Float64Array {
  const last = count - 1;
  return Float64Array.from({ length: count }, (_, i) => (i === last ? high : low + (high - low) * (i / last)));
}

function checkedResolution(resolution: unknown): [number, number] {
  const both = resolution === undefined ? 150 : resolution;
  const [width, height] = Array.isArray(both) && both.length === 2 ? both : [both, both];
  const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 2 && (value as number) < 2 ** 15;
  if (isCount(width) && isCount(height)) return [width as number, height as number];
  throw new CurvadError(
    'RESOLUTION_INVALID',
    `resolution must be a whole number from 2 to 32767, or two of them, got ${describe(resolution)}`,
  );
}

function checkedFeatures(features: unknown, columns: number): [number, number] {
  if (columns < 2) throw new CurvadError('FEATURES_INVALID', 'a landscape needs two features, the detector has one');
  if (features === undefined) return [0, 1];
  const [x, y] = Array.isArray(features) && features.length === 2 ? features : [];
  const isFeature = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < columns;
  if (isFeature(x) && isFeature(y) && x !== y) return [x as number, y as number];
  throw new CurvadError('FEATURES_INVALID', `features must be two different columns from 0 to ${columns - 1}`);
}

/** The row to cut through. */
function* checkedRowAt(at: unknown, training: TrainingColumns | undefined, columns: number): Steps<Float64Array> {
  if (at === undefined) {
    if (columns === 2) return new Float64Array(2); // both are drawn over
    if (training !== undefined) return yield* training.medians();
    throw new CurvadError(
      'AT_INVALID',
      'this model keeps no training rows: give the row of the slice as at (its two drawn features do not matter)',
    );
  }
  const isRow = Array.isArray(at) || (ArrayBuffer.isView(at) && !(at instanceof DataView));
  const row = isRow ? Array.from(at as ArrayLike<unknown>) : [];
  if (isRow && row.every(Number.isFinite) && row.length === columns) {
    return Float64Array.from(row as number[]);
  }
  throw new CurvadError('AT_INVALID', `at must be a row of ${columns} finite numbers, got ${describe(at)}`);
}

function* checkedBounds(
  bounds: unknown,
  [x, y]: readonly [number, number],
  training: TrainingColumns | undefined,
): Steps<LandscapeBounds> {
  if (bounds === undefined) {
    if (training !== undefined) {
      const spans = yield* training.spans();
      return { x: [...(spans[x] as [number, number])], y: [...(spans[y] as [number, number])] };
    }
    throw new CurvadError(
      'BOUNDS_INVALID',
      'this model keeps no training rows: give bounds { x: [low, high], y: [low, high] }',
    );
  }
  const given = (typeof bounds === 'object' && bounds !== null ? bounds : {}) as { x?: unknown; y?: unknown };
  if (isInterval(given.x) && isInterval(given.y)) return { x: [...given.x], y: [...given.y] };
  throw new CurvadError(
    'BOUNDS_INVALID',
    `bounds must be { x: [low, high], y: [low, high] } of finite numbers with low < high, got ${describe(bounds)}`,
  );
}

function isInterval(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];
}
