// Threads that look for the neighbours of all rows together: every two parts of the rows meet in one of them.
// Wherever they meet, the neighbours are those of the synchronous call.

import { afterAll, describe, expect, it } from 'vitest';
import type { JoinPart, SelfJoin } from '../../src/core/backend.js';
import { RowReader } from '../../src/core/input/matrix.js';
import { finish } from '../../src/core/steps.js';
import { wasmBackend } from '../../src/core/wasm/backend.js';
import { coreOf } from '../../src/core/wasm/core.js';
import { CAD, KNN, LOF, stopThreads } from '../../src/index.js';
import { Random, type Rows } from '../support/data.js';
import { ABOUT_TIME } from '../support/timing.js';
import { expectAborted } from './support.js';

const random = new Random(61);
const COUNT = 4133;
const KERNEL = { name: 'linear', gamma: 1, coef0: 0, degree: 1 } as const;
const DATA: Readonly<Record<string, Rows>> = {
  'random rows': random.rows(COUNT, 40),
  'many ties': random.rows(COUNT, 40, (): number => random.integer(2)),
  'clusters far apart': random.rows(COUNT, 40).map((row, i) => row.map((value) => value + 1e4 * (i % 3))),
  'a thousand duplicates': [
    ...random.rows(COUNT - 1000, 40),
    ...Array.from({ length: 1000 }, () => new Float64Array(40)),
  ],
};

afterAll(stopThreads);

describe.each(Object.entries(DATA))('neighbours that threads find together among %s', (_, rows) => {
  const data = Float64Array.from(rows.flatMap((row) => [...(row as Float64Array)]));
  const matrix = { data, rows: COUNT, columns: 40 };

  it.each([
    ['CAD', () => new CAD({ backend: 'wasm-simd' })],
    [
      'CAD with the laplacian kernel',
      () => new CAD({ backend: 'wasm-simd', kernel: 'laplacian', precision: 'double' }),
    ],
    ['KNN', () => new KNN({ backend: 'wasm-simd' })],
    ['LOF', () => new LOF({ backend: 'wasm-simd', precision: 'double' })],
  ])('give the scores of the synchronous call: %s', async (_, make) => {
    const expected = make().fit(matrix).scores;
    for (const threads of [0, 1, 2, 3]) {
      const detector = make();
      await detector.fitAsync(matrix, { threads });
      expect(detector.execution?.threads, 'threads at work').toBe(threads);
      expect(detector.scores, `${threads} threads`).toEqual(expected);
    }
  });
});

describe('rows so many and narrow that one thread has no room for the candidates of all', () => {
  it('are joined by threads all the same, with the scores of the synchronous call', async () => {
    const [rows, columns] = [24_000, 12];
    const matrix = { data: Float32Array.from({ length: rows * columns }, () => random.gaussian()), rows, columns };
    const points = finish(wasmBackend('simd').hold(new RowReader().attach(matrix), 'single', KERNEL));
    expect(points.selfJoin(10)?.hasRoom).toBe(false);
    points.release();
    const expected = new CAD({ backend: 'wasm-simd' }).fit(matrix).scores;
    for (const threads of [0, 2]) {
      const detector = await new CAD({ backend: 'wasm-simd' }).fitAsync(matrix, { threads });
      expect(detector.scores, `${threads} threads`).toEqual(expected);
    }
  });
});

describe('rows of few columns, which are put in the order of a tree', () => {
  it.each([1, 2, 3])('have the scores of the synchronous call: %s columns', async (columns) => {
    const rows = 40_000;
    const matrix = { data: Float32Array.from({ length: rows * columns }, () => random.gaussian()), rows, columns };
    const expected = new CAD({ backend: 'wasm-simd' }).fit(matrix);
    for (const threads of [0, 2]) {
      const detector = await new CAD({ backend: 'wasm-simd' }).fitAsync(matrix, { threads });
      expect(detector.scores, `${threads} threads`).toEqual(expected.scores);
      expect(await detector.scoreAsync(matrix, { threads }), `${threads} threads`).toEqual(expected.score(matrix));
    }
  });
});

