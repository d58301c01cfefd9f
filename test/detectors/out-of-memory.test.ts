// Where the runtime gives no more memory, a detector says what would help, in terms of options it has.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coreOf } from '../../src/core/wasm/core.js';
import type { Segment } from '../../src/core/wasm/memory/arena.js';
import {
  type AnyDetector,
  CAD,
  CurvadError,
  EllipticEnvelope,
  IsolationForest,
  KNN,
  OneClassSVM,
} from '../../src/index.js';
import { Random } from '../support/data.js';

const backend = 'wasm-simd';
const ROWS = new Random(17).rows(600, 40);

const { arena } = coreOf('simd');
let taken: Segment[] = [];

beforeEach(() => {
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('no more memory');
  });
  // And less than a page is left.
  for (let size = arena.size; size >= 65536; size /= 2) {
    try {
      for (;;) taken.push(arena.allocate(size));
    } catch {
      // as much as there was
    }
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const segment of taken) arena.free(segment);
  taken = [];
});

const FEWER = 'use fewer rows or columns';
it.each<[string, AnyDetector, string]>([
  ['a forest of large samples', new IsolationForest({ backend }), 'use a smaller sampleSize, or fewer columns'],
  [
    'a forest of many trees',
    new IsolationForest({ backend, sampleSize: 8, trees: 1000 }),
    'use fewer trees, or a smaller sampleSize',
  ],
  ['CAD in double precision', new CAD({ backend, precision: 'double' }), `${FEWER}, or precision 'single'`],
  ['CAD in single precision', new CAD({ backend, precision: 'single' }), FEWER],
  ['KNN', new KNN({ backend }), `${FEWER}, or precision 'single'`],
  ['a one-class SVM', new OneClassSVM({ backend }), FEWER],
  ['an elliptic envelope', new EllipticEnvelope({ backend }), FEWER],
])('%s advises on what it has', (_, detector, remedy) => {
  let failure: unknown;
  try {
    detector.fit(ROWS);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(CurvadError);
  const { code, message } = failure as CurvadError;
  expect(code).toBe('OUT_OF_MEMORY');
  expect(message).toMatch(/^\d+ MiB do not fit the WebAssembly memory: /);
  expect(message).toContain(remedy);
  expect(message.includes('precision')).toBe(remedy.includes('precision'));
});
