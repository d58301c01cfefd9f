// What detectors make of scores: which rule finds the threshold and that it is kept, how unusual rows are, and when
// verdicts are doubtful.
import { describe, expect, it } from 'vitest';
import { readModel, writeModel } from '../../src/core/model-file/model-file.js';
import {
  type AnyDetector,
  CAD,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  load,
  OneClassSVM,
  thresholdOf,
} from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS, type Options } from '../support/detectors.js';
import { expectRefusal } from '../support/refusals.js';

const random = new Random(17);
const cloud = (rows: number, columns: number): Float64Array[] => random.rows(rows, columns, () => random.gaussian());
const X = cloud(200, 3);
const Y = cloud(50, 3).map((row) => row.map((value) => value * 2));

const flagged = ({ labels }: AnyDetector): number => labels.reduce((sum, label) => sum + label, 0);
/** numpy's percentile, of scores that are at places between. */
function percentile(scores: Float64Array, share: number): number {
  const sorted = scores.toSorted();
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]] as [number, number];
  return low + (high - low) * (place - Math.floor(place));
}

describe('the rule for the threshold', () => {
  it('is two-means for CAD, native for OneClassSVM and capped for all others', () => {
    for (const { kind, make } of DETECTORS) {
      const expected = { CAD: { name: 'two-means' }, OneClassSVM: { name: 'native', value: 0 } }[kind];
      expect(make().thresholdRule, kind).toEqual(expected ?? { name: 'capped', share: 0.05 });
    }
  });

  it.each(DETECTORS)('capped: the higher of two-means and the percentile, $name', ({ make }) => {
    const twoMeans = make({ threshold: 'two-means' }).fit(X);
    for (const cap of [0.01, 0.05, 0.2, 0.5]) {
      const model = make({ cap }).fit(X);
      expect(model.threshold).toBe(Math.max(twoMeans.threshold, thresholdOf(model.scores, { contamination: cap })));
      expect(model.threshold).toBeGreaterThan(percentile(model.scores, 1 - cap) - 1e-9);
      expect(flagged(model)).toBeLessThanOrEqual(cap * X.length);
      expect(thresholdOf(model.scores, { cap })).toBe(model.threshold);
    }
  });

  it('can be a number, whatever the scores', () => {
    const model = new KNN({ threshold: 1.25 }).fit(X);
    expect(model.threshold).toBe(1.25);
    expect(model.predict(Y)).toEqual(Uint8Array.from(model.score(Y), (score) => Number(score > 1.25)));
    const equal = new KNN({ neighbors: 2, threshold: -1 }).fit([[1], [1], [1], [1]]);
    expect(equal.isDegenerate).toBe(true);
    expect([...equal.labels]).toEqual([1, 1, 1, 1]);
  });

  it('native is the border the method has', () => {
    const svm = new OneClassSVM({ nu: 0.2 }).fit(X);
    expect(svm.threshold).toBeGreaterThanOrEqual(0);
    expect(svm.threshold).toBeLessThanOrEqual(1e-3); // its tolerance
    const outside = svm.supportIndices.filter((_, i) => svm.supportCoefficients[i] === 1);
    const labelled = [...svm.labels.keys()].filter((row) => svm.labels[row] === 1);
    expect(labelled.every((row) => outside.includes(row))).toBe(true);
    expect(labelled.length).toBeGreaterThan(0.8 * outside.length);
    expect(new LOF({ threshold: 'native' }).fit(X).threshold).toBe(1.5);
  });

  const rules: Options[] = [{}, { cap: 0.1 }, { threshold: 'two-means' }, { threshold: 2 }, { contamination: 0.1 }];
  it.each(DETECTORS)('is kept in the model file, and for the next fit: $name', ({ make }) => {
    for (const rule of rules) {
      const model = make(rule).fit(X);
      const loaded = load(model.toBytes());
      expect(loaded.thresholdRule).toEqual(model.thresholdRule);
      expect(loaded.threshold).toBe(model.threshold);
      expect(loaded.fit(Y).threshold).toBe(make(rule).fit(Y).threshold);
    }
  });

  it('is two-means, or the contamination, in files that do not tell: those of version 0.1', () => {
    for (const [rule, options] of [
      [{ name: 'two-means' }, { threshold: 'two-means' }],
      [{ name: 'contamination', share: 0.1 }, { contamination: 0.1 }],
    ] as const) {
      const model = new KNN(options).fit(X);
      const { detector, sections, fields } = readModel(model.toBytes());
      const { thresholdRule: _, ...old } = fields;
      const loaded = load(writeModel({ detector, fields: old, sections }));
      expect(loaded.thresholdRule).toEqual(rule);
      expect(loaded.labels).toEqual(model.labels);
    }
  });

  it('is refused in a file where there is no such rule', () => {
    const { detector, sections, fields } = readModel(new KNN().fit(X).toBytes());
    for (const wrong of [{ thresholdRule: 'best' }, { cap: 7 }, { thresholdRule: 'native' }, { thresholdRule: 3 }]) {
      const bytes = writeModel({ detector, sections, fields: { ...fields, ...wrong } });
      expectRefusal({ name: '', act: () => void load(bytes), code: 'MODEL_CORRUPT', message: /threshold|cap|border/ });
    }
  });

  it.each([
    [{ threshold: 'best' }, /threshold must be one of two-means, capped, native or a finite number, got "best"/],
    [{ threshold: Number.NaN }, /threshold must be/],
    [{ threshold: Infinity }, /threshold must be/],
    [{ threshold: null }, /threshold must be/],
    [{ cap: 0 }, /cap must be a number above 0 and at most 0.5/],
    [{ cap: 0.6 }, /cap must be/],
    [{ cap: 0.1, threshold: 'two-means' }, /cap is for threshold 'capped'/],
    [{ contamination: 0.1, threshold: 'capped' }, /contamination already says/],
    [{ contamination: 0.1, cap: 0.1 }, /contamination already says/],
    [{ threshold: 'native' }, /no border of its own/],
  ])('refuses %j', (options, message) => {
    expectRefusal({ name: '', act: () => void new KNN(options as never), code: 'THRESHOLD_INVALID', message });
  });
});

