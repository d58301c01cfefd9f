// Cross-validation: the numbers are scikit-learn's (test/fixtures/make_cross_validate.py) for a detector that
// is written out here; the rest is about what happens to detectors, to odd folds and to wrong calls.
import { describe, expect, it } from 'vitest';
import {
  CAD,
  type CrossValidateOptions,
  crossValidate,
  crossValidateAsync,
  type FittableDetector,
  type FlatMatrix,
  KNN,
  kFold,
  NearestNeighbors,
  precisionAtN,
  rocAuc,
  table,
} from '../../src/index.js';
import { fixture, Random, rowsOf, squaredDistance } from '../support/data.js';
import { type BadCall, expectRefusal } from './refusal.js';

interface Values {
  values: number[];
  mean: number;
  std: number;
}

interface Case {
  name: string;
  rows: number[][];
  labels: number[];
  folds: number;
  stratified: boolean;
  k: number;
  metrics: Record<'rocAuc' | 'averagePrecision', Record<'train' | 'test', Values>>;
}

const linesOf = ({ data, columns }: FlatMatrix): Float64Array[] => rowsOf({ X: Float64Array.from(data), columns });

/** The distance to the k-th nearest training row; a training row is its own first neighbour. */
class KthDistance implements FittableDetector {
  scores: Float64Array = new Float64Array();
  disposals = 0;
  #rows: Float64Array[] = [];
  readonly #k: number;

  constructor(k: number) {
    this.#k = k;
  }

  fit(rows: FlatMatrix): void {
    this.#rows = linesOf(rows);
    this.scores = this.score(rows);
  }

