// What cross-validation is about: detectors, measures, and what each fold gives, summed up. How the folds are
// run, cross-validate.ts and cross-validate-async.ts say.

import { CurvadError, describe } from '../core/errors.js';
import type { FlatMatrix } from '../core/input/matrix.js';
import type { Steps } from '../core/steps.js';
import type { AsyncOptions } from '../parallel/options.js';
import type { PartableRows } from '../tables/folds-of-rows.js';
import type { Fold } from './folds.js';

/** What can be cross-validated: every detector of curvad, or one of yours. */
export interface FittableDetector {
  /** Learns from rows. */
  fit(rows: FlatMatrix): unknown;
  /** Scores of the rows it was fitted on; higher is more anomalous. */
  readonly scores: ArrayLike<number>;
  /** Scores of other rows. */
  score(rows: FlatMatrix): ArrayLike<number>;
  /** As fit, without keeping the thread busy; used by `crossValidateAsync`, if there. */
  fitAsync?(rows: FlatMatrix, options: AsyncOptions): Promise<unknown>;
  /** As score, without keeping the thread busy; used by `crossValidateAsync`, if there. */
  scoreAsync?(rows: FlatMatrix, options: AsyncOptions): Promise<ArrayLike<number>>;
  /** Called after each fold, also where it failed. */
  dispose?(): void;
}

/** A number that says how good scores are; labels are 1 for anomalies, otherwise 0. */
export type Measure = (labels: Uint8Array, scores: Float64Array) => number;

/** Measures that are known by name. */
export type MeasureName = 'rocAuc' | 'averagePrecision';

/** `Name` are the names of the metrics. */
export interface CrossValidateOptions<Name extends string = string> {
  /** How many folds (default 10), or the folds themselves. */
  folds?: number | readonly Fold[];
  /** Part the rows at random (default), or in blocks of neighbouring rows. */
  shuffle?: boolean;
  /** Give all folds the same share of anomalies, to one row. Default true: anomalies are rare. */
  stratified?: boolean;
  /** The same seed gives the same folds: a whole number from 0 to 4294967295. Default 0. */
  seed?: number;
  /**
   * Names, as in `['rocAuc', 'averagePrecision']`, or functions under names of yours, as in
   * `{ top10: (labels, scores) => precisionAtN(labels, scores, 10) }`. Default `['rocAuc']`.
   */
  metrics?: ReadonlyArray<Name & MeasureName> | Readonly<Record<Name, Measure>>;
}

/** One value per fold, with their mean and population standard deviation (that of NumPy). */
export interface FoldValues {
  readonly values: Float64Array;
  readonly mean: number;
  readonly std: number;
}

/** A value that does not exist: it is NaN, and so are its mean and standard deviation. */
export interface MissingValue {
  /** From 0. */
  readonly fold: number;
  readonly part: 'train' | 'test';
  readonly metric: string;
  /** Why, in a sentence. */
  readonly reason: string;
}

/** What cross-validation found; `Name` are the names of the metrics. */
export interface CrossValidation<Name extends string = string> {
  /** The folds that were used. */
  readonly folds: readonly Fold[];
  /** For each metric, how well training and test rows were ranked. */
  readonly metrics: Readonly<Record<Name, { readonly train: FoldValues; readonly test: FoldValues }>>;
  /** Seconds to fit, which includes scoring the training rows. */
  readonly fitSeconds: FoldValues;
  /** Seconds to score the test rows. */
  readonly scoreSeconds: FoldValues;
  /** Values that do not exist because a part of a fold has no anomalies, or only anomalies. Mostly empty. */
  readonly missing: readonly MissingValue[];
}

/** What is to be done, checked. */
export interface Experiment {
  readonly rows: PartableRows;
  readonly labels: Uint8Array;
  readonly folds: readonly Fold[];
  readonly measures: ReadonlyMap<string, Measure>;
}

/** What one fold gave. */
export interface FoldRun {
  readonly train: Float64Array;
  readonly test: Float64Array;
  readonly fitSeconds: number;
  readonly scoreSeconds: number;
}

/** Copied, as a detector that is disposed of may take its scores along. */
export function copyScores(scores: ArrayLike<number> | undefined, name: string, rows: number): Float64Array {
  if (scores?.length === rows) return Float64Array.from(scores);
  const got = scores?.length === undefined ? describe(scores) : `${scores.length} values`;
  throw new CurvadError(
    'DETECTOR_INVALID',
    `${name} of the detector must have a value for each of ${rows} rows, got ${got}`,
  );
}

/** Measures what the folds gave, with a pause after each value. */
export function* summarize<Name extends string>(
  { folds, labels, measures }: Experiment,
  runs: readonly FoldRun[],
): Steps<CrossValidation<Name>> {
  const missing: MissingValue[] = [];
  function* measureAll(metric: string, measure: Measure, part: 'train' | 'test'): Steps<FoldValues> {
    const values: number[] = [];
    for (const [number, fold] of folds.entries()) {
      yield;
      const ofPart = Uint8Array.from(fold[part], (row) => labels[row] as number);
      try {
        values.push(checkValue(measure(ofPart, (runs[number] as FoldRun)[part]), metric));
      } catch (error) {
        if (!(error instanceof CurvadError && error.code === 'ONE_CLASS')) throw error;
        missing.push({ fold: number, part, metric, reason: error.message });
        values.push(Number.NaN);
      }
    }
    return foldValues(values);
  }
  const metrics: Array<[string, { train: FoldValues; test: FoldValues }]> = [];
  for (const [name, measure] of measures) {
    const train = yield* measureAll(name, measure, 'train');
    metrics.push([name, { train, test: yield* measureAll(name, measure, 'test') }]);
  }
  return {
    folds,
    metrics: Object.fromEntries(metrics) as CrossValidation<Name>['metrics'],
    fitSeconds: foldValues(runs.map(({ fitSeconds }) => fitSeconds)),
    scoreSeconds: foldValues(runs.map(({ scoreSeconds }) => scoreSeconds)),
    missing,
  };
}

function foldValues(list: readonly number[]): FoldValues {
  const values = Float64Array.from(list);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { values, mean, std: Math.sqrt(variance) };
}

function checkValue(value: unknown, metric: string): number {
  if (typeof value === 'number') return value;
  throw new CurvadError('METRIC_INVALID', `metric ${describe(metric)} must give a number, got ${describe(value)}`);
}

/** A detector as `makeDetector` gave it. */
export function checkDetector(detector: unknown): FittableDetector {
  const { fit, score } = (typeof detector === 'object' && detector !== null ? detector : {}) as Record<string, unknown>;
  if (typeof fit === 'function' && typeof score === 'function') return detector as FittableDetector;
  const rule = 'makeDetector must give a detector with fit, scores and score';
  throw new CurvadError('DETECTOR_INVALID', `${rule}, got ${describe(detector)}`);
}
