// The scorer of the Numenta Anomaly Benchmark, against the published scores and against sums done by hand.
import { describe, expect, it } from 'vitest';
import { nabFolder, readKnnCad, readSeries } from '../../../bench/nab/corpus.js';
import { nabScore, PROFILES, type Profile } from '../../../bench/nab/score.js';

const standard = PROFILES[0] as Profile;
const folder = nabFolder();
if (folder === undefined) console.log('NAB is not here (CURVAD_NAB): published scores are not checked');

describe('the NAB score', () => {
  it.skipIf(folder === undefined)('of KNN-CAD is the published one in all three profiles', () => {
    const series = readSeries(folder as string);
    const scores = readKnnCad(folder as string, series);
    expect(PROFILES.map((profile) => nabScore(series, scores, profile).score.toFixed(2))).toEqual([
      '57.99',
      '43.41',
      '64.81',
    ]);
  });

  it('is 100 for a detection in the first row of the only window, and 0 for none', () => {
    const series = [{ rows: 100, windows: [[40, 49]] as const }];
    const scores = new Float64Array(100);
    expect(nabScore(series, [scores], standard).score).toBe(0);
    scores[40] = 1;
    expect(nabScore(series, [scores], standard)).toEqual({ score: 100, threshold: 1 });
  });

  it('falls by 0.11 of a hit for a false alarm before any window, and not in the probation', () => {
    const series = [{ rows: 100, windows: [[40, 49]] as const }];
    const scores = new Float64Array(100);
    scores[40] = scores[20] = scores[5] = 1;
    expect(nabScore(series, [scores], standard, 1).score).toBeCloseTo((100 * (2 - 0.11)) / 2, 10);
  });
});