  score(rows: FlatMatrix): Float64Array {
    return Float64Array.from(linesOf(rows), (row) => {
      const distances = this.#rows.map((other) => Math.sqrt(squaredDistance(row, other)));
      return distances.sort((a, b) => a - b)[this.#k - 1] as number;
    });
  }

  dispose(): void {
    this.disposals++;
  }
}

describe("crossValidate gives scikit-learn's numbers", () => {
  it.each(fixture<{ cases: Case[] }>('cross_validate').cases)('$name', (truth) => {
    const { folds, stratified } = truth;
    const { metrics, missing } = crossValidate(() => new KthDistance(truth.k), truth.rows, truth.labels, {
      folds,
      stratified,
      shuffle: false,
      metrics: ['rocAuc', 'averagePrecision'],
    });
    expect(missing).toEqual([]);
    expect(Object.keys(metrics)).toEqual(['rocAuc', 'averagePrecision']);
    for (const name of ['rocAuc', 'averagePrecision'] as const) {
      for (const part of ['train', 'test'] as const) {
        const [found, wanted] = [metrics[name][part], truth.metrics[name][part]];
        expect(found.values.length).toBe(folds);
        found.values.forEach((value, fold) => {
          expect(value).toBeCloseTo(wanted.values[fold] as number, 12);
        });
        expect(found.mean).toBeCloseTo(wanted.mean, 12);
        expect(found.std).toBeCloseTo(wanted.std, 12);
      }
    }
  });
});

const random = new Random(5);
const ROWS = random.rows(60, 3);
const LABELS = ROWS.map((row) => Number(Math.hypot(...row) > 2));

describe('crossValidate', () => {
  it('ranks the training rows by the scores of the detector and the test rows by score', () => {
    const folds = kFold(60, { folds: 4, seed: 3, stratify: LABELS });
    const { metrics } = crossValidate(() => new CAD({ neighbors: 5 }), ROWS, LABELS, { folds });
    folds.forEach(({ train, test }, fold) => {
      const pick = <T>(list: readonly T[], which: Uint32Array): T[] => Array.from(which, (row) => list[row] as T);
      const cad = new CAD({ neighbors: 5 }).fit(pick(ROWS, train));
      expect(metrics.rocAuc.train.values[fold]).toBe(rocAuc(pick(LABELS, train), cad.scores));
      expect(metrics.rocAuc.test.values[fold]).toBe(rocAuc(pick(LABELS, test), cad.score(pick(ROWS, test))));
    });
  });

  it('learns what becomes of columns from the training rows of each fold alone', async () => {
    // In the last fold the test rows lack a value, and what the others of the first folds have would fill it in.
    const seeded = new Random(6);
    const objects = Array.from({ length: 60 }, (_, i) => ({
      a: i % 3 === 0 ? null : seeded.gaussian() + (i < 30 ? 0 : 50),
      b: seeded.gaussian(),
      c: i < 30 ? 'left' : 'right',
    }));
    const labels = objects.map(({ b }) => Number(b > 1));
    const options = { folds: 2, shuffle: false, stratified: false } as const;
    const make = () => new KNN({ neighbors: 3 });
    const { folds, metrics } = crossValidate(make, table(objects, { missing: 'indicator' }), labels, options);
    folds.forEach(({ train, test }, fold) => {
      const pick = <T>(list: readonly T[], which: Uint32Array): T[] => Array.from(which, (row) => list[row] as T);
      const knn = make().fit(table(pick(objects, train), { missing: 'indicator' }));
      expect(metrics.rocAuc.train.values[fold]).toBe(rocAuc(pick(labels, train), knn.scores));
      expect(metrics.rocAuc.test.values[fold]).toBe(rocAuc(pick(labels, test), knn.score(pick(objects, test))));
    });
    const inTurns = await crossValidateAsync(make, table(objects, { missing: 'indicator' }), labels, options);
    expect(inTurns.metrics).toEqual(metrics);
  });

  it('takes ten shuffled folds of seed 0 with equal shares of anomalies unless told otherwise', () => {
    const make = () => new KthDistance(3);
    const wanted = kFold(60, { folds: 10, seed: 0, shuffle: true, stratify: LABELS });
    expect(crossValidate(make, ROWS, LABELS).folds).toEqual(wanted);
    const options = { folds: 3, seed: 7, stratified: false };
    expect(crossValidate(make, ROWS, LABELS, options).folds).toEqual(kFold(60, { folds: 3, seed: 7 }));
  });

  it('gives the same for flat rows, and for labels of true and false', () => {
    const data = Float64Array.from(ROWS.flatMap((row) => [...row]));
    const make = () => new KthDistance(3);
    const flat = crossValidate(make, { data, rows: 60, columns: 3 }, LABELS.map(Boolean), { folds: 5 });
    expect(flat.metrics).toEqual(crossValidate(make, ROWS, LABELS, { folds: 5 }).metrics);
  });

  it('takes measures of yours, under your names', () => {
    const top = (labels: ArrayLike<number>, scores: ArrayLike<number>) => precisionAtN(labels, scores, 3);
    const { metrics } = crossValidate(() => new KthDistance(3), ROWS, LABELS, {
      folds: 5,
      metrics: { 'top 3': top, area: rocAuc, rows: (labels) => labels.length },
    });
    expect(Array.from(metrics.rows.test.values)).toEqual([12, 12, 12, 12, 12]);
    expect(metrics.rows.train.mean).toBe(48);
    expect(metrics.rows.train.std).toBe(0);
    expect(metrics.area).toEqual(crossValidate(() => new KthDistance(3), ROWS, LABELS, { folds: 5 }).metrics.rocAuc);
    expect(metrics['top 3'].train.values.every((value) => [0, 1, 2, 3].includes(Math.round(3 * value)))).toBe(true);
  });

  it('asks for a detector for each fold, and disposes of it', () => {
    const made: KthDistance[] = [];
    const numbers: number[] = [];
    crossValidate(
      (fold) => {
        numbers.push(fold);
        made.push(new KthDistance(2));
        return made[made.length - 1] as KthDistance;
      },
      ROWS,
      LABELS,
      { folds: 4 },
    );
    expect(numbers).toEqual([0, 1, 2, 3]);
    expect(made.map(({ disposals }) => disposals)).toEqual([1, 1, 1, 1]);
  });

  it('disposes of a detector that failed, and passes its error on', () => {
    const detector = new KthDistance(2);
    detector.score = () => {
      throw new RangeError('mine');
    };
    expect(() => crossValidate(() => detector, ROWS, LABELS, { folds: 4 })).toThrow(new RangeError('mine'));
    expect(detector.disposals).toBe(1);
  });

  it('measures the seconds to fit and to score', () => {
    const wait = (milliseconds: number): void => {
      const start = performance.now();
      while (performance.now() - start < milliseconds);
    };
    class Slow extends KthDistance {
      override fit(rows: FlatMatrix): void {
        super.fit(rows);
        wait(30);
      }
    }
    const { fitSeconds, scoreSeconds } = crossValidate(() => new Slow(2), ROWS, LABELS, { folds: 2 });
    expect(fitSeconds.values.length).toBe(2);
    expect(Math.min(...fitSeconds.values)).toBeGreaterThan(0.03);
    expect(Math.min(...scoreSeconds.values)).toBeGreaterThan(0);
  });

  it('says which fold has only one class: its value is NaN, and so is the mean', () => {
    const labels = ROWS.map((_, row) => Number(row < 6));
    const { metrics, missing } = crossValidate(() => new KthDistance(2), ROWS, labels, {
      folds: 3,
      shuffle: false,
      stratified: false,
      metrics: { auc: rocAuc, rows: (list) => list.length },
    });
    // All anomalies are in the first block: it alone can be tested on, and alone cannot be trained without.
    const why = (count: number) => `rocAuc needs anomalies and normal rows, but all ${count} labels are normal (0)`;
    expect(missing).toEqual([
      { fold: 0, part: 'train', metric: 'auc', reason: why(40) },
      { fold: 1, part: 'test', metric: 'auc', reason: why(20) },
      { fold: 2, part: 'test', metric: 'auc', reason: why(20) },
    ]);
    expect(Array.from(metrics.auc.test.values, Number.isNaN)).toEqual([false, true, true]);
    expect([metrics.auc.test.mean, metrics.auc.test.std, metrics.auc.train.mean]).toEqual([NaN, NaN, NaN]);
    expect(metrics.rows.test.mean).toBe(20);
  });

  it('leaves a rare anomaly to one test set each if there are fewer anomalies than folds', () => {
    const labels = ROWS.map((_, row) => Number(row < 3));
    const { missing } = crossValidate(() => new KthDistance(2), ROWS, labels, { folds: 5 });
    expect(missing.map(({ part }) => part)).toEqual(['test', 'test']);
  });
});

const call =
  (options?: unknown, labels: unknown = LABELS, rows: unknown = ROWS, make: unknown = () => new KthDistance(2)) =>
  () =>
    void crossValidate(
      make as () => FittableDetector,
      rows as number[][],
      labels as number[],
      options as CrossValidateOptions,
    );
const given = (train: unknown, test: unknown) => call({ folds: [{ train, test }] });
const like = (part: object) => () => Object.assign(new KthDistance(2), part);

// biome-ignore format: a table
const REFUSED: BadCall[] = [
  { name: 'no function', act: call({}, LABELS, ROWS, new CAD()), code: 'DETECTOR_INVALID', message: /^makeDetector must be a function that gives a detector, as in \(\) => new CAD\(\), got an object/ },
  { name: 'a function that gives nothing', act: call({}, LABELS, ROWS, () => undefined), code: 'DETECTOR_INVALID', message: /must give a detector with fit, scores and score, got undefined/ },
  { name: 'something that cannot fit', act: call({}, LABELS, ROWS, () => new NearestNeighbors(ROWS)), code: 'DETECTOR_INVALID', message: /must give a detector with fit/ },
  { name: 'a detector with too few scores', act: call({ folds: 2 }, LABELS, ROWS, () => ({ fit: () => 0, scores: new Float64Array(30), score: () => [1] })), code: 'DETECTOR_INVALID', message: /^score\(rows\) of the detector must have a value for each of 30 rows, got 1 values/ },
  { name: 'a detector without scores', act: call({ folds: 2 }, LABELS, ROWS, () => ({ fit: () => 0, score: () => new Float64Array(30) })), code: 'DETECTOR_INVALID', message: /^scores of the detector must have.*got undefined/ },
  { name: 'a detector that scores NaN', act: call({ folds: 2 }, LABELS, ROWS, like({ score: () => new Float64Array(30).fill(NaN) })), code: 'NAN_VALUE', message: /^scores\[0\] is NaN/, row: 0 },
  { name: 'rows that are none', act: call({}, LABELS, 'rows'), code: 'INPUT_TYPE', message: /rows must be an array of rows/ },
  { name: 'labels too short', act: call({}, [0, 1]), code: 'LENGTHS_DIFFER', message: /^labels must have one value for each of 60 rows, got 2/ },
  { name: 'labels of another kind', act: call({}, LABELS.map(() => -1)), code: 'LABEL_INVALID', message: /^labels\[0\] must be 1 or true/, row: 0 },
  { name: 'an unknown option', act: call({ cv: 5 }), code: 'UNKNOWN_OPTION', message: /crossValidate has no option "cv"; it has folds, shuffle/ },
  { name: 'options null', act: call(null), code: 'OPTIONS_TYPE', message: /options of crossValidate must be an object, got null/ },
  { name: 'folds 1', act: call({ folds: 1 }), code: 'FOLDS_INVALID', message: /^folds must be a whole number from 2/ },
  { name: 'folds "5"', act: call({ folds: '5' }), code: 'FOLDS_INVALID', message: /^folds must be a whole number from 2/ },
  { name: 'seed -1', act: call({ seed: -1 }), code: 'SEED_INVALID', message: /^seed must be/ },
  { name: 'shuffle 1', act: call({ shuffle: 1 }), code: 'SHUFFLE_INVALID', message: /^shuffle must be true or false/ },
  { name: 'stratified by a list', act: call({ stratified: LABELS }), code: 'STRATIFIED_INVALID', message: /^stratified must be true or false, got an array of 60/ },
  { name: 'no folds', act: call({ folds: [] }), code: 'FOLDS_INVALID', message: /^folds is empty/ },
  { name: 'folds with a seed', act: call({ folds: kFold(60), seed: 1, shuffle: true }), code: 'FOLDS_INVALID', message: /^folds are given, so that shuffle and seed would have no effect/ },
  { name: 'a fold that is none', act: call({ folds: [null] }), code: 'FOLDS_INVALID', message: /^folds\[0\]\.train must be a list of at least one row number, got undefined/ },
  { name: 'a fold without test rows', act: given([0, 1], []), code: 'FOLDS_INVALID', message: /^folds\[0\]\.test must be a list/ },
  { name: 'a row that does not exist', act: given([0, 1], [2, 60]), code: 'FOLDS_INVALID', message: /^folds\[0\]\.test\[1\] must be a row number from 0 to 59, got 60/ },
  { name: 'a row number that is none', act: given([0, 1.5], [2]), code: 'FOLDS_INVALID', message: /^folds\[0\]\.train\[1\] must be a row number.*got 1\.5/ },
  { name: 'a row that is trained on and tested', act: given([0, 1], [2, 1]), code: 'FOLDS_INVALID', message: /^folds\[0\]\.test\[1\]: the fold already has row 1/, row: 1 },
  { name: 'a metric by an unknown name', act: call({ metrics: ['rocAuc', 'f1'] }), code: 'METRIC_UNKNOWN', message: /^metrics\[1\] must be one of rocAuc, averagePrecision, got "f1"/ },
  { name: 'a metric named as something every object has', act: call({ metrics: ['toString'] }), code: 'METRIC_UNKNOWN', message: /^metrics\[0\] must be one of/ },
  { name: 'one name outside a list', act: call({ metrics: 'rocAuc' }), code: 'METRIC_INVALID', message: /^metrics must be a list of names or an object of functions, got "rocAuc"/ },
  { name: 'a metric that is no function', act: call({ metrics: { auc: 'rocAuc' } }), code: 'METRIC_INVALID', message: /but "auc" is "rocAuc"/ },
  { name: 'no metrics', act: call({ metrics: [] }), code: 'METRIC_INVALID', message: /got none$/ },
  { name: 'a metric that gives no number', act: call({ metrics: { odd: () => '1' } }), code: 'METRIC_INVALID', message: /^metric "odd" must give a number, got "1"/ },
];

describe('a wrong call of crossValidate', () => {
  it.each(REFUSED)('is refused with its code and place: $name', expectRefusal);
});
