// The protocol of Table 3 on small data: which rows a model is fitted to, by which folds, and how it is judged.
import { describe, expect, it } from 'vitest';
import { paperFolds } from '../../../../bench/paper/folds.js';
import { tableOf } from '../../../../bench/paper/models/model.js';
import { onSharedList, selectAsPublished } from '../../../../bench/paper/prototypes/as-published.js';
import { evaluate } from '../../../../bench/paper/prototypes/evaluate.js';
import { measureAll, withTestClasses } from '../../../../bench/paper/prototypes/measure.js';
import type { Problem } from '../../../../bench/paper/prototypes/problems.js';
import { select } from '../../../../bench/paper/prototypes/selections.js';
import { Random } from '../../../support/data.js';

const rows = (...numbers: number[]): Uint32Array => Uint32Array.of(...numbers);

describe('the rows a classifier is fitted to', () => {
  const labels = [0, 1, 2, 0, 1, 2, 0, 1, 2];
  const train = rows(0, 1, 2, 3, 4, 5);

  it('are those that were kept, if they have as many classes as the test rows', () => {
    expect(withTestClasses(rows(3, 4, 5), train, rows(6, 7, 8), labels)).toEqual(rows(3, 4, 5));
    // As many, though not the same: the rule is about the number.
    expect(withTestClasses(rows(3, 4), train, rows(6, 8), labels)).toEqual(rows(3, 4));
  });

  it('have the first training row of every test class at the end, if the numbers of classes differ', () => {
    expect(withTestClasses(rows(3), train, rows(8, 7, 6), labels)).toEqual(rows(3, 0, 1, 2));
    expect(withTestClasses(rows(0, 4, 5), train, rows(7, 8), labels)).toEqual(rows(0, 4, 5, 1, 2));
    expect(withTestClasses(rows(0), train, rows(7, 6), labels)).toEqual(rows(0, 0, 1));
  });

  it('lack a test class that no training row has', () => {
    expect(withTestClasses(rows(1), rows(0, 1), rows(6, 7, 8), labels)).toEqual(rows(1, 0, 1));
  });
});

describe('a selection on the shared list of the released program', () => {
  // Class 0 has rows 0, 2, 4 and 5, class 1 has rows 1 and 3: counted class after class 0, 2, 4, 5, 1, 3.
  const labels = [0, 1, 0, 1, 0, 0];
  const train = rows(0, 1, 2, 3, 4, 5);

  it('marks rows that stay, the last class the last word', () => {
    // Class 0 marks its places 1 and 3; class 1 then place 0, and takes the mark from place 1.
    expect(onSharedList(rows(1, 2, 5), train, labels, 'staying')).toEqual(rows(0, 5));
  });

  it('strikes out rows that go, for every class', () => {
    // Class 0 strikes out places 0 and 2, class 1 place 1; no one speaks of places 4 and 5.
    expect(onSharedList(rows(1, 2, 5), train, labels, 'going')).toEqual(rows(5, 1, 3));
  });
});

describe('PSA in the released program', () => {
  it('keeps as many rows of each class as it should, but others', () => {
    const problem = clouds();
    const train = Uint32Array.from({ length: 100 }, (_, row) => row);
    const selection = { method: 'PSA', share: 20 } as const;
    const kept = selectAsPublished(problem, selection, train);
    expect(new Set(kept).size).toBe(20);
    expect(kept.filter((row) => problem.labels[row] === 1)).toHaveLength(10);
    expect(kept.every((row) => row < 100)).toBe(true);
    expect([...kept].sort()).not.toEqual([...select(problem, selection, train)].sort());
  });
});