describe.each(DETECTORS)('probabilities of $name', ({ make }) => {
  const model = make().fit(X);

  it('lie between 0 and 1 and grow with the score', () => {
    const [scores, probabilities] = [model.score(Y), model.probability(Y)];
    const order = [...scores.keys()].sort((a, b) => (scores[a] as number) - (scores[b] as number));
    for (const [i, row] of order.entries()) {
      expect(probabilities[row]).toBeGreaterThanOrEqual(0);
      expect(probabilities[row]).toBeLessThanOrEqual(1);
      const before = order[i - 1];
      if (before === undefined) continue;
      expect(probabilities[row]).toBeGreaterThanOrEqual(probabilities[before] as number);
    }
  });

  it('are the same in any batch, asynchronously, and after loading', async () => {
    const all = model.probability(Y);
    expect([...all]).toEqual(Y.map((row) => model.probability([row])[0]));
    expect(await model.probabilityAsync(Y, { threads: 0 })).toEqual(all);
    expect(load(model.toBytes()).probability(Y)).toEqual(all);
  });

  it('of training rows are their mean ranks over n + 1', () => {
    const { scores } = model;
    const expected = [...scores].map((score) => {
      const below = scores.filter((other) => other < score).length;
      const equal = scores.filter((other) => other === score).length;
      return (below + (equal + 1) / 2) / (scores.length + 1);
    });
    for (const [i, probability] of model.probabilities.entries())
      expect(probability).toBeCloseTo(expected[i] as number, 12);
  });
});

