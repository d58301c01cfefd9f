// InverseCAD: CAD's scores of each class from the other end, the paper's equations, and by hand.
import { describe, expect, it } from 'vitest';
import { CAD, InverseCAD } from '../../src/index.js';
import { KERNELS, paperScores, Random } from '../support/data.js';
import { classesOf, range, sortedBy } from '../support/prototypes.js';

const X = new Random(21).rows(90, 3);
const y = range(90).map((i) => ['a', 'b', 'b'][i % 3] as string);
const rowsOf = (rows: readonly number[]): Float64Array[] => rows.map((row) => X[row] as Float64Array);
/** The kernels for which a low score is anomalous. */
const isLowAnomalous = (kernel: string): boolean => ['rbf', 'laplacian', 'polynomial'].includes(kernel);

/** The split of sorted values with the least squared error, by trying all of them: the values above it. */
function higherCluster(scores: readonly number[]): Set<number> {
  const order = range(scores.length).sort((a, b) => (scores[a] as number) - (scores[b] as number));
  const error = (part: readonly number[]): number => {
    const values = part.map((i) => scores[i] as number);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  };
  const errors = range(order.length - 1).map((i) => error(order.slice(0, i + 1)) + error(order.slice(i + 1)));
  return new Set(order.slice(errors.indexOf(Math.min(...errors)) + 1));
}

describe.each(KERNELS)('InverseCAD with the %s kernel', (kernel) => {
  const s = isLowAnomalous(kernel) ? 1 : -1;

  it("ranks each class by the paper's scores", () => {
    const { indices, scores } = new InverseCAD({ kernel, neighbors: 6, precision: 'double' }).rank(X, y);
    for (const rows of classesOf(y)) {
      const truth = paperScores(rowsOf(rows), 6, { kernel }).scores.map((score) => s * score);
      const places = range(90).filter((place) => rows.includes(indices[place] as number));
      for (const place of places) {
        expect(scores[place]).toBeCloseTo(truth[rows.indexOf(indices[place] as number)] as number, 9);
      }
      const own = places.map((place) => scores[place] as number);
      expect(own).toEqual([...own].sort((a, b) => b - a));
    }
  });

  it('is CAD from the other end', () => {
    const { indices } = new InverseCAD({ kernel }).rank(X, y);
    for (const rows of classesOf(y)) {
      const { scores } = new CAD({ kernel }).fit(rowsOf(rows));
      const wanted = sortedBy(range(rows.length), (i) => -(scores[i] as number)).map((i) => rows[i]);
      expect([...indices].filter((row) => rows.includes(row))).toEqual(wanted);
    }
  });

  it('retains the better of the two clusters of each class', () => {
    const kept = new InverseCAD({ kernel, neighbors: 6 }).retain(X, y);
    const wanted = classesOf(y).flatMap((rows) => {
      const scores = paperScores(rowsOf(rows), 6, { kernel }).scores.map((score) => s * score);
      const better = higherCluster([...scores]);
      return rows.filter((_, i) => better.has(i));
    });
    expect([...kept]).toEqual(wanted.sort((a, b) => a - b));
  });
});

describe('InverseCAD', () => {
  it('ranks the middle of a row of points before its ends, by hand', () => {
    // With 2 neighbours on a line the score is cos: −1 in the middle, 1 at both ends.
    const { indices, scores } = new InverseCAD({ neighbors: 2 }).rank([[0], [1], [2], [3], [4]]);
    expect([...indices]).toEqual([1, 2, 3, 0, 4]);
    expect([...scores]).toEqual([1, 1, 1, -1, -1]);
    expect([...new InverseCAD({ neighbors: 2 }).retain([[0], [1], [2], [3], [4]])]).toEqual([1, 2, 3]);
  });

  it('retains a class whose scores are all equal', () => {
    const same = range(8).map(() => [1, 1]);
    expect([...new InverseCAD({ neighbors: 3 }).retain(same)]).toEqual(range(8));
  });

  it('takes the orientation as CAD does', () => {
    const paper = new InverseCAD({ orientation: 'higher' }).rank(X);
    const turned = new InverseCAD({ orientation: 'lower' }).rank(X);
    expect([...turned.indices]).toEqual([...paper.indices].reverse());
  });

  it('leaves regression targets aside', () => {
    const targets = range(90).map((i) => Math.sin(i));
    expect(new InverseCAD().rank(X, { targets })).toEqual(new InverseCAD().rank(X));
    expect(new InverseCAD().retain(X, { targets })).toEqual(new InverseCAD().retain(X));
  });
});
