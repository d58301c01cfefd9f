// Anomaly paths, against the paper's equations written out pair by pair and against what they promise.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreOf } from '../../src/core/wasm/core.js';
import {
  type AnomalyPath,
  anomalyPath,
  anomalyPaths,
  CAD,
  CurvadError,
  denoise,
  landscape,
  type PathOptions,
} from '../../src/index.js';
import { BACKENDS, Random, WASM_BACKENDS } from '../support/data.js';
import { fitted, pairwise, SETS, syntheticSet } from './support.js';

const last = (path: AnomalyPath): Float64Array => path.points.at(-1) as Float64Array;
const isFalling = ({ scores }: AnomalyPath): boolean =>
  scores.every((s, i) => i === 0 || s < (scores[i - 1] as number));

describe('a path to normal', () => {
  it.each(SETS)('leads at least 95 percent of the flagged rows of %s to where the detector says normal', (name) => {
    const { cad, flagged } = fitted(syntheticSet(name));
    const paths = anomalyPaths(cad, flagged);
    const reached = paths.filter((path) => cad.predict([last(path)])[0] === 0);
    expect(flagged.length).toBeGreaterThan(20);
    expect(reached.length / paths.length).toBeGreaterThanOrEqual(0.95);
    for (const path of paths) {
      expect(path.iterations.at(-1)).toBeLessThanOrEqual(300);
      expect(path.end === 'normal').toBe(path.label === 0);
      expect(path.label).toBe(cad.predict([last(path)])[0]);
      expect(path.iterations.at(-1)).toBeGreaterThan(0); // flagged in training, so it must move
      expect(isFalling(path)).toBe(true);
    }
  });

  it('never raises the score, whatever the data', () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.integer(),
          rows: fc.integer({ min: 12, max: 60 }),
          columns: fc.integer({ min: 1, max: 6 }),
          k: fc.integer({ min: 2, max: 6 }),
          isCoarse: fc.boolean(), // many duplicates and ties
          standardize: fc.boolean(),
          stop: fc.constantFrom('normal' as const, 'minimum' as const),
        }),
        ({ seed, rows, columns, k, isCoarse, standardize, stop }) => {
          const random = new Random(seed);
          const X = random.rows(rows, columns, () => (isCoarse ? random.integer(4) : random.gaussian()));
          const { cad, normal } = fitted(X, { neighbors: k, standardize });
          fc.pre(normal.length >= k);
          const starts = [...X.slice(0, 6), ...random.rows(3, columns, () => 5 * random.gaussian())];
          for (const path of anomalyPaths(cad, starts, { stop, maxIterations: 60 })) {
            expect(isFalling(path)).toBe(true);
            if (stop === 'normal') expect(path.end === 'normal').toBe(path.label === 0);
            expect(path.points.flatMap((point) => [...point]).every(Number.isFinite)).toBe(true);
          }
        },
      ),
      { numRuns: 60, seed: 7 },
    );
  });

  it('has the score and the neighbours of the normal rows at each of its points', () => {
    const { cad, X, normal, flagged } = fitted(syntheticSet('moons'), { precision: 'double' });
    for (const path of anomalyPaths(cad, flagged.slice(0, 10), { stop: 'minimum' })) {
      path.points.forEach((point, i) => {
        expect(path.scores[i]).toBeCloseTo(pairwise(normal, point, 10).score, 8);
        const rows = [...(path.neighbors[i] as Uint32Array)].map((index) => X[index]);
        expect(rows.every((row) => normal.includes(row as number[]))).toBe(true);
      });
    }
  });

  it('has the gradient of finite differences, to 10⁻⁶, along its way', () => {
    const { cad, normal, flagged } = fitted(syntheticSet('different'), { precision: 'double' });
    const ofNormal = new CAD({ precision: 'double' }).fit(normal);
    let compared = 0;
    for (const path of anomalyPaths(cad, flagged, { stop: 'minimum' })) {
      for (const point of path.points.slice(0, 5)) {
        const gradient = ofNormal.gradient([point]);
        const h = 1e-5;
        const moved = (j: number, by: number) => point.map((value, i) => (i === j ? value + by : value));
        const sets = [0, 1].flatMap((j) => [-h, h].map((by) => neighborsOf(normal, moved(j, by))));
        if (sets.some((set) => set !== neighborsOf(normal, point))) continue; // the set changes within h
        if (distanceTo(normal, point) < 0.02) continue; // curved too much for this h
        const differences = [0, 1].map(
          (j) => (pairwise(normal, moved(j, h), 10).score - pairwise(normal, moved(j, -h), 10).score) / (2 * h),
        );
        const size = Math.hypot(...gradient);
        const error = Math.hypot(...differences.map((value, j) => value - (gradient[j] as number)));
        expect(error).toBeLessThanOrEqual(1e-6 * Math.max(size, 1));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });

  it.each([1e3, 1e-3, 1e-6])('is the same path at %d times the scale, from another origin', (scale) => {
    const X = syntheticSet('equal');
    const map = (row: ArrayLike<number>) => [...Array.from(row)].map((value) => (value + 100) * scale);
    const plain = fitted(X, { precision: 'double' });
    const scaled = fitted(X.map(map), { precision: 'double' });
    const before = anomalyPaths(plain.cad, plain.flagged);
    const after = anomalyPaths(scaled.cad, scaled.flagged);
    expect(after.length).toBe(before.length);
    let same = 0;
    before.forEach((path, i) => {
      const other = after[i] as AnomalyPath;
      if (path.points.length > 6) return; // rounding decides at walls, sooner or later
      expect(other.points.length).toBe(path.points.length);
      path.points.forEach((point, t) => {
        map(point).forEach((value, j) => {
          expect(Math.abs(value - (other.points[t]?.[j] as number))).toBeLessThan(1e-7 * scale);
        });
      });
      same++;
    });
    expect(same).toBeGreaterThan(before.length * 0.8);
  });

  it('ends at once for a row the detector calls normal, and goes on to the minimum when asked', () => {
    const { cad, normal } = fitted(syntheticSet('moons'));
    const inside = normal.find((row) => cad.predict([row])[0] === 0) as number[];
    expect(anomalyPath(cad, inside)).toMatchObject({ end: 'normal', label: 0, iterations: Uint32Array.of(0) });
    const down = anomalyPath(cad, inside, { stop: 'minimum' });
    expect(['converged', 'stalled']).toContain(down.end);
    expect(isFalling(down)).toBe(true);
  });

  it('keeps every n-th point, the start and the end', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'));
    const options: PathOptions = { stop: 'minimum', maxIterations: 40 };
    for (const row of flagged.slice(0, 5)) {
      const all = anomalyPath(cad, row, options);
      const some = anomalyPath(cad, row, { ...options, every: 7 });
      const kept = all.points.filter((_, i) => i % 7 === 0 || i === all.points.length - 1);
      expect(some.points).toEqual(kept);
      expect([...some.iterations]).toEqual(
        all.points.flatMap((_, i) => (kept.includes(all.points[i] as Float64Array) ? [i] : [])),
      );
      expect(some.end).toBe(all.end);
    }
  });

  it('is short of nothing where the detector looks for low scores', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'), { orientation: 'lower', contamination: 0.1 });
    const paths = anomalyPaths(cad, flagged);
    expect(paths.every(isFalling)).toBe(true);
    expect(paths.filter(({ label }) => label === 0).length).toBeGreaterThan(paths.length * 0.9);
  });
});

