// What all selectors have in common: how classes take turns in a ranking, how shares and counts are cut from
// it, and that rows of a class are ranked by that class alone.
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import {
  DROP3,
  ENN,
  InverseCAD,
  IRMD,
  type PrototypeSelector,
  PSA,
  SDM,
  ShellExtraction,
  SOS,
} from '../../src/index.js';
import { Random } from '../support/data.js';
import { classesOf, range } from '../support/prototypes.js';

const RANKING: Array<[string, () => PrototypeSelector]> = [
  ['InverseCAD', () => new InverseCAD({ neighbors: 3 })],
  ['IRMD', () => new IRMD()],
  ['PSA', () => new PSA({ seed: 3 })],
  ['SOS', () => new SOS()],
  ['ShellExtraction', () => new ShellExtraction()],
  ['SDM', () => new SDM()],
];
const RETAINING: Array<[string, () => PrototypeSelector]> = [
  ['InverseCAD', () => new InverseCAD({ neighbors: 3 })],
  ['ENN', () => new ENN()],
  ['DROP3', () => new DROP3()],
];

/** Classes of 5 rows and more, around different means, in random order. */
const problems = fc
  .record({
    sizes: fc.array(fc.integer({ min: 5, max: 24 }), { minLength: 2, maxLength: 4 }),
    columns: fc.integer({ min: 1, max: 4 }),
    seed: fc.integer({ min: 0, max: 1e6 }),
    digits: fc.constantFrom(0, 1, 6), // few digits make ties and duplicates
  })
  .map(({ sizes, columns, seed, digits }) => {
    const random = new Random(seed);
    const labels = sizes.flatMap((size, c) => range(size).map(() => c));
    const y = random.permutation(labels.length).map((i) => labels[i] as number);
    const X = y.map((c) =>
      Array.from({ length: columns }, () => Math.round((random.gaussian() + c) * 10 ** digits) / 10 ** digits),
    );
    return { X, y };
  });

const PROPERTY = { seed: 5, numRuns: 40 };

describe.each(RANKING)('%s ranks', (name, make) => {
  it('every row once, with a finite or infinite score', () => {
    fc.assert(
      fc.property(problems, ({ X, y }) => {
        for (const labels of [undefined, y]) {
          const { indices, scores } = make().rank(X, labels);
          expect([...indices].sort((a, b) => a - b)).toEqual(range(X.length));
          expect(scores.length).toBe(X.length);
          expect(scores.some(Number.isNaN)).toBe(false);
        }
      }),
      PROPERTY,
    );
  });

  it('with the classes taking turns by relative rank', () => {
    fc.assert(
      fc.property(problems, ({ X, y }) => {
        const { indices } = make().rank(X, y);
        const sizes = new Map(classesOf(y).map((rows) => [y[rows[0] as number], rows.length]));
        const seen = new Map<number, number>();
        const first = name === 'ShellExtraction' ? 0 : 1;
        const places = Array.from(indices, (row) => {
          const label = y[row] as number;
          const rank = seen.get(label) ?? 0;
          seen.set(label, rank + 1);
          return { row, rank: rank + first, size: sizes.get(label) as number };
        });
        for (const [i, b] of places.entries()) {
          const a = places[i - 1];
          if (a === undefined) continue;
          const order = a.rank * b.size - b.rank * a.size; // whole numbers: no rounding here
          expect(order < 0 || (order === 0 && a.row < b.row)).toBe(true);
        }
      }),
      PROPERTY,
    );
  });

  it('and selects the beginning of the ranking: a share of each class, or a count', () => {
    const cases = fc.tuple(problems, fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(cases, ([{ X, y }, percent]) => {
        const { indices } = make().rank(X, y);
        const up = name === 'ShellExtraction';
        fc.pre(up || classesOf(y).some((rows) => percent * rows.length >= 100)); // less is refused
        const selected = make().select(X, y, { keep: percent / 100 });
        expect(selected).toEqual(indices.slice(0, selected.length));
        for (const rows of classesOf(y)) {
          const own = rows.filter((row) => selected.includes(row)).length;
          const exact = percent * rows.length; // in hundredths: whole
          expect(own).toBe(up ? Math.ceil(exact / 100) : Math.floor(exact / 100));
        }
        const count = 1 + (percent % X.length);
        expect(make().select(X, y, { count })).toEqual(indices.slice(0, count));
      }),
      PROPERTY,
    );
  });

  it('all rows as one class where there are no labels', () => {
    const X = new Random(7).rows(30, 3);
    const all = make().rank(X);
    const same = name === 'PSA' ? new PSA({ seed: 3, groupSize: 10 }) : make();
    if (name !== 'IRMD') expect(same.rank(X, Array(30).fill('all'))).toEqual(all);
    expect(make().select(X, { keep: 0.5 })).toEqual(all.indices.slice(0, 15));
    expect(make().select(X, undefined, { count: 4 })).toEqual(all.indices.slice(0, 4));
  });

  it('the same however rows and labels are given', () => {
    const X = new Random(8).rows(40, 3);
    const numbers = range(40).map((i) => i % 2);
    const truth = make().rank(X, numbers);
    const flat = { data: Float64Array.from(X.flatMap((row) => [...row])), rows: 40, columns: 3 };
    for (const rows of [flat, new Matrix(X.map((row) => [...row])), X.map((row) => [...row])]) {
      expect(make().rank(rows, numbers)).toEqual(truth);
    }
    const labels = [
      numbers.map((c) => ['a', 'b'][c] as string),
      numbers.map((c) => c === 1),
      Uint8Array.from(numbers),
      numbers.map((c) => c * 7.5 - 3),
    ];
    for (const y of labels) expect(make().rank(X, y)).toEqual(truth);
  });

  it('without keeping anything between calls', () => {
    const selector = make();
    const X = new Random(9).rows(30, 2);
    const first = selector.rank(X);
    selector.rank(new Random(10).rows(50, 4));
    expect(selector.rank(X)).toEqual(first);
  });
});

