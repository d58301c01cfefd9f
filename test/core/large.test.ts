// What is large has a WebAssembly memory of its own, as none ever shrinks: it goes with its owner, disposed of or
// not, and the memory that everything else shares stays small.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../../src/core/backend.js';
import { jsBackend } from '../../src/core/js/backend.js';
import { jsMahalanobis } from '../../src/core/js/mahalanobis.js';
import type { Mahalanobis } from '../../src/core/math/mahalanobis.js';
import { finish } from '../../src/core/steps.js';
import { wasmBackend } from '../../src/core/wasm/backend.js';
import { coreOf } from '../../src/core/wasm/core.js';
import { wasmMahalanobis } from '../../src/core/wasm/mahalanobis.js';
import { type BackendChoice, IsolationForest, OneClassSVM } from '../../src/index.js';
import { Random } from '../support/data.js';

const MB = 2 ** 20;
/** What the memory that all share may have grown to by what is not large. */
const COMFORTABLE = 32 * MB;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const random = new Random(8);
const { arena } = coreOf('simd');
const [rows, columns] = [300_000, 20]; // 24 MB in single precision
const data = Float64Array.from({ length: rows * columns }, () => Math.fround(random.uniform()));
const first = (count: number) => ({ data: data.subarray(0, count * columns), rows: count, columns });
const source = {
  rows,
  columns,
  read: (row: number, into: Float64Array, at: number) =>
    into.set(data.subarray(row * columns, (row + 1) * columns), at),
};

function nearest(backend: Backend): Float64Array {
  const points = finish(backend.hold(source, 'single', { name: 'linear', gamma: 1, coef0: 0, degree: 1 }));
  const distances = new Float64Array(15);
  points.neighbors({ ...source, rows: 3 }, 0, 3, 5, { indices: new Uint32Array(15), distances });
  return distances;
}

function mean(mahalanobis: Mahalanobis): Float64Array {
  const matrix = mahalanobis.hold(source);
  const result = matrix.mean(Uint32Array.from({ length: 1000 }, (_, i) => 299 * i));
  matrix.release();
  return result;
}

const machine = (backend: BackendChoice) => new OneClassSVM({ backend }).fit(first(3500)).scores;
const forest = (backend: BackendChoice) =>
  new IsolationForest({ backend, trees: 4, sampleSize: 250_000 }).fit(first(250_000)).scores.slice(0, 100);

/** Bytes in use when nothing runs any more and everything forgotten was collected. */
async function memoryAtRest(): Promise<{ shared: number; all: number }> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  return { shared: arena.size, all: process.memoryUsage().external };
}

it.each<[string, () => Float64Array, () => Float64Array]>([
  ['rows to search', () => nearest(wasmBackend('simd')), () => nearest(jsBackend)],
  ['the rows of an elliptic envelope', () => mean(wasmMahalanobis('simd')), () => mean(jsMahalanobis)],
  ['the cache of a one-class SVM', () => machine('wasm-simd'), () => machine('js')],
  ['a forest', () => forest('wasm-simd'), () => forest('js')],
])('leaves nothing behind: %s', async (_, work, reference) => {
  const expected = reference();
  const before = await memoryAtRest();
  for (let i = 0; i < 4; i++) expect(work()).toEqual(expected);
  const after = await memoryAtRest();
  expect(after.shared, 'the memory that all share').toBeLessThanOrEqual(COMFORTABLE);
  expect(after.all - before.all, 'growth of external memory').toBeLessThanOrEqual(
    after.shared - before.shared + 2 * MB,
  );
});

it('has the memory of the one before, if it is still there: the cache of a one-class SVM', () => {
  machine('wasm-simd');
  const made = vi.spyOn(WebAssembly, 'Memory');
  const { size } = arena;
  new OneClassSVM({ backend: 'wasm-simd' }).fit(first(300)); // which is small
  for (let i = 0; i < 3; i++) machine('wasm-simd');
  expect(made).not.toHaveBeenCalled();
  expect(arena.size - size, 'growth of the memory that all share').toBeLessThanOrEqual(MB);
  made.mockRestore();
});

it('is in the memory that all share where there is no room for another', async () => {
  await memoryAtRest();
  const expected = nearest(jsBackend);
  const noMore = vi.spyOn(WebAssembly, 'Memory').mockImplementation(
    class {
      constructor() {
        throw new RangeError('could not allocate memory');
      }
    } as never,
  );
  expect(nearest(wasmBackend('simd'))).toEqual(expected);
  noMore.mockRestore();
  expect(arena.size).toBeGreaterThan(24 * MB);
});