function neighborsOf(points: readonly ArrayLike<number>[], x: ArrayLike<number>): string {
  const distances = points.map(
    (point, i) => [Math.hypot(...Array.from(point, (v, j) => v - (x[j] as number))), i] as const,
  );
  return distances
    .sort((a, b) => a[0] - b[0])
    .slice(0, 10)
    .map(([, i]) => i)
    .sort()
    .join();
}

function distanceTo(points: readonly ArrayLike<number>[], x: ArrayLike<number>): number {
  return Math.min(...points.map((point) => Math.hypot(...Array.from(point, (v, j) => v - (x[j] as number)))));
}

describe('a path of fixed steps', () => {
  it('takes the steps of a plain loop, and stops as the paper does', () => {
    const { cad, normal, flagged } = fitted(syntheticSet('moons'), { precision: 'double' });
    const eta = 0.01;
    for (const row of flagged.slice(0, 12)) {
      const path = anomalyPath(cad, row, { step: eta, maxIterations: 60 });
      let x = Float64Array.from(row);
      let { score, gradient } = pairwise(normal, x, 10);
      for (let t = 1; t < path.points.length; t++) {
        x = x.map((value, j) => value - eta * (gradient[j] as number));
        const before = score;
        ({ score, gradient } = pairwise(normal, x, 10));
        expect(Math.hypot(...x.map((value, j) => value - (path.points[t]?.[j] as number)))).toBeLessThan(1e-7);
        const isEnd = t === path.points.length - 1;
        expect(score > before).toBe(isEnd && path.end === 'increased');
      }
      expect(['increased', 'maxIterations']).toContain(path.end);
    }
  });

  it.each([
    ['moons', 82, 2],
    ['equal', 76, 12], // the paper's clusters have no seed: ours are others
    ['different', 76, 12],
  ] as const)(
    'of the paper ends on normal points of %s for about %d percent of the flagged',
    (name, percent, tolerance) => {
      const { cad, flagged } = fitted(syntheticSet(name));
      const paths = anomalyPaths(cad, flagged, { step: 0.001, every: 10_000 });
      const share = (100 * paths.filter(({ label }) => label === 0).length) / paths.length;
      expect(Math.abs(share - percent)).toBeLessThanOrEqual(tolerance);
    },
  );

  it('goes on regardless when told never to stop, and says so when it leaves the numbers', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'));
    const row = flagged[0] as number[];
    expect(anomalyPath(cad, row, { step: 0.5, stop: 'never', maxIterations: 30, every: 30 }).iterations.at(-1)).toBe(
      30,
    );
    expect(anomalyPath(cad, row, { step: 1e300, stop: 'never' }).end).toBe('diverged');
  });

  it('may end at the first normal point', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'));
    const paths = anomalyPaths(cad, flagged, { step: 0.01, stop: 'normal', maxIterations: 500 });
    for (const path of paths.filter(({ end }) => end === 'normal')) {
      const labels = path.points.map((point) => cad.predict([point])[0]);
      expect(labels.slice(1).indexOf(0)).toBe(labels.length - 2);
    }
    expect(paths.filter(({ end }) => end === 'normal').length).toBeGreaterThan(10);
  });
});

