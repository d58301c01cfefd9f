// What cross-validation is given, checked: rows, labels, folds and measures.

import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames, flag } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import { partableRows } from '../tables/folds-of-rows.js';
import type { CrossValidateOptions, Experiment, Measure, MeasureName } from './cross-validation.js';
import { type Fold, type KFoldOptions, kFold } from './folds.js';
import { readLabels } from './lists.js';
import { averagePrecision, rocAuc } from './ranking.js';

const OPTION_NAMES: ReadonlyArray<keyof CrossValidateOptions> = ['folds', 'shuffle', 'stratified', 'seed', 'metrics'];
const MEASURES: Readonly<Record<MeasureName, Measure>> = { rocAuc, averagePrecision };

/** Checks all of an experiment but the detectors. */
export function* readExperiment(
  makeDetector: unknown,
  rows: unknown,
  labels: ArrayLike<number | boolean>,
  options: unknown,
  what: string,
): Steps<Experiment> {
  const given = checkOptionNames(options, OPTION_NAMES, what);
  if (typeof makeDetector !== 'function') {
    const rule = 'makeDetector must be a function that gives a detector, as in () => new CAD()';
    throw new CurvadError('DETECTOR_INVALID', `${rule}, got ${describe(makeDetector)}`);
  }
  const partable = yield* partableRows(rows);
  const y = readLabels(labels, 'labels');
  if (y.length !== partable.rows) {
    throw new CurvadError(
      'LENGTHS_DIFFER',
      `labels must have one value for each of ${partable.rows} rows, got ${y.length}`,
    );
  }
  const measures = readMeasures(given['metrics']);
  yield;
  return { rows: partable, labels: y, folds: foldsOf(given, y), measures };
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
