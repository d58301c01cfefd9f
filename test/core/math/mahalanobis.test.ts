// Means, scatter matrices and Mahalanobis distances of the backends, beside plain loops.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../../src/core/input/matrix.js';
import { jsMahalanobis } from '../../../src/core/js/mahalanobis.js';
import type { Mahalanobis, Whitening } from '../../../src/core/math/mahalanobis.js';
import { wasmMahalanobis } from '../../../src/core/wasm/mahalanobis.js';
import { covarianceOf, mahalanobis, meanOf, solve } from '../../support/covariance.js';
import { Random } from '../../support/data.js';

const WASM = (['simd'] as const).map((build) => [build, wasmMahalanobis(build)] as const);

interface Results {
  mean: Float64Array;
  scatter: Float64Array;
  factor: Float64Array | undefined;
  distances: Float64Array;
  later: Float64Array;
}

/** Everything there is, of selected rows. */
function results(tools: Mahalanobis, rows: Float64Array[], selected: Uint32Array, dense?: Whitening): Results {
  const held = tools.hold(new RowReader().attach(rows));
  const mean = held.mean(selected);
  const scatter = held.scatter(selected, mean);
  const factor = tools.whiten(scatter, held.columns);
  const whitening = dense ?? { location: mean, matrix: factor as Float64Array, rank: held.columns, isTriangular: true };
  const distances = new Float64Array(rows.length);
  const every = Uint32Array.from(rows, (_, i) => i);
  held.distances(every, whitening, distances);
  held.release();
  const later = new Float64Array(rows.length);
  const measure = tools.measure(whitening);
  measure.distances(new RowReader().attach(rows), later);
  measure.release();
  return { mean, scatter, factor, distances, later };
}

function drawn(seed: number, count: number, columns: number): { rows: Float64Array[]; selected: Uint32Array } {
  const random = new Random(seed);
  const rows = random.rows(count, columns);
  const selected = Uint32Array.from(
    random.permutation(count).slice(0, columns + 2 + random.integer(count - columns - 1)),
  );
  return { rows, selected };
}

const SHAPE = fc.record({
  seed: fc.nat(),
  columns: fc.integer({ min: 1, max: 21 }),
  more: fc.integer({ min: 3, max: 150 }),
});

describe('mean, scatter, Cholesky whitening and distances', () => {
  it('are what their definitions give', () => {
    fc.assert(
      fc.property(SHAPE, ({ seed, columns, more }) => {
        const { rows, selected } = drawn(seed, columns + more, columns);
        const chosen = Array.from(selected, (i) => rows[i] as Float64Array);
        const location = meanOf(chosen);
        const covariance = covarianceOf(chosen);
        const found = results(jsMahalanobis, rows, selected);
        location.forEach((value, j) => {
          expect(found.mean[j]).toBeCloseTo(value, 12);
        });
        covariance.flat().forEach((value, i) => {
          expect((found.scatter[i] as number) / chosen.length).toBeCloseTo(value, 12);
        });
        rows.slice(0, 3).forEach((row, i) => {
          const truth = mahalanobis(row, location, covariance) / chosen.length;
          expect(Math.abs((found.distances[i] as number) - truth)).toBeLessThanOrEqual(1e-7 * truth);
        });
        let logDeterminant = 0;
        for (let j = 0; j < columns; j++) logDeterminant -= 2 * Math.log(found.factor?.[j * columns + j] as number);
        const truth = solve(
          covariance.map((row) => row.map((value) => value * chosen.length)),
          location,
        );
        expect(logDeterminant).toBeCloseTo(truth.logDeterminant, 6);
      }),
      { seed: 4, numRuns: 25 },
    );
  });

  it.each(WASM)('are the same to the last bit in the %s build', (_, tools) => {
    fc.assert(
      fc.property(SHAPE, ({ seed, columns, more }) => {
        const { rows, selected } = drawn(seed, columns + more, columns);
        const truth = results(jsMahalanobis, rows, selected);
        expect(results(tools, rows, selected)).toEqual(truth);
        expect(truth.later).toEqual(truth.distances);
      }),
      { seed: 5, numRuns: 25 },
    );
  });

  it.each(WASM)('are the same for a whitening of any rank in the %s build', (_, tools) => {
    const random = new Random(8);
    for (const [columns, rank] of [
      [1, 1],
      [5, 3],
      [8, 8],
      [9, 2],
      [17, 16],
    ] as const) {
      const rows = random.rows(75, columns);
      const [location] = random.rows(1, columns) as [Float64Array];
      const [matrix] = random.rows(1, rank * columns) as [Float64Array];
      const whitening = { location, matrix, rank, isTriangular: false };
      const selected = Uint32Array.from({ length: 40 }, (_, i) => i);
      expect(results(tools, rows, selected, whitening)).toEqual(results(jsMahalanobis, rows, selected, whitening));
    }
  });

  it.each([['js', jsMahalanobis] as const, ...WASM])('notice a singular matrix, %s', (_, tools) => {
    const random = new Random(3);
    const plain = random.rows(40, 3);
    const every = Uint32Array.from(plain, (_, i) => i);
    const sum = plain.map((row) => Float64Array.of(...row, (row[0] as number) + 2 * (row[2] as number)));
    const constant = plain.map((row) => Float64Array.of(row[0] as number, 0.1, row[1] as number));
    expect(results(tools, plain, every).factor).toBeDefined();
    for (const rows of [sum, constant]) {
      const held = tools.hold(new RowReader().attach(rows));
      const mean = held.mean(every);
      if (rows === constant) expect(mean[1]).toBe(0.1);
      expect(tools.whiten(held.scatter(every, mean), held.columns)).toBeUndefined();
      held.release();
    }
  });
});
