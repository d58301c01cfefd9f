// The life of models in the one WebAssembly memory they share: thousands come and go without dispose, in
// one synchronous loop where no finalizer can run, and those that are kept stay exactly as they were.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { finish } from '../../src/core/steps.js';
import { wasmBackend } from '../../src/core/wasm/backend.js';
import { coreOf } from '../../src/core/wasm/core.js';
import type { Segment } from '../../src/core/wasm/memory/arena.js';
import { CAD, type CADOptions, type MatrixInput } from '../../src/index.js';
import { Random, type Rows } from '../support/data.js';

const MB = 2 ** 20;
/** Below this size the memory grows before models are moved out of it. */
const COMFORTABLE = 32 * MB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const random = new Random(7);
const { arena } = coreOf('simd');
const fitted = (rows: MatrixInput, options: CADOptions = {}) =>
  new CAD({ neighbors: 5, backend: 'wasm-simd', ...options }).fit(rows);

/** What is taken outside and inside the WebAssembly memory, after everything forgotten was collected. */
function memoryInUse(): { outside: number; external: number; inside: number } {
  for (let i = 0; i < 3; i++) collectGarbage(); // buffers are swept in the background
  const { arrayBuffers, external } = process.memoryUsage();
  return { outside: arrayBuffers, external, inside: arena.size };
}

/** Fits models and forgets them, in one go. */
function churn(models: number, rows: Rows, options?: CADOptions): void {
  for (let i = 0; i < models; i++) fitted(rows, options).score([rows[i % rows.length] as Float64Array]);
}

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Takes so much of the comfortable size that the next models must soon move others out. */
let ballast: Segment | undefined;

beforeEach(() => {
  ballast = arena.allocate(30 * MB);
});

afterEach(() => {
  if (ballast !== undefined) arena.free(ballast);
});

describe('models that are forgotten', () => {
  it.each([
    { models: 5000, settled: 1000, rows: 60, columns: 4 },
    { models: 100, settled: 20, rows: 2000, columns: 32 },
  ])('cost no memory: $models of $rows × $columns', ({ models, settled, rows, columns }) => {
    const data = random.rows(rows, columns);
    churn(settled, data);
    const before = memoryInUse();
    churn(models - settled, data);
    const after = memoryInUse();
    const oneStep = Math.max(MB, before.inside / 8);
    expect(after.inside - before.inside, 'growth of the WebAssembly memory in bytes').toBeLessThanOrEqual(oneStep);
    const grown = after.outside - before.outside;
    const message = `${models - settled} models left ${(grown / MB).toFixed(1)} MB of array buffers behind`;
    expect(grown, message).toBeLessThanOrEqual(MB);
    expect(after.external - before.external, 'growth of external memory').toBeLessThanOrEqual(oneStep + 2 * MB);
  });

  it('cost no memory where the program gives way now and then', async () => {
    const data = random.rows(2000, 32);
    churn(10, data);
    await nextTurn();
    const before = memoryInUse();
    for (let batch = 0; batch < 6; batch++) {
      churn(10, data);
      await nextTurn();
    }
    const after = memoryInUse();
    expect(after.outside - before.outside).toBeLessThanOrEqual(MB);
    expect(after.inside - before.inside).toBeLessThanOrEqual(Math.max(MB, before.inside / 8));
  });

  it('never make the memory larger than what is comfortable', () => {
    if (ballast !== undefined) arena.free(ballast);
    ballast = undefined;
    churn(110, random.rows(2000, 32), { neighbors: 2 });
    expect(arena.size).toBeLessThanOrEqual(COMFORTABLE + 4 * MB);
  });

  it('and that could not even be fitted leave nothing behind', () => {
    const bad = random.rows(500, 8).with(499, Float64Array.from([1e160, 0, 0, 0, 0, 0, 0, 0]));
    const before = arena.size;
    for (let i = 0; i < 2000; i++) expect(() => fitted(bad)).toThrow('row 499, column 0');
    expect(arena.size).toBe(before);
  });

  it('and disposed of give their room to the next', () => {
    const data = random.rows(1000, 16);
    fitted(data).dispose();
    const before = arena.size;
    const allocateEvictable = vi.spyOn(arena, 'allocateEvictable');
    for (let i = 0; i < 100; i++) fitted(data).dispose();
    expect(new Set(allocateEvictable.mock.results.map(({ value }) => (value as Segment).start)).size).toBe(1);
    expect(arena.size).toBe(before);
    allocateEvictable.mockRestore();
  });
});