describe('a path to anomalous', () => {
  it('climbs until the detector calls it an anomaly', () => {
    const { cad, normal } = fitted(syntheticSet('equal'));
    const paths = anomalyPaths(cad, normal.slice(0, 40), { direction: 'anomalous' });
    for (const path of paths) {
      expect(path.scores.every((s, i) => i === 0 || s > (path.scores[i - 1] as number))).toBe(true);
      expect(path.end === 'anomalous').toBe(path.label === 1);
      expect(path.label).toBe(cad.predict([last(path)])[0]);
    }
    expect(paths.filter(({ label }) => label === 1).length).toBeGreaterThanOrEqual(38);
  });
});

describe('the backends', () => {
  const random = new Random(3);
  const cloud = random.rows(150, 7);
  const lattice = Array.from({ length: 100 }, (_, i) => [i % 10, Math.floor(i / 10), i % 2]);
  const wide = random.rows(40, 560, () => 128 + 60 * random.gaussian());
  const offset = random.rows(200, 2, () => 1e6 + random.gaussian());
  it.each([
    ['a cloud', cloud, {}, {}],
    ['a cloud, standardized and in f64', cloud, { standardize: true, precision: 'double' }, { stop: 'minimum' }],
    ['a lattice full of ties', lattice, { neighbors: 6 }, { stop: 'minimum', maxIterations: 30 }],
    ['560 columns', wide, { neighbors: 3 }, { stop: 'minimum', maxIterations: 60 }],
    ['560 columns, fixed steps', wide, { neighbors: 3 }, { step: 1000, maxIterations: 100, every: 9 }],
    ['far from the origin', offset, {}, { stop: 'minimum', maxIterations: 50 }],
    ['constraints', cloud, {}, { frozen: [1], bounds: { 0: [-0.5, 0.5] }, stop: 'minimum' }],
    ['the way up', cloud, {}, { direction: 'anomalous', stop: 'maximum', maxIterations: 50 }],
  ] as Array<[string, ArrayLike<number>[], object, PathOptions]>)(
    'walk alike to the last bit: %s',
    (_, X, options, path) => {
      const starts = X.slice(0, 4).map((row) => Array.from(row, (value, j) => value * 1.5 + j));
      const results = BACKENDS.map((backend) => anomalyPaths(fitted(X, { ...options, backend }).cad, starts, path));
      WASM_BACKENDS.forEach((_, i) => {
        expect(results[i + 1]).toEqual(results[0]);
      });
    },
  );
});

