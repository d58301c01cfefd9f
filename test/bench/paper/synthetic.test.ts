// The synthetic sets of the figures are those of scikit-learn (test/fixtures/make_landscape.py, four decimals).
import { describe, expect, it } from 'vitest';
import { OUTLIERS, syntheticSets } from '../../../bench/paper/synthetic.js';
import { fixture } from '../../support/data.js';

const truth = fixture<Record<string, number[][]>>('landscape');

describe.each(syntheticSets())('$title', ({ name, rows }) => {
  it('are the points scikit-learn draws, in the same order', () => {
    const wanted = truth[name] as number[][];
    expect(rows.length).toBe(wanted.length);
    const apart = rows.map(([x, y], i) => {
      const [u, v] = wanted[i] as [number, number];
      return Math.max(Math.abs(x - u), Math.abs(y - v));
    });
    expect(Math.max(...apart)).toBeLessThan(0.5001e-4);
  });

  it('end with the outliers, somewhere in the square of the paper', () => {
    const last = rows.slice(-OUTLIERS).flat();
    expect(last.every((value) => value >= -6 && value < 6)).toBe(true);
    expect(Math.max(...last) - Math.min(...last)).toBeGreaterThan(11);
  });
});
