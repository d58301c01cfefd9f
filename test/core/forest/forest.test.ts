// What every isolation forest has in common, whatever the rows and the plan: it parts its samples, splits
// wherever it can, and is the same in all backends.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { depthLimit, type ForestNodes, type ForestPlan, faultOf } from '../../../src/core/forest/forest.js';
import { averagePathLength } from '../../../src/core/forest/path-length.js';
import { sampler } from '../../../src/core/forest/samples.js';
import { jsForests } from '../../../src/core/js/forest.js';
import { finish } from '../../../src/core/steps.js';
import { Random } from '../../support/data.js';
import { leafOf, plan, source, treesOf, WASM_FORESTS } from '../../support/forests.js';

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
      const draw = sampler(source(rows), plan);
      expect(faultOf(nodes, (rows[0] as Float64Array).length, plan.sampleSize)).toBeUndefined();
      for (const [t, tree] of treesOf(nodes).entries()) {
        const { rows: sample, columns } = draw(t);
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
      const draw = sampler(source(rows), whole);
      for (const [t, tree] of treesOf(finish(jsForests.grow(source(rows), whole))).entries()) {
        const leaves = new Map<number, Set<string>>();
        for (const i of draw(t).rows) {
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
      for (const [name, forests] of WASM_FORESTS) {
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

it.each([['js', jsForests] as const, ...WASM_FORESTS])(
  '%s tells apart numbers however close, large or small, and takes −0 for 0',
  (_, forests) => {
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
  },
);

it.each(WASM_FORESTS)('%s stops now and then while a large tree grows, without a trace in the tree', (_, forests) => {
  const [data] = new Random(4).rows(1, 60_000) as [Float64Array];
  const rows = source({ data, rows: 30_000, columns: 2 });
  const large = plan({ trees: 2, sampleSize: 30_000, features: 2 });
  expect(finish(forests.grow(rows, large))).toEqual(finish(jsForests.grow(rows, large)));
});
