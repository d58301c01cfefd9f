// Where normal ends, from scores alone: for scores that were computed in several places.

import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, number } from '../core/options.js';
import { finish } from '../core/steps.js';
import { contaminationThreshold, twoMeansThreshold } from './threshold.js';

/**
 * The threshold that a detector with these training scores has, in whatever order they come: scores above it are
 * anomalies. Infinite where all scores are equal.
 */
export function thresholdOf(scores: ArrayLike<number>, options?: { contamination?: number }): number {
  const given = checkOptionNames(options, ['contamination'], 'thresholdOf');
  const contamination = number(
    given['contamination'],
    'contamination',
    'above 0 and at most 0.5',
    (share) => share > 0 && share <= 0.5,
    'CONTAMINATION_INVALID',
  );
  if (scores?.length === undefined || scores.length === 0)
    throw new CurvadError('SCORES_INVALID', `scores must be a list of numbers, got ${describe(scores)}`);
  const values = Float64Array.from(scores);
  const wrong = values.findIndex((score) => !Number.isFinite(score));
  if (wrong >= 0) {
    throw new CurvadError('SCORES_INVALID', `score ${wrong} is ${values[wrong]}: scores must be finite`, {
      row: wrong,
    });
  }
  return contamination === undefined
    ? finish(twoMeansThreshold(values)).value
    : contaminationThreshold(values, contamination).value;
}
