// What must not matter does not: the company a row is scored in, saving and loading, the build that
// runs, where the origin is, the order of the rows. Data are drawn from seeds that fast-check chooses.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POINTS } from '../../src/core/backend.js';
import { RowReader } from '../../src/core/input/matrix.js';
import { selectBackend } from '../../src/core/select.js';
import { finish } from '../../src/core/steps.js';
import { CAD, type CADOptions, load, NearestNeighbors } from '../../src/index.js';
import { expectAllClose } from '../support/close.js';
import { BACKENDS, KERNELS, PRECISIONS, Random, squaredDistance, WASM_BACKENDS } from '../support/data.js';
import { growthOf } from '../support/memory.js';

/** Runs a property on a few seeded shapes. */
function forShapes(numRuns: number, check: (shape: Shape) => void): void {
  const shape = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 20, max: 90 }),
    columns: fc.integer({ min: 1, max: 13 }),
    k: fc.integer({ min: 2, max: 12 }),
  });
  fc.assert(fc.property(shape, check), { seed: 2020, numRuns });
}

interface Shape {
  seed: number;
  count: number;
  columns: number;
  k: number;
}

/** Places where two lists are not the same to the last bit. */
function differences(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return Array.from(a, (_, i) => i).filter((i) => !Object.is(a[i], b[i]));
}

function expectSame(a: ArrayLike<number>, b: ArrayLike<number>): void {
  expect(a.length).toBe(b.length);
  expect(differences(a, b)).toEqual([]);
}

const double = (options: CADOptions): CAD => new CAD({ precision: 'double', ...options });

const ways = WASM_BACKENDS.flatMap((backend) => PRECISIONS.map((precision) => [backend, precision] as const));
describe.each(ways)('with %s in %s precision, a score is the same to the last bit', (backend, precision) => {
  it.each(KERNELS)('alone, in any batch and after loading, %s kernel', (kernel) => {
    forShapes(3, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, columns);
      const Y = [...random.rows(300, columns, () => 2 * random.gaussian()), ...X.slice(0, 5)];
      using cad = new CAD({ kernel, neighbors: k, precision, backend }).fit(X);
      const scores = cad.score(Y);
      for (const size of [1, 2, 3, 127, 128, 129, 257]) {
        const from = random.integer(Y.length - size);
        expectSame(cad.score(Y.slice(from, from + size)), scores.slice(from, from + size));
      }
      using loaded = load(cad.toBytes(), { backend });
      expectSame(loaded.score(Y), scores);
      expectSame(loaded.scores, cad.scores);
      expectSame(CAD.load(cad.toBytes(), { backend }).score(Y.slice(7, 8)), scores.slice(7, 8));
    });
  });
});

describe.each(PRECISIONS)('in %s precision, all backends agree', (precision) => {
  it.each(['euclidean', 'manhattan'] as const)('on neighbours and distances to the last bit, %s', (metric) => {
    forShapes(10, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, columns);
      const Y = random.rows(20, columns);
      const [js, ...others] = BACKENDS.map((backend) => {
        using search = new NearestNeighbors(X, { metric, precision, backend });
        return [search.ofEachRow(k), search.of(Y, k)] as const;
      });
      for (const other of others) expect(other).toEqual(js);
    });
  });

  const byKernel = ['polynomial', 'sigmoid', 'cosine'] as const;
  it.each(byKernel)('on neighbours in the feature space of the %s kernel, at any scale', (name) => {
    forShapes(6, ({ seed, count, columns, k }) => {
      for (const scale of [1e-7, 1e-3, 1, 4]) {
        const random = new Random(seed);
        const X = random.rows(count, columns, () => Math.fround(scale * random.gaussian()));
        const kernel = { name, gamma: 1 / columns, coef0: 1, degree: 3 };
        const [js, ...others] = BACKENDS.map((backend) => {
          const points = finish(selectBackend(backend).hold(new RowReader().attach(X), precision, kernel));
          const indices = new Uint32Array(count * k);
          points.neighbors(POINTS, 0, count, k, { indices, distances: new Float64Array(count * k) });
          points.release();
          return indices;
        });
        for (const other of others) expectSame(other, js as Uint32Array);
      }
    });
  });

  it.each(KERNELS)('on scores and labels, %s kernel, to the last bit', (kernel) => {
    forShapes(6, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, columns);
      const Y = random.rows(140, columns, () => 2 * random.gaussian());
      const [js, ...others] = BACKENDS.map((backend) => {
        using cad = new CAD({ kernel, neighbors: k, precision, backend }).fit(X);
        return { scores: [...cad.scores, ...cad.score(Y)], labels: [...cad.labels, ...cad.predict(Y)] };
      });
      for (const other of others) {
        expectSame(other.scores, js?.scores ?? []);
        expect(other.labels).toEqual(js?.labels);
      }
    });
  });
});

