// Far values in a column, which stand for missing ones, and numbers of very different sizes beside each other: by
// default distances are those of float64, for rows written out here with plain loops.
import { describe, expect, it } from 'vitest';
import { ColumnDigits, isExact, lowestBit } from '../../../src/core/input/digits.js';
import { RowReader } from '../../../src/core/input/matrix.js';
import { fitScaling } from '../../../src/core/input/scaling.js';
import { finish } from '../../../src/core/steps.js';
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

describe('storage', () => {
  const storageOf = (rows: Rows): string => new KNN({ neighbors: 3 }).fit(rows).precision;
  const random = new Random(4);

  it('is single where it holds all rows as they are', () => {
    expect(storageOf(random.rows(500, 6, () => Math.fround(random.gaussian())))).toBe('single');
    expect(storageOf(random.rows(500, 2, () => random.integer(1000)))).toBe('single');
    expect(storageOf(random.rows(500, 2, () => 1e12 + random.integer(1000)))).toBe('single');
    expect(storageOf(random.rows(500, 2, () => 0.25 * random.integer(1000)))).toBe('single');
  });

  it('is double where it does not hold one of them', () => {
    const rows = random.rows(5000, 2, () => random.integer(1000));
    expect(storageOf(rows)).toBe('single');
    (rows[3217] as Float64Array)[1] = 0.1;
    expect(storageOf(rows)).toBe('double');
    (rows[3217] as Float64Array)[1] = 2 ** 25 + 1;
    expect(storageOf(rows)).toBe('double');
    expect(storageOf(random.rows(500, 6))).toBe('double');
  });

  // What a look at some rows does not see: a single pair, far from zero, of which nothing else tells.
  it.each([
    ['two rows nearer to each other than single precision tells apart', () => [0.5, 0.5 + 1e-9]],
    ['two such rows far from all others', () => [1e9 + 0.5, 1e9 + 0.500001]],
    ['two rows that are only different in double precision', () => [1000, 1000 + 2 ** -40]],
    ['a stray value that pulls the mean away, and two rows near zero', () => [1e-9, 3e-9, 1e18]],
  ])('keeps true distances where a sample misses %s', (_, values) => {
    const rows = random.rows(6000, 1, () => random.integer(400));
    const at = values().map((value, i) => {
      (rows[2001 + 13 * i] as Float64Array)[0] = value;
      return 2001 + 13 * i;
    });
    const { indices, distances } = new NearestNeighbors(rows as Float64Array[]).ofEachRow(1);
    for (const row of at.slice(0, 2)) {
      const sorted = rows
        .map(([x = 0], index) => ({ index, distance: Math.abs(x - (rows[row]?.[0] as number)) }))
        .filter(({ index }) => index !== row)
        .sort((a, b) => a.distance - b.distance || a.index - b.index);
      expect(indices[row]).toBe(sorted[0]?.index);
      expect(distances[row]).toBe(sorted[0]?.distance);
    }
  });

  it('does not round new rows, which may have more digits than all training rows', () => {
    const rows = random.rows(300, 2, () => random.integer(2 ** 20));
    const fresh = rows.slice(0, 20).map((row) => row.map((value) => value + 2 ** -12));
    const detector = new KNN({ neighbors: 1 }).fit(rows);
    expect(detector.precision).toBe('single');
    const expected = fresh.map((row) => Math.min(...rows.map((other) => Math.sqrt(squaredDistance(row, other)))));
    for (const scores of [detector.score(fresh), KNN.load(detector.toBytes()).score(fresh)])
      for (const [i, score] of scores.entries())
        expect(Math.abs(score / (expected[i] as number) - 1)).toBeLessThan(1e-9);
    const { distances } = new NearestNeighbors(rows as Float64Array[]).of(fresh as Float64Array[], 1);
    for (const [i, distance] of distances.entries())
      expect(Math.abs(distance / (expected[i] as number) - 1)).toBeLessThan(1e-9);
  });
});

