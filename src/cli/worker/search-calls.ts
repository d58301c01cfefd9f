// Calls about neighbours and prototypes.
import { type FlatMatrix, NearestNeighbors, type Neighbors } from '../../index.js';
import { collectRows } from './collect.js';
import { columnOf } from './columns.js';
import { selectorOf } from './detectors.js';
import type { Call } from './request.js';
import { placesOf, takeNumbers } from './rows.js';

/** Keeps the rows of the stream for searches, under `key`. */
export const hold: Call = async (input, output, request, session) => {
  const { matrix } = await collectRows(input, request);
  session.keepSearch(request.key ?? '', new NearestNeighbors(matrix, request.options));
  await output.begin([]);
};

/** The k nearest rows of each row of the stream: k rows of the answer, `index` and `distance`, for each. */
export const near: Call = async (input, output, { key, columns, k, threads = 0 }, session) => {
  const search = session.search(key);
  const places = placesOf(input.fields, { columns, others: [] });
  await output.begin(neighborColumns(NONE).map(([name, { type }]) => [name, type] as const));
  for await (const table of input.batches()) {
    const matrix: FlatMatrix = takeNumbers(table, places);
    if (matrix.rows === 0) continue;
    const found =
      threads === 0 ? search.of(matrix, k as number) : await search.ofAsync(matrix, k as number, { threads });
    await output.batch(neighborColumns(found));
  }
};

/** The k nearest other rows of each kept row, in the same form. */
export const nearEach: Call = async (input, output, { key, k, threads = 0 }, session) => {
  await input.skip();
  const search = session.search(key);
  const found = threads === 0 ? search.ofEachRow(k as number) : await search.ofEachRowAsync(k as number, { threads });
  await output.batch(neighborColumns(found));
};

const NONE: Neighbors = { k: 1, indices: new Uint32Array(0), distances: new Float64Array(0) };

function neighborColumns({ indices, distances }: Neighbors) {
  return [
    ['index', columnOf(indices)],
    ['distance', columnOf(distances)],
  ] as const;
}

/** The rows that a prototype selector keeps, in its order: the column `index`. */
export const select: Call = async (input, output, request) => {
  const { how = 'retain' } = request;
  const selector = selectorOf(request.selector, request.options);
  const { matrix, labels } = await collectRows(input, request);
  const kept = how === 'retain' ? selector.retain(matrix, labels) : selector.select(matrix, labels, how);
  await output.batch([['index', columnOf(kept)]]);
};
