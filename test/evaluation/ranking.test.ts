// How well scores rank anomalies: scikit-learn's numbers (test/fixtures/make_evaluation.py), the definition
// over all pairs, and what must hold whatever the scores are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePrecision, precisionAtN, rocAuc, rocCurve } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { fixture } from '../support/data.js';
import { type BadCall, expectRefusal } from './refusal.js';

interface Rankings {
  rankings: Array<{
    name: string;
    labels: number[];
    scores: number[];
    anomalies: number;
    rocAuc: number;
    averagePrecision: number;
    precisionAtN: Array<{ n: number; value: number }>;
    falsePositiveRate: number[];
    truePositiveRate: number[];
    thresholdsAfterInfinity: number[];
  }>;
}

const { rankings } = fixture<Rankings>('evaluation');
const CLOSE = 1e-12;

describe("scikit-learn's truth", () => {
  it.each(rankings)('is the area under the ROC curve: $name', ({ labels, scores, rocAuc: truth }) => {
    expectAllClose([rocAuc(labels, scores)], [truth], { absolute: CLOSE });
  });

  it.each(rankings)('is the ROC curve: $name', (truth) => {
    const curve = rocCurve(truth.labels, truth.scores);
    expectAllClose(curve.falsePositiveRate, truth.falsePositiveRate, { absolute: CLOSE });
    expectAllClose(curve.truePositiveRate, truth.truePositiveRate, { absolute: CLOSE });
    expect(curve.thresholds[0]).toBe(Infinity);
    expectAllClose(curve.thresholds.subarray(1), truth.thresholdsAfterInfinity, { absolute: CLOSE });
  });

  it.each(rankings)('is the average precision: $name', ({ labels, scores, averagePrecision: truth }) => {
    expectAllClose([averagePrecision(labels, scores)], [truth], { absolute: CLOSE });
  });

  it.each(rankings)('is the precision at n: $name', ({ labels, scores, anomalies, precisionAtN: truth }) => {
    for (const { n, value } of truth) {
      expectAllClose([precisionAtN(labels, scores, n)], [value], { absolute: CLOSE });
      if (n === anomalies) expectAllClose([precisionAtN(labels, scores)], [value], { absolute: CLOSE });
    }
  });
});

/** Labels with both classes, and scores that often tie. */
const labelled = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: -8, max: 8 })), { minLength: 2, maxLength: 60 })
  .filter((rows) => new Set(rows.map(([label]) => label)).size === 2)
  .map((rows) => ({ labels: rows.map(([label]) => label), scores: rows.map(([, score]) => score) }));