describe('the lowest bit of a number', () => {
  it('is that of what it is a multiple of', () => {
    const known = [
      [1, 0],
      [-3, 0],
      [12, 2],
      [0.75, -2],
      [5e-324, -1074],
      [3 * 2 ** -1060, -1060],
      [2 ** 1023, 1023],
      [1 + 2 ** -52, -52],
      [2 ** 40 + 2 ** 9, 9],
      [0, 1024],
    ] as const;
    for (const [value, bit] of known) expect(lowestBit(value), String(value)).toBe(bit);
  });

  it('of columns is that of all their values, however they are split', () => {
    const random = new Random(8);
    for (let round = 0; round < 200; round++) {
      const exponent = random.integer(2000) - 1060;
      const values = Float64Array.from(
        { length: 30 },
        () => (random.integer(1000) - 500) * 2 ** (exponent + random.integer(9)),
      );
      const whole = new ColumnDigits(1);
      whole.take(values, 0, 30, 0);
      const parts = new ColumnDigits(1);
      for (const [from, to] of [
        [17, 30],
        [0, 17],
      ] as const) {
        const part = new ColumnDigits(1);
        part.take(values, from, to, 0);
        parts.include(part.units, part.areSingle);
      }
      const expected = Math.min(...Array.from(values, lowestBit));
      expect([whole.units[0], parts.units[0]]).toEqual([expected, expected]);
      expect(whole.areSingle[0]).toBe(values.every((value) => Math.fround(value) === value) ? 1 : 0);
    }
  });

  it('of columns and offsets tells whether differences are exact', () => {
    const random = new Random(9);
    let exact = 0;
    for (let round = 0; round < 3000; round++) {
      const step = 2 ** (random.integer(60) - 30);
      const values = Float64Array.from({ length: 5 }, () => random.integer(2 ** 20) * step * 2 ** random.integer(12));
      const offset = random.integer(2 ** 10) * 2 ** (random.integer(60) - 30);
      const digits = new ColumnDigits(1);
      digits.take(values, 0, 5, 0);
      const known = { unit: digits.units[0] as number, min: Math.min(...values), max: Math.max(...values) };
      for (const precision of ['single', 'double'] as const) {
        if (!isExact(offset, known, precision)) continue;
        exact++;
        for (const value of values) {
          const moved = value - offset;
          expect(precision === 'single' ? Math.fround(moved) : moved).toBe(moved);
          expect(BigInt(moved * 2 ** 31) + BigInt(offset * 2 ** 31)).toBe(BigInt(value * 2 ** 31));
        }
      }
    }
    expect(exact).toBeGreaterThan(1500);
  });

  it('of a precision are looked for only as long as it may hold them: the answer stays the same', () => {
    const random = new Random(10);
    const answers = [0, 0];
    for (let round = 0; round < 3000; round++) {
      const count = 1 + random.integer(12);
      const range = 2 ** random.integer(60);
      const step = 2 ** (random.integer(40) - 20);
      const values = Float64Array.from({ length: count }, () => (random.integer(range) - range / 2) * step);
      const offset = random.integer(8) * step * 2 ** random.integer(40);
      const [min, max] = [Math.min(...values), Math.max(...values)];
      const all = new ColumnDigits(1);
      all.take(values, 0, count, 0);
      for (const precision of ['single', 'double'] as const) {
        const some = new ColumnDigits(1, precision);
        for (let i = 0; i < count; i++) {
          some.take(values, i, i + 1, 0);
          const seen = values.subarray(0, i + 1);
          some.giveUp(0, Math.min(...seen), Math.max(...seen));
        }
        const [is, isAsked] = [all, some].map(({ units }) =>
          isExact(offset, { unit: units[0] as number, min, max }, precision),
        );
        expect(isAsked).toBe(is);
        expect(some.areSingle).toEqual(all.areSingle);
        answers[is ? 1 : 0] = (answers[is ? 1 : 0] as number) + 1;
      }
    }
    expect(Math.min(...answers)).toBeGreaterThan(1000);
  });

  it('lead to the same scaling for rows in single precision as for the same rows in double precision', () => {
    const random = new Random(11);
    const precisions = new Set<string>();
    for (let round = 0; round < 300; round++) {
      const exponent = round % 3 === 0 ? random.integer(200) - 100 : 0;
      const [rows, columns] = [300, 8];
      const data = Float32Array.from({ length: rows * columns }, (_, i) => {
        const whole = random.integer(2 ** (1 + (i % columns) * 3));
        return (round % 2 === 0 && i % 3 === 0 ? random.uniform() : whole) * 2 ** exponent;
      });
      const [single, double] = [data, Float64Array.from(data)].map((values) =>
        finish(
          fitScaling(new RowReader().attach({ data: values, rows, columns }), {
            standardize: false,
            center: true,
            precision: 'single',
            isExplicit: false,
          }),
        ),
      );
      expect(single).toEqual(double);
      precisions.add(single?.precision as string);
    }
    expect(precisions.size).toBe(2);
  });
});
