// How rows are moved and scaled before they are stored: by hand-computed numbers, and by what scaling
// must not change.

import { describe, expect, it } from 'vitest';
import type { Precision } from '../../../src/core/backend.js';
import { CurvadError } from '../../../src/core/errors.js';
import { RowReader } from '../../../src/core/input/matrix.js';
import { type FittedScaling, fitScaling } from '../../../src/core/input/scaling.js';
import { finish } from '../../../src/core/steps.js';
import { CAD, type CADOptions } from '../../../src/index.js';
import { expectAllClose } from '../../support/close.js';
import { BACKENDS, PRECISIONS, Random, type Rows } from '../../support/data.js';

const random = new Random(3);

interface How {
  standardize?: boolean;
  center?: boolean;
  precision?: Precision;
  isExplicit?: boolean;
}

function fitOn(rows: Rows, how: How): FittedScaling {
  const options = { standardize: false, center: false, precision: 'single', isExplicit: false, ...how } as const;
  return finish(fitScaling(new RowReader().attach(rows), options));
}

/** Rows as they are stored. */
function stored(rows: Rows, how: How, others: Rows = rows): number[][] {
  const { scaling, precision } = fitOn(rows, how);
  const source = scaling.apply(new RowReader().attach(others), precision);
  return others.map((row, i) => {
    const into = new Float64Array(row.length);
    source.read(i, into, 0);
    return [...into];
  });
}

const column = (values: readonly number[]): number[][] => values.map((value) => [value]);

describe('centring', () => {
  it.each([
    ['bytes', () => random.integer(256)],
    ['counts far from zero', () => 1e6 + random.integer(1000)],
    ['negative counts', () => -5000 + random.integer(17)],
    ['a wide range', () => random.integer(2 ** 22) * (random.uniform() < 0.01 ? 1 : 0)],
  ])('keeps whole numbers whole: %s', (_, value) => {
    const rows = random.rows(300, 2, value);
    for (const precision of PRECISIONS) {
      const moved = stored(rows, { center: true, precision });
      const offsets = moved.map((row, i) => row.map((x, j) => (rows[i]?.[j] as number) - x));
      expect(moved.flat().every(Number.isInteger)).toBe(true);
      expect(new Set(offsets.map(([x]) => x)).size, 'all rows move alike').toBe(1);
    }
  });

  it.each([1, 2, 3, 5, 7])('keeps differences of whole numbers exact in a range of %i', (range) => {
    const rows = random.rows(300, 1, () => 1e5 + random.integer(range + 1));
    const moved = stored(rows, { center: true });
    const first = [rows[0]?.[0] as number, moved[0]?.[0] as number] as const;
    for (const [i, [x]] of moved.entries()) expect((x as number) - first[1]).toBe((rows[i]?.[0] as number) - first[0]);
  });

  it('puts zero within an eighth of the range from the mean', () => {
    for (const spread of [1e-20, 1e-3, 1, 9.99, 1e9]) {
      const values = column(Array.from({ length: 200 }, () => spread * (random.uniform() + 3)));
      const mean = values.reduce((sum, [x]) => sum + (x as number), 0) / values.length;
      const centre =
        (values[0]?.[0] as number) - (stored(values, { center: true, precision: 'double' })[0]?.[0] as number);
      expect(Math.abs(centre - mean)).toBeLessThanOrEqual(spread / 8);
    }
  });

  it('moves constant columns to 0, however far they are', () => {
    for (const constant of [0, -3, 0.1, 1e9, 1e200, -5e-324]) {
      for (const precision of PRECISIONS) {
        expect(stored(column([constant, constant, constant]), { center: true, precision })).toEqual([[0], [0], [0]]);
      }
    }
  });

  it('is left out where the kernel sees translation', () => {
    const rows = [[100, 0.1], [101, 0.3]]; // biome-ignore format: short
    expect(stored(rows, { precision: 'double' })).toEqual(rows);
  });
});

