// One block of rows in a fit distributed over many processes: it searches one block after the other for the neighbours
// of its rows, and ends with the scores that a fit on all rows would give.

import { RowReader } from '../../core/input/matrix.js';
import { isTranslationInvariant, type Kernel } from '../../core/kernel.js';
import { finish } from '../../core/steps.js';
import { Landmarks } from '../../detectors/landmarks.js';
import type { LandmarkScoring, Windowed } from '../../detectors/windowed.js';
import {
  type AnyDetector,
  BlockSearch,
  CurvadError,
  curvatureOfNeighbors,
  type FlatMatrix,
  type RowScaling,
} from '../../index.js';
import { sharpnessOfNeighbors } from '../../neighbors/curvature-of-neighbors.js';
import { readScaling } from '../../neighbors/row-scaling.js';

/** What a fit in blocks must know of a detector. It works for detectors whose scores depend only on neighbours and landmarks. */
export function inBlocks(detector: AnyDetector): Windowed {
  const { windowed } = detector as { windowed?: Windowed };
  if (windowed !== undefined) return windowed;
  const { detector: name } = detector.toJSON();
  throw new CurvadError(
    'DETECTOR_UNSUPPORTED',
    `a fit in blocks is for LandmarkCAD, CAD, KNN and LOF, not for ${name}`,
  );
}

/** The arguments of `scalingOf` for a detector. */
export function scalingOptions(windowed: Windowed, columns: number) {
  const { kernel, standardize, precision, clip = false } = windowed.holding(columns);
  const center = isTranslationInvariant(kernel.name);
  const stored = precision ?? (center ? undefined : 'double');
  return { standardize, clip, center, ...(stored && { precision: stored }) };
}

export interface BlockRows {
  readonly matrix: FlatMatrix;
  readonly ids: Float64Array;
}

export class BlockFit {
  readonly search: BlockSearch;
  readonly ids: Float64Array;
  readonly #windowed: Windowed;
  readonly #kernel: Kernel;
  readonly #scaling: RowScaling;

  /** @param total Number of rows in all blocks. */
  constructor(windowed: Windowed, { matrix, ids }: BlockRows, scaling: RowScaling, total: number) {
    const { kernel, approximate } = windowed.holding(matrix.columns);
    const { scoring, neighbors } = windowed;
    const k = typeof scoring === 'object' ? scoring.neighborsOf(total) : neighbors;
    this.#windowed = windowed;
    this.#kernel = kernel;
    this.#scaling = scaling;
    this.ids = ids;
    this.search = new BlockSearch(matrix, ids, k, {
      scaling,
      kernel: optionsOf(this.#kernel),
      ...(approximate && { approximate }),
    });
  }

  /** The neighbours of the rows and their distances. */
  get lists(): { readonly ids: Float64Array; readonly distances: Float64Array } {
    const { best } = this.search;
    this.#checkFull();
    const isSquared = this.#kernel.name === 'linear';
    return { ids: best.ids, distances: isSquared ? best.distances.map(Math.sqrt) : best.distances };
  }

  /** The scores of the rows, from the neighbours found, and from the landmarks if the detector has some. */
  scores(landmarks?: BlockRows): Float64Array {
    const { rows, columns, count, best } = this.search;
    const { scoring, sign } = this.#windowed;
    const { k } = best;
    if (typeof scoring === 'object') return this.#landmarkScores(scoring, landmarks);
    if (scoring === 'density')
      throw new CurvadError(
        'DETECTOR_UNSUPPORTED',
        'LOF needs what is known of neighbours: ask for lists, not for scores',
      );
    this.#checkFull();
    if (scoring !== 'curvature') return distanceScores(best.distances, k, scoring === 'mean' ? 0 : k - 1, this.#kernel);
    const neighbors = { data: best.rows, rows: count * k, columns };
    const options = { ...optionsOf(this.#kernel), scaling: this.#scaling };
    const raw = curvatureOfNeighbors({ data: rows, rows: count, columns }, neighbors, k, options);
    return sign < 0 ? raw.map((score) => -score) : raw;
  }

  #landmarkScores(scoring: LandmarkScoring, landmarks: BlockRows | undefined): Float64Array {
    if (landmarks === undefined)
      throw new CurvadError('EMPTY_INPUT', 'this detector needs its landmarks: rows and ids');
    const { rows, columns, count, best } = this.search;
    const mine = { data: rows, rows: count, columns };
    const distances = this.#landmarkDistances(mine, landmarks);
    if (scoring.isByDistanceAlone) return distances.map((distance) => scoring.combined(distance, 0));
    this.#checkFull();
    const neighbors = { data: best.rows, rows: count * best.k, columns };
    const sharpness = sharpnessOfNeighbors(mine, neighbors, best.k, this.#scaling);
    return distances.map((distance, i) => scoring.combined(distance, sharpness[i] as number));
  }

  #checkFull(): void {
    const { k, isFull } = this.search.best;
    if (!isFull) throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows`);
  }

  #landmarkDistances(rows: FlatMatrix, { matrix, ids }: BlockRows): Float64Array {
    const { scaling, precision } = readScaling(this.#scaling, rows.columns);
    const stored = (given: FlatMatrix) => scaling.apply(new RowReader().attach(given), precision);
    const places = Uint32Array.from(ids, (_, place) => place);
    const landmarks = finish(Landmarks.of(stored(matrix), places, precision, 'auto'));
    try {
      const among = new Set(ids);
      return landmarks.distancesInBlock(
        stored(rows),
        Array.from(this.ids, (id) => among.has(id)),
      );
    } finally {
      landmarks.points.release();
    }
  }
}

function optionsOf({ name: kernel, gamma, degree, coef0 }: Kernel) {
  return { kernel, gamma, degree, coef0 };
}

/** The mean of the distances from index `first` on. */
function distanceScores(distances: Float64Array, k: number, first: number, { name }: Kernel): Float64Array {
  return Float64Array.from({ length: distances.length / k }, (_, row) => {
    let sum = 0;
    for (let a = row * k + first; a < (row + 1) * k; a++) {
      const distance = distances[a] as number;
      sum += name === 'linear' ? Math.sqrt(distance) : distance;
    }
    return sum / (k - first);
  });
}
