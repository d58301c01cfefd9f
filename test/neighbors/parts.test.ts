// A fit in parts: rows in several blocks, searched apart and merged, must give the bits of a fit on all rows,
// duplicates and ties included.
import { describe, expect, it } from 'vitest';
import {
  CAD,
  ColumnStatistics,
  CurvadError,
  curvatureOfNeighbors,
  KBest,
  type KernelOptions,
  LOF,
  NearestNeighbors,
  scalingOf,
  thresholdOf,
} from '../../src/index.js';
import { BACKENDS, KERNELS, Random } from '../support/data.js';

const random = new Random(11);

/** Clusters and a lattice, with duplicates of a third of the rows. */
function rowsWithTies(count: number, columns: number): Float64Array[] {
  const rows = random.rows(count, columns, () => random.integer(3) * 5 + random.gaussian());
  for (let i = 0; i < count / 3; i++) {
    rows[random.integer(count)] = rows[random.integer(count)] as Float64Array;
    rows[random.integer(count)] = random.rows(1, columns, () => random.integer(2))[0] as Float64Array;
  }
  return rows;
}

/** Every row in a random part; the ids of each part ascend. */
function inParts(count: number, parts: number): number[][] {
  const partOf = Array.from({ length: count }, () => random.integer(parts));
  return Array.from({ length: parts }, (_, part) => partOf.flatMap((p, id) => (p === part ? [id] : [])));
}

const flat = (rows: readonly Float64Array[]): number[] => rows.flatMap((row) => [...row]);

interface Fit {
  scores: Float64Array;
  indices: number[];
  distances: number[];
}

function fitInParts(rows: Float64Array[], k: number, standardize: boolean, kernel: KernelOptions, backend: never): Fit {
  const columns = (rows[0] as Float64Array).length;
  const parts = inParts(rows.length, 4).map((ids) => ({ ids, rows: ids.map((id) => rows[id] as Float64Array) }));
  const statistics = parts
    .map(({ rows }) => new ColumnStatistics(columns).add(rows))
    .reduce((all, part) => part.merge(all), new ColumnStatistics(columns));
  const isInvariant = ['linear', 'rbf', 'laplacian'].includes(kernel.kernel as string);
  const scaling = scalingOf(statistics, {
    standardize,
    center: isInvariant,
    ...(!isInvariant && { precision: 'double' as const }),
  });
  const result: Fit = { scores: new Float64Array(rows.length), indices: [], distances: [] };
  for (const mine of parts) {
    const best = new KBest(mine.rows.length, k, columns);
    for (const part of [...parts].reverse()) {
      const search = new NearestNeighbors(part.rows, { kernel, scaling, backend });
      const found =
        part === mine
          ? search.ofEachRow(Math.min(k, part.rows.length - 1), { squared: true })
          : search.of(mine.rows, Math.min(k, part.rows.length), { squared: true });
      best.merge(found, { ids: part.ids, rows: flat(part.rows) });
    }
    expect(best.isFull).toBe(true);
    const neighbors = { data: best.rows, rows: mine.rows.length * k, columns };
    const scores = curvatureOfNeighbors(mine.rows, neighbors, k, { ...kernel, scaling });
    mine.ids.forEach((id, i) => {
      result.scores[id] = scores[i] as number;
      for (let a = 0; a < k; a++) {
        result.indices[id * k + a] = best.ids[i * k + a] as number;
        result.distances[id * k + a] = best.distances[i * k + a] as number;
      }
    });
  }
  return result;
}

describe.each(BACKENDS)('a fit in parts with %s', (backend) => {
  it.each(KERNELS)('gives the raw scores of one fit: %s', (kernel) => {
    for (const standardize of [false, true]) {
      const rows = rowsWithTies(240, 3);
      const cad = new CAD({ neighbors: 7, kernel, standardize }).fit(rows);
      const { scores } = fitInParts(rows, 7, standardize, { kernel }, backend as never);
      expect(scores).toEqual(cad.rawScores);
    }
  });

  it('gives the neighbours of one search, ties included', () => {
    const rows = rowsWithTies(300, 2);
    const whole = new NearestNeighbors(rows, { backend }).ofEachRow(9, { squared: true });
    const { indices, distances } = fitInParts(rows, 9, false, { kernel: 'linear' }, backend as never);
    expect(indices).toEqual([...whole.indices]);
    expect(distances).toEqual([...whole.distances]);
  });
});

