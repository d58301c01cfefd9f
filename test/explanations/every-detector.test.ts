// Explanations of every detector: what they say of columns is recomputed with plain loops, what they say of changed
// rows is what the detector says, and constraints hold to the last bit.
import { describe, expect, it } from 'vitest';
import { readModel, writeModel } from '../../src/core/model-file/model-file.js';
import {
  type AnyDetector,
  CAD,
  EllipticEnvelope,
  explain,
  explainRows,
  explainRowsAsync,
  IsolationForest,
  KNN,
  LandmarkCAD,
  LOF,
  load,
  OneClassSVM,
} from '../../src/index.js';
import { BACKENDS, manhattanDistance, Random, type Rows, squaredDistance } from '../support/data.js';

/** Two clusters, a column of whole numbers, and a dozen rows far off in one or two columns. */
function table(): Float64Array[] {
  const random = new Random(5);
  const rows = random.rows(300, 5).map((row, i) => {
    const cluster = i % 2;
    const [a, b, c, d, e] = row as unknown as [number, number, number, number, number];
    return Float64Array.of(a + 8 * cluster, 10 * b + 5, 0.1 * c + 0.2 * d, d, Math.round(2 * e) + 3);
  });
  for (let i = 0; i < 12; i++) {
    const row = rows[i * 20] as Float64Array;
    row[i % 5] = (row[i % 5] as number) + ([25, 120, 3, 12, 20][i % 5] as number);
  }
  return rows;
}

const X = table();
const standardize = true;
const CASES: ReadonlyArray<readonly [string, (options?: object) => AnyDetector]> = [
  ['LandmarkCAD', (options) => new LandmarkCAD({ ...options })],
  ['CAD', (options) => new CAD({ standardize, ...options })],
  ['CAD with a kernel', (options) => new CAD({ standardize, kernel: 'rbf', ...options })],
  ['KNN', (options) => new KNN({ standardize, ...options })],
  ['LOF', (options) => new LOF({ standardize, ...options })],
  ['IsolationForest', (options) => new IsolationForest({ ...options })],
  ['OneClassSVM', (options) => new OneClassSVM({ standardize, nu: 0.1, ...options })],
  ['EllipticEnvelope', (options) => new EllipticEnvelope({ ...options })],
];

const flaggedBy = ({ labels }: AnyDetector): number[] => [...labels.keys()].filter((i) => labels[i] === 1);

