// Where normal ends, from scores alone: for scores that were computed in several places.

import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames } from '../core/options.js';
import { finish } from '../core/steps.js';
import { type DetectorOptions, findThreshold, THRESHOLD_OPTION_NAMES, thresholdRuleOf } from './threshold-rule.js';

/**
 * The threshold that a detector with these training scores has, in whatever order they come: scores above it are
 * anomalies. Infinite where all scores are equal. Options are those of detectors; without any, it is 'two-means'.
 */
export function thresholdOf(scores: ArrayLike<number>, options?: DetectorOptions): number {
  const given = checkOptionNames(options, THRESHOLD_OPTION_NAMES, 'thresholdOf');
  const rule = thresholdRuleOf(given, 'two-means', undefined);
  if (scores?.length === undefined || scores.length === 0)
    throw new CurvadError('SCORES_INVALID', `scores must be a list of numbers, got ${describe(scores)}`);
  const values = Float64Array.from(scores);
  const wrong = values.findIndex((score) => !Number.isFinite(score));
  if (wrong >= 0) {
    throw new CurvadError('SCORES_INVALID', `score ${wrong} is ${values[wrong]}: scores must be finite`, {
      row: wrong,
    });
  }
  return finish(findThreshold(values, rule)).value;
}
