// Isolation trees against what can be known without them: trees that come out the same whatever is drawn,
// probabilities worked out by hand, a plain forest of nested objects, scikit-learn's c(n).

import { describe, expect, it } from 'vitest';
import { depthLimit } from '../../../src/core/forest/forest.js';
import { averagePathLength, inversePowerOfTwo, logarithm } from '../../../src/core/forest/path-length.js';
import { jsForests } from '../../../src/core/js/forest.js';
import { finish } from '../../../src/core/steps.js';
import { fixture, Random, type Rows } from '../../support/data.js';
import { leafOf, plan, source, treesOf, WASM_FORESTS } from '../../support/forests.js';

const ALL = [['js', jsForests] as const, ...WASM_FORESTS];

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) => {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** 2));
};

/** Pearson's statistic of counts that should be equal. */
function chiSquare(counts: readonly number[]): number {
  const expected = mean(counts);
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('path lengths', () => {
  const { sizes, values } = fixture<{ averagePathLength: { sizes: number[]; values: number[] } }>(
    'forest',
  ).averagePathLength;

  it.each(sizes.map((size, i) => [size, values[i] as number]))('of %i rows are scikit-learn’s', (size, value) => {
    expect(Math.abs(averagePathLength(size) - value)).toBeLessThanOrEqual(1e-12);
  });

  it('come from a logarithm and a power that are right to the last bits', () => {
    const random = new Random(3);
    let worst = { logarithm: 0, power: 0 };
    for (let i = 0; i < 20_000; i++) {
      const x = i < 5000 ? i + 1 : Math.exp(40 * (random.uniform() - 0.5));
      const y = 40 * random.uniform();
      const size = Math.max(1, Math.abs(Math.log(x)));
      worst = {
        logarithm: Math.max(worst.logarithm, Math.abs(logarithm(x) - Math.log(x)) / size),
        power: Math.max(worst.power, Math.abs(inversePowerOfTwo(y) / 2 ** -y - 1)),
      };
    }
    expect(worst.logarithm).toBeLessThanOrEqual(3e-16);
    expect(worst.power).toBeLessThanOrEqual(5e-16);
    for (let n = 0; n < 60; n++) expect(inversePowerOfTwo(n)).toBe(1 / 2 ** n);
    expect(logarithm(1)).toBe(0);
  });

  it('are limited by the depth of a balanced tree', () => {
    for (let size = 2; size < 3000; size++) {
      let limit = 0;
      while (2 ** limit < size) limit++;
      expect(depthLimit(size)).toBe(limit);
    }
  });
});

describe.each(ALL)('%s grows', (_, forests) => {
  it('the one tree that three rows of two values can have', () => {
    const nodes = finish(forests.grow(source([[4], [4], [7]]), plan({ trees: 50, sampleSize: 3 })));
    for (const { children, sizes, thresholds } of treesOf(nodes)) {
      expect([...children]).toEqual([1, 0, 0]);
      expect([...sizes]).toEqual([3, 2, 1]);
      expect(thresholds[0]).toBeGreaterThanOrEqual(4);
      expect(thresholds[0]).toBeLessThan(7);
    }
    const sums = new Float64Array(4);
    forests.hold(nodes, 1).sumPaths(source([[4], [7], [-99], [99]]), sums);
    // Two equal rows: 1 split and c(2) = 1 for the one that could not be made. The other: 1 split.
    expect([...sums]).toEqual([100, 50, 100, 50]);
  });

  it('trees with the probabilities worked out by hand', () => {
    const trees = 20_000;
    const nodes = finish(forests.grow(source([[0], [1], [10]]), plan({ trees, sampleSize: 3, seed: 5 })));
    const sums = new Float64Array(3);
    forests.hold(nodes, 1).sumPaths(source([[0], [1], [10]]), sums);
    // The first threshold falls between 1 and 10 with probability 0.9 and leaves 10 alone.
    const error = 4 * Math.sqrt((0.9 * 0.1) / trees);
    expect(Math.abs((sums[0] as number) / trees - 1.9)).toBeLessThan(error);
    expect(sums[1]).toBe(2 * trees);
    expect(Math.abs((sums[2] as number) / trees - 1.1)).toBeLessThan(error);
  });

  it('roots on each column that is not constant equally often, at a threshold that is uniform', () => {
    const rows = [0, 1, 2, 3].map((i) => [5, i % 2, -i, 5, 1e9 * i, 1e-9 * (i - 1)]);
    const nodes = finish(forests.grow(source(rows), plan({ trees: 8000, sampleSize: 4, features: 6, seed: 8 })));
    const columns = new Array<number>(6).fill(0);
    const tenths = new Array<number>(10).fill(0);
    for (const { features, thresholds } of treesOf(nodes)) {
      const column = features[0] as number;
      const values = rows.map((row) => row[column] as number);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      const tenth = Math.floor((10 * ((thresholds[0] as number) - least)) / (most - least));
      columns[column] = (columns[column] as number) + 1;
      tenths[tenth] = (tenths[tenth] as number) + 1;
    }
    expect([columns[0], columns[3]]).toEqual([0, 0]);
    // Exceeded by 1 in 1000 with 3 and 9 degrees of freedom.
    expect(chiSquare(columns.filter((count) => count > 0))).toBeLessThan(16.3);
    expect(tenths).toHaveLength(10);
    expect(chiSquare(tenths)).toBeLessThan(27.9);
  });
});

/** The algorithm as its authors write it: path lengths of rows in one tree, grown from rows. */
function plainPaths(sample: Rows, queries: Rows, depth: number, limit: number, random: Random): number[] {
  const columns = Array.from(sample[0] as ArrayLike<number>, (_, j) => j).filter(
    (j) => new Set(sample.map((row) => row[j])).size > 1,
  );
  if (depth === limit || columns.length === 0) {
    const n = sample.length;
    const rest = n === 1 ? 0 : n === 2 ? 1 : 2 * (Math.log(n - 1) + 0.5772156649) - (2 * (n - 1)) / n;
    return queries.map(() => depth + rest);
  }
  const j = columns[random.integer(columns.length)] as number;
  const values = sample.map((row) => row[j] as number);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const threshold = least + (most - least) * random.uniform();
  const isLeft = (row: ArrayLike<number>) => (row[j] as number) <= threshold;
  const side = (left: boolean) => {
    const rows = queries.filter((row) => isLeft(row) === left);
    const inSample = sample.filter((row) => isLeft(row) === left);
    return rows.length === 0 ? [] : plainPaths(inSample, rows, depth + 1, limit, random);
  };
  const [left, right] = [side(true), side(false)];
  return queries.map((row) => (isLeft(row) ? left : right).shift() as number);
}

describe('expected path lengths', () => {
  it('are those of a plain forest, within 4.5 standard errors', () => {
    const random = new Random(12);
    const rows = [...random.rows(70, 3), ...random.rows(10, 3, () => random.integer(3)), [6, 0, -6]];
    const queries = [[6, 0, -6], [0, 0, 0], [9, 9, 9], ...rows.slice(0, 6), ...rows.slice(70, 75)];
    const trees = 2000;
    const sampled = () => {
      const order = random.permutation(rows.length).slice(0, 24);
      return order.map((i) => rows[i] as ArrayLike<number>);
    };
    const plain = Array.from({ length: trees }, () => plainPaths(sampled(), queries, 0, 5, random));
    const nodes = finish(jsForests.grow(source(rows), plan({ trees, sampleSize: 24, features: 3, seed: 1 })));
    const ours = treesOf(nodes).map((tree) =>
      queries.map((query) => {
        const { leaf, depth } = leafOf(tree, query);
        return depth + averagePathLength(tree.sizes[leaf] as number);
      }),
    );
    for (const [q] of queries.entries()) {
      const [a, b] = [ours, plain].map((paths) => paths.map((lengths) => lengths[q] as number)) as [number[], number[]];
      const error = Math.sqrt((variance(a) + variance(b)) / trees);
      expect(Math.abs(mean(a) - mean(b)), `query ${q}`).toBeLessThan(4.5 * error);
    }
  });
});