describe('merged lists', () => {
  it('have ids up to 2⁵³', () => {
    const first = 2 ** 53 - 1000;
    const search = new NearestNeighbors([[0], [1], [2]]);
    const best = new KBest(1, 2).merge(search.of([[1.1]], 2), { ids: first });
    expect([...best.ids]).toEqual([first + 1, first + 2]);
  });

  it('tell where there are fewer than k neighbours', () => {
    const best = new KBest(1, 3).merge(new NearestNeighbors([[0], [1]]).of([[0.2]], 2), { ids: [4, 9] });
    expect(best.isFull).toBe(false);
    expect([...best.ids]).toEqual([4, 9, -1]);
  });

  it('give equal distances to the lower id, whatever part came first', () => {
    const lists = [0, 1].map((row) => new NearestNeighbors([[row]]).of([[0.5]], 1));
    for (const order of [[0, 1], [1, 0]] /* biome-ignore format: short */) {
      const best = new KBest(1, 1);
      for (const part of order) best.merge(lists[part] as never, { ids: part });
      expect([...best.ids]).toEqual([0]);
    }
  });

  it.each<[string, () => unknown]>([
    ['IDS_INVALID', () => new KBest(1, 1).merge(new NearestNeighbors([[0], [1]]).of([[0]], 1), { ids: [3, 2] })],
    ['IDS_INVALID', () => new KBest(1, 1).merge(new NearestNeighbors([[0]]).of([[0]], 1), { ids: -1 })],
    ['IDS_INVALID', () => new KBest(1, 1).merge(new NearestNeighbors([[0]]).of([[0]], 1), { ids: 2 ** 53 })],
    ['LENGTHS_DIFFER', () => new KBest(1, 1).merge(new NearestNeighbors([[0]]).of([[0], [1]], 1), { ids: 0 })],
    ['LENGTHS_DIFFER', () => new KBest(1, 1, 1).merge(new NearestNeighbors([[0]]).of([[0]], 1), { ids: 0 })],
    ['NEIGHBORS_INVALID', () => new KBest(1, 0)],
    ['LENGTHS_DIFFER', () => curvatureOfNeighbors([[0]], [[1], [2], [3]], 2)],
    ['WRONG_WIDTH', () => curvatureOfNeighbors([[0]], [[1, 1], [2, 2]], 2)] /* biome-ignore format: short */,
    ['NEIGHBORS_INVALID', () => curvatureOfNeighbors([[0]], [[1]], 1)],
    [
      'SCALING_INVALID',
      () => new NearestNeighbors([[0]], { scaling: { offset: [0], scale: [0], precision: 'single' } }),
    ],
    ['SCALING_INVALID', () => new NearestNeighbors([[0]], { scaling: { offset: [], scale: [], precision: 'single' } })],
    ['METRIC_UNKNOWN', () => new NearestNeighbors([[0]], { metric: 'euclidean', kernel: {} })],
  ])('are refused with %s where they make no sense: %s', (code, act) => {
    try {
      act();
      expect.fail('nothing was thrown');
    } catch (error) {
      expect((error as CurvadError).code).toBe(code);
    }
  });
});

describe('squared distances', () => {
  it('are those the search compares, and distances their roots', () => {
    const rows = random.rows(50, 3);
    const search = new NearestNeighbors(rows, { precision: 'double' });
    const squared = search.ofEachRow(4, { squared: true });
    expect(search.ofEachRow(4).distances).toEqual(squared.distances.map(Math.sqrt));
    const manhattan = new NearestNeighbors(rows, { metric: 'manhattan' });
    expect(manhattan.ofEachRow(4, { squared: true })).toEqual(manhattan.ofEachRow(4));
  });
});

describe('an asynchronous search', () => {
  const data = Float64Array.from({ length: 20_000 * 8 }, () => random.gaussian());
  const rows = { data, rows: 20_000, columns: 8 };

  it.each([0, 2])('gives what the synchronous one gives: %i threads', async (threads) => {
    const search = new NearestNeighbors(rows);
    const seen: number[] = [];
    const own = await search.ofEachRowAsync(5, { threads, onProgress: ({ done }) => seen.push(done) });
    expect(own).toEqual(search.ofEachRow(5));
    expect(seen.at(-1)).toBe(1);
    const others = { data: data.subarray(0, 8 * 5000).map((x) => x + 0.1), rows: 5000, columns: 8 };
    expect(await search.ofAsync(others, 3, { threads, squared: true })).toEqual(
      search.of(others, 3, { squared: true }),
    );
  });

  it('can be aborted', async () => {
    const controller = new AbortController();
    const search = new NearestNeighbors(rows);
    const onProgress = () => controller.abort(new Error('enough'));
    const call = search.ofEachRowAsync(5, { threads: 0, signal: controller.signal, onProgress });
    await expect(call).rejects.toThrow('enough');
  });

  it('refuses what the synchronous one refuses', async () => {
    const search = new NearestNeighbors([[0], [1]]);
    await expect(search.ofEachRowAsync(2)).rejects.toMatchObject({ code: 'TOO_FEW_ROWS' });
    await expect(search.ofAsync([[0, 1]], 1)).rejects.toMatchObject({ code: 'WRONG_WIDTH' });
    await expect(search.ofAsync([[0]], 1, { thread: 1 } as never)).rejects.toMatchObject({ code: 'UNKNOWN_OPTION' });
  });
});

describe('the threshold of scores alone', () => {
  it.each([undefined, 0.1, 0.37])('is that of the detector they came from, in any order: contamination %s', (share) => {
    const options = share === undefined ? {} : { contamination: share };
    const lof = new LOF(options).fit(rowsWithTies(300, 3));
    const shuffled = random.permutation(300).map((i) => lof.scores[i] as number);
    expect(thresholdOf(shuffled, options)).toBe(lof.threshold);
  });

  it('is infinite where all scores are equal, and there is none of no scores or of NaN', () => {
    expect(thresholdOf([1, 1, 1])).toBe(Infinity);
    for (const scores of [[], [1, Number.NaN], undefined]) {
      expect(() => thresholdOf(scores as never)).toThrow(CurvadError);
    }
  });
});