describe('a path asked for wrongly', () => {
  const { cad, flagged } = fitted(syntheticSet('moons'));
  const row = flagged[0] as number[];
  it.each<[string, object]>([
    ['UNKNOWN_OPTION', { stepp: 1 }],
    ['STEP_INVALID', { step: -1 }],
    ['STEP_INVALID', { step: 'fast' }],
    ['STOP_INVALID', { stop: 'maximum' }],
    ['STOP_INVALID', { stop: 'never' }],
    ['STOP_INVALID', { direction: 'anomalous', stop: 'normal' }],
    ['DIRECTION_UNKNOWN', { direction: 'down' }],
    ['ITERATIONS_INVALID', { maxIterations: 0 }],
    ['EVERY_INVALID', { every: 0.5 }],
    ['FROZEN_INVALID', { frozen: [2] }],
    ['FROZEN_INVALID', { frozen: ['x'] }],
    ['BOUNDS_INVALID', { bounds: { 0: [1, 0] } }],
    ['BOUNDS_INVALID', { bounds: { 5: [0, 1] } }],
    ['BOUNDS_INVALID', { bounds: { 0: [Number.NaN, 1] } }],
  ])('fails with %s for %j', (code, options) => {
    expect(() => anomalyPath(cad, row, options)).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });

  it('fails for rows that are not, kernels without a gradient, and other detectors', () => {
    const failing: Array<[string, () => unknown]> = [
      ['WRONG_WIDTH', () => anomalyPath(cad, [1])],
      ['NAN_VALUE', () => anomalyPath(cad, [1, Number.NaN])],
      ['ROW_TYPE', () => anomalyPath(cad, 5 as never)],
      ['VALUE_TOO_LARGE', () => anomalyPath(cad, [1e160, 0])],
      ['KERNEL_UNSUPPORTED', () => anomalyPath(new CAD({ kernel: 'rbf' }).fit(syntheticSet('moons')), row)],
      ['NOT_FITTED', () => anomalyPath(new CAD(), row)],
      ['DETECTOR_UNSUPPORTED', () => anomalyPath({} as never, row)],
    ];
    for (const [code, work] of failing) expect(work).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });

  it('fails where fewer rows are normal than there are neighbours, and works where there are just as many', () => {
    const X = new Random(8).rows(12, 2);
    const few = fitted(X, { neighbors: 7, contamination: 0.5 });
    expect(few.normal.length).toBe(6);
    expect(() => anomalyPath(few.cad, [0, 0])).toThrow(expect.objectContaining({ code: 'TOO_FEW_NORMAL_ROWS' }));
    const enough = fitted(X, { neighbors: 6, contamination: 0.5 });
    expect(anomalyPath(enough.cad, [9, 9]).points.length).toBeGreaterThan(1);
    const all = fitted(X, { neighbors: 11, contamination: 0.01 }); // k = n − 1, one row above the threshold
    expect(isFalling(anomalyPath(all.cad, [9, 9], { stop: 'minimum' }))).toBe(true);
  });

  it('leaves no memory taken, neither when it works nor when it fails', () => {
    const { arena } = coreOf('simd');
    const X = new Random(5).rows(1000, 16);
    const use = () => {
      const model = new CAD({ backend: 'wasm-simd' }).fit(X);
      anomalyPaths(model, X.slice(0, 3), { maxIterations: 5 });
      landscape(model, { neighbors: 'normal', resolution: 12 });
      denoise(X, X[0] as Float64Array, { snapshots: [2], backend: 'wasm-simd' });
      expect(() => anomalyPath(model, [1])).toThrow(CurvadError);
      model.dispose();
    };
    use();
    const before = arena.size;
    for (let i = 0; i < 40; i++) use();
    expect(arena.size).toBe(before);
  });

  it('fails after the detector was disposed', () => {
    const gone = new CAD().fit(syntheticSet('moons'));
    anomalyPath(gone, row);
    gone.dispose();
    expect(() => anomalyPath(gone, row)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
  });
});
