// Whether rankings agree: SciPy's correlation (test/fixtures/make_evaluation.py), the definition counted out, and what
// must hold whatever the scores are.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRankings, rankCorrelation } from '../../src/index.js';
import { fixture, Random } from '../support/data.js';
import { type BadCall, expectRefusal } from './refusal.js';

interface Correlations {
  correlations: Array<{ a: number[]; b: number[]; value: number }>;
}

const { correlations } = fixture<Correlations>('evaluation');
const scores = fc.array(fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 })), {
  minLength: 2,
  maxLength: 40,
});

describe('the rank correlation', () => {
  it.each(correlations)("is SciPy's: $value", ({ a, b, value }) => {
    expect(rankCorrelation(a, b)).toBeCloseTo(value, 12);
  });

  it('is 1 for what is ordered alike, −1 for the reverse, NaN where nothing is ordered', () => {
    expect(rankCorrelation([1, 2, Infinity], [-5, 0, 0.1])).toBe(1);
    expect(rankCorrelation([1, 2, 3], [3, 2, -Infinity])).toBe(-1);
    expect(rankCorrelation([1, 2, 3], [4, 4, 4])).toBeNaN();
  });

  it('does not depend on the order of rows, on which comes first, or on the scale', () => {
    fc.assert(
      fc.property(scores, (rows) => {
        const [a, b] = [rows.map(([x]) => x), rows.map(([, y]) => y)];
        const value = rankCorrelation(a, b);
        expect(rankCorrelation(b, a)).toBe(value);
        expect(rankCorrelation([...a].reverse(), [...b].reverse())).toBe(value);
        expect(rankCorrelation(a.map(Math.exp), b)).toBe(value);
      }),
    );
  });
});

const random = new Random(3);
const column = (count: number): Float64Array => Float64Array.from({ length: count }, () => random.integer(30));
const [a, b, c] = [column(80), column(80), column(80)];

/** Sorted from the definition: the highest first, of equal ones the lower row. */
const best = (list: Float64Array, top: number): number[] =>
  [...list.keys()].sort((p, q) => (list[q] as number) - (list[p] as number) || p - q).slice(0, top);

describe('compareRankings', () => {
  it.each([1, 7, 10, 80])('counts what pairs share of the top %d', (top) => {
    const { pairs, ...found } = compareRankings({ a, b, c }, { top });
    expect(found.top).toBe(top);
    expect(pairs.map((pair) => [pair.a, pair.b])).toEqual([
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
    ]);
    const lists = { a, b, c };
    for (const pair of pairs) {
      const shared = best(lists[pair.a], top).filter((row) => best(lists[pair.b], top).includes(row));
      expect(pair.topOverlap).toBe(shared.length / top);
      expect(pair.rankCorrelation).toBe(rankCorrelation(lists[pair.a], lists[pair.b]));
    }
  });

  it('gathers the rows on top, those of most rankings first', () => {
    const { rows } = compareRankings({ a, b, c }, { top: 12 });
    const counts = rows.map(({ names }) => names.length);
    expect(counts).toEqual([...counts].sort((p, q) => q - p));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(36);
    for (const { row, names } of rows) {
      const expected = Object.entries({ a, b, c }).filter(([, list]) => best(list, 12).includes(row));
      expect(names).toEqual(expected.map(([name]) => name));
    }
    expect(compareRankings({ x: [1, 5, 4], y: [2, 8, 9], z: [0, 1, 2] }, { top: 2 }).rows).toEqual([
      { row: 2, names: ['x', 'y', 'z'] }, // second, first, first
      { row: 1, names: ['x', 'y', 'z'] },
    ]);
  });

  it('takes ten rows unless told otherwise, or all there are', () => {
    expect(compareRankings({ a, b }).top).toBe(10);
    expect(compareRankings({ a: [1, 2], b: [2, 1] }).top).toBe(2);
  });

  const invalid: BadCall[] = [
    { name: 'a list', act: () => compareRankings([a, b] as never), code: 'INPUT_TYPE', message: /object of scores/ },
    { name: 'one ranking', act: () => compareRankings({ a }), code: 'EMPTY_INPUT', message: /at least two .*got 1/ },
    { name: 'lengths', act: () => compareRankings({ a, b: [1] }), code: 'LENGTHS_DIFFER', message: /80 and b has 1/ },
    { name: 'NaN', act: () => compareRankings({ a, b: [NaN] }), code: 'NAN_VALUE', message: /b\[0\] is NaN/, row: 0 },
    { name: 'none', act: () => compareRankings({ a, b }, { top: 0 }), code: 'COUNT_INVALID', message: /1 to .*, 80/ },
    { name: 'too many', act: () => compareRankings({ a, b }, { top: 81 }), code: 'COUNT_INVALID', message: /1 to/ },
    {
      name: 'an option',
      act: () => compareRankings({ a, b }, { tops: 3 } as never),
      code: 'UNKNOWN_OPTION',
      message: /top/,
    },
    { name: 'two lengths', act: () => rankCorrelation([1, 2], [1]), code: 'LENGTHS_DIFFER', message: /2 and b has 1/ },
  ];
  it.each(invalid)('refuses $name', expectRefusal);
});
