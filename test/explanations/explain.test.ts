// Explanations: what they say must be what the detector says, and constraints must hold exactly.
import { describe, expect, it } from 'vitest';
import { CAD, explain } from '../../src/index.js';
import { fitted, nearest, SETS, syntheticSet } from '../landscape/support.js';
import { isDataMissing, loadData, type Rows, rowsOf } from '../support/data.js';

/** Share of the flagged rows with a counterfactual the detector labels normal; all others must say why. */
function shareExplained(X: Rows, most = Infinity): number {
  const { cad, flagged } = fitted(X);
  const some = flagged.slice(0, most);
  const normal = some.filter((row) => {
    const { label, counterfactual } = explain(cad, row);
    expect(label).toBe(1);
    expect(counterfactual.isNormal).toBe(cad.predict([counterfactual.row])[0] === 0);
    expect(counterfactual.why === undefined).toBe(counterfactual.isNormal && counterfactual.isPlausible);
    return counterfactual.isNormal;
  });
  return normal.length / some.length;
}

describe('an explanation', () => {
  it.each(SETS)('has a normal counterfactual for at least 90 percent of the flagged rows of %s', (name) => {
    expect(shareExplained(syntheticSet(name))).toBeGreaterThanOrEqual(0.9);
  });

  it.skipIf(isDataMissing('counterfactuals of wine and letter')).each(['wine', 'letter'])(
    'has a normal counterfactual for at least 90 percent of the flagged rows of %s',
    (name) => {
      expect(shareExplained(rowsOf(loadData(name)), 200)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it('tells the training score and neighbours of a training row, itself not among them', () => {
    const { cad, X, flagged } = fitted(syntheticSet('moons'), { precision: 'double' });
    for (const row of flagged.slice(0, 20)) {
      const i = X.indexOf(row);
      const { score, label, trainingRow, neighbors, threshold } = explain(cad, row);
      expect([score, label, trainingRow, threshold]).toEqual([cad.scores[i], 1, i, cad.threshold]);
      const others = X.filter((other) => other !== row);
      expect(neighbors.map(({ index }) => X[index])).toEqual(nearest(others, row, 10));
      const [x, y] = row as unknown as [number, number];
      for (const { index, distance } of neighbors) {
        const [a, b] = X[index] as unknown as [number, number];
        expect(distance).toBeCloseTo(Math.hypot(a - x, b - y), 12);
      }
    }
  });

  it('tells the score and label of a new row as score and predict do', () => {
    const cad = new CAD().fit(syntheticSet('moons'));
    for (const row of [
      [5, 5],
      [0.3, -4],
      [2, 1.7],
    ]) {
      const { score, label, trainingRow } = explain(cad, row);
      expect([score, label, trainingRow]).toEqual([cad.score([row])[0], cad.predict([row])[0], undefined]);
    }
  });

  it('lists the changes by their size in standard deviations, in the units of the input', () => {
    const X = syntheticSet('equal').map(([x, y]) => [1000 * (x as number), y as number]);
    const { cad, flagged } = fitted(X, { standardize: true });
    const deviations = [0, 1].map((j) => {
      const mean = X.reduce((sum, row) => sum + (row[j] as number), 0) / X.length;
      return Math.sqrt(X.reduce((sum, row) => sum + ((row[j] as number) - mean) ** 2, 0) / X.length);
    });
    for (const row of flagged) {
      const { changes, counterfactual } = explain(cad, row, { names: ['mass', 'age'] });
      for (const { feature, name, from, to, change, inDeviations } of changes) {
        expect(name).toBe(['mass', 'age'][feature]);
        expect([from, to]).toEqual([row[feature], counterfactual.row[feature]]);
        expect(change).toBe(to - from);
        expect(inDeviations * (deviations[feature] as number)).toBeCloseTo(change, 3);
      }
      const sizes = changes.map(({ inDeviations }) => Math.abs(inDeviations));
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    }
  });

  it('leaves frozen features as they are, bit for bit, by index or by name', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'), { standardize: true });
    let normal = 0;
    for (const row of flagged) {
      const { counterfactual, changes } = explain(cad, row, { frozen: [0] });
      expect(counterfactual.row[0]).toBe(row[0]);
      expect(changes.every(({ feature }) => feature === 1)).toBe(true);
      expect(explain(cad, row, { names: ['a', 'b'], frozen: ['a'] }).counterfactual.row).toEqual(counterfactual.row);
      normal += Number(counterfactual.isNormal);
      if (!counterfactual.isNormal) expect(counterfactual.why).toMatch(/\w/);
    }
    expect(normal).toBeGreaterThan(flagged.length / 4);
    const all = explain(cad, flagged[0] as number[], { frozen: [0, 1] });
    expect([...all.counterfactual.row]).toEqual([...(flagged[0] as number[])]);
    expect(all.counterfactual).toMatchObject({ isUnmoved: true, isNormal: false });
    expect(all.counterfactual.why).toBe('no change that is allowed brings it closer');
  });

  it('keeps its bounds exactly, also for rows that start outside', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'), { standardize: true });
    for (const row of flagged) {
      const { counterfactual } = explain(cad, row, { bounds: { 0: [-0.7, 1.3], 1: [0.1, Infinity] } });
      const [x, y] = counterfactual.row as unknown as [number, number];
      expect(x >= -0.7 && x <= 1.3 && y >= 0.1).toBe(true);
    }
  });

  it('can be read', () => {
    const { cad, flagged } = fitted(syntheticSet('moons'));
    const text = String(explain(cad, flagged[3] as number[], { names: ['width', 'height'] }));
    expect(text).toMatch(/^ {2}(width|height): \S+, where rows like it have \S+ \(\d+ % of its curvature\)$/m);
    expect(text).toMatch(/^Training row \d+ is an anomaly: its score \S+ is above the threshold \S+\.$/m);
    expect(text).toMatch(/^It would be normal \(score \S+\) with$/m);
    expect(text).toMatch(/^ {2}(width|height): \S+ → \S+ \([+-]\S+; [+-]\S+ standard deviations\)$/m);
    expect(String(explain(cad, [0.1, 4]))).not.toMatch(/undefined|NaN/);
    const inside = syntheticSet('moons').find((_, i) => cad.labels[i] === 0) as number[];
    expect(String(explain(cad, inside))).toMatch(/is normal/);
  });

  it.each<[string, object]>([
    ['UNKNOWN_OPTION', { freeze: [] }],
    ['NAMES_INVALID', { names: ['a'] }],
    ['NAMES_INVALID', { names: ['a', 'a'] }],
    ['FROZEN_INVALID', { frozen: ['a'] }],
    ['FROZEN_INVALID', { frozen: 1 }],
    ['BOUNDS_INVALID', { bounds: [[0, 1]] }],
    ['BOUNDS_INVALID', { names: ['a', 'b'], bounds: { c: [0, 1] } }],
    ['GROUPS_INVALID', { groups: [0, 1] }],
    ['GROUPS_INVALID', { groups: [[0], [0, 1]] }],
    ['GROUPS_INVALID', { groups: [['a']] }],
    ['WRONG_WIDTH', { reference: [[0], [1]] }],
  ])('fails with %s for %j', (code, options) => {
    const cad = new CAD().fit(syntheticSet('moons'));
    expect(() => explain(cad, [0, 0], options)).toThrow(expect.objectContaining({ name: 'CurvadError', code }));
  });
});
