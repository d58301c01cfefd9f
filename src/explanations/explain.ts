// Why a row is anomalous, for any detector: the columns that make it stand out, the rows nearest to it, and the
// counterfactual, the smallest change found that makes it normal.

import { CurvadError, describe } from '../core/errors.js';
import type { MatrixInput } from '../core/input/matrix.js';
import { checkOptionNames } from '../core/options.js';
import { finish, type Steps } from '../core/steps.js';
import { type AnyDetector, Detector } from '../detectors/detector.js';
import { type ConstraintOptions, Constraints } from '../landscape/constraints.js';
import { type AsyncOptions, checkAsyncOptions } from '../parallel/options.js';
import { Run } from '../parallel/run.js';
import { type Candidate, Judge } from './candidates.js';
import { columnsOf, inDeviations } from './columns.js';
import { search } from './counterfactual.js';
import { type Counterfactual, Explanation, type FeatureChange } from './explanation.js';
import type { Reference, Unit } from './reference.js';
import { referenceInSteps } from './reference-rows.js';
import { type RowOrIndex, type Subject, subjectOf } from './subject.js';

export interface ExplainOptions extends ConstraintOptions {
  /** Names of the features, for people; also to name features in `frozen`, `bounds` and `groups`. */
  names?: readonly string[];
  /** Features that change together, such as the columns of 0 and 1 that stand for one category. */
  groups?: ReadonlyArray<ReadonlyArray<number | string>>;
  /**
   * Rows to compare with, most of them normal: for models of versions that kept none. Default: normal training rows,
   * up to 2,048 of them.
   */
  reference?: MatrixInput;
}

const OPTION_NAMES: ReadonlyArray<keyof ExplainOptions> = ['names', 'frozen', 'bounds', 'groups', 'reference'];

/** Training rows told as the nearest, where the detector has no number of neighbours of its own. */
const NEAREST = 10;

/**
 * Explains what a fitted detector says of a row, or of a training row by its index. A row that is one of the training
 * rows counts as that row, with its training score, where the detector keeps its training rows.
 */
export function explain(detector: AnyDetector, row: RowOrIndex, options?: ExplainOptions): Explanation {
  const request = checked(detector, options, 'explain');
  const subject = subjectOf(detector, row);
  return finish(explaining(detector, subject, request, finish(referenceInSteps(detector, request.reference))));
}

/** Explains many rows, or training rows by their indices: `explainRows(detector, detector.top(10))`. */
export function explainRows(
  detector: AnyDetector,
  rows: Iterable<RowOrIndex>,
  options?: ExplainOptions,
): Explanation[] {
  const request = checked(detector, options, 'explainRows');
  const subjects = listOf(rows).map((row) => subjectOf(detector, row));
  const reference = finish(referenceInSteps(detector, request.reference));
  return subjects.map((subject) => finish(explaining(detector, subject, request, reference)));
}

/** Like `explainRows`, with the same result, in steps of a few milliseconds between which others have their turn. */
export async function explainRowsAsync(
  detector: AnyDetector,
  rows: Iterable<RowOrIndex>,
  options?: ExplainOptions,
  asyncOptions?: AsyncOptions,
): Promise<Explanation[]> {
  const request = checked(detector, options, 'explainRowsAsync');
  const run = new Run(checkAsyncOptions(asyncOptions, 'explainRowsAsync'), detector.backend, undefined);
  const { scores } = detector;
  const list = listOf(rows);
  const reference = await run.finish(referenceInSteps(detector, request.reference));
  const explanations: Explanation[] = [];
  for (const row of list) {
    if (detector.scores !== scores) {
      throw new CurvadError('DISPOSED', 'the detector was fitted again while its rows were explained');
    }
    explanations.push(await run.finish(explaining(detector, subjectOf(detector, row), request, reference)));
    await run.turn(explanations.length / list.length);
  }
  return explanations;
}

/** Options that were checked. */
interface Request {
  readonly names: readonly string[] | undefined;
  readonly constraints: Constraints;
  readonly units: readonly Unit[];
  readonly reference: MatrixInput | undefined;
}