describe.each(RETAINING)('%s retains', (_, make) => {
  it('rows that exist, once each, ascending', () => {
    fc.assert(
      fc.property(problems, ({ X, y }) => {
        const kept = [...make().retain(X, y)];
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
        expect(kept.every((row) => row >= 0 && row < X.length)).toBe(true);
      }),
      PROPERTY,
    );
  });
});

/** Rows in general position: no ties that the order of the rows could decide. */
describe('the order of the rows does not matter', () => {
  const X = new Random(11).rows(60, 3);
  const y = range(60).map((i) => i % 3);
  const order = new Random(12).permutation(60);
  const shuffled = order.map((i) => X[i] as Float64Array);
  const labels = order.map((i) => y[i] as number);
  const inFirstOrder = (indices: Uint32Array): number[] => Array.from(indices, (i) => order[i] as number);
  const within = (indices: readonly number[], c: number): number[] => indices.filter((i) => y[i] === c);

  it.each(RANKING.filter(([name]) => !['IRMD', 'PSA', 'ShellExtraction'].includes(name)))('to %s', (_, make) => {
    const before = [...make().rank(X, y).indices];
    const after = inFirstOrder(make().rank(shuffled, labels).indices);
    for (const c of [0, 1, 2]) expect(within(after, c)).toEqual(within(before, c));
  });

  it('to the shells of ShellExtraction, but for the rows of the last, which go in the order of the rows', () => {
    const shells = (rows: Float64Array[], numberOf: (place: number) => number): number[] => {
      const { indices, scores } = new ShellExtraction().rank(rows);
      const last = Math.max(...scores.filter(Number.isFinite));
      const byRow = Array<number>(rows.length);
      for (const [place, row] of indices.entries()) byRow[numberOf(row)] = Math.min(scores[place] as number, last);
      return byRow;
    };
    expect(shells(shuffled, (row) => order[row] as number)).toEqual(shells(X, (row) => row));
  });

  it.each(RETAINING)('to %s', (_, make) => {
    const after = inFirstOrder(make().retain(shuffled, labels)).sort((a, b) => a - b);
    expect(after).toEqual([...make().retain(X, y)]);
  });
});

describe('a class is ranked by its own rows alone', () => {
  it.each(RANKING.filter(([name]) => !['IRMD', 'PSA'].includes(name)))('by %s', (_, make) => {
    const X = new Random(13).rows(45, 2);
    const y = range(45).map((i) => (i % 3 === 0 ? 'few' : 'many'));
    const { indices, scores } = make().rank(X, y);
    for (const rows of classesOf(y)) {
      const alone = make().rank(rows.map((row) => X[row] as Float64Array));
      const places = range(45).filter((place) => rows.includes(indices[place] as number));
      expect(places.map((place) => indices[place])).toEqual(Array.from(alone.indices, (i) => rows[i]));
      expect(places.map((place) => scores[place])).toEqual([...alone.scores]);
    }
  });
});

describe('shares', () => {
  const X = range(100).map((i) => [i * i]);

  it.each([
    [0.29, 29],
    [0.57, 57],
    [0.1 + 0.2, 30],
    [0.07, 7],
    [1 / 3, 33],
    [0.01, 1],
    [1, 100],
  ])('of %d of 100 rows are %d rows, as a person would count', (keep, count) => {
    expect(new SDM().select(X, { keep }).length).toBe(count);
  });

  it.each([
    [0.29, 29],
    [0.07, 7],
    [0.005, 1],
    [1 / 3, 34],
    [1, 100],
  ])('of %d of 100 rows are %d by shell extraction, which rounds up', (keep, count) => {
    expect(new ShellExtraction().select(X, { keep }).length).toBe(count);
  });
});

describe('equal rows rank by row number', () => {
  it.each(RANKING.filter(([name]) => name !== 'PSA'))('by %s', (name, make) => {
    const X = range(12).map(() => [2, 5]);
    // SOS begins with both ends of the order of distances.
    const wanted = name === 'SOS' ? [0, 11, ...range(10).map((i) => i + 1)] : range(12);
    expect([...make().rank(X).indices]).toEqual(wanted);
  });
});