/** A random orthogonal matrix, by Gram and Schmidt. */
function orthogonal(random: Random, size: number): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const row of random.rows(size, size)) {
    for (const other of [...basis, ...basis]) {
      const share = row.reduce((sum, value, j) => sum + value * (other[j] as number), 0);
      row.forEach((value, j) => {
        row[j] = value - share * (other[j] as number);
      });
    }
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    basis.push(row.map((value) => value / norm));
  }
  return basis;
}

describe('scores do not change', () => {
  const trained = (X: Float64Array[], options: CADOptions) => double(options).fit(X).scores;

  it.each(['linear', 'rbf', 'laplacian'] as const)('when all rows move, %s kernel', (kernel) => {
    forShapes(15, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, columns);
      const by = Float64Array.from({ length: columns }, () => 100 * random.gaussian());
      const moved = X.map((row) => row.map((value, j) => value + (by[j] as number)));
      expectAllClose(trained(moved, { kernel, neighbors: k }), trained(X, { kernel, neighbors: k }), { mixed: 1e-9 });
    });
  });

  it.each(['linear', 'rbf', 'laplacian'] as const)(
    'to the last bit when whole numbers move by whole numbers, in single precision, %s kernel',
    (kernel) => {
      forShapes(15, ({ seed, count, columns, k }) => {
        const random = new Random(seed);
        const X = random.rows(count, columns, () => random.integer(50));
        const by = Float64Array.from({ length: columns }, () => random.integer(1e6) - 5e5);
        const moved = X.map((row) => row.map((value, j) => value + (by[j] as number)));
        const options = { kernel, neighbors: k, precision: 'single' } as const;
        expectSame(trained(moved, options), trained(X, options));
      });
    },
  );

  it.each(['linear', 'rbf'] as const)('when the space is rotated, %s kernel', (kernel) => {
    forShapes(15, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, columns);
      const axes = orthogonal(random, columns);
      const turned = X.map((row) =>
        Float64Array.from(axes, (axis) => axis.reduce((sum, value, j) => sum + value * (row[j] as number), 0)),
      );
      expectAllClose(trained(turned, { kernel, neighbors: k }), trained(X, { kernel, neighbors: k }), { mixed: 1e-9 });
    });
  });

  // Not sigmoid: it is indefinite, D² < 0 counts as 0, and such ties go to the lower index.
  const ordered = KERNELS.filter((kernel) => kernel !== 'sigmoid');
  it.each(ordered)('when rows come in another order, %s kernel', (kernel) => {
    forShapes(15, ({ seed, count, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, 5);
      const order = random.permutation(count);
      const scores = trained(X, { kernel, neighbors: k });
      const shuffled = trained(
        order.map((i) => X[i] as Float64Array),
        { kernel, neighbors: k },
      );
      expectAllClose(
        shuffled,
        order.map((i) => scores[i] as number),
        { mixed: 1e-9 },
      );
    });
  });

  it('when all columns are scaled alike, linear kernel', () => {
    forShapes(15, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const X = random.rows(count, columns);
      const factor = 10 ** (12 * random.uniform() - 6);
      const scaled = X.map((row) => row.map((value) => value * factor));
      expectAllClose(trained(scaled, { neighbors: k }), trained(X, { neighbors: k }), { mixed: 1e-9 });
    });
  });
});