describe('a join that is made in parts', () => {
  const rows = DATA['many ties'] as Rows;
  const source = {
    rows: COUNT,
    columns: 40,
    read: (row: number, into: Float64Array, at: number) => into.set(rows[row] as Float64Array, at),
  };
  const k = 7;

  it('may have its parts meet in any order and at several places, and settled at any of them', () => {
    const points = finish(wasmBackend('simd').hold(source, 'double', KERNEL));
    const expected = { indices: new Uint32Array(COUNT * k), distances: new Float64Array(COUNT * k) };
    points.neighbors('points', 0, COUNT, k, expected);
    const joins = [0, 1, 2].map(() => points.selfJoin(k) ?? expect.fail('these points can be joined'));
    const place = () => joins[random.integer(3)] as SelfJoin;
    const parts: JoinPart[] = [];
    for (let from = 0; from < COUNT; from += 2 * place().unit) {
      parts.push({ from, to: Math.min(COUNT, from + 2 * place().unit), candidates: undefined });
    }
    const exchange = (...numbers: number[]): void => {
      const present = numbers.map((number) => parts[number] as JoinPart) as [JoinPart, JoinPart?];
      const candidates = place().exchange(...present);
      for (const [i, number] of numbers.entries())
        parts[number] = { ...(present[i] as JoinPart), candidates: candidates[i] };
    };
    for (const number of parts.keys()) exchange(number);
    const pairs = [...parts.keys()].flatMap((a) => [...parts.keys()].slice(a + 1).map((b) => [a, b] as const));
    expect(pairs.length).toBe(10);
    for (const [a, b] of pairs.toReversed()) exchange(...(random.integer(2) === 0 ? [a, b] : [b, a]));
    const found = { indices: new Uint32Array(COUNT * k), distances: new Float64Array(COUNT * k) };
    for (const part of parts.toReversed()) {
      const { from, to, candidates } = part;
      const results = [found.indices.subarray(from * k, to * k), found.distances.subarray(from * k, to * k)] as const;
      place().neighbors(from, to, ...results, candidates);
    }
    expect(found).toEqual(expected);
    for (const join of joins) join.release();
    points.release();
  });

  it('goes on where other points were searched, and these moved out of memory, in between', () => {
    const points = finish(wasmBackend('simd').hold(source, 'double', KERNEL));
    const expected = new Float64Array(COUNT);
    points.curvature('points', 0, COUNT, k, expected);
    const join = points.selfJoin(k) ?? expect.fail('these points can be joined');
    const half = Math.floor(join.blockPairs / 2);
    join.collect(0, half);
    const { arena } = coreOf('simd');
    const ballast = arena.allocate(40 * 2 ** 20);
    new CAD({ backend: 'wasm-simd', neighbors: 3 }).fit(random.rows(3000, 60));
    arena.free(ballast);
    join.collect(half, join.blockPairs);
    const scores = new Float64Array(COUNT);
    join.curvature(0, COUNT, scores);
    expect(scores).toEqual(expected);
    join.release();
    points.release();
  });

  it.each([0, 2])('gives its memory back when it is aborted, with %i threads', ABOUT_TIME, async (threads) => {
    const matrix = random.rows(6000, 60);
    const fit = (options: object) => new CAD({ backend: 'wasm-simd' }).fitAsync(matrix, { ...options, threads });
    for (let i = 0; i < 3; i++) await expectAborted(fit, {}, ({ done }) => done > 0.3);
    const before = coreOf('simd').arena.size;
    for (let i = 0; i < 10; i++) await expectAborted(fit, {}, ({ done }) => done > 0.3);
    // Threads may still look at the points of the last fit when the next begins; those of ten are 40 MB.
    expect(coreOf('simd').arena.size).toBeLessThan(before + 16 * 2 ** 20);
  });
});
