// Far values in a column, which stand for missing ones, and numbers of very different sizes beside each other: by
// default distances are those of float64, for rows written out here with plain loops.
import { describe, expect, it } from 'vitest';
import { KNN, NearestNeighbors } from '../../../src/index.js';
import { Random, type Rows, squaredDistance } from '../../support/data.js';

const K = 5;

/** Distances to the k nearest others, in double precision. */
function trueDistances(rows: Rows): number[] {
  return rows.flatMap((row, i) =>
    rows
      .filter((_, j) => j !== i)
      .map((other) => Math.sqrt(squaredDistance(row, other)))
      .sort((a, b) => a - b)
      .slice(0, K),
  );
}

function expectTruth(rows: Rows): void {
  const { distances } = new NearestNeighbors(rows as Float64Array[]).ofEachRow(K);
  const expected = trueDistances(rows);
  const worst = expected.reduce((most, distance, i) => {
    const error = Math.abs((distances[i] as number) - distance) / Math.max(distance, 1e-300);
    return Math.max(most, distance === 0 ? (distances[i] as number) : error);
  }, 0);
  expect(worst).toBeLessThanOrEqual(1e-6);
}

describe('far values in a column leave the others their digits', () => {
  it.each([1e6, 1e9, -999999999, 1e12, 1e18])('with %d for some of the values', (far) => {
    for (const share of [0.001, 0.01, 0.05, 0.2]) {
      const random = new Random(Math.round(1000 * share) + 3);
      expectTruth(random.rows(300, 3, () => (random.uniform() < share ? far : random.gaussian())));
    }
  });

  it('as the score of a row among a thousand of which every twentieth is at 1e9', () => {
    const random = new Random(17);
    const rows = random.rows(1000, 2).map((row, i) => (i % 20 === 7 ? Float64Array.of(1e9, row[1] as number) : row));
    const expected = trueDistances(rows);
    const { scores } = new KNN({ neighbors: K }).fit(rows);
    for (const [i, score] of scores.entries())
      expect(Math.abs(score / (expected[i * K + K - 1] as number) - 1)).toBeLessThan(1e-6);
  });
});

it('epoch milliseconds beside a small column keep their digits', () => {
  const random = new Random(9);
  expectTruth(random.rows(400, 1).map(([x = 0], i) => Float64Array.of(1.7e12 + 1e7 * i + 86_400.5 * x, x)));
});

it('rows that single precision holds as they are stay in single precision', () => {
  const random = new Random(4);
  expect(new KNN().fit(random.rows(500, 6)).precision).toBe('single');
  expect(new KNN().fit(random.rows(500, 2, () => random.integer(1000))).precision).toBe('single');
});