describe('every ranking', () => {
  it('has as area the share of pairs in which the anomaly wins, a tie counting half', () => {
    fc.assert(
      fc.property(labelled, ({ labels, scores }) => {
        const [anomalies, normals] = [scores.filter((_, i) => labels[i]), scores.filter((_, i) => !labels[i])];
        const wins = anomalies.flatMap((a) => normals.map((b) => Number(a > b) + Number(a === b) / 2));
        expectAllClose([rocAuc(labels, scores)], [wins.reduce((sum, win) => sum + win, 0) / wins.length], {
          absolute: CLOSE,
        });
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('keeps its measures when scores are changed but not their order', () => {
    const changes = [(x: number) => x ** 3 - 5, Math.exp, Math.atan, (x: number) => (x === 8 ? Infinity : x / 3)];
    fc.assert(
      fc.property(labelled, fc.constantFrom(...changes), ({ labels, scores }, change) => {
        for (const measure of [rocAuc, averagePrecision, precisionAtN]) {
          expect(measure(labels, scores.map(change))).toBe(measure(labels, scores));
        }
      }),
      { seed: 2, numRuns: 300 },
    );
  });

  it('has one minus its area when turned round', () => {
    fc.assert(
      fc.property(labelled, ({ labels, scores }) => {
        const turned = scores.map((score) => -score);
        expectAllClose([rocAuc(labels, turned)], [1 - rocAuc(labels, scores)], { absolute: CLOSE });
      }),
      { seed: 3, numRuns: 300 },
    );
  });

  it('has areas and average precisions that do not depend on the order of the rows', () => {
    fc.assert(
      fc.property(labelled, ({ labels, scores }) => {
        for (const measure of [rocAuc, averagePrecision]) {
          expect(measure(labels.toReversed(), scores.toReversed())).toBe(measure(labels, scores));
        }
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  it('has a curve that rises from (0, 0) to (1, 1) and has its area below', () => {
    fc.assert(
      fc.property(labelled, ({ labels, scores }) => {
        const { falsePositiveRate, truePositiveRate, thresholds } = rocCurve(labels, scores);
        const points = Array.from(thresholds, (threshold, i) => ({
          x: falsePositiveRate[i] as number,
          y: truePositiveRate[i] as number,
          threshold,
        }));
        expect(points[0]).toEqual({ x: 0, y: 0, threshold: Infinity });
        expect(points.at(-1)).toEqual({ x: 1, y: 1, threshold: Math.min(...scores) });
        let area = 0;
        points.slice(1).forEach(({ x, y, threshold }, i) => {
          const before = points[i] as (typeof points)[number];
          expect(x >= before.x && y >= before.y && threshold < before.threshold).toBe(true);
          area += ((x - before.x) * (y + before.y)) / 2;
        });
        expectAllClose([area], [rocAuc(labels, scores)], { absolute: CLOSE });
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('may be given as booleans, numbers or typed arrays, and is left as it was', () => {
    const [labels, scores] = [
      [0, 1, 0, 1, 1],
      [3, 5, 4, 4, 1],
    ];
    const [bytes, floats] = [Uint8Array.from(labels), Float32Array.from(scores)];
    const booleans = labels.map(Boolean);
    for (const measure of [rocAuc, averagePrecision, precisionAtN, rocCurve]) {
      expect(measure(bytes, floats)).toEqual(measure(labels, scores));
      expect(measure(booleans, scores)).toEqual(measure(labels, scores));
    }
    expect([...floats]).toEqual([3, 5, 4, 4, 1]);
    expect(scores).toEqual([3, 5, 4, 4, 1]);
  });

  it('may hold infinite scores', () => {
    const labels = [1, 0, 1, 0, 1];
    const [scores, finite] = [
      [Infinity, Infinity, 2, -Infinity, -Infinity],
      [9, 9, 2, 1, 1],
    ];
    expect(rocAuc(labels, scores)).toBe(rocAuc(labels, finite));
    expect(averagePrecision(labels, scores)).toBe(averagePrecision(labels, finite));
    expect(precisionAtN(labels, scores, 2)).toBe(0.5);
  });
});

describe('the precision at n', () => {
  it('takes the lower row where scores tie at the cut', () => {
    expect(precisionAtN([1, 0, 0], [5, 5, 5])).toBe(1);
    expect(precisionAtN([0, 0, 1], [5, 5, 5])).toBe(0);
    expect(precisionAtN([0, 1, 1, 0], [1, 2, 1, 1], 2)).toBe(0.5);
  });

  it('is defined for one class when n is given', () => {
    expect(precisionAtN([0, 0], [1, 2], 2)).toBe(0);
    expect(precisionAtN([1, 1], [1, 2])).toBe(1);
  });
});

type Measure = (labels: number[], scores: number[], n?: number) => unknown;
const L = [0, 1, 0, 1];
const S = [1, 2, 3, 4];

const refused = (name: string, measure: Measure): BadCall[] => {
  const call = (labels: unknown, scores: unknown) => () => void measure(labels as number[], scores as number[]);
  // biome-ignore format: a table
  return [
    { name: `${name}: labels missing`, act: call(undefined, S), code: 'INPUT_TYPE', message: /^labels must be an array.*got undefined/ },
    { name: `${name}: labels a text`, act: call('0101', S), code: 'INPUT_TYPE', message: /^labels must be an array.*got "0101"/ },
    { name: `${name}: scores null`, act: call(L, null), code: 'INPUT_TYPE', message: /^scores must be an array.*got null/ },
    { name: `${name}: scores without a right length`, act: call(L, { length: 1.5 }), code: 'INPUT_TYPE', message: /^scores must be an array/ },
    { name: `${name}: no labels`, act: call([], []), code: 'EMPTY_INPUT', message: /^labels is empty/ },
    { name: `${name}: no scores`, act: call(L, []), code: 'EMPTY_INPUT', message: /^scores is empty/ },
    { name: `${name}: too few scores`, act: call(L, [1, 2, 3]), code: 'LENGTHS_DIFFER', message: /labels has 4 and scores has 3/ },
    { name: `${name}: a label of 2`, act: call([0, 1, 2, 1], S), code: 'LABEL_INVALID', message: /^labels\[2\] must be 1 or true.*got 2/, row: 2 },
    { name: `${name}: a label of −1`, act: call([-1, 1, 1, 1], S), code: 'LABEL_INVALID', message: /^labels\[0\].*got -1/, row: 0 },
    { name: `${name}: a label NaN`, act: call([0, 1, 0, Number.NaN], S), code: 'LABEL_INVALID', message: /^labels\[3\].*got NaN/, row: 3 },
    { name: `${name}: a label as text`, act: call([0, '1', 0, 1], S), code: 'LABEL_INVALID', message: /^labels\[1\].*got "1"/, row: 1 },
    { name: `${name}: a score NaN`, act: call(L, [1, 2, Number.NaN, 4]), code: 'NAN_VALUE', message: /^scores\[2\] is NaN/, row: 2 },
    { name: `${name}: a score as text`, act: call(L, [1, '2', 3, 4]), code: 'NOT_A_NUMBER', message: /^scores\[1\] must be a number, got "2"/, row: 1 },
    { name: `${name}: a score missing`, act: call(L, { length: 4, 0: 1 }), code: 'NOT_A_NUMBER', message: /^scores\[1\].*got undefined/, row: 1 },
    { name: `${name}: scores of big integers`, act: call(L, new BigInt64Array(4)), code: 'NOT_A_NUMBER', message: /^scores\[0\].*got 0n/, row: 0 },
    { name: `${name}: only normal rows`, act: call([0, 0, 0, 0], S), code: 'ONE_CLASS', message: new RegExp(`^${name}.*all 4 labels are normal`) },
  ];
};

const MEASURES: Record<string, Measure> = { rocAuc, rocCurve, averagePrecision, precisionAtN };

describe('a wrong call', () => {
  it.each(Object.entries(MEASURES).flatMap(([name, measure]) => refused(name, measure)))(
    'is refused with its code and place: $name',
    expectRefusal,
  );

  it.each([rocAuc, rocCurve, averagePrecision])('is refused where all rows are anomalies: %o', (measure) => {
    const act = () => void measure([1, true], [1, 2]);
    expectRefusal({ name: '', act, code: 'ONE_CLASS', message: /all 2 labels are anomalies/ });
  });

  it.each([0, -1, 5, 1.5, Number.NaN, Infinity, '2', null])('is refused with an n of %j', (n) => {
    const act = () => void precisionAtN(L, S, n as number);
    const message = /^n must be a whole number from 1 to the number of rows, 4, got /;
    expectRefusal({ name: '', act, code: 'COUNT_INVALID', message });
  });
});
