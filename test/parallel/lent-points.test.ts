// Points exist once, whoever searches them: threads work on the memory in which they lie, and give back what they add.
import { afterAll, describe, expect, it } from 'vitest';
import { POINTS } from '../../src/core/backend.js';
import { RowReader } from '../../src/core/input/matrix.js';
import { finish } from '../../src/core/steps.js';
import { wasmBackend } from '../../src/core/wasm/backend.js';
import { coreOf } from '../../src/core/wasm/core.js';
import { CAD, KNN, LandmarkCAD, LOF, stopThreads } from '../../src/index.js';
import { Random } from '../support/data.js';
import { outcome } from './support.js';

const random = new Random(16);
const matrix = (rows: number, columns: number) => ({
  data: Float64Array.from({ length: rows * columns }, () => random.gaussian()),
  rows,
  columns,
});
const KERNEL = { name: 'linear', gamma: 1, coef0: 0, degree: 1 } as const;
const backend = wasmBackend('simd');

afterAll(stopThreads);

describe.each([
  ['a tree', matrix(3000, 3)],
  ['all points', matrix(1200, 40)],
])('points that are searched by %s', (_, rows) => {
  const points = finish(backend.hold(new RowReader().attach(rows), 'double', KERNEL));
  const answer = (asked: typeof points, k: number) => {
    const found = { indices: new Uint32Array(rows.rows * k), distances: new Float64Array(rows.rows * k) };
    asked.neighbors(POINTS, 0, rows.rows, k, found);
    return found;
  };

  it('give the same answers where they are lent, and take no room there twice', () => {
    const expected = answer(points, 7);
    const { size } = coreOf('simd').arena;
    for (let round = 0; round < 5; round++) {
      const loan = points.lend();
      expect(loan).toBeDefined();
      const lent = backend.holdImage(structuredClone(loan?.image) as NonNullable<typeof loan>['image']);
      expect(answer(lent, 7)).toEqual(expected);
      expect(answer(points, 7), 'the owner meanwhile').toEqual(expected);
      lent.release();
      expect(lent.leftovers?.taken).toBeGreaterThan(0);
      loan?.end(lent.leftovers);
    }
    const grown = coreOf('simd').arena.size - size;
    expect(grown).toBeLessThan(2 ** 21);
  });

  it('stay where they are while they are lent, also when they are released', () => {
    const owner = finish(backend.hold(new RowReader().attach(rows), 'double', KERNEL));
    const expected = answer(owner, 5);
    const loan = owner.lend();
    const lent = backend.holdImage(loan?.image as NonNullable<typeof loan>['image']);
    owner.release();
    const others = Array.from({ length: 5 }, () =>
      finish(backend.hold(new RowReader().attach(matrix(rows.rows, rows.columns)), 'double', KERNEL)),
    );
    expect(answer(lent, 5)).toEqual(expected);
    loan?.end(lent.leftovers);
    for (const other of others) other.release();
  });
});

describe.each([
  ['CAD', () => new CAD()],
  ['KNN', () => new KNN()],
  ['LOF', () => new LOF()],
  ['LandmarkCAD', () => new LandmarkCAD()],
])('%s on threads', (_, make) => {
  const rows = matrix(20_000, 3);
  const fresh = matrix(20_000, 3);
  const fitted = make().fit(rows);
  const expected = fitted.score(fresh);

  it('needs no more memory for the tenth fit than for the third', async () => {
    const sizes: number[] = [];
    for (let round = 0; round < 10; round++) {
      const detector = await make().fitAsync(rows, { threads: 2 });
      expect(detector.scores).toEqual(fitted.scores);
      expect(await detector.scoreAsync(fresh, { threads: 2 })).toEqual(expected);
      detector.dispose();
      sizes.push(coreOf('simd').arena.size);
    }
    // Threads keep the last four detectors that they scored with.
    expect(sizes[9]).toBeLessThanOrEqual((sizes[5] as number) * 1.3);
  });

  it('scores right after calls that were aborted, disposed and stopped', async () => {
    for (let round = 0; round < 4; round++) {
      const controller = new AbortController();
      const aborted = make().fitAsync(rows, {
        threads: 2,
        signal: controller.signal,
        onProgress: ({ done }) => done > 0.2 * round && controller.abort(),
      });
      expect(['AbortError', 'done']).toContain(await outcome(aborted));
      const disposed = await make().fitAsync(rows, { threads: 2 });
      const scoring = disposed.scoreAsync(fresh, { threads: 2 });
      setTimeout(() => disposed.dispose(), 5);
      expect(['DISPOSED', 'done']).toContain(await outcome(scoring));
      if (round % 2 === 1) stopThreads();
      const detector = await make().fitAsync(rows, { threads: 2 });
      expect(detector.scores).toEqual(fitted.scores);
      expect(await detector.scoreAsync(fresh, { threads: 2 })).toEqual(expected);
    }
  });
});
