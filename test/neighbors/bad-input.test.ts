// What NearestNeighbors refuses. Rows are checked as in the detectors: see test/detectors.
import { describe, it } from 'vitest';
import { NearestNeighbors } from '../../src/index.js';
import { Random } from '../support/data.js';
import { type BadCall, expectRefusal } from '../support/refusals.js';

const ROWS = new Random(1).rows(12, 2);
const search = (k: unknown) => () => void new NearestNeighbors(ROWS).ofEachRow(k as number);

function afterDispose(backend: 'js' | 'wasm'): void {
  const neighbors = new NearestNeighbors(ROWS, { backend });
  neighbors.dispose();
  neighbors.ofEachRow(2);
}

// biome-ignore format: a table
const CALLS: BadCall[] = [
  ...[0, 2.5, -1, '3', Number.NaN, undefined].map(
    (k): BadCall => ({ name: `k = ${JSON.stringify(k)}`, act: search(k), code: 'NEIGHBORS_INVALID', message: /^k must/ }),
  ),
  { name: 'k = n', act: search(12), code: 'TOO_FEW_ROWS', message: /12 neighbors .* only 11 rows/ },
  { name: 'k > n of new rows', act: () => new NearestNeighbors(ROWS).of(ROWS, 13), code: 'TOO_FEW_ROWS', message: /13 neighbors .* only 12 rows/ },
  { name: 'wide rows', act: () => new NearestNeighbors(ROWS).of([[1, 2, 3]], 2), code: 'WRONG_WIDTH', message: /3 columns, expected 2/ },
  { name: 'an unknown metric', act: () => new NearestNeighbors(ROWS, { metric: 'cosine' as 'euclidean' }), code: 'METRIC_UNKNOWN', message: /^metric must/ },
  { name: 'use after dispose in js', act: () => afterDispose('js'), code: 'DISPOSED', message: /released|disposed/ },
  { name: 'use after dispose in wasm', act: () => afterDispose('wasm'), code: 'DISPOSED', message: /released|disposed/ },
];

describe('NearestNeighbors refuses', () => {
  it.each(CALLS)('$name', expectRefusal);
});
