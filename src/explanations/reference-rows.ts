// Where the rows to compare with come from: the training rows a detector holds, the sample of them it keeps, or rows
// that are given. Found once for each fit.

import { CurvadError } from '../core/errors.js';
import { type MatrixInput, RowReader } from '../core/input/matrix.js';
import { Random } from '../core/random/random.js';
import type { Steps } from '../core/steps.js';
import type { AnyDetector } from '../detectors/detector.js';
import { checkWidth, labelsOf } from '../detectors/fitted-state.js';
import type { HeldRows } from '../detectors/held-rows.js';
import type { TrainingSample } from '../detectors/training-sample.js';
import { type TrainingColumns, trainingColumns } from '../landscape/training-columns.js';
import { Reference, type ReferenceRows } from './reference.js';

/** Rows compared with, at most. */
const MOST = 2048;

/** By the training scores, of which each fit has its own. */
const known = new WeakMap<Float64Array, Reference>();

export function* referenceInSteps(detector: AnyDetector, given: MatrixInput | undefined): Steps<Reference> {
  if (given !== undefined) return new Reference(yield* rowsGiven(detector, given));
  const { scores, heldRows, sample } = detector;
  const before = known.get(scores);
  if (before !== undefined) return before;
  const rows = heldRows ? yield* rowsHeld(detector, heldRows) : rowsSampled(detector, sample);
  yield;
  const reference = new Reference(checkedRows(rows));
  known.set(scores, reference);
  return reference;
}

function* rowsHeld(detector: AnyDetector, held: HeldRows): Steps<ReferenceRows> {
  const { labels } = detector;
  const { points, scaling } = held;
  const normal = Uint32Array.from(labels.keys()).filter((row) => labels[row] === 0);
  const indices = someOf(normal);
  const rows = new Float64Array(indices.length * points.columns);
  points.gather(indices, 0, indices.length, rows, 0);
  for (let i = 0; i < rows.length; i++) rows[i] = scaling.restore(rows[i] as number, i % points.columns);
  const deviations = yield* (trainingColumns(detector) as TrainingColumns).deviations();
  return { rows, indices, deviations, isComplete: indices.length === normal.length };
}

function rowsSampled({ scores, threshold, width }: AnyDetector, sample: TrainingSample | undefined): ReferenceRows {
  if (sample === undefined) {
    throw new CurvadError(
      'REFERENCE_MISSING',
      'this model was saved by an earlier version, which kept no rows to compare with: fit it again, or give some as reference',
    );
  }
  const places = Uint32Array.from(sample.indices.keys()).subarray(0, sample.drawn);
  const normal = places.filter((i) => (scores[sample.indices[i] as number] as number) <= threshold);
  const rows = gather(sample.rows, normal, width);
  return {
    rows,
    indices: normal.map((i) => sample.indices[i] as number),
    deviations: deviationsOf(sample.rows.subarray(0, sample.drawn * width), width),
    isComplete: sample.drawn === scores.length,
  };
}

function* rowsGiven(detector: AnyDetector, given: MatrixInput): Steps<ReferenceRows> {
  const { width } = detector;
  const reader = yield* new RowReader().attachInSteps(given);
  checkWidth(reader, width);
  const data = new Float64Array(reader.rows * width);
  reader.readTo(data, 0, reader.rows);
  yield;
  const labels = labelsOf(detector.score({ data, rows: reader.rows, columns: width }), detector.threshold);
  const normal = Uint32Array.from(labels.keys()).filter((row) => labels[row] === 0);
  const indices = someOf(normal);
  return checkedRows({
    rows: gather(data, indices, width),
    indices,
    deviations: deviationsOf(data, width),
    isComplete: indices.length === normal.length,
  });
}

function someOf(rows: Uint32Array): Uint32Array {
  if (rows.length <= MOST) return rows;
  const list = rows.slice();
  new Random(0).choose(list, MOST);
  return list.slice(0, MOST).sort();
}

function gather(rows: Float64Array, indices: Uint32Array, columns: number): Float64Array {
  const chosen = new Float64Array(indices.length * columns);
  for (const [at, i] of indices.entries()) chosen.set(rows.subarray(i * columns, (i + 1) * columns), at * columns);
  return chosen;
}

function deviationsOf(rows: Float64Array, columns: number): Float64Array {
  const count = rows.length / columns;
  return Float64Array.from({ length: columns }, (_, j) => {
    let mean = 0;
    for (let i = j; i < rows.length; i += columns) mean += (rows[i] as number) / count;
    let variance = 0;
    for (let i = j; i < rows.length; i += columns) variance += ((rows[i] as number) - mean) ** 2 / count;
    return Math.sqrt(variance);
  });
}

function checkedRows(rows: ReferenceRows): ReferenceRows {
  if (rows.indices.length > 0) return rows;
  throw new CurvadError('TOO_FEW_NORMAL_ROWS', 'there is no normal row to compare with');
}
