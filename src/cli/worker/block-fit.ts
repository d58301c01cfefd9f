// One block of rows in a fit that is spread over many processes: it looks for the neighbours of its rows in one block
// after the other, and ends with the scores that a fit on all rows gives them.

import { isTranslationInvariant, type Kernel } from '../../core/kernel.js';
import type { Windowed } from '../../detectors/windowed.js';
import {
  type AnyDetector,
  BlockSearch,
  CurvadError,
  curvatureOfNeighbors,
  type FlatMatrix,
  type RowScaling,
} from '../../index.js';

/** What a fit in blocks must know of a detector: CAD and KNN, whose scores need no more than the neighbours of a row. */
export function inBlocks(detector: AnyDetector): Windowed {
  const { windowed } = detector as { windowed?: Windowed };
  if (windowed !== undefined && windowed.scoring !== 'density') return windowed;
  const { detector: name } = detector.toJSON();
  throw new CurvadError('DETECTOR_UNSUPPORTED', `a fit in blocks is for CAD and KNN, not for ${name}`);
}

/** What `scalingOf` must be told for a detector. */
export function scalingOptions(windowed: Windowed, columns: number) {
  const { kernel, standardize, precision } = windowed.holding(columns);
  const center = isTranslationInvariant(kernel.name);
  const stored = precision ?? (center ? undefined : 'double');
  return { standardize, center, ...(stored && { precision: stored }) };
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

  constructor(windowed: Windowed, { matrix, ids }: BlockRows, scaling: RowScaling) {
    const { kernel, approximate } = windowed.holding(matrix.columns);
    this.#windowed = windowed;
    this.#kernel = kernel;
    this.#scaling = scaling;
    this.ids = ids;
    this.search = new BlockSearch(matrix, ids, windowed.neighbors, {
      scaling,
      kernel: optionsOf(this.#kernel),
      ...(approximate && { approximate }),
    });
  }

  /** The scores of the rows, from what was found. */
  scores(): Float64Array {
    const { rows, columns, count, best } = this.search;
    const { neighbors: k, scoring, sign } = this.#windowed;
    if (!best.isFull) throw new CurvadError('TOO_FEW_ROWS', `${k} neighbors need at least ${k + 1} rows`);
    if (scoring !== 'curvature') return distanceScores(best.distances, k, scoring === 'mean' ? 0 : k - 1, this.#kernel);
    const neighbors = { data: best.rows, rows: count * k, columns };
    const options = { ...optionsOf(this.#kernel), scaling: this.#scaling };
    const raw = curvatureOfNeighbors({ data: rows, rows: count, columns }, neighbors, k, options);
    return sign < 0 ? raw.map((score) => -score) : raw;
  }
}

function optionsOf({ name: kernel, gamma, degree, coef0 }: Kernel) {
  return { kernel, gamma, degree, coef0 };
}

/** The mean of the distances from the first that counts on. */
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
