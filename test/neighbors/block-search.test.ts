// A search in blocks that leaves out what boxes exclude must find what one search over all rows finds.
import { describe, expect, it } from 'vitest';
import {
  BlockSearch,
  ColumnStatistics,
  type CurvadError,
  NearestNeighbors,
  type RowScaling,
  scalingOf,
} from '../../src/index.js';
import { KERNELS, Random } from '../support/data.js';

const random = new Random(17);
const K = 6;

/** Clusters beside each other with far rows, rows on a lattice, and duplicates. */
function rowsWithTies(count: number, columns: number): Float64Array[] {
  const rows = random.rows(count, columns, () => random.integer(4) * 6 + random.gaussian());
  for (let i = 0; i < count / 4; i++) {
    rows[random.integer(count)] = rows[random.integer(count)] as Float64Array;
    rows[random.integer(count)] = random.rows(1, columns, () => random.integer(3))[0] as Float64Array;
  }
  return rows;
}

interface Block {
  ids: number[];
  rows: Float64Array[];
  low: Float64Array;
  high: Float64Array;
}

/** Rows that are near each other together: by their cell of a coarse grid. Ids ascend in each. */
function blocksOf(rows: readonly Float64Array[]): Block[] {
  const byCell = new Map<number, number[]>();
  for (const [id, row] of rows.entries()) {
    const cell = Math.floor((row[0] as number) / 4);
    byCell.set(cell, [...(byCell.get(cell) ?? []), id]);
  }
  return [...byCell.values()].map((ids) => {
    const mine = ids.map((id) => rows[id] as Float64Array);
    const edge = (pick: (...values: number[]) => number) =>
      Float64Array.from(mine[0] as Float64Array, (_, j) => pick(...mine.map((row) => row[j] as number)));
    return { ids, rows: mine, low: edge(Math.min), high: edge(Math.max) };
  });
}

function searched(blocks: readonly Block[], mine: Block, options: ConstructorParameters<typeof BlockSearch>[3]) {
  const search = new BlockSearch(mine.rows, mine.ids, K, options);
  let skipped = 0;
  for (const block of blocks) {
    if (block === mine) continue;
    const wanting = search.wanting(block.low, block.high);
    if (wanting.length === 0) skipped++;
    else search.visit(block.rows, block.ids, wanting);
  }
  return { best: search.best, skipped };
}

function scalingFor(rows: Float64Array[], isInvariant = true): RowScaling {
  const statistics = new ColumnStatistics((rows[0] as Float64Array).length).add(rows);
  return scalingOf(statistics, { center: isInvariant, ...(!isInvariant && { precision: 'double' as const }) });
}

describe.each(KERNELS)('with the kernel %s', (name) => {
  const kernel = { kernel: name };
  it('finds the neighbours of one search over all rows, ties included', () => {
    const rows = rowsWithTies(400, 3);
    const isInvariant = ['linear', 'rbf', 'laplacian'].includes(name);
    const scaling = scalingFor(rows, isInvariant);
    const expected = new NearestNeighbors(rows, { kernel, scaling }).ofEachRow(K, { squared: true });
    const blocks = blocksOf(rows);
    let skipped = 0;
    for (const mine of blocks) {
      const found = searched(blocks, mine, { kernel, scaling });
      skipped += found.skipped;
      mine.ids.forEach((id, i) => {
        const [from, to] = [i * K, (i + 1) * K];
        expect([...found.best.ids.subarray(from, to)]).toEqual([...expected.indices.subarray(id * K, (id + 1) * K)]);
        expect([...found.best.distances.subarray(from, to)]).toEqual([
          ...expected.distances.subarray(id * K, (id + 1) * K),
        ]);
      });
    }
    expect(skipped > 0).toBe(isInvariant);
  });
});

it('finds neighbours at most 1 + ε times as far away where it may be approximate, and visits less', () => {
  const rows = rowsWithTies(600, 2);
  const scaling = scalingFor(rows);
  const blocks = blocksOf(rows);
  const skippedBy = [0, 3].map((epsilon) => {
    let skipped = 0;
    for (const mine of blocks) {
      const exact = searched(blocks, mine, { scaling });
      const found = searched(blocks, mine, { scaling, approximate: epsilon > 0 && { epsilon } });
      skipped += found.skipped;
      for (const [i, square] of found.best.distances.entries())
        expect(Math.sqrt(square)).toBeLessThanOrEqual((1 + epsilon) * Math.sqrt(exact.best.distances[i] as number));
    }
    return skipped;
  });
  expect(skippedBy[1]).toBeGreaterThan(skippedBy[0] as number);
});

it.each([
  ['far values', (i: number) => (i % 10 === 0 ? 999_999_999 : random.gaussian())],
  ['values of single precision', () => Math.fround(random.gaussian())],
  ['whole numbers far from zero', () => 1e12 + random.integer(1000)],
])('finds the scaling of a fit on all rows from statistics of parts: %s', (_, value) => {
  const rows = Array.from({ length: 900 }, (_row, i) => Float64Array.of(value(i), random.gaussian() > 0 ? 1 : 2));
  const parts = [0, 1, 2].map((part) => rows.filter((_row, i) => i % 3 === part));
  const merged = parts
    .map((part) => ColumnStatistics.from(JSON.parse(JSON.stringify(new ColumnStatistics(2).add(part)))))
    .reduce((all, part) => all.merge(part));
  const scaling = scalingOf(merged);
  expect(scaling).toEqual(scalingOf(new ColumnStatistics(2).add(rows)));
  expect(new NearestNeighbors(rows, { scaling }).ofEachRow(K)).toEqual(new NearestNeighbors(rows).ofEachRow(K));
});

it('refuses what it cannot use', () => {
  const rows = random.rows(10, 2);
  const scaling = scalingFor(rows);
  const ids = rows.map((_, i) => i);
  const search = new BlockSearch(rows, ids, K, { scaling });
  const codeOf = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return (error as CurvadError).code;
    }
    return 'none';
  };
  expect(codeOf(() => new BlockSearch(rows, ids.slice(1), K, { scaling }))).toBe('LENGTHS_DIFFER');
  expect(codeOf(() => new BlockSearch(rows, [...ids].reverse(), K, { scaling }))).toBe('IDS_INVALID');
  expect(codeOf(() => new BlockSearch(rows, ids, K, { scaling, approximate: { epsilon: -1 } }))).toBe(
    'APPROXIMATE_INVALID',
  );
  expect(codeOf(() => search.visit(random.rows(3, 3), [20, 21, 22]))).toBe('WRONG_WIDTH');
  expect(codeOf(() => search.wanting([0], [1]))).toBe('WRONG_WIDTH');
});
