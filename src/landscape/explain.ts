// Why a row is anomalous, in terms of its features: its score and neighbours, and the counterfactual, the end
// of its anomaly path: what it would have to be for the detector to call it normal.
import { CurvadError, describe } from '../core/errors.js';
import { RowReader } from '../core/input/matrix.js';
import { checkOptionNames, wholeNumber } from '../core/options.js';
import type { CAD } from '../detectors/cad.js';
import { type ConstraintOptions, Constraints } from './constraints.js';
import { type Counterfactual, Explanation, type FeatureChange } from './explanation.js';
import { type AnomalyPath, checkedRoute, checkedRow, followAll, type PathEnd } from './path.js';
import { linearParts, startsOf, verdictsOn } from './starts.js';
import { trainingColumns } from './training-columns.js';

export interface ExplainOptions extends ConstraintOptions {
  /** Names of the features, for people; also to name features in `frozen` and `bounds`. */
  names?: readonly string[];
  /** Steps of the path, at most. Default 500. */
  maxIterations?: number;
}

const OPTION_NAMES: ReadonlyArray<keyof ExplainOptions> = ['names', 'frozen', 'bounds', 'maxIterations'];

/**
 * Explains what a fitted CAD (linear kernel) says of a row. A row that is one of the training rows counts as
 * that row, with its training score.
 */
export function explain(cad: CAD, row: ArrayLike<number>, options?: ExplainOptions): Explanation {
  const given = checkOptionNames(options, OPTION_NAMES, 'explain') as Record<keyof ExplainOptions, unknown>;
  const parts = linearParts(cad, 'an explanation');
  const { columns } = parts.held.points;
  const names = checkedNames(given.names, columns);
  const constraints = new Constraints(given, columns, names);
  const maxIterations = wholeNumber(given.maxIterations, 'maxIterations', 1, 500, 'ITERATIONS_INVALID');
  const route = checkedRoute({ maxIterations, every: maxIterations });
  const reader = new RowReader().attach([checkedRow(row)]);
  const starts = startsOf(cad, parts, reader, constraints);
  const values = new Float64Array(columns);
  reader.read(0, values, 0);
  const { scores, labels, trainingRows, indices, distances } = verdictsOn(cad, parts, [values]);
  const [path] = followAll(cad, parts, route, starts) as [AnomalyPath];
  const { deviations } = trainingColumns(parts.held);
  const index = trainingRows[0] as number;
  return new Explanation({
    row: values,
    trainingRow: index < 0 ? undefined : index,
    score: scores[0] as number,
    threshold: cad.threshold,
    label: labels[0] as 0 | 1,
    neighbors: Array.from(indices, (neighbor, a) => ({ index: neighbor, distance: distances[a] as number })),
    counterfactual: counterfactualOf(cad, values, path),
    changes: changesOf(values, lastOf(path), deviations, names),
  });
}

function lastOf({ points }: AnomalyPath): Float64Array {
  return points[points.length - 1] as Float64Array;
}

function counterfactualOf(cad: CAD, row: Float64Array, path: AnomalyPath): Counterfactual {
  const point = lastOf(path);
  const isUnmoved = point.every((value, j) => value === row[j]);
  const iterations = path.iterations[path.iterations.length - 1] as number;
  return {
    row: point,
    score: cad.score([point])[0] as number,
    isNormal: path.label === 0,
    isUnmoved,
    iterations,
    end: path.end,
    why: path.label === 0 ? undefined : isUnmoved ? 'no change that is allowed lowers the score' : REASONS[path.end],
  };
}

/** Why there is no normal counterfactual. */
const REASONS: Readonly<Record<PathEnd, string>> = {
  normal: 'it is normal',
  anomalous: 'it is an anomaly',
  converged: 'the path ended in a hollow of the landscape that is still anomalous',
  stalled: 'no step that is allowed lowers the score any further',
  increased: 'a step raised the score',
  diverged: 'the path left the range of numbers',
  maxIterations: 'the path was not at its end after the iterations allowed',
};

/** What changed, the most (in standard deviations) first. */
function changesOf(
  from: Float64Array,
  to: Float64Array,
  deviations: Float64Array,
  names: readonly string[] | undefined,
): FeatureChange[] {
  return Array.from(from, (value, feature) => {
    const change = (to[feature] as number) - value;
    const deviation = deviations[feature] as number;
    const inDeviations = change === 0 ? 0 : change / deviation; // infinite for a constant column
    return { feature, name: names?.[feature], from: value, to: to[feature] as number, change, inDeviations };
  })
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.inDeviations) - Math.abs(a.inDeviations) || a.feature - b.feature);
}

function checkedNames(names: unknown, columns: number): readonly string[] | undefined {
  if (names === undefined) return undefined;
  const isRight =
    Array.isArray(names) && names.length === columns && names.every((name) => typeof name === 'string' && name !== '');
  if (isRight && new Set(names).size === columns) return names as string[];
  throw new CurvadError('NAMES_INVALID', `names must be ${columns} different names, got ${describe(names)}`);
}
