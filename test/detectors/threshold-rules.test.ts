// What must hold of thresholds and probabilities whatever the scores are, many of them tied, and of labels where rows are
// duplicates of each other.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScoreDistribution } from '../../src/detectors/probability.js';
import { thresholdOf } from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';

/** Scores of which many tie, and some are far out. */
const someScores = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 6 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(0.5)),
  { minLength: 2, maxLength: 80 },
);
const share = fc.double({ min: 0.01, max: 0.5, noNaN: true });
const above = (scores: readonly number[], threshold: number): number =>
  scores.filter((score) => score > threshold).length;

describe('thresholds of any scores', () => {
  it('flag no more than the share they are given, but for the row that it falls into', () => {
    fc.assert(
      fc.property(someScores, share, (scores, cap) => {
        const most = Math.ceil(cap * (scores.length - 1));
        expect(above(scores, thresholdOf(scores, { cap }))).toBeLessThanOrEqual(most);
        expect(above(scores, thresholdOf(scores, { contamination: cap }))).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('do not depend on the order of rows', () => {
    fc.assert(
      fc.property(someScores, share, (scores, cap) => {
        for (const options of [{}, { cap }, { contamination: cap }])
          expect(thresholdOf([...scores].reverse(), options)).toBe(thresholdOf(scores, options));
      }),
    );
  });

  it('are the higher of both rules where they are capped', () => {
    fc.assert(
      fc.property(someScores, share, (scores, cap) => {
        const both = [thresholdOf(scores), thresholdOf(scores, { contamination: cap })];
        expect(thresholdOf(scores, { cap })).toBe(Math.max(...both));
      }),
    );
  });

  it('part the scores where they differ: two-means flags some and not all', () => {
    fc.assert(
      fc.property(someScores, (scores) => {
        const threshold = thresholdOf(scores);
        if (new Set(scores).size === 1) expect(threshold).toBe(Infinity);
        else expect([0, scores.length]).not.toContain(above(scores, threshold));
      }),
    );
  });
});

describe('probabilities of any scores', () => {
  it('never fall as the score rises, and are the same for the same score', () => {
    fc.assert(
      fc.property(someScores, someScores, (scores, others) => {
        const distribution = new ScoreDistribution(Float64Array.from(scores));
        const asked = [...scores, ...others, -Infinity, Infinity].sort((a, b) => a - b);
        const probabilities = asked.map((score) => distribution.of(score));
        for (const [i, probability] of probabilities.entries()) {
          expect(probability).toBeGreaterThanOrEqual(i === 0 ? 0 : (probabilities[i - 1] as number));
          expect(probability).toBeLessThanOrEqual(1);
          if (asked[i] === asked[i - 1]) expect(probability).toBe(probabilities[i - 1]);
        }
      }),
    );
  });
});

describe.each(DETECTORS)('labels of $name where rows are duplicates', ({ make }) => {
  // Six times each: the cut of 5 % goes through the duplicates of one row.
  const random = new Random(91);
  const distinct = random.rows(40, 3, () => random.gaussian());
  const rows = distinct.flatMap((row) => Array.from({ length: 6 }, () => row));
  const rules = [{}, { cap: 0.03 }, { contamination: 0.03 }, { contamination: 0.11 }, { threshold: 'two-means' }];

  it('are 1 strictly above the threshold, and alike for equal scores', () => {
    for (const rule of rules) {
      const { scores, labels, threshold } = make(rule).fit(rows);
      expect([...labels]).toEqual([...scores].map((score) => Number(score > threshold)));
      const most = rule.contamination ?? rule.cap;
      const flagged = labels.reduce((sum, label) => sum + label, 0);
      if (most !== undefined) expect(flagged).toBeLessThanOrEqual(Math.ceil(most * (rows.length - 1)));
    }
  });

  it('do not change with the batch', () => {
    const detector = make().fit(rows);
    const fresh = [...distinct.slice(0, 9), ...random.rows(9, 3, () => 2 * random.gaussian())];
    const one = fresh.map((row) => detector.predict([row])[0]);
    expect([...detector.predict(fresh)]).toEqual(one);
    expect([...detector.predict([...fresh].reverse())]).toEqual([...one].reverse());
    const probabilities = detector.probability(fresh);
    expect([...detector.probability([...fresh].reverse())]).toEqual([...probabilities].reverse());
  });
});
