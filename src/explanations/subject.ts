// What is explained: a row, or a training row by its index, and what the detector says of it.
import type { Precision } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import type { AnyDetector } from '../detectors/detector.js';
import { checkWidth } from '../detectors/fitted-state.js';
import type { HeldRows } from '../detectors/held-rows.js';
import type { Standing } from '../detectors/standing.js';
import { isRow } from '../tables/objects.js';
import { TableReader } from '../tables/reader.js';
import { decimalsOf, rounded } from './rounding.js';

export interface Subject {
  readonly row: Float64Array;
  /** The training row it is, if it is one. */
  readonly trainingRow: number | undefined;
  readonly score: number;
  readonly label: 0 | 1;
  /** Where the detector keeps its training rows. */
  readonly standing: Standing | undefined;
}

/** A row, or the index of a training row. */
export type RowOrIndex = ArrayLike<number> | Readonly<Record<string, unknown>> | number;

export function subjectOf(detector: AnyDetector, given: RowOrIndex): Subject {
  if (typeof given === 'number') return trainingSubject(detector, given);
  const isNamed = detector.recipe !== undefined && isRow(given);
  if (!isNamed && !Array.isArray(given) && !ArrayBuffer.isView(given)) {
    throw new CurvadError(
      'ROW_TYPE',
      `what is explained must be a row, as an array of numbers or an object of the columns fitted on, or the index of a training row, got ${describe(given)}`,
    );
  }
  const reader = new TableReader(detector.recipe).attach([given]);
  checkWidth(reader, detector.width);
  const row = new Float64Array(reader.columns);
  reader.read(0, row, 0);
  const standing = detector.standing(reader);
  const trainingRow = standing?.trainingRow;
  const score = (trainingRow === undefined ? detector.score([row])[0] : detector.scores[trainingRow]) as number;
  return { row, trainingRow, score, label: score > detector.threshold ? 1 : 0, standing };
}

function trainingSubject(detector: AnyDetector, index: number): Subject {
  const { scores, threshold, heldRows, sample, width } = detector;
  if (!Number.isInteger(index) || index < 0 || index >= scores.length) {
    throw new CurvadError('ROW_INDEX', `there are training rows 0 to ${scores.length - 1}, got ${describe(index)}`);
  }
  const row = new Float64Array(width);
  if (heldRows !== undefined) {
    row.set(restoredRow(heldRows, index));
  } else {
    const place = sample?.indices.indexOf(index) ?? -1;
    if (sample === undefined || place < 0) {
      throw new CurvadError(
        'ROW_NOT_KEPT',
        `this detector does not keep training row ${index}: pass its values instead of its index`,
      );
    }
    row.set(sample.rows.subarray(place * width, (place + 1) * width));
  }
  const score = scores[index] as number;
  return { row, trainingRow: index, score, label: score > threshold ? 1 : 0, standing: detector.standing(index) };
}

/** Digits that are certain in a value restored from double and from single precision. */
const DIGITS: Readonly<Record<Precision, number>> = { double: 14, single: 6 };

/**
 * The values of a training row that is stored scaled. Restoring rounds: a value becomes the shortest of those that are
 * stored as the same number, 0 rather than 2.8e-17.
 */
function restoredRow({ points, scaling, queries }: HeldRows, index: number): Float64Array {
  const { columns, precision } = points;
  const stored = new Float64Array(columns);
  points.gather(Uint32Array.of(index), 0, 1, stored, 0);
  const restored = stored.map((value, j) => scaling.restore(value, j));
  const short = restored.map((value, j) => {
    const size = Math.max(Math.abs(value), Math.abs(scaling.offset[j] as number));
    return size > 0 ? rounded(value, decimalsOf(size) + DIGITS[precision]) : value;
  });
  const again = new Float64Array(columns);
  queries.attach({ rows: 1, columns, read: (_, into, at) => into.set(short, at) });
  queries.read(0, again, 0);
  queries.detach();
  return short.map((value, j) => (again[j] === stored[j] ? value : (restored[j] as number)));
}
