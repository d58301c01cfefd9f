// The classifiers of Table 3 against scikit-learn: LDA, and the linear SVM also where it does not converge.
import { describe, expect, it } from 'vitest';
import { LDA } from '../../../../bench/paper/models/lda.js';
import { LinearSVM } from '../../../../bench/paper/models/linear-svm.js';
import { type Table, tableOf } from '../../../../bench/paper/models/model.js';
import { NearestNeighborClassifier } from '../../../../bench/paper/models/nearest-neighbor.js';
import { expectAllClose } from '../../../support/close.js';
import { fixture, isDataMissing, loadData, Random, rowsOf, squaredDistance } from '../../../support/data.js';

interface Discriminant {
  name: string;
  X: number[][];
  labels: number[];
  queries: number[][];
  /** One number a row for two classes, otherwise one for each class. */
  decisions: (number | number[])[];
  predicted: number[];
}

interface VectorMachine {
  name: string;
  iterations: number;
  X: number[][];
  labels: number[];
  /** Of each problem, the intercept last: as scikit-learn's dual solver leaves them, and at the optimum. */
  weights: number[][];
  optimum: number[][];
  predicted: number[];
}

interface RealClasses {
  name: string;
  lda: string;
  decisions: (number | number[])[];
  svm: string;
  svmIterations: number;
  weights: number[][];
}

const FIXTURE = fixture<{
  discriminants: Discriminant[];
  vectorMachines: VectorMachine[];
  realClasses: RealClasses[];
}>('models');

/** Decision values as scikit-learn gives them: for two classes, by how much the second is ahead. */
function decisionsOf({ data, rows, columns }: Table): (number | number[])[] {
  return Array.from({ length: rows }, (_, i) => {
    const values = Array.from(data.subarray(i * columns, (i + 1) * columns));
    return columns === 2 ? (values[1] as number) - (values[0] as number) : values;
  });
}

const flat = (rows: readonly ArrayLike<number>[]): number[] => rows.flatMap((row) => Array.from(row));

describe('LDA', () => {
  it.each(FIXTURE.discriminants)('decides as scikit-learn does: $name', (given) => {
    const lda = new LDA().fit(tableOf(given.X), given.labels);
    const queries = tableOf(given.queries);
    const decisions = decisionsOf(lda.decide(queries));
    expectAllClose(decisions.flat(), given.decisions.flat(), { ofLargest: 1e-9 });
    expect(lda.predict(queries)).toEqual(given.predicted);
  });

  it('refuses what has no answer, and says why', () => {
    expect(() => new LDA().fit(tableOf([[1], [2]]), [1, 1])).toThrow('at least 2 classes, got 1');
    expect(() => new LDA().fit(tableOf([[1], [2]]), [0, 1])).toThrow('more rows than classes');
    expect(() => new LDA().fit(tableOf([[1], [1], [2]]), [0, 0, 1])).toThrow('differ within a class');
    expect(() => new LDA().predict(tableOf([[1]]))).toThrow('call fit first');
  });
});

describe('the linear SVM', () => {
  it.each(FIXTURE.vectorMachines)('has the weights of LinearSVC(dual=True): $name', (given) => {
    const svm = new LinearSVM({ maxIterations: given.iterations }).fit(tableOf(given.X), given.labels);
    expectAllClose(flat(svm.weights), flat(given.weights), { ofLargest: 1e-9 });
    expect(svm.predict(tableOf(given.X))).toEqual(given.predicted);
  });

  it.each(FIXTURE.vectorMachines.slice(0, 3))('finds the optimum whatever the seed: $name', (given) => {
    for (const seed of [1, 2, 3]) {
      const svm = new LinearSVM({ maxIterations: 100_000, tolerance: 1e-6, seed }).fit(tableOf(given.X), given.labels);
      expect(svm.converged).not.toContain(false);
      expectAllClose(flat(svm.weights), flat(given.optimum), { ofLargest: 1e-3 });
    }
  });

  it('says that it did not converge', () => {
    const given = FIXTURE.vectorMachines[3] as VectorMachine;
    const svm = new LinearSVM({ maxIterations: given.iterations }).fit(tableOf(given.X), given.labels);
    expect(svm.converged).toContain(false);
  });
});

describe.each([
  ['LDA', () => new LDA()],
  ['the linear SVM', () => new LinearSVM()],
  ['1-NN', () => new NearestNeighborClassifier()],
] as const)('%s', (_, make) => {
  it('separates what is far apart, in spite of constant columns and repeated rows', () => {
    const rows = [-2, -2, -1, 1, 2, 2].map((x) => [0.1, x, 0]);
    const labels = rows.map(([, x]) => ((x as number) < 0 ? 5 : 3));
    expect(make().fit(tableOf(rows), labels).predict(tableOf(rows))).toEqual(labels);
  });

  it('refuses labels that do not belong to the rows', () => {
    expect(() => make().fit(tableOf([[1], [2]]), [0])).toThrow('there are 2 rows, but labels or outputs for 1');
    expect(() => make().predict(tableOf([[1]]))).toThrow('call fit first');
  });
});

describe('1-NN', () => {
  it('gives the label of the nearest row, the first of equally near ones', () => {
    const random = new Random(5);
    const rows = random.rows(80, 3, () => random.integer(6));
    const labels = rows.map(() => random.integer(9) - 4);
    const queries = random.rows(50, 3, () => random.integer(6));
    const truth = queries.map((query) => {
      const distances = rows.map((row) => squaredDistance(row, query));
      return labels[distances.indexOf(Math.min(...distances))];
    });
    expect(new NearestNeighborClassifier().fit(tableOf(rows), labels).predict(tableOf(queries))).toEqual(truth);
  });
});

describe.skipIf(isDataMissing('LDA and the SVM on pima and segment'))('on real data', () => {
  describe.each(FIXTURE.realClasses)('$name', (given) => {
    const halves = () => {
      const data = loadData(given.name);
      const rows = rowsOf(data);
      const [even, odd] = [0, 1].map((part) => tableOf(rows.filter((_, i) => i % 2 === part))) as [Table, Table];
      return { even, odd, labels: data.labels.filter((_, i) => i % 2 === 0) };
    };

    it("LDA predicts as scikit-learn's, in spite of a constant column", () => {
      const { even, odd, labels } = halves();
      const lda = new LDA().fit(even, labels);
      expectAllClose(decisionsOf(lda.decide(odd)).slice(0, given.decisions.length).flat(), given.decisions.flat(), {
        ofLargest: 1e-7,
      });
      expect(lda.predict(odd).join('')).toBe(given.lda);
    });

    it('the SVM ends where LinearSVC does when its iterations run out', () => {
      const { even, odd, labels } = halves();
      const svm = new LinearSVM({ maxIterations: given.svmIterations }).fit(even, labels);
      expect(svm.converged).toContain(false);
      expectAllClose(flat(svm.weights), flat(given.weights), { ofLargest: 1e-6 });
      expect(svm.predict(odd).join('')).toBe(given.svm);
    });
  });
});
