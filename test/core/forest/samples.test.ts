// What trees are grown from: the rows and columns that scikit-learn draws for the same seed.
import { describe, expect, it } from 'vitest';
import type { ForestPlan } from '../../../src/core/forest/forest.js';
import { sampler } from '../../../src/core/forest/samples.js';
import { fixture } from '../../support/data.js';
import { plan } from '../../support/forests.js';

interface Samples {
  source: [rows: number, columns: number];
  plan: ForestPlan;
  /** Of each tree. */
  rows: number[][];
  columns: number[][];
}

const { samples: SAMPLES } = fixture<{ samples: Samples[] }>('forest');

const shape = (rows: number, columns: number) => ({ rows, columns, read: () => undefined });

describe('the sample of a tree', () => {
  it.each(SAMPLES)('is scikit-learn’s: $plan.sampleSize rows and $plan.features columns of $source', (truth) => {
    const draw = sampler(shape(...truth.source), truth.plan);
    for (let tree = 0; tree < truth.plan.trees; tree++) {
      const { rows, columns } = draw(tree);
      expect([[...rows], [...columns]]).toEqual([truth.rows[tree], truth.columns[tree]]);
    }
  });

  it('does not depend on the trees before it', () => {
    const all = plan({ trees: 6, sampleSize: 30, features: 4, seed: 11 });
    const drawn = (tree: number, draw = sampler(shape(500, 9), all)) => {
      const { rows, columns, random } = draw(tree);
      return [[...rows], [...columns], random];
    };
    const draw = sampler(shape(500, 9), all);
    const inOrder = [0, 1, 2, 3, 4, 5].map((tree) => drawn(tree, draw));
    expect([5, 3, 0].map((tree) => drawn(tree))).toEqual([inOrder[5], inOrder[3], inOrder[0]]);
    expect(new Set(inOrder.map(String)).size).toBe(6);
  });

  it('has nothing in common with those of neighbouring seeds and trees', () => {
    const starts = new Set<number>();
    for (let seed = 0; seed < 50; seed++) {
      const draw = sampler(shape(2, 1), plan({ trees: 50, seed }));
      for (let tree = 0; tree < 50; tree++) starts.add(draw(tree).random);
    }
    expect(starts.size).toBeGreaterThan(2495); // of 2³¹ values: less than one pair is expected to be equal
    expect(starts).not.toContain(0);
  });
});