describe.each(CASES)('%s', (_, make) => {
  const detector = make({ contamination: 0.05 }).fit(X);
  const flagged = flaggedBy(detector);

  it('finds changes to few columns after which it calls each flagged row normal', () => {
    expect(flagged.length).toBeGreaterThan(5);
    const changed = flagged.map((i) => {
      const { label, counterfactual, changes, row } = explain(detector, X[i] as Float64Array);
      expect(label).toBe(1);
      expect(counterfactual).toMatchObject({ isNormal: true, isPlausible: true, isUnmoved: false, why: undefined });
      expect([...detector.predict([counterfactual.row])]).toEqual([0]);
      expect(counterfactual.score).toBeLessThanOrEqual(detector.threshold);
      const moved = [...row.keys()].filter((j) => row[j] !== counterfactual.row[j]);
      expect(changes.map(({ feature }) => feature).sort()).toEqual(moved);
      return moved.length;
    });
    expect(changed.sort()[changed.length >> 1]).toBeLessThanOrEqual(2);
  });

  it('names the column first that was tampered with', () => {
    const normal = [...detector.labels.keys()].filter((i) => detector.labels[i] === 0).slice(0, 40);
    const hits = normal.filter((i, at) => {
      const row = (X[i] as Float64Array).slice();
      row[at % 5] = (row[at % 5] as number) + ([30, 70, 2, 7, 9][at % 5] as number);
      return explain(detector, row).columns[0]?.feature === at % 5;
    });
    expect(hits.length / normal.length).toBeGreaterThanOrEqual(0.9);
  });

  it('gives every column a share, one in sum, and the values of rows like it', () => {
    for (const { columns, row } of explainRows(detector, flagged)) {
      expect(columns.map(({ feature }) => feature).sort()).toEqual([0, 1, 2, 3, 4]);
      expect(columns.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
      for (const { feature, value, typical } of columns) {
        expect(value).toBe(row[feature]);
        const values = X.map((other) => other[feature] as number);
        expect(typical).toBeGreaterThanOrEqual(Math.min(...values) - 1e-4);
        expect(typical).toBeLessThanOrEqual(Math.max(...values) + 1e-4);
      }
    }
  });

  it('moves whole numbers to whole numbers', () => {
    for (const { counterfactual } of explainRows(
      detector,
      flagged.map((i) => X[i] as Float64Array),
    )) {
      expect(Number.isInteger(counterfactual.row[4])).toBe(true);
    }
  });

  it('leaves frozen columns as they are, bit for bit, and keeps bounds', () => {
    for (const i of flagged) {
      const row = (X[i] as Float64Array).slice();
      row[3] = -0;
      const { counterfactual } = explain(detector, row, { frozen: [1, 3], bounds: { 0: [-1, 4] } });
      expect([counterfactual.row[1], counterfactual.row[3]]).toEqual([row[1], -0]);
      expect(Object.is(counterfactual.row[3], -0)).toBe(true);
      expect(counterfactual.row[0]).toBeGreaterThanOrEqual(-1);
      expect(counterfactual.row[0]).toBeLessThanOrEqual(4);
      if (!counterfactual.isNormal) expect(counterfactual.why).toMatch(/\w/);
    }
  });

  it('explains a training row by its index, with its training score', () => {
    for (const i of flagged.slice(0, 5)) {
      const { row, score, trainingRow, neighbors } = explain(detector, i);
      expect([score, trainingRow]).toEqual([detector.scores[i], i]);
      for (const [j, value] of row.entries()) expect(value).toBeCloseTo(X[i]?.[j] as number, 4);
      expect(neighbors.map(({ index }) => index)).not.toContain(i);
    }
    for (const index of [-1, 300, 0.5, Number.NaN]) {
      expect(() => explain(detector, index)).toThrow(expect.objectContaining({ code: 'ROW_INDEX' }));
    }
  });

  it('shows the values of a training row as they were given', () => {
    const counts = Array.from({ length: 60 }, (_, i) => [i % 7 === 0 ? i : 0, (i % 5) / 10, 1e6 + (i % 3)]);
    for (const made of [new LandmarkCAD().fit(counts), new LandmarkCAD({ precision: 'single' }).fit(counts)])
      for (const [i, row] of counts.entries()) expect([...explain(made, i).row]).toEqual(row);
  });

  it('explains many rows as each by itself, at once or in steps, here or loaded', async () => {
    const alone = flagged.map((i) => explain(detector, i));
    expect(explainRows(detector, flagged)).toEqual(alone);
    expect(explainRows(load(detector.toBytes()), flagged)).toEqual(alone);
    const progress: number[] = [];
    const options = { onProgress: ({ done }: { done: number }) => progress.push(done) };
    expect(await explainRowsAsync(detector, flagged, {}, options)).toEqual(alone);
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    const signal = AbortSignal.abort();
    await expect(explainRowsAsync(detector, flagged, {}, { signal })).rejects.toThrow(/abort/i);
  });

  it('says the same on every backend', () => {
    const [first, ...others] = BACKENDS.map((backend) =>
      explainRows(make({ contamination: 0.05, backend }).fit(X), flagged.slice(0, 4)),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it('can be read, and written as JSON', () => {
    const explanation = explain(detector, flagged[0] as number, { names: ['a', 'b', 'c', 'd', 'e'] });
    const text = String(explanation);
    expect(text).toMatch(/^Training row \d+ is an anomaly: /);
    expect(text).toMatch(/^ {2}[a-e]: \S+, where rows like it have \S+ \(\d+ % of [\w ]+\)$/m);
    expect(text).toMatch(/^It would be normal \(score \S+\) with$/m);
    expect(text).not.toMatch(/undefined|NaN/);
    const json = JSON.parse(JSON.stringify(explanation)) as { row: number[]; columns: unknown[]; score: number };
    expect(json.row).toEqual([...explanation.row]);
    expect(json.columns).toEqual(explanation.columns);
    expect(json.score).toBe(explanation.score);
  });
});

/** The k rows nearest to row i, itself left out, and their distances. */
function neighborsOf(rows: Rows, i: number, k: number, distance = squaredDistance) {
  const row = rows[i] as Float64Array;
  return rows
    .map((other, index) => ({ other, index, d: distance(row, other) }))
    .filter(({ index }) => index !== i)
    .sort((a, b) => a.d - b.d || a.index - b.index)
    .slice(0, k)
    .map(({ other }) => Array.from(other, (value, j) => value - (row[j] as number)));
}

const normalized = (values: readonly number[]): number[] => {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
};

function expectShares(detector: AnyDetector, i: number, expected: readonly number[]): void {
  const shares = new Float64Array(expected.length);
  for (const { feature, share } of explain(detector, i).columns) shares[feature] = share;
  for (const [j, share] of shares.entries()) expect(share).toBeCloseTo(normalized(expected)[j] as number, 9);
}

describe('shares of columns', () => {
  const rows = new Random(9).rows(80, 4);
  const precision = 'double';

  it('are those of the distance to the k-th neighbour for KNN', () => {
    const knn = new KNN({ neighbors: 6, precision }).fit(rows);
    for (const i of [0, 17, 42]) {
      const edge = neighborsOf(rows, i, 6)[5] as number[];
      expectShares(
        knn,
        i,
        edge.map((value) => value ** 2),
      );
    }
  });

  it('are those of the mean distance for KNN by the mean, and LOF', () => {
    for (const detector of [
      new KNN({ neighbors: 6, aggregate: 'mean', precision }),
      new LOF({ neighbors: 6, precision }),
    ]) {
      detector.fit(rows);
      const edges = neighborsOf(rows, 3, 6);
      const sums = [0, 1, 2, 3].map((j) =>
        edges.reduce((sum, edge) => sum + (edge[j] as number) ** 2 / Math.hypot(...edge), 0),
      );
      expectShares(detector, 3, sums);
    }
  });

  it('are those of L1 distances where these count', () => {
    const knn = new KNN({ neighbors: 6, aggregate: 'mean', metric: 'manhattan', precision }).fit(rows);
    const edges = neighborsOf(rows, 3, 6, manhattanDistance);
    expectShares(
      knn,
      3,
      [0, 1, 2, 3].map((j) => edges.reduce((sum, edge) => sum + Math.abs(edge[j] as number), 0)),
    );
  });

  it('are those of the squared sum of unit edges for CAD', () => {
    const cad = new CAD({ neighbors: 6, precision }).fit(rows);
    for (const i of [0, 17, 42]) {
      const edges = neighborsOf(rows, i, 6);
      const sums = [0, 1, 2, 3].map((j) => edges.reduce((sum, e) => sum + (e[j] as number) / Math.hypot(...e), 0));
      expectShares(
        cad,
        i,
        sums.map((sum) => sum ** 2),
      );
    }
  });

  it('are those of the distance to the landmark for LandmarkCAD', () => {
    const detector = new LandmarkCAD({ landmarks: 80 }).fit(rows); // all rows, k = 10
    const moments = [0, 1, 2, 3].map((j) => {
      const mean = rows.reduce((sum, row) => sum + (row[j] as number) / 80, 0);
      return { mean, deviation: Math.sqrt(rows.reduce((sum, row) => sum + ((row[j] as number) - mean) ** 2 / 80, 0)) };
    });
    const scaled = rows.map((row) =>
      row.map((value, j) => (value - (moments[j]?.mean as number)) / (moments[j]?.deviation as number)),
    );
    for (const i of [0, 17, 42]) {
      const edge = neighborsOf(scaled, i, 10)[9] as number[];
      expectShares(
        detector,
        i,
        edge.map((value) => value ** 2),
      );
    }
  });

  it('are those of how much the score falls with the value of rows like it, where the score is no distance', () => {
    const forest = new IsolationForest().fit(X);
    for (const i of flaggedBy(forest).slice(0, 5)) {
      const { columns, basis, score } = explain(forest, i);
      expect(basis).toBe('fall');
      const falls = columns.map(({ feature, typical }) => {
        const other = (X[i] as Float64Array).slice();
        other[feature] = typical;
        return Math.max(0, score - (forest.score([other])[0] as number));
      });
      const expected = normalized(falls);
      for (const [at, { share }] of columns.entries()) expect(share).toBeCloseTo(expected[at] as number, 12);
    }
  });
});

describe('a counterfactual', () => {
  it('is where rows are, not in the gap between clusters that CAD alone calls normal', () => {
    const random = new Random(2);
    const rows = random.rows(200, 2).map(([x, y], i) => [(x as number) + (i % 2 === 0 ? 0 : 40), y as number]);
    const cad = new CAD({ contamination: 0.1 }).fit(rows);
    expect([...cad.predict([[20, 0]])]).toEqual([0]); // amid nothing
    for (const { counterfactual } of explainRows(cad, flaggedBy(cad))) {
      const nearest = Math.min(...rows.map((row) => Math.sqrt(squaredDistance(row, counterfactual.row))));
      expect(nearest).toBeLessThan(1.5);
    }
    const [between] = explainRows(cad, [[20, 9]]);
    if (between?.label === 1) expect(Math.abs((between.counterfactual.row[0] as number) - 20)).toBeGreaterThan(14);
  });

  it('changes columns of a group together, to values that occur together', () => {
    const random = new Random(3);
    const rows = random
      .rows(120, 5, () => 0)
      .map((row, i) => {
        row[i % 3] = 1; // one of three kinds
        row[3] = random.gaussian() + 20 * (i % 3);
        row[4] = random.gaussian();
        return row;
      });
    const knn = new KNN({ contamination: 0.05, standardize }).fit(rows);
    const strange = [1, 0, 0, 40, 0];
    const { counterfactual, label } = explain(knn, strange, { groups: [[0, 1, 2]], frozen: [3] });
    expect(label).toBe(1);
    expect([...counterfactual.row.subarray(0, 4)]).toEqual([0, 0, 1, 40]);
  });
});

describe('a detector that keeps no training rows', () => {
  it.each(CASES.slice(-3))('%s of an earlier version loads, and says what is missing', (_name, make) => {
    const detector = make({ contamination: 0.05 }).fit(X);
    const { sections, ...model } = readModel(detector.toBytes());
    const { sample: _, sampleRows: __, ...before } = sections;
    const old = load(writeModel({ ...model, sections: before }));
    const row = X[flaggedBy(detector)[0] as number] as Float64Array;
    expect(old.score(X)).toEqual(detector.score(X));
    expect(() => explain(old, row)).toThrow(expect.objectContaining({ code: 'REFERENCE_MISSING' }));
    expect(() => explain(old, 0)).toThrow(expect.objectContaining({ code: 'ROW_NOT_KEPT' }));
    expect(explain(old, row, { reference: X }).counterfactual.isNormal).toBe(true);
  });

  it('keeps enough of them to explain its anomalies by their indices', () => {
    const random = new Random(11);
    const many = random.rows(5000, 3);
    const forest = new IsolationForest({ trees: 20 }).fit(many);
    const order = [...forest.scores.keys()].sort((a, b) => (forest.scores[b] as number) - (forest.scores[a] as number));
    for (const i of order.slice(0, 100)) expect([...explain(forest, i).row]).toEqual([...(many[i] as Float64Array)]);
    const lowest = order.slice(-3000);
    const kept = lowest.filter((i) => {
      try {
        return explain(forest, i).trainingRow === i;
      } catch (error) {
        expect(error).toMatchObject({ code: 'ROW_NOT_KEPT' });
        return false;
      }
    });
    expect(kept.length).toBeLessThan(1000);
  });
});