describe('z-scores', () => {
  it('match numbers worked out by hand', () => {
    // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, population standard deviation 2.
    const rows = [2, 4, 4, 4, 5, 5, 7, 9].map((x) => [x, 1e6 - 10 * x, 3]);
    const expected = [-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2];
    const actual = stored(rows, { standardize: true, precision: 'double' });
    for (const [i, z] of expected.entries()) {
      expect(actual[i]?.[0]).toBeCloseTo(z, 12);
      expect(actual[i]?.[1]).toBeCloseTo(-z, 9);
      expect(actual[i]?.[2]).toBe(0);
    }
  });

  it('of new rows use the statistics of the training rows', () => {
    const rows = column([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(stored(rows, { standardize: true, precision: 'double' }, [[5], [11], [-1]])).toEqual([[0], [3], [-3]]);
  });

  it('keep their digits far from zero', () => {
    const near = random.rows(500, 1);
    const far = near.map(([x]) => [(x as number) * 2 ** -10 + 2 ** 20]);
    const [a, b] = [near, far].map((rows) => stored(rows, { standardize: true, precision: 'double' }).flat());
    a?.forEach((z, i) => {
      expect(b?.[i]).toBeCloseTo(z, 5); // 2⁻¹⁰ at 2²⁰ has 23 bits left
    });
  });

  it('of a constant column are 0', () => {
    for (const constant of [0, 0.1, 1e9, 1 / 3, -1e200]) {
      expect(stored(column(Array(7).fill(constant)), { standardize: true, precision: 'double' }).flat()).toEqual(
        Array(7).fill(0),
      );
    }
  });

  it.each([1e-200, 1e-30, 1e30, 1e200, 1e300])('do not depend on the unit of a column: × %d', (unit) => {
    const rows = random.rows(50, 1);
    const other = rows.map(([x]) => [(x as number) * unit]);
    const expected = stored(rows, { standardize: true, precision: 'double' }).flat();
    const actual = orRefusal(() => stored(other, { standardize: true, precision: 'double' }).flat());
    if (actual instanceof CurvadError) {
      expect(actual.code).toBe('VALUE_TOO_LARGE'); // refusing is right too; quietly losing the column is not
    } else {
      actual.forEach((z, i) => {
        expect(z).toBeCloseTo(expected[i] as number, 6);
      });
    }
  });
});

function orRefusal(act: () => number[]): number[] | CurvadError {
  try {
    return act();
  } catch (error) {
    if (error instanceof CurvadError) return error;
    throw error;
  }
}

describe('precision', () => {
  const fitted = (rows: Rows, options: CADOptions = {}) => new CAD({ neighbors: 3, ...options }).fit(rows);
  const scaled = (unit: number) => random.rows(20, 2, () => Math.fround(random.gaussian() * unit));

  it.each([
    [1, 'single'],
    [1e-25, 'single'],
    [1e25, 'single'],
    [1e-33, 'double'],
    [1e31, 'double'],
  ])('for a spread of %d is %s where none is asked for', (unit, expected) => {
    expect(fitted(scaled(unit)).precision).toBe(expected);
    expect(fitted(scaled(unit), { kernel: 'laplacian' }).precision).toBe(expected);
  });

  it('is single for rows far from zero but near each other', () => {
    expect(fitted(random.rows(20, 2, () => 1e12 + random.integer(4000) / 4)).precision).toBe('single');
    expect(fitted(Array.from({ length: 20 }, () => [1e100, 5])).precision).toBe('single');
  });

  it('is double after standardizing', () => {
    expect(fitted(scaled(1), { standardize: true }).precision).toBe('double');
  });

  it('is what was asked for', () => {
    expect(fitted(scaled(1e-33), { precision: 'single' }).precision).toBe('single');
    expect(fitted(scaled(1), { precision: 'double' }).precision).toBe('double');
    expect(fitted(scaled(1), { kernel: 'polynomial', precision: 'single' }).precision).toBe('single');
  });

  it('is double for kernels that see translation', () => {
    for (const kernel of ['polynomial', 'sigmoid', 'cosine'] as const) {
      expect(fitted(scaled(1), { kernel }).precision).toBe('double');
    }
  });
});

describe.each(BACKENDS)('standardize in %s', (backend) => {
  it.each(['linear', 'rbf', 'laplacian', 'polynomial', 'sigmoid', 'cosine'] as const)(
    'equals fitting on rows standardized beforehand: %s',
    (kernel) => {
      const rows = random.rows(80, 4).map((row) => row.map((x, j) => x * 10 ** (2 * j - 3) + 50 * j));
      const others = random.rows(9, 4).map((row) => row.map((x, j) => x * 10 ** (2 * j - 3) + 50 * j));
      const options = { neighbors: 6, kernel, precision: 'double', backend } as const;
      const inside = new CAD({ ...options, standardize: true }).fit(rows);
      const outside = new CAD(options).fit(standardized(rows));
      expectAllClose(inside.scores, outside.scores, { absolute: 1e-9 });
      expectAllClose(inside.score(others), outside.score(standardized(rows, others)), { absolute: 1e-9 });
    },
  );
});

/** z-scores by the textbook: two passes, population standard deviation. */
function standardized(rows: Rows, others: Rows = rows): number[][] {
  const columns = Array.from(rows[0] as ArrayLike<number>, (_, j) => rows.map((row) => row[j] as number));
  const means = columns.map((values) => values.reduce((a, b) => a + b) / values.length);
  const deviations = columns.map((values, j) =>
    Math.sqrt(values.reduce((sum, x) => sum + (x - (means[j] as number)) ** 2, 0) / values.length),
  );
  return others.map((row) => Array.from(row, (x, j) => (x - (means[j] as number)) / (deviations[j] as number)));
}