function checked(detector: unknown, options: unknown, what: string): Request {
  if (!(detector instanceof Detector)) {
    throw new CurvadError('DETECTOR_UNSUPPORTED', `${what} needs a fitted detector, got ${describe(detector)}`);
  }
  const given = checkOptionNames(options, OPTION_NAMES, what) as Record<keyof ExplainOptions, unknown>;
  const { width } = detector;
  const names = checkedNames(given.names ?? detector.recipe?.features, width);
  const constraints = new Constraints(given, width, names);
  const units = constraints.unitsOf(given.groups ?? detector.recipe?.groups);
  return { names, constraints, units, reference: given.reference as MatrixInput | undefined };
}

function* explaining(
  detector: AnyDetector,
  subject: Subject,
  { names, constraints, units }: Request,
  reference: Reference,
): Steps<Explanation> {
  const { row, trainingRow, score, label, standing } = subject;
  const { basis, columns } = columnsOf(detector, reference, subject, names);
  yield;
  const space = constraints.startFrom(row);
  const start = space.point;
  const judge = new Judge(detector, reference, subject, units);
  const isFree = (unit: Unit): boolean => unit.every((j) => space.low[j] !== space.high[j]);
  const isDone = label === 0 && start.every((value, j) => value === row[j]);
  const found = isDone
    ? (judge.of([row])[0] as Candidate)
    : yield* search(judge, reference, { start, low: space.low, high: space.high, units: units.filter(isFree) });
  return new Explanation({
    row,
    trainingRow,
    score,
    threshold: detector.threshold,
    label,
    basis,
    columns,
    neighbors: standing?.neighbors ?? nearestOf(reference, subject),
    counterfactual: counterfactualOf(subject, found),
    changes: changesOf(row, found.row, reference.deviations, names),
  });
}

function nearestOf(reference: Reference, { row, trainingRow }: Subject): Array<{ index: number; distance: number }> {
  const nearest = reference.nearest(row, NEAREST + 1);
  return nearest.filter(({ index }) => index !== trainingRow).slice(0, NEAREST);
}

function counterfactualOf(
  { row: from, label }: Subject,
  { row, score, isPlausible, ...found }: Candidate,
): Counterfactual {
  const isUnmoved = row.every((value, j) => value === from[j]);
  // An anomaly of the training rows may score as normal among them: that is no way out.
  const isNormal = isUnmoved ? label === 0 : found.isNormal;
  const why = isNormal
    ? isPlausible || label === 0
      ? undefined
      : 'it lies apart from the normal training rows'
    : isUnmoved
      ? 'no change that is allowed brings it closer'
      : 'no row was found that may be reached and that the detector calls normal';
  return { row, score, isNormal, isPlausible, isUnmoved, why };
}

/** What changed, the most (in standard deviations) first. */
function changesOf(
  from: Float64Array,
  to: Float64Array,
  deviations: Float64Array,
  names: readonly string[] | undefined,
): FeatureChange[] {
  return Array.from(from, (value, feature) => {
    const change = (to[feature] as number) - value;
    const relative = inDeviations(change, deviations[feature] as number); // infinite for a constant column
    return { feature, name: names?.[feature], from: value, to: to[feature] as number, change, inDeviations: relative };
  })
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.inDeviations) - Math.abs(a.inDeviations) || a.feature - b.feature);
}

function listOf(rows: unknown): RowOrIndex[] {
  if (!(typeof rows === 'object' && rows !== null && Symbol.iterator in rows))
    throw new CurvadError(
      'INPUT_TYPE',
      `rows must be a list of rows, or of indices of training rows, got ${describe(rows)}`,
    );
  const list: RowOrIndex[] = [];
  for (const row of rows as Iterable<RowOrIndex | undefined>) {
    // The length of a proxy is whatever it says: the first row that is not there ends it.
    if (row === undefined) throw new CurvadError('ROW_TYPE', `rows[${list.length}] is undefined`, { row: list.length });
    list.push(row);
  }
  return list;
}

function checkedNames(names: unknown, columns: number): readonly string[] | undefined {
  if (names === undefined) return undefined;
  const isRight =
    Array.isArray(names) && names.length === columns && names.every((name) => typeof name === 'string' && name !== '');
  if (isRight && new Set(names).size === columns) return names as string[];
  throw new CurvadError('NAMES_INVALID', `names must be ${columns} different names, got ${describe(names)}`);
}
