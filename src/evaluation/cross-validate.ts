// Cross-validation: a detector is fitted on the training rows of each fold and measured on both parts. What
// a detector is, it need not know: anything that fits, keeps the scores of its training rows and scores others.
import { CurvadError, describe } from '../core/errors.js';
import { type FlatMatrix, type MatrixInput, RowReader } from '../core/matrix.js';
import { checkOptionNames, flag } from '../core/options.js';
import { type Fold, type KFoldOptions, kFold } from './folds.js';
import { readLabels } from './lists.js';
import { averagePrecision, rocAuc } from './ranking.js';

/** What can be cross-validated: every detector of curvad, or one of yours. */
export interface FittableDetector {
  /** Learns from rows. */
  fit(rows: FlatMatrix): unknown;
  /** Scores of the rows it was fitted on; higher is more anomalous. */
  readonly scores: ArrayLike<number>;
  /** Scores of other rows. */
  score(rows: FlatMatrix): ArrayLike<number>;
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

const OPTION_NAMES: ReadonlyArray<keyof CrossValidateOptions> = ['folds', 'shuffle', 'stratified', 'seed', 'metrics'];
const MEASURES: Readonly<Record<MeasureName, Measure>> = { rocAuc, averagePrecision };

/**
 * Fits a detector on each fold and measures how it ranks the training rows (by its `scores`) and the test rows
 * (by `score`). Where a part of a fold has only one class, its metric is NaN and `missing` says why.
 *
 * @param makeDetector Gives a detector for the fold of this number (from 0). It is fitted, and disposed of
 *   after use.
 * @param rows All rows.
 * @param labels 1 or true for an anomaly, 0 or false for a normal row.
 */
export function crossValidate<Name extends string = 'rocAuc'>(
  makeDetector: (fold: number) => FittableDetector,
  rows: MatrixInput,
  labels: ArrayLike<number | boolean>,
  options: CrossValidateOptions<Name> = {},
): CrossValidation<Name> {
  const given = checkOptionNames(options, OPTION_NAMES, 'crossValidate');
  if (typeof makeDetector !== 'function') {
    const rule = 'makeDetector must be a function that gives a detector, as in () => new CAD()';
    throw new CurvadError('DETECTOR_INVALID', `${rule}, got ${describe(makeDetector)}`);
  }
  const reader = new RowReader().attach(rows);
  const y = readLabels(labels, 'labels');
  if (y.length !== reader.rows) {
    throw new CurvadError(
      'LENGTHS_DIFFER',
      `labels must have one value for each of ${reader.rows} rows, got ${y.length}`,
    );
  }
  const measures = readMeasures(given['metrics']);
  const folds = foldsOf(given, y);
  const runs = folds.map((fold, number) => runFold(checkDetector(makeDetector(number)), reader, fold));
  return summarize(folds, runs, measures, y);
}

/** What one fold gave. */
interface Run {
  readonly train: Float64Array;
  readonly test: Float64Array;
  readonly fitSeconds: number;
  readonly scoreSeconds: number;
}

function runFold(detector: FittableDetector, rows: RowReader, fold: Fold): Run {
  try {
    const [trainRows, testRows] = [pick(rows, fold.train), pick(rows, fold.test)];
    const start = performance.now();
    detector.fit(trainRows);
    const fitted = performance.now();
    const testScores = detector.score(testRows);
    const scored = performance.now();
    return {
      train: copyScores(detector.scores, 'scores', fold.train.length),
      test: copyScores(testScores, 'score(rows)', fold.test.length),
      fitSeconds: (fitted - start) / 1000,
      scoreSeconds: (scored - fitted) / 1000,
    };
  } finally {
    detector.dispose?.();
  }
}

/** Copied, as a detector that is disposed of may take its scores along. */
function copyScores(scores: ArrayLike<number> | undefined, name: string, rows: number): Float64Array {
  if (scores?.length === rows) return Float64Array.from(scores);
  const got = scores?.length === undefined ? describe(scores) : `${scores.length} values`;
  throw new CurvadError(
    'DETECTOR_INVALID',
    `${name} of the detector must have a value for each of ${rows} rows, got ${got}`,
  );
}

function pick(rows: RowReader, which: Uint32Array): FlatMatrix {
  const data = new Float64Array(which.length * rows.columns);
  which.forEach((row, i) => {
    rows.read(row, data, i * rows.columns);
  });
  return { data, rows: which.length, columns: rows.columns };
}

function summarize(
  folds: readonly Fold[],
  runs: readonly Run[],
  measures: ReadonlyMap<string, Measure>,
  labels: Uint8Array,
): CrossValidation {
  const missing: MissingValue[] = [];
  const measureAll = (metric: string, measure: Measure, part: 'train' | 'test'): FoldValues =>
    foldValues(
      folds.map((fold, number) => {
        const ofPart = Uint8Array.from(fold[part], (row) => labels[row] as number);
        try {
          return checkValue(measure(ofPart, (runs[number] as Run)[part]), metric);
        } catch (error) {
          if (!(error instanceof CurvadError && error.code === 'ONE_CLASS')) throw error;
          missing.push({ fold: number, part, metric, reason: error.message });
          return Number.NaN;
        }
      }),
    );
  const metrics = Array.from(measures, ([name, measure]) => {
    const [train, test] = [measureAll(name, measure, 'train'), measureAll(name, measure, 'test')];
    return [name, { train, test }] as const;
  });
  return {
    folds,
    metrics: Object.fromEntries(metrics),
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

function checkDetector(detector: unknown): FittableDetector {
  const { fit, score } = (typeof detector === 'object' && detector !== null ? detector : {}) as Record<string, unknown>;
  if (typeof fit === 'function' && typeof score === 'function') return detector as FittableDetector;
  const rule = 'makeDetector must give a detector with fit, scores and score';
  throw new CurvadError('DETECTOR_INVALID', `${rule}, got ${describe(detector)}`);
}

function readMeasures(metrics: unknown): ReadonlyMap<string, Measure> {
  if (metrics === undefined) return new Map([['rocAuc', rocAuc]]);
  const rule = 'metrics must be a list of names or an object of functions';
  if (typeof metrics !== 'object' || metrics === null) {
    throw new CurvadError('METRIC_INVALID', `${rule}, got ${describe(metrics)}`);
  }
  const measures = new Map<string, Measure>();
  for (const [key, value] of Object.entries(metrics)) {
    if (!Array.isArray(metrics) && typeof value === 'function') measures.set(key, value as Measure);
    else if (Array.isArray(metrics) && Object.hasOwn(MEASURES, value))
      measures.set(value, MEASURES[value as MeasureName]);
    else if (Array.isArray(metrics)) {
      const known = Object.keys(MEASURES).join(', ');
      throw new CurvadError('METRIC_UNKNOWN', `metrics[${key}] must be one of ${known}, got ${describe(value)}`);
    } else throw new CurvadError('METRIC_INVALID', `${rule}, but ${describe(key)} is ${describe(value)}`);
  }
  if (measures.size === 0) throw new CurvadError('METRIC_INVALID', `${rule}, got none`);
  return measures;
}

function foldsOf(given: Record<string, unknown>, labels: Uint8Array): readonly Fold[] {
  const { folds, seed, shuffle } = given;
  const stratified = flag(given['stratified'], 'stratified', true, 'STRATIFIED_INVALID');
  if (Array.isArray(folds)) {
    const idle = ['shuffle', 'stratified', 'seed'].filter((name) => given[name] !== undefined);
    if (idle.length > 0) {
      throw new CurvadError('FOLDS_INVALID', `folds are given, so that ${idle.join(' and ')} would have no effect`);
    }
    if (folds.length === 0) throw new CurvadError('FOLDS_INVALID', 'folds is empty: there must be at least one fold');
    return folds.map((fold, number) => checkFold(fold, `folds[${number}]`, labels.length));
  }
  return kFold(labels.length, { folds, seed, shuffle, ...(stratified ? { stratify: labels } : {}) } as KFoldOptions);
}

/** Rows that exist, none twice: a row that is both trained on and tested would make the test too good. */
function checkFold(fold: Partial<Fold> | null | undefined, name: string, rows: number): Fold {
  const isUsed = new Uint8Array(rows);
  const check = (part: 'train' | 'test'): Uint32Array => {
    const list: unknown = fold?.[part];
    if (!(Array.isArray(list) || list instanceof Uint32Array) || list.length === 0) {
      const rule = 'must be a list of at least one row number';
      throw new CurvadError('FOLDS_INVALID', `${name}.${part} ${rule}, got ${describe(list)}`);
    }
    return Uint32Array.from(list, (row: unknown, i) => {
      if (!(typeof row === 'number' && Number.isInteger(row) && row >= 0 && row < rows)) {
        const rule = `must be a row number from 0 to ${rows - 1}`;
        throw new CurvadError('FOLDS_INVALID', `${name}.${part}[${i}] ${rule}, got ${describe(row)}`);
      }
      if (isUsed[row] !== 0) {
        throw new CurvadError('FOLDS_INVALID', `${name}.${part}[${i}]: the fold already has row ${row}`, { row });
      }
      isUsed[row] = 1;
      return row;
    });
  };
  return { train: check('train'), test: check('test') };
}
