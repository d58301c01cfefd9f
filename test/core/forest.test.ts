// Isolation trees against what can be known without them: trees that come out the same whatever is drawn,
// probabilities worked out by hand, a plain forest of nested objects, scikit-learn's c(n).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  depthLimit,
  type ForestNodes,
  type ForestPlan,
  type Forests,
  faultOf,
  Sampler,
} from '../../src/core/forest.js';
import { jsForests } from '../../src/core/js/forest.js';
import { type MatrixInput, RowReader } from '../../src/core/matrix.js';
import { averagePathLength, inversePowerOfTwo, logarithm } from '../../src/core/path-length.js';
import { wasmForests } from '../../src/core/wasm/forest.js';
import { finish } from '../../src/parallel/work.js';
import { fixture, Random, type Rows } from '../support/data.js';

const WASM: ReadonlyArray<readonly [string, Forests]> = [
  ['wasm-scalar', wasmForests('scalar')],
  ['wasm-simd', wasmForests('simd')],
  ['wasm-relaxed', wasmForests('relaxed')],
];
const ALL = [['js', jsForests] as const, ...WASM];

const plan = (given: Partial<ForestPlan>): ForestPlan => ({ trees: 1, sampleSize: 2, features: 1, seed: 0, ...given });
const source = (rows: MatrixInput) => new RowReader().attach(rows);

interface Tree {
  features: Uint32Array;
  thresholds: Float64Array;
  children: Uint32Array;
  sizes: Uint32Array;
}

function treesOf({ counts, ...nodes }: ForestNodes): Tree[] {
  let end = 0;
  return Array.from(counts, (count) => {
    const start = end;
    end += count;
    return {
      features: nodes.features.slice(start, end),
      thresholds: nodes.thresholds.slice(start, end),
      children: nodes.children.slice(start, end),
      sizes: nodes.sizes.slice(start, end),
    };
  });
}

/** The leaf a row ends in, and how many splits it passed. */
function leafOf(tree: Tree, row: ArrayLike<number>): { leaf: number; depth: number } {
  let leaf = 0;
  let depth = 0;
  for (; tree.children[leaf] !== 0; depth++) {
    const isLeft = (row[tree.features[leaf] as number] as number) <= (tree.thresholds[leaf] as number);
    leaf = (tree.children[leaf] as number) + (isLeft ? 0 : 1);
  }
  return { leaf, depth };
}

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