describe('a probability', () => {
  // Scores 1, 1, 2, 3, 11 around the median 2.
  const model = new KNN({ neighbors: 1 }).fit([[0], [1], [3], [6], [17]]);

  it.each([
    [1, 1.5 / 6],
    [1.5, 2.25 / 6],
    [2, 3 / 6],
    [7, 4.5 / 6],
    [11, 5 / 6],
    [20, 1 - 1 / 12], // twice as far from the median as the highest training score
    [0.5, (1 / 6) * (1 / 1.5)],
  ])('of score %d is %d', (score, expected) => {
    expect([...model.scores].sort((a, b) => a - b)).toEqual([1, 1, 2, 3, 11]);
    const row = [17 + score];
    const got = score < 3 ? model.probability([[17 + score]]) : model.probability([row]);
    expect(got[0]).toBeCloseTo(expected, 12);
  });

  it('is 1/2 where all training scores are equal, and certain elsewhere', () => {
    const equal = new KNN({ neighbors: 1 }).fit([[1], [1], [1]]);
    expect([...equal.probability([[1], [2]])]).toEqual([0.5, 1]);
  });
});

describe('warnings', () => {
  const codes = ({ warnings }: AnyDetector): string[] => warnings.map(({ code }) => code);

  it('there are none for a plain cloud', () => {
    expect(codes(new LandmarkCAD().fit(X))).toEqual([]);
  });

  it('tell of CAD on one column', () => {
    expect(codes(new CAD({ contamination: 0.05 }).fit(cloud(100, 1)))).toEqual(['ONE_COLUMN']);
    expect(codes(new LandmarkCAD().fit(cloud(100, 1)))).toEqual([]);
  });

  it('tell of more columns than rows', () => {
    const [warning] = new LandmarkCAD().fit(cloud(30, 31)).warnings;
    expect(warning?.code).toBe('MORE_COLUMNS_THAN_ROWS');
    expect(warning?.message).toMatch(/more columns \(31\) than rows \(30\)/);
    expect(codes(new LandmarkCAD().fit(cloud(30, 30)))).toEqual([]);
  });

  it('tell of rows that are mostly duplicates, after loading, too', () => {
    const rows = [...Array.from({ length: 60 }, () => [1, 2]), ...cloud(50, 2)];
    for (const make of [() => new KNN(), () => new LandmarkCAD(), () => new CAD({ contamination: 0.05 })]) {
      const model = make().fit(rows);
      expect(codes(model)).toEqual(['MOSTLY_TIED']);
      expect(codes(load(model.toBytes()))).toEqual(['MOSTLY_TIED']);
    }
  });

  it('tell of rows that are mostly duplicates only where rows are compared with their neighbours', () => {
    const rows = [...Array.from({ length: 60 }, () => [1, 2]), ...cloud(50, 2)];
    expect(codes(new IsolationForest().fit(rows))).toEqual([]);
    expect(codes(new OneClassSVM({ nu: 0.05 }).fit(rows))).toEqual([]);
    const [warning] = new KNN().fit(rows).warnings;
    expect(warning?.message).toMatch(/^60 of 110 training rows have the same score: most rows are duplicates/);
  });

  it('tell of rows that nothing tells apart, whatever the detector', () => {
    const rows = Array.from({ length: 30 }, () => [1, 2]);
    for (const { make, refusesEqualRows } of DETECTORS) {
      if (refusesEqualRows) continue;
      const [warning, ...others] = make().fit(rows).warnings;
      expect(warning?.message).toBe('all 30 training rows have the same score: nothing tells them apart');
      expect(others).toEqual([]);
    }
  });

  it('are told of every detector that has fewer rows than columns', () => {
    for (const { make, kind } of DETECTORS) {
      if (kind === 'EllipticEnvelope') continue; // it refuses them
      expect(codes(make({ contamination: 0.1 }).fit(cloud(20, 40)))).toEqual(['MORE_COLUMNS_THAN_ROWS']);
    }
  });

  it('tell of many rows flagged, and what to do', () => {
    const [warning] = new CAD().fit(X).warnings;
    expect(warning?.code).toBe('MANY_FLAGGED');
    expect(warning?.message).toMatch(/of 200 training rows are flagged \(\d+ %\): .*capped.*contamination/);
  });
});
