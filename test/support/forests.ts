// What the tests of isolation forests have in common: the builds, plans, and trees one by one.
import type { ForestNodes, ForestPlan, Forests } from '../../src/core/forest/forest.js';
import { type MatrixInput, RowReader } from '../../src/core/input/matrix.js';
import { wasmForests } from '../../src/core/wasm/forest.js';

export const WASM_FORESTS: ReadonlyArray<readonly [string, Forests]> = [['wasm-simd', wasmForests('simd')]];

export const plan = (given: Partial<ForestPlan>): ForestPlan => ({
  trees: 1,
  sampleSize: 2,
  features: 1,
  seed: 0,
  ...given,
});
export const source = (rows: MatrixInput) => new RowReader().attach(rows);

export interface Tree {
  features: Uint32Array;
  thresholds: Float64Array;
  children: Uint32Array;
  sizes: Uint32Array;
}

export function treesOf({ counts, ...nodes }: ForestNodes): Tree[] {
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
export function leafOf(tree: Tree, row: ArrayLike<number>): { leaf: number; depth: number } {
  let leaf = 0;
  let depth = 0;
  for (; tree.children[leaf] !== 0; depth++) {
    const isLeft = (row[tree.features[leaf] as number] as number) <= (tree.thresholds[leaf] as number);
    leaf = (tree.children[leaf] as number) + (isLeft ? 0 : 1);
  }
  return { leaf, depth };
}
