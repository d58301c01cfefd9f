// The state of a fitted detector, made by training or read from a model file.

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import type { Steps } from '../core/steps.js';
import { newKey } from '../parallel/shared-work.js';
import { Recipe } from '../tables/recipe.js';
import { checkedSection } from './model-parts.js';
import type { Threshold } from './threshold.js';
import { areEqual, describeRule, findThreshold, type ThresholdRule } from './threshold-rule.js';
import { describeSample, restoreSample, type TrainingSample } from './training-sample.js';

/** The result of training. `Fitted` is what the detector needs to score. */
export interface Trained<Fitted> {
  readonly fitted: Fitted;
  /** Higher is more anomalous. */
  readonly scores: Float64Array;
  /** The native threshold, if only training determines it. */
  readonly border?: number;
}

export interface State<Fitted> extends Omit<Trained<Fitted>, 'border'> {
  readonly threshold: Threshold;
  /** Sample rows, for detectors that keep none for scoring. */
  readonly sample?: TrainingSample | undefined;
  /** The key by which other threads know it. */
  readonly key: number;
  /** How table columns become rows; undefined if it was fitted on rows without names. */
  readonly recipe: Recipe | undefined;
}

export function* stateOf<Fitted>(trained: Trained<Fitted>, rule: ThresholdRule): Steps<State<Fitted>> {
  const { fitted, scores, border } = trained;
  const ownRule = rule.name === 'native' && border !== undefined ? { ...rule, value: border } : rule;
  const threshold = yield* findThreshold(scores, ownRule);
  return { fitted, scores, threshold, key: newKey(), recipe: undefined };
}

export function modelOf<Fitted>(
  detector: string,
  { scores, threshold, sample, recipe }: State<Fitted>,
  rule: ThresholdRule,
  { fields, sections }: Pick<Model, 'fields' | 'sections'>,
): Model {
  // JSON cannot represent infinity: a threshold that nothing exceeds is null.
  const value = threshold.value === Infinity ? null : threshold.value;
  return {
    detector,
    fields: { ...fields, ...describeRule(rule), threshold: value, table: recipe?.toJSON() },
    sections: { ...sections, scores, ...(sample && describeSample(sample)) },
  };
}

export function stateFrom<Fitted>(model: Model, fitted: Fitted, columns: number): State<Fitted> {
  const value = model.fields['threshold'];
  if (value !== null && !(typeof value === 'number' && Number.isFinite(value)))
    throw corrupt('its threshold is not a number');
  const scores = checkedSection(model, 'scores', 'f64');
  const { table } = model.fields;
  return {
    fitted,
    scores,
    sample: restoreSample(model, scores.length),
    threshold: { value: value ?? Infinity, isDegenerate: value === null || areEqual(scores) },
    key: newKey(),
    recipe: table === undefined ? undefined : Recipe.fromJSON(table, columns),
  };
}

export function labelsOf(scores: Float64Array, threshold: number): Uint8Array {
  const labels = new Uint8Array(scores.length);
  for (let i = 0; i < scores.length; i++) labels[i] = (scores[i] as number) > threshold ? 1 : 0;
  return labels;
}

export function checkWidth(rows: RowSource, columns: number): void {
  if (rows.columns !== columns) {
    throw new CurvadError('WRONG_WIDTH', `rows have ${rows.columns} columns, the detector was fitted on ${columns}`);
  }
}