describe('scoreInto', () => {
  it.each(KERNELS)('gives what score gives and leaves the rest of the output alone, %s kernel', (kernel) => {
    const random = new Random(5);
    using cad = new CAD({ kernel }).fit(random.rows(60, 4));
    const Y = random.rows(130, 4);
    const output = new Float64Array(140).fill(7);
    expect(cad.scoreInto(Y, output)).toBe(output);
    expectSame(output.subarray(0, 130), cad.score(Y));
    expectSame(output.subarray(130), new Float64Array(10).fill(7));
  });

  it.each(['linear', 'rbf', 'polynomial'] as const)('allocates nothing, call after call, %s kernel', (kernel) => {
    const random = new Random(6);
    using cad = new CAD({ kernel, backend: 'wasm' }).fit(random.rows(200, 8));
    const row = { data: Float64Array.from({ length: 8 }, () => random.gaussian()), rows: 1, columns: 8 };
    const output = new Float64Array(1);
    for (let i = 0; i < 5000; i++) cad.scoreInto(row, output);
    const { arrays, heap } = growthOf(() => {
      for (let i = 0; i < 20_000; i++) cad.scoreInto(row, output);
    });
    expect(arrays).toBeLessThanOrEqual(0);
    expect(heap).toBeLessThan(100_000);
  });
});

describe('the gradient', () => {
  /** Distance from the last neighbour to the first row that is none, in units of the columns. */
  function gap(X: Float64Array[], y: Float64Array, k: number, unit: Float64Array): number {
    const scaled = (row: Float64Array) => row.map((value, j) => value / (unit[j] as number));
    const distances = X.map((row) => Math.sqrt(squaredDistance(scaled(row), scaled(y)))).sort((a, b) => a - b);
    return (distances[k] as number) - (distances[k - 1] as number);
  }

  function deviations(X: Float64Array[]): Float64Array {
    return Float64Array.from(X[0] as Float64Array, (_, j) => {
      const column = X.map((row) => row[j] as number);
      const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
      return Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / column.length);
    });
  }

  it.each([false, true])('is the slope of the score (standardize: %s)', (standardize) => {
    let compared = 0;
    forShapes(10, ({ seed, count, columns, k }) => {
      const random = new Random(seed);
      const spread = Float64Array.from({ length: columns }, () => (standardize ? 10 ** random.gaussian() : 1));
      const draw = (rows: number) =>
        random.rows(rows, columns).map((row) => row.map((v, j) => v * (spread[j] as number)));
      const X = draw(count);
      const unit = standardize ? deviations(X) : new Float64Array(columns).fill(1);
      using cad = double({ neighbors: k, standardize }).fit(X);
      for (const y of draw(10)) {
        const step = 1e-5;
        if (gap(X, y, k, unit) < 4 * step) continue;
        const slope = y.map((value, j) => {
          const h = step * (unit[j] as number);
          const [above, below] = cad.score([y.with(j, value + h), y.with(j, value - h)]);
          return ((above as number) - (below as number)) / (2 * h);
        });
        // By scaled columns, as those of the input may differ by orders of magnitude.
        const gradient = cad.gradient([y]).map((value, j) => value * (unit[j] as number));
        const size = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0));
        const off = gradient.map((value, j) => value - (slope[j] as number) * (unit[j] as number));
        expect(Math.sqrt(off.reduce((sum, value) => sum + value * value, 0))).toBeLessThanOrEqual(
          1e-5 * Math.max(size, 1e-3),
        );
        compared++;
      }
    });
    expect(compared).toBeGreaterThan(80);
  });
});
