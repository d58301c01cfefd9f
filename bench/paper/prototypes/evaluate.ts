// How good a reduced training set is: a model is fitted to it and judged on the test rows of the fold, by
// accuracy (in percent), mean absolute error, or adjusted Rand index.
import { accuracy, adjustedRandIndex, meanAbsoluteError } from 'curvad';
import { Birch } from '../models/birch.js';
import { KMeans } from '../models/kmeans.js';
import { LDA } from '../models/lda.js';
import { LinearRegression } from '../models/linear-regression.js';
import { LinearSVM } from '../models/linear-svm.js';
import { MLP } from '../models/mlp.js';
import { type Classifier, type Clusterer, type Regressor, selectRows } from '../models/model.js';
import { NearestNeighborClassifier } from '../models/nearest-neighbor.js';
import { RandomForest } from '../models/random-forest.js';
import { Standardized } from '../models/standardized.js';
import type { Problem, Task } from './problems.js';

/** Of all that is random. */
export const SEED = 0;

const CLASSIFIERS: Readonly<Record<string, () => Classifier>> = {
  '1NN': () => new NearestNeighborClassifier(),
  LDA: () => new LDA(),
  SVM: () => new LinearSVM({ C: 1, maxIterations: 2000, seed: SEED }),
};

/** Their inputs are standardized by the rows they are fitted to. */
const REGRESSORS: Readonly<Record<string, () => Regressor>> = {
  LR: () => new LinearRegression(),
  RF: () => new RandomForest({ trees: 100, maxDepth: 100, seed: SEED }),
  MLP: () => new MLP({ hidden: [100, 50], maxIterations: 10000, seed: SEED }),
};

const CLUSTERERS: Readonly<Record<string, (clusters: number) => Clusterer>> = {
  'K-means': (clusters) => new KMeans({ clusters, seed: SEED }),
  Birch: (clusters) => new Birch({ clusters, threshold: 0.5, branching: 50 }),
};

/** The names of the models for each task, as in the paper. */
export const MODELS: Readonly<Record<Task, readonly string[]>> = {
  classification: Object.keys(CLASSIFIERS),
  regression: Object.keys(REGRESSORS),
  clustering: Object.keys(CLUSTERERS),
};

/** The figure of merit of a model fitted to some rows, on others. */
export function evaluate(problem: Problem, model: string, train: ArrayLike<number>, test: ArrayLike<number>): number {
  const [X, unseen] = [selectRows(problem.X, train), selectRows(problem.X, test)];
  if (problem.task === 'regression') {
    const found = new Standardized(make(REGRESSORS, model)()).fit(X, selectRows(problem.Y, train)).predict(unseen);
    // Outputs have as many values each: the mean over all is the mean over outputs.
    return meanAbsoluteError(selectRows(problem.Y, test).data, found.data);
  }
  const truth = labelsOf(problem, test);
  if (problem.task === 'clustering') {
    const clusters = new Set(Array.from(problem.labels)).size; // training and test rows of a fold are all rows
    return adjustedRandIndex(truth, make(CLUSTERERS, model)(clusters).fit(X).predict(unseen));
  }
  return 100 * accuracy(truth, make(CLASSIFIERS, model)().fit(X, labelsOf(problem, train)).predict(unseen));
}

function labelsOf({ labels }: { readonly labels: ArrayLike<number> }, rows: ArrayLike<number>): number[] {
  return Array.from(rows, (row) => labels[row] as number);
}

function make<T>(makers: Readonly<Record<string, T>>, model: string): T {
  const maker = makers[model];
  if (maker === undefined) throw new Error(`there is no model ${model} for this task`);
  return maker;
}