describe('a model is judged', () => {
  it('in regression by the mean error over rows and outputs', () => {
    // y = (x, 10x) on the training rows; off by 1 and 3 in the first output, by 20 and 0 in the second.
    const X = tableOf([[0], [1], [2], [5], [7]]);
    const Y = tableOf([
      [0, 0],
      [1, 10],
      [2, 20],
      [6, 70],
      [4, 70],
    ]);
    expect(evaluate({ name: 'line', task: 'regression', X, Y }, 'LR', [0, 1, 2], [3, 4])).toBeCloseTo(6, 10);
  });

  it('in classification by the share of test rows that are right, in percent', () => {
    const X = tableOf([[0], [10], [1], [2], [9], [4]]);
    const problem: Problem = { name: 'two', task: 'classification', X, labels: [3, 8, 3, 3, 8, 8] };
    expect(evaluate(problem, '1NN', [0, 1], [2, 3, 4, 5])).toBe(75);
  });

  it.each(['K-means', 'Birch'])(
    'in clustering, by %s into as many clusters as training and test rows have classes',
    (model) => {
      // Three heaps. The training rows name two classes, and only with the test rows there are three.
      const X = tableOf([0, 1, 100, 101, 200, 201, 0.5, 0.6, 100.5, 100.6, 200.5, 200.6].map((value) => [value]));
      const labels = [0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 2, 2];
      const problem: Problem = { name: 'heaps', task: 'clustering', X, labels };
      expect(evaluate(problem, model, [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11])).toBe(1);
    },
  );

  it('by a model there is', () => {
    const X = tableOf([[0], [1]]);
    const problem: Problem = { name: 'two', task: 'clustering', X, labels: [0, 1] };
    expect(() => evaluate(problem, 'LDA', [0], [1])).toThrow('there is no model LDA');
  });
});

/** Two overlapping clouds of 60 rows in the plane. */
function clouds(): Extract<Problem, { task: 'classification' | 'clustering' }> & { X: { data: Float64Array } } {
  const random = new Random(5);
  const labels = Array.from({ length: 120 }, (_, row) => row % 2);
  const X = tableOf(labels.map((label) => [random.gaussian() + 1.5 * label, random.gaussian()]));
  return { name: 'pima', task: 'classification', X, labels };
}

describe('the table, measured', () => {
  it('has all methods on the same folds, and the mean over them', async () => {
    const problem = clouds();
    const steps: string[] = [];
    let planned = 0;
    const measured = await measureAll([problem], {
      asPublished: true,
      quick: false,
      processes: 1,
      onPlan: (count) => {
        planned = count;
      },
      onStep: (label) => steps.push(label),
    });
    expect(steps).toHaveLength(planned);
    expect(steps).toHaveLength(1 + 3 * 10);
    const find = (method: string, share?: number) =>
      measured.find(
        ({ selection, isAsPublished }) => selection.method === method && selection.share === share && !isAsPublished,
      );
    for (const share of [20, 50, 70]) {
      expect(find('SDM', share)?.scores['1NN']?.mean).toBeCloseTo(plainly(problem, share), 10);
    }
    expect(find('NR')?.scores['1NN']?.mean).toBeCloseTo(plainly(problem, 100), 10);
    expect(find('NR')?.kept).toEqual({ mean: 100, std: 0 });
    const imitated = measured.filter(({ isAsPublished }) => isAsPublished).map(({ selection }) => selection.method);
    expect(imitated).toEqual(['PSA', 'PSA', 'PSA', 'SE', 'SE', 'SE', 'iCAD', 'K-iCAD rbf', 'K-iCAD poly', 'DROP3']);
    expect(measured).toHaveLength(8 * 3 + 6 + 10);
  });
});

/** Accuracy of the nearest of the rows next to the mean of their class, written out. */
function plainly({ X, labels }: ReturnType<typeof clouds>, share: number): number {
  const point = (row: number) => [X.data[2 * row] as number, X.data[2 * row + 1] as number] as const;
  const distance = ([a, b]: readonly [number, number], [c, d]: readonly [number, number]) => Math.hypot(a - c, b - d);
  const folds = paperFolds(X.rows, 10).map(({ train, test }) => {
    const kept = [0, 1].flatMap((label) => {
      const own = [...train].filter((row) => labels[row] === label);
      const mean = [0, 1].map((j) => own.reduce((sum, row) => sum + (point(row)[j] as number), 0) / own.length);
      const center = [mean[0] as number, mean[1] as number] as const;
      const ordered = own.toSorted((a, b) => distance(point(a), center) - distance(point(b), center));
      return ordered.slice(0, Math.floor((share * own.length) / 100));
    });
    const right = [...test].filter((row) => {
      const nearest = kept.toSorted((a, b) => distance(point(a), point(row)) - distance(point(b), point(row)))[0];
      return labels[nearest as number] === labels[row];
    });
    return (100 * right.length) / test.length;
  });
  return folds.reduce((sum, value) => sum + value, 0) / folds.length;
}