describe('samples', () => {
  it('have each row once, and each row as often as any other', () => {
    const sampler = new Sampler({ rows: 20, columns: 8, read: () => undefined }, plan({ sampleSize: 7, features: 3 }));
    const [rowCounts, columnCounts] = [new Array<number>(20).fill(0), new Array<number>(8).fill(0)];
    for (let tree = 0; tree < 20_000; tree++) {
      const { rows, columns } = sampler.draw(tree);
      if (new Set(rows).size !== 7 || new Set(columns).size !== 3) expect.fail(`tree ${tree}: ${rows}, ${columns}`);
      for (const row of rows) rowCounts[row] = (rowCounts[row] as number) + 1;
      for (const column of columns) columnCounts[column] = (columnCounts[column] as number) + 1;
    }
    // Without replacement the statistic is smaller than with it; 43.8 and 24.3 are exceeded by 1 in 1000.
    expect(chiSquare(rowCounts)).toBeLessThan(43.8);
    expect(chiSquare(columnCounts)).toBeLessThan(24.3);
  });

  it('of a tree do not depend on the trees before it', () => {
    const shape = { rows: 500, columns: 9, read: () => undefined };
    const all = plan({ sampleSize: 30, features: 4, seed: 11 });
    const drawn = (tree: number, sampler = new Sampler(shape, all)) => {
      const { rows, columns, random } = sampler.draw(tree);
      return [[...rows], [...columns], random.word(), random.word()];
    };
    const sampler = new Sampler(shape, all);
    const inOrder = [0, 1, 2, 3, 4, 5].map((tree) => drawn(tree, sampler));
    expect([5, 3, 0].map((tree) => drawn(tree))).toEqual([inOrder[5], inOrder[3], inOrder[0]]);
    expect(new Set(inOrder.map(String)).size).toBe(6);
  });

  it('of neighbouring seeds and trees have nothing in common', () => {
    const words = new Set<number>();
    const lowBits: number[] = [];
    for (let seed = 0; seed < 100; seed++) {
      for (let tree = 0; tree < 100; tree++) {
        const { random } = new Sampler({ rows: 2, columns: 1, read: () => undefined }, plan({ seed })).draw(tree);
        const word = random.word();
        words.add(word);
        lowBits.push(word % 2);
      }
    }
    expect(words.size).toBeGreaterThan(9980); // 10⁴ of 2³² values: less than one pair is expected to be equal
    expect(Math.abs(mean(lowBits) - 0.5)).toBeLessThan(0.02); // four standard errors
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

/** Rows of all kinds: many ties, few ties, values whose range is beyond the largest number, neighbours. */
const anyRows = fc
  .record({
    count: fc.integer({ min: 2, max: 60 }),
    columns: fc.integer({ min: 1, max: 9 }),
    kind: fc.constantFrom('gaussian', 'few', 'constant', 'huge', 'neighbours', 'tiny'),
    seed: fc.nat(),
  })
  .map(({ count, columns, kind, seed }) => {
    const random = new Random(seed);
    const values = {
      gaussian: () => random.gaussian(),
      few: () => random.integer(2),
      constant: () => 7,
      huge: () => (random.integer(2) === 0 ? -1 : 1) * (1.7e308 * random.uniform()),
      neighbours: () => 1 + random.integer(3) * Number.EPSILON,
      tiny: () => (random.integer(3) - 1) * 5e-324 * (random.integer(2) === 0 ? 1 : -1),
    };
    return random.rows(count, columns, values[kind]);
  });

const anyPlan = fc.record({
  sampleSize: fc.integer({ min: 2, max: 60 }),
  features: fc.integer({ min: 1, max: 9 }),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});

function forAnyForest(check: (rows: Float64Array[], plan: ForestPlan) => void): void {
  const property = fc.property(anyRows, anyPlan, (rows, { sampleSize, features, seed }) =>
    check(rows, {
      trees: 11,
      sampleSize: Math.min(sampleSize, rows.length),
      features: Math.min(features, (rows[0] as Float64Array).length),
      seed,
    }),
  );
  fc.assert(property, { seed: 77, numRuns: 150 });
}

describe('any forest', () => {
  it('parts the sample of each tree: every row reaches a leaf that counts it', () => {
    forAnyForest((rows, plan) => {
      const nodes = finish(jsForests.grow(source(rows), plan));
      const sampler = new Sampler(source(rows), plan);
      expect(faultOf(nodes, (rows[0] as Float64Array).length, plan.sampleSize)).toBeUndefined();
      for (const [t, tree] of treesOf(nodes).entries()) {
        const { rows: sample, columns } = sampler.draw(t);
        const counts = new Uint32Array(tree.sizes.length);
        for (const i of sample) {
          const { leaf, depth } = leafOf(tree, rows[i] as Float64Array);
          counts[leaf] = (counts[leaf] as number) + 1;
          expect(depth).toBeLessThanOrEqual(depthLimit(plan.sampleSize));
        }
        const leaves = tree.sizes.map((size, node) => (tree.children[node] === 0 ? size : 0));
        expect(counts).toEqual(leaves);
        expect(leaves.reduce((sum, size) => sum + size, 0)).toBe(plan.sampleSize);
        for (const [node, column] of tree.features.entries()) {
          if (tree.children[node] !== 0) expect(columns).toContain(column);
        }
      }
    });
  });

  it('splits wherever it can: a leaf above the limit has equal rows only', () => {
    forAnyForest((rows, plan) => {
      const columns = (rows[0] as Float64Array).length;
      const whole = { ...plan, features: columns };
      const sampler = new Sampler(source(rows), whole);
      for (const [t, tree] of treesOf(finish(jsForests.grow(source(rows), whole))).entries()) {
        const leaves = new Map<number, Set<string>>();
        for (const i of sampler.draw(t).rows) {
          const { leaf, depth } = leafOf(tree, rows[i] as Float64Array);
          if (depth === depthLimit(plan.sampleSize)) continue;
          leaves.set(leaf, (leaves.get(leaf) ?? new Set()).add(String([...(rows[i] as Float64Array)])));
        }
        for (const different of leaves.values()) expect(different.size).toBe(1);
      }
    });
  });

  it('is the same in all backends, to the last bit, and so are its path lengths', () => {
    forAnyForest((rows, plan) => {
      const columns = (rows[0] as Float64Array).length;
      const nodes = finish(jsForests.grow(source(rows), plan));
      const sums = new Float64Array(rows.length);
      jsForests.hold(nodes, columns).sumPaths(source(rows), sums);
      for (const [name, forests] of WASM) {
        const others = finish(forests.grow(source(rows), plan));
        expect(others, name).toEqual(nodes);
        const forest = forests.hold(nodes, columns);
        const otherSums = new Float64Array(rows.length);
        forest.sumPaths(source(rows), otherSums);
        forest.release();
        expect(otherSums, name).toEqual(sums);
      }
    });
  });
});

it.each(ALL)('%s tells apart numbers however close, large or small, and takes −0 for 0', (_, forests) => {
  const { MAX_VALUE, MIN_VALUE, EPSILON } = Number;
  const positive = [0, MIN_VALUE, 2.3e-308, 1 - EPSILON / 2, 1, 1 + EPSILON, 1e300, MAX_VALUE];
  const numbers = [...positive, ...positive.map((x) => -x)];
  // A tree for each threshold: one row goes left and three go right.
  const nodes: ForestNodes = {
    counts: new Uint32Array(numbers.length).fill(3),
    features: new Uint32Array(3 * numbers.length),
    thresholds: Float64Array.from(numbers.flatMap((x) => [x, 0, 0])),
    children: Uint32Array.from(numbers.flatMap(() => [1, 0, 0])),
    sizes: Uint32Array.from(numbers.flatMap(() => [4, 1, 3])),
  };
  const forest = forests.hold(nodes, 1);
  for (const x of numbers) {
    const sums = new Float64Array(1);
    forest.sumPaths(source([[x]]), sums);
    const above = numbers.filter((threshold) => x > threshold).length;
    expect(sums[0]).toBeCloseTo(numbers.length + above * averagePathLength(3), 9);
  }
  forest.release();
});

it.each(WASM)('%s stops now and then while a large tree grows, without a trace in the tree', (_, forests) => {
  const [data] = new Random(4).rows(1, 60_000) as [Float64Array];
  const rows = source({ data, rows: 30_000, columns: 2 });
  const large = plan({ trees: 2, sampleSize: 30_000, features: 2 });
  expect(finish(forests.grow(rows, large))).toEqual(finish(jsForests.grow(rows, large)));
});
