// Long passes offer a moment to pause at least every so many values, and find the same as without pauses.

import { expect, it } from 'vitest';
import { CurvadError } from '../../src/core/errors.js';
import { type FlatMatrix, RowReader, type RowSource } from '../../src/core/input/matrix.js';
import { fitScaling } from '../../src/core/input/scaling.js';
import { selectBackend } from '../../src/core/select.js';
import { finish, inBlocks, type Steps } from '../../src/core/steps.js';
import { twoMeansThreshold } from '../../src/detectors/threshold.js';

const ROWS = 40_000;
const COLUMNS = 8;
const large: FlatMatrix = {
  data: Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => (i * 7919) % 1013),
  rows: ROWS,
  columns: COLUMNS,
};

/** How often a job pauses. */
function pausesOf(work: Steps<unknown>): number {
  let pauses = 0;
  while (!work.next().done) pauses++;
  return pauses;
}

/** The most values that a job reads between two pauses. */
function longestRead(work: (rows: RowSource) => Steps<unknown>): number {
  const reader = new RowReader().attach(large);
  let values = 0;
  let most = 0;
  const counting: RowSource = {
    rows: ROWS,
    columns: COLUMNS,
    read(row, into, at) {
      values += COLUMNS;
      reader.read(row, into, at);
    },
  };
  const steps = work(counting);
  for (let done: boolean | undefined = false; !done; ) {
    values = 0;
    done = steps.next().done;
    most = Math.max(most, values);
  }
  return most;
}

it('blocks cover every row once and in order, with a pause between two of them', () => {
  const seen: number[] = [];
  const pauses = pausesOf(
    inBlocks(1000, 1000, (from, to) => {
      for (let i = from; i < to; i++) seen.push(i);
    }),
  );
  expect(seen).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  expect(pauses).toBe(Math.ceil(1000 / Math.floor(2 ** 16 / 1000)) - 1);
});

it('little work does not pause at all', () => {
  expect(pausesOf(new RowReader().attachInSteps([[1, 2], [3, 4]]))).toBe(0); // biome-ignore format: two rows
});

it.each(['js', 'wasm-simd'] as const)('holding rows in %s, and scaling them, pauses every 2¹⁶ values', (name) => {
  const kernel = { name: 'linear', gamma: 1, coef0: 1, degree: 3 } as const;
  const scaling = { standardize: true, center: true, precision: 'single', isExplicit: false } as const;
  // The last block of one pass and the first of the next, or the sample that plans the search, may come together.
  expect(longestRead((rows) => fitScaling(rows, scaling))).toBeLessThanOrEqual(2 ** 17);
  expect(longestRead((rows) => selectBackend(name).hold(rows, 'single', kernel))).toBeLessThanOrEqual(2 ** 17);
});

it('checking rows pauses, whatever they are, and the rows are the same', () => {
  const lines = Array.from({ length: ROWS }, (_, i) => large.data.subarray(i * COLUMNS, (i + 1) * COLUMNS));
  const matrix = { rows: ROWS, columns: COLUMNS, get: (i: number, j: number) => lines[i]?.[j] as number };
  for (const input of [large, lines, matrix]) {
    expect(pausesOf(new RowReader().attachInSteps(input))).toBeGreaterThanOrEqual(4);
    const reader = finish(new RowReader().attachInSteps(input));
    const row = new Float64Array(COLUMNS);
    reader.read(ROWS - 1, row, 0);
    expect([...row]).toEqual([...(lines[ROWS - 1] as Float32Array)]);
  }
});

it('a bad value in the last block is refused at its place, and the reader lets go of the rows', () => {
  const data = large.data.slice();
  data[(ROWS - 1) * COLUMNS + 3] = Number.NaN;
  const reader = new RowReader();
  const refused = (() => {
    try {
      return finish(reader.attachInSteps({ ...large, data }));
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(CurvadError);
  expect(refused).toMatchObject({ code: 'NAN_VALUE', row: ROWS - 1, column: 3 });
  expect(reader.rows).toBe(0);
});

it('the threshold pauses before K-means and between its rounds', () => {
  const scores = Float64Array.from({ length: 1000 }, (_, i) => (i % 10 === 0 ? 9 : 1) + (i % 7) / 10);
  expect(pausesOf(twoMeansThreshold(scores))).toBeGreaterThanOrEqual(3);
});
