// Conveniences of every detector: the highest rows, labels in one call, and what it says of itself.
import { describe, expect, it } from 'vitest';
import { explainRows, IsolationForest, KNN } from '../../src/index.js';
import { Random } from '../support/data.js';
import { DETECTORS } from '../support/detectors.js';

const ROWS = new Random(31).rows(60, 3);

describe.each(DETECTORS)('$name', (detector) => {
  const fitted = detector.make({ contamination: 0.1 }).fit(ROWS);

  it('tells the rows with the highest scores, the highest first', () => {
    const order = [...ROWS.keys()].sort((a, b) => (fitted.scores[b] as number) - (fitted.scores[a] as number) || a - b);
    expect([...fitted.top(7)]).toEqual(order.slice(0, 7));
    expect([...fitted.top()]).toEqual(order.slice(0, 10));
    expect(fitted.top(1000).length).toBe(60);
    expect(explainRows(fitted, fitted.top(2)).map(({ trainingRow }) => trainingRow)).toEqual(order.slice(0, 2));
    for (const count of [0, 1.5, Number.NaN]) {
      expect(() => fitted.top(count)).toThrow(expect.objectContaining({ code: 'COUNT_INVALID' }));
    }
  });

  it('labels the rows it learns from in one call', () => {
    expect(detector.make({ contamination: 0.1 }).fitPredict(ROWS)).toEqual(fitted.labels);
  });

  it('says what it is, before fit, after, and when it was disposed', () => {
    const fresh = detector.make();
    expect(String(fresh)).toBe(`${detector.kind}, not fitted`);
    expect(JSON.parse(JSON.stringify(fresh))).toMatchObject({ detector: detector.kind, isFitted: false });
    const anomalies = fitted.labels.reduce((sum, label) => sum + label, 0);
    expect(String(fitted)).toBe(
      `${detector.kind} of 60 rows × 3 columns: ${anomalies} ${anomalies === 1 ? 'anomaly' : 'anomalies'} (${((100 * anomalies) / 60).toFixed(1)} %), scores above ${Number(fitted.threshold.toPrecision(4))}`,
    );
    expect(JSON.parse(JSON.stringify(fitted))).toMatchObject({
      detector: detector.kind,
      options: { contamination: 0.1 },
      rows: 60,
      columns: 3,
      anomalies,
      threshold: fitted.threshold,
    });
    const gone = detector.make().fit(ROWS);
    gone.dispose();
    expect(String(gone)).toBe(`${detector.kind}, not fitted`);
  });
});

it('equal scores are told in the order of rows', () => {
  const knn = new KNN({ neighbors: 1 }).fit([[0], [0], [5], [5], [9], [9]]);
  expect([...knn.top(3)]).toEqual([0, 1, 2]);
  expect(String(knn)).toBe('KNN of 6 rows × 1 column: all scores are equal, nothing is an anomaly');
});

it('a misspelt option is answered with the one that was meant', () => {
  expect(() => new KNN({ neighbours: 3 } as never)).toThrow(/has no option "neighbours".*Did you mean neighbors\?/);
  expect(() => new IsolationForest({ Trees: 3 } as never)).toThrow(/Did you mean trees\?/);
  expect(() => new KNN({ xyz: 3 } as never)).toThrow(/^((?!mean).)*$/);
});
