// What a detector knows once it is fitted, and how that comes from training or from a model file.

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import type { Steps } from '../core/steps.js';
import { newKey } from '../parallel/shared-work.js';
import { Recipe } from '../tables/recipe.js';
import { checkedSection } from './model-parts.js';
import { contaminationThreshold, type Threshold, twoMeansThreshold } from './threshold.js';
import { describeSample, restoreSample, type TrainingSample } from './training-sample.js';

/** What training gives. `Fitted` is what the detector needs to score. */
export interface Trained<Fitted> {
  readonly fitted: Fitted;
  /** Higher is more anomalous. */
  readonly scores: Float64Array;
}

export interface State<Fitted> extends Trained<Fitted> {
  readonly threshold: Threshold;
  /** Rows of detectors that keep none for their scores. */
  readonly sample?: TrainingSample | undefined;
  /** What other threads know it by. */
  readonly key: number;
  /** How the columns of a table become its rows; undefined where it was fitted on rows without names. */
  readonly recipe: Recipe | undefined;
}

export function* stateOf<Fitted>(
  { fitted, scores }: Trained<Fitted>,
  contamination: number | undefined,
): Steps<State<Fitted>> {
  const threshold =
    contamination === undefined ? yield* twoMeansThreshold(scores) : contaminationThreshold(scores, contamination);
  return { fitted, scores, threshold, key: newKey(), recipe: undefined };
}

export function modelOf<Fitted>(
  detector: string,
  { scores, threshold, sample, recipe }: State<Fitted>,
  { fields, sections }: Pick<Model, 'fields' | 'sections'>,
): Model {
  // JSON has no infinity: a degenerate threshold is null.
  const value = threshold.isDegenerate ? null : threshold.value;
  return {
    detector,
    fields: { ...fields, threshold: value, table: recipe?.toJSON() },
    sections: { ...sections, scores, ...(sample && describeSample(sample)) },
  };
}

export function stateFrom<Fitted>(model: Model, fitted: Fitted, columns: number): State<Fitted> {
  const value = model.fields['threshold'];
  const isDegenerate = value === null;
  if (!isDegenerate && !(typeof value === 'number' && Number.isFinite(value)))
    throw corrupt('its threshold is not a number');
  const scores = checkedSection(model, 'scores', 'f64');
  const sample = restoreSample(model, scores.length);
  const { table } = model.fields;
  const recipe = table === undefined ? undefined : Recipe.fromJSON(table, columns);
  const threshold = { value: isDegenerate ? Infinity : value, isDegenerate };
  return { fitted, scores, sample, threshold, key: newKey(), recipe };
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