describe('models that are kept', () => {
  const queries = random.rows(20, 6);
  const other = random.rows(20, 3);

  it('score the same after they were moved out and back in', () => {
    for (const [kernel, precision] of [
      ['linear', 'single'],
      ['laplacian', 'double'],
      ['polynomial', 'double'],
    ] as const) {
      const kept = fitted(random.rows(400, 6), { kernel, precision });
      const expected = kept.score(queries);
      const file = kept.toBytes();
      churn(12, random.rows(2000, 32));
      expect(kept.toBytes(), 'a model that is outside can be saved').toEqual(file);
      const allocateEvictable = vi.spyOn(arena, 'allocateEvictable');
      expect(kept.score(queries)).toEqual(expected);
      expect(allocateEvictable, 'it had to move back in').toHaveBeenCalledOnce();
      allocateEvictable.mockRestore();
    }
  });

  it('of different shapes can take turns', () => {
    const [a, b] = [fitted(random.rows(700, 6)), fitted(random.rows(300, 3), { neighbors: 9, kernel: 'rbf' })];
    const [atA, atB, gradientAtA] = [a.score(queries), b.score(other), a.gradient(queries)];
    const big = random.rows(3000, 32);
    for (let turn = 0; turn < 30; turn++) {
      if (turn % 3 === 0) churn(2, big);
      expect(a.score(queries.slice(0, 1 + (turn % 20)))).toEqual(atA.slice(0, 1 + (turn % 20)));
      expect(b.score(other.slice(turn % 20))).toEqual(atB.slice(turn % 20));
      if (turn % 3 === 1) churn(2, big);
      expect(a.gradient(queries)).toEqual(gradientAtA);
    }
  });

  it('survive a model that is too large for any memory', () => {
    const kept = fitted(random.rows(100, 6));
    const expected = kept.score(queries);
    const huge = { rows: 2 ** 29, columns: 8, read: () => undefined };
    const kernel = { name: 'linear', gamma: 1, coef0: 0, degree: 1 } as const;
    expect(() => finish(wasmBackend('simd').hold(huge, 'double', kernel))).toThrow(
      expect.objectContaining({ code: 'OUT_OF_MEMORY' }),
    );
    expect(kept.score(queries)).toEqual(expected);
  });
});

describe('rows that are computed by another model while they are read', () => {
  const inner = random.rows(200, 3);
  const outer = random.rows(80, 2);
  const newRows = random.rows(20, 2);

  /** Row i as it is, but every number is read by way of a model of another shape. */
  function throughModel(rows: Rows, model: CAD): MatrixInput {
    const get = (i: number, j: number): number => {
      const [score] = model.score([inner[(i + j) % inner.length] as Float64Array]);
      return Number.isFinite(score) ? (rows[i]?.[j] as number) : Number.NaN;
    };
    return { rows: rows.length, columns: 2, get };
  }

  it('are fitted as they are', () => {
    const expected = fitted(outer).scores;
    expect(fitted(throughModel(outer, fitted(inner, { neighbors: 7 }))).scores).toEqual(expected);
  });

  it('are fitted as they are when the memory grows meanwhile', () => {
    const expected = fitted(outer).scores;
    let size = 1000;
    const get = (i: number, j: number): number => {
      if ((i + j) % 40 === 0) {
        size += 500;
        fitted(random.rows(size, 32), { neighbors: 2 });
      }
      return outer[i]?.[j] as number;
    };
    expect(fitted({ rows: outer.length, columns: 2, get }).scores).toEqual(expected);
  });

  it('are scored as they are', () => {
    const model = fitted(outer);
    const between = fitted(inner, { neighbors: 7 });
    const actual = model.score(throughModel(newRows, between));
    expect(actual).toEqual(model.score(newRows));
  });
});

/** Bytes of WebAssembly memory after the first fit of a program. */
async function memoryOfOneFit(rows: number, columns: number, options: CADOptions): Promise<number> {
  vi.resetModules();
  const fresh = await import('../../src/index.js');
  const { coreOf: freshCoreOf } = await import('../../src/core/wasm/core.js');
  const data = Float32Array.from({ length: rows * columns }, () => random.uniform());
  new fresh.CAD({ backend: 'wasm-simd', ...options }).fit({ data, rows, columns });
  return freshCoreOf('simd').arena.size;
}

describe('memory for one fit', () => {
  it.each([
    { rows: 65_536, columns: 16, precision: 'single', bytes: 4 },
    { rows: 20_000, columns: 32, precision: 'double', bytes: 8 },
    { rows: 10_000, columns: 128, precision: 'single', bytes: 4 },
  ] as const)('of $rows × $columns in $precision precision is 2.5 times the rows at most', async (shape) => {
    const { rows, columns, precision, bytes } = shape;
    expect(await memoryOfOneFit(rows, columns, { precision })).toBeLessThanOrEqual(2.5 * rows * columns * bytes);
  });

  it('of few numbers is 2.5 times the rows and 3 MB at most', async () => {
    expect(await memoryOfOneFit(16_384, 8, {})).toBeLessThanOrEqual(2.5 * 16_384 * 8 * 4 + 3 * MB);
  });
});
