// What every detector makes of degenerate tables: a model that saves, loads and threads alike, or a typed error.
import { afterAll, describe, expect, it } from 'vitest';
import { type AnyDetector, CurvadError, load, stopThreads } from '../../src/index.js';
import { DEGENERATE_TABLES } from '../support/degenerate-tables.js';
import { DETECTORS, type DetectorCase } from '../support/detectors.js';

afterAll(stopThreads);

/** A fitted detector, or the code of the error it ends with; errors of any other type fail the test. */
function outcome(learn: () => AnyDetector): AnyDetector | string {
  try {
    return learn();
  } catch (error) {
    if (error instanceof CurvadError) return error.code;
    throw error;
  }
}

describe.each(DETECTORS)('$name', (detector: DetectorCase) => {
  it.each(DEGENERATE_TABLES)('loads the model it saves: $name', async ({ rows }) => {
    const fitted = outcome(() => detector.make().fit(rows));
    if (typeof fitted === 'string') {
      await expect(detector.make().fitAsync(rows, { threads: 1 })).rejects.toMatchObject({ code: fitted });
      expect(['NO_SPREAD', 'TOO_FEW_ROWS', 'VALUE_TOO_LARGE']).toContain(fitted);
      return;
    }
    expect(fitted.scores.every(Number.isFinite)).toBe(true);
    using loaded = load(fitted.toBytes());
    expect(loaded.score(rows)).toEqual(fitted.score(rows));
    expect(loaded.labels).toEqual(fitted.labels);
    using threaded = await detector.make().fitAsync(rows, { threads: 1 });
    expect(threaded.scores).toEqual(fitted.scores);
    fitted.dispose();
  });
});
