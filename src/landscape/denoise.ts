// Image denoising: an image is a row of pixels, similar images (the frames of a film) are the normal rows, and
// the noisy image walks down their landscape.

import { CurvadError, describe } from '../core/errors.js';
import { type MatrixInput, RowReader } from '../core/input/matrix.js';
import { checkOptionNames, number, oneOf, wholeNumber } from '../core/options.js';
import { BACKEND_CHOICES, type BackendChoice } from '../core/select.js';
import { finish } from '../core/steps.js';
import { holdRows } from '../detectors/held-rows.js';
import { checkedRow, walkerFor } from './path.js';

export interface DenoiseOptions {
  /** Frames that are neighbours of the image, k: at least 2. Default 3, as in the paper. */
  neighbors?: number;
  /**
   * A number is the fixed η of x − η∇s. Default 10000, the paper's, for grey levels from 0 to 255; η goes with
   * the square of the scale: for levels from 0 to 1 use 10000/255², about 0.154. 'auto' searches the length
   * of every step at any scale, and ends where no step lowers the score.
   */
  step?: number | 'auto';
  /** Iterations after which to return the image. Default 1, 10, 100, 500 and then every 500 to 4000. */
  snapshots?: readonly number[];
  /** The backend. Default 'auto'. */
  backend?: BackendChoice;
}

/** An image at one iteration. */
export interface Snapshot {
  /** The number of iterations done. */
  readonly iteration: number;
  /** Pixels in the units of the input, not clamped to their range: clamp for display only. */
  readonly image: Float64Array;
  /** The CAD score among the frames. */
  readonly score: number;
}

const OPTION_NAMES: ReadonlyArray<keyof DenoiseOptions> = ['neighbors', 'step', 'snapshots', 'backend'];
const PAPER_STEP = 10_000;
const PAPER_SNAPSHOTS = [1, 10, 100, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000];

/**
 * Denoises an image by frames like it; all frames count as normal. Returns the image after each of the wanted
 * iterations. A searched step may end before the last of them: then the last snapshot is where it ended.
 */
export function denoise(frames: MatrixInput, noisy: ArrayLike<number>, options?: DenoiseOptions): Snapshot[] {
  const given = checkOptionNames(options, OPTION_NAMES, 'denoise') as Record<keyof DenoiseOptions, unknown>;
  const k = wholeNumber(given.neighbors, 'neighbors', 2, 3, 'NEIGHBORS_INVALID');
  const isSearched = given.step === 'auto';
  const rule = "'auto' or a positive number";
  const step = isSearched ? 0 : (number(given.step, 'step', rule, (value) => value > 0, 'STEP_INVALID') ?? PAPER_STEP);
  const snapshots = checkedSnapshots(given.snapshots);
  const backend = oneOf(given.backend, 'backend', BACKEND_CHOICES, 'auto', 'BACKEND_UNKNOWN');
  const rows = new RowReader().attach(frames);
  const image = checkedImage(noisy, rows.columns);
  if (rows.rows < k)
    throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k} frames, got ${rows.rows}`);
  const kernel = { name: 'linear', gamma: 1, coef0: 1, degree: 1 } as const;
  const holding = { kernel, precision: undefined, standardize: false, backend };
  const { points, scaling } = finish(holdRows(rows, holding));
  try {
    scaling.apply(new RowReader().attach([image]), points.precision).read(0, new Float64Array(rows.columns), 0); // its range
    const stop = isSearched ? 'extremum' : 'never';
    const plan = { points, neighbors: k, scaling, sign: 1, step, stop, wantsAnomaly: false } as const;
    const walker = walkerFor(backend, plan);
    try {
      walker.start(
        image,
        image.map(() => -Infinity),
        image.map(() => Infinity),
      );
      return takeSnapshots(walker, snapshots);
    } finally {
      walker.release();
    }
  } finally {
    points.release();
  }
}

function takeSnapshots(walker: ReturnType<typeof walkerFor>, iterations: readonly number[]): Snapshot[] {
  const taken: Snapshot[] = [];
  for (const iteration of iterations) {
    const end = walker.walk(iteration);
    if (taken[taken.length - 1]?.iteration !== walker.iteration) {
      taken.push({ iteration: walker.iteration, image: walker.point(), score: walker.score });
    }
    if (end !== undefined) break;
  }
  return taken;
}

function checkedImage(noisy: unknown, columns: number): Float64Array {
  const reader = new RowReader().attach([checkedRow(noisy)]);
  if (reader.columns !== columns) {
    throw new CurvadError('WRONG_WIDTH', `the image has ${reader.columns} pixels, the frames have ${columns}`);
  }
  const image = new Float64Array(columns);
  reader.read(0, image, 0);
  return image;
}

function checkedSnapshots(snapshots: unknown): readonly number[] {
  if (snapshots === undefined) return PAPER_SNAPSHOTS;
  const isRight =
    Array.isArray(snapshots) &&
    snapshots.length > 0 &&
    snapshots.every((value, i) => Number.isInteger(value) && value >= 0 && (i === 0 || value > snapshots[i - 1]));
  if (isRight && snapshots[snapshots.length - 1] < 2 ** 31) return snapshots as number[];
  throw new CurvadError(
    'SNAPSHOTS_INVALID',
    `snapshots must be iterations in ascending order, whole numbers from 0, got ${describe(snapshots)}`,
  );
}
