// The regressors of Table 3 against scikit-learn, all with several outputs at once.
import { describe, expect, it } from 'vitest';
import { facebook } from '../../../../bench/paper/facebook.js';
import { LinearRegression } from '../../../../bench/paper/models/linear-regression.js';
import { MLP } from '../../../../bench/paper/models/mlp.js';
import { type Regressor, selectRows, type Table, tableOf } from '../../../../bench/paper/models/model.js';
import { Network } from '../../../../bench/paper/models/network.js';
import { RandomForest } from '../../../../bench/paper/models/random-forest.js';
import { RegressionTree, treeInputs } from '../../../../bench/paper/models/regression-tree.js';
import { Standardized } from '../../../../bench/paper/models/standardized.js';
import { RandomState } from '../../../../bench/paper/numpy-random.js';
import { expectAllClose } from '../../../support/close.js';
import { dataDirectory, fixture, isDataMissing, Random } from '../../../support/data.js';

interface Regression {
  name: string;
  X: number[][];
  Y: number[][];
  queries: number[][];
  predicted: number[][];
}

interface Trees extends Record<'X' | 'Y' | 'queries' | 'tree' | 'forest', number[][]> {
  depth: number;
  /** Of the tree without bootstrap. */
  nodes: number;
}

const FIXTURE = fixture<{
  regressions: Regression[];
  trees: Trees[];
  perceptron: Record<'X' | 'Y' | 'predicted', number[][]> & {
    losses: number[];
    passesUntilStop: number;
    lossAtStop: number;
  };
  realOutputs: { linear: number; forests: number[]; network: number; networkLosses: number[] };
}>('models');

describe('linear regression', () => {
  it.each(FIXTURE.regressions)('predicts as scikit-learn does: $name', ({ X, Y, queries, predicted }) => {
    const model = new LinearRegression().fit(tableOf(X), tableOf(Y));
    expectAllClose(model.predict(tableOf(queries)).data, predicted.flat(), { ofLargest: 1e-9 });
  });
});

describe('a regression tree', () => {
  it.each(FIXTURE.trees)('is the one scikit-learn grows, to depth $depth', ({ X, Y, queries, tree, nodes, depth }) => {
    const weights = new Float64Array(X.length).fill(1);
    const grown = new RegressionTree(treeInputs(tableOf(X)), tableOf(Y), weights, depth, new RandomState(0));
    expect(grown.size).toBe(nodes);
    expectAllClose(
      queries.flatMap((row) => [...grown.predict(row)]),
      tree.flat(),
      { ofLargest: 1e-12 },
    );
  });

  it('is a leaf with the mean where the inputs do not differ', () => {
    const inputs = treeInputs(tableOf([[1], [1], [1]]));
    const weights = Float64Array.of(1, 2, 1);
    const Y = tableOf([
      [0, 4],
      [1, 4],
      [2, 8],
    ]);
    const grown = new RegressionTree(inputs, Y, weights, 100, new RandomState(0));
    expect(grown.size).toBe(1);
    expect([...grown.predict([1])]).toEqual([1, 5]);
  });
});

describe('the random forest', () => {
  it.each(FIXTURE.trees)('is the one scikit-learn grows from the same seed, to depth $depth', (given) => {
    const { X, Y, queries, forest, depth } = given;
    const model = new RandomForest({ trees: 25, maxDepth: depth }).fit(tableOf(X), tableOf(Y));
    expectAllClose(model.predict(tableOf(queries)).data, forest.flat(), { ofLargest: 1e-12 });
  });

  it('without bootstrap is its tree', () => {
    for (const { X, Y, queries, tree, depth } of FIXTURE.trees) {
      const model = new RandomForest({ trees: 3, maxDepth: depth, bootstrap: false }).fit(tableOf(X), tableOf(Y));
      expectAllClose(model.predict(tableOf(queries)).data, tree.flat(), { ofLargest: 1e-12 });
    }
  });

  it('is the same for the same seed and another one for another', () => {
    const [, { X, Y, queries }] = FIXTURE.trees as [Trees, Trees];
    const predict = (seed: number) =>
      new RandomForest({ trees: 5, seed }).fit(tableOf(X), tableOf(Y)).predict(tableOf(queries));
    expect(predict(1)).toEqual(predict(1));
    expect(predict(1)).not.toEqual(predict(2));
  });
});

describe('the MLP', () => {
  const { X, Y, losses, predicted, passesUntilStop, lossAtStop } = FIXTURE.perceptron;

  it("takes the course of scikit-learn's from the same seed, in batches", () => {
    const options = { hidden: [9, 5], batch: 20, alpha: 0.3, maxIterations: 60, seed: 3 };
    const model = new MLP(options).fit(tableOf(X), tableOf(Y));
    expectAllClose(model.losses, losses, { ofLargest: 1e-10 });
    expectAllClose(model.predict(tableOf(X.slice(0, 5))).data, predicted.flat(), { ofLargest: 1e-9 });
  });

  it('stops when scikit-learn does', () => {
    const model = new MLP({ hidden: [6], learningRate: 0.02, tolerance: 0.05, seed: 4 }).fit(tableOf(X), tableOf(Y));
    expect(model.losses.length).toBe(passesUntilStop);
    expectAllClose([model.losses.at(-1) as number], [lossAtStop], { ofLargest: 1e-6 });
  });

  it.each([{ units: [3, 9, 5, 2] }, { units: [3, 1, 2] }, { units: [3, 7, 4, 6, 2] }])(
    'has the gradient that finite differences give: $units',
    ({ units }) => {
      const alpha = 0.7;
      const rows = [4, 0, 7, 31, 12, 8, 3];
      const network = new Network(units, rows.length);
      network.initialize(new RandomState(11));
      const outputs = units.at(-1) as number;
      const inputs = tableOf(X);
      const targets = tableOf(Y);
      // scikit-learn's gradient is that of the error summed over outputs: the mean times their number
      const loss = () => {
        const error = network.backpropagate(inputs, targets, rows, 0);
        return outputs * error + network.backpropagate(inputs, targets, rows, alpha) - error;
      };
      loss();
      const gradient = network.parameters.gradient.slice();
      const { weights } = network.parameters;
      const random = new Random(1);
      let checked = 0;
      for (let draw = 0; draw < 60; draw++) {
        const at = random.integer(weights.length);
        const value = weights[at] as number;
        if (value === 0) continue; // padding
        const step = 1e-6;
        weights[at] = value + step;
        const above = loss();
        weights[at] = value - step;
        const below = loss();
        weights[at] = value;
        expect((above - below) / (2 * step)).toBeCloseTo(gradient[at] as number, 4);
        checked++;
      }
      expect(checked).toBeGreaterThan(10);
    },
  );
});

describe.each([
  ['linear regression', () => new LinearRegression()],
  ['the random forest', () => new RandomForest({ trees: 20 })],
  ['the MLP', () => new MLP({ hidden: [8], learningRate: 0.1 })],
] as const)('%s', (_, make) => {
  it('predicts the outputs of a single row for any row that is like it', () => {
    const model = new Standardized(make()).fit(tableOf([[4, 7]]), tableOf([[1, -2, 3]]));
    expectAllClose(model.predict(tableOf([[4, 7]])).data, [1, -2, 3], { ofLargest: 0.05 });
  });

  it('copes with constant inputs and repeated rows: the mean is what is left', () => {
    const X = tableOf([[4], [4], [4], [4]]);
    const model = new Standardized(make()).fit(X, tableOf([[1], [3], [1], [3]]));
    expectAllClose(model.predict(X).data.subarray(0, 1), [2], { ofLargest: 0.15 });
  });

  it('refuses outputs that do not belong to the rows', () => {
    expect(() => make().fit(tableOf([[1], [2]]), tableOf([[1]]))).toThrow(
      'there are 2 rows, but labels or outputs for 1',
    );
    expect(() => make().predict(tableOf([[1]]))).toThrow('call fit first');
  });
});

describe('standardised inputs', () => {
  it('have mean 0 and standard deviation 1 by the training rows; constant ones are centred', () => {
    const seen: Table[] = [];
    const spy: Regressor = {
      fit(X) {
        seen.push(X);
        return this;
      },
      predict(X) {
        seen.push(X);
        return X;
      },
    };
    const model = new Standardized(spy).fit(
      tableOf([
        [1, 0.1],
        [3, 0.1],
        [5, 0.1],
      ]),
      tableOf([[1], [1], [1]]),
    );
    model.predict(tableOf([[3, 0.1]]));
    const [train, test] = seen as [Table, Table];
    const deviation = Math.sqrt(8 / 3);
    expectAllClose(train.data, [-2 / deviation, 0, 0, 0, 2 / deviation, 0], { ofLargest: 1e-12 });
    expectAllClose([...test.data, 1], [0, 0, 1], { ofLargest: 1e-12 });
  });
});

describe.skipIf(isDataMissing('the regressors on the Facebook metrics'))('on the Facebook metrics', () => {
  const halves = () => {
    const { X, Y } = facebook(dataDirectory());
    const [even, odd] = [0, 1].map((part) => [...Array(X.rows).keys()].filter((i) => i % 2 === part)) as [
      number[],
      number[],
    ];
    const error = (model: Regressor) => {
      const { data } = new Standardized(model)
        .fit(selectRows(X, even), selectRows(Y, even))
        .predict(selectRows(X, odd));
      const truth = selectRows(Y, odd).data;
      return data.reduce((sum, value, i) => sum + Math.abs(value - (truth[i] as number)), 0) / truth.length;
    };
    return { error };
  };
  const { linear, forests, network, networkLosses } = FIXTURE.realOutputs;

  it('linear regression has the error of scikit-learn', () => {
    expect(halves().error(new LinearRegression()) / linear).toBeCloseTo(1, 9);
  });

  it('the forest has an error within the spread of scikit-learn over seeds', () => {
    const mean = forests.reduce((sum, value) => sum + value, 0) / forests.length;
    const ours = halves().error(new RandomForest());
    expect(ours).toBeGreaterThan(Math.min(...forests) * 0.98);
    expect(ours).toBeLessThan(Math.max(...forests) * 1.02);
    expect(Math.abs(ours / mean - 1)).toBeLessThan(0.05);
  });

  it('the MLP takes the course of scikit-learn over the first 100 passes', () => {
    const model = new MLP({ maxIterations: 100, tolerance: 0 });
    const ours = halves().error(model);
    expectAllClose(
      model.losses.filter((_, i) => i % 10 === 9),
      networkLosses,
      { ofLargest: 1e-10 },
    );
    expect(ours / network).toBeCloseTo(1, 8);
  });
});
