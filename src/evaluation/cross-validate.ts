// Cross-validation: a detector is fitted on the training rows of each fold and measured on both parts. What
// a detector is, it need not know: anything that fits, keeps the scores of its training rows and scores others.
import { finish } from '../core/steps.js';
import type { PartableRows } from '../tables/folds-of-rows.js';
import type { Rows } from '../tables/reader.js';
import {
  type CrossValidateOptions,
  type CrossValidation,
  checkDetector,
  copyScores,
  type FittableDetector,
  type FoldRun,
  summarize,
} from './cross-validation.js';
import { readExperiment } from './experiment.js';
import type { Fold } from './folds.js';

/**
 * Fits a detector on each fold and measures how it ranks the training rows (by its `scores`) and the test rows
 * (by `score`). Where a part of a fold has only one class, its metric is NaN and `missing` says why.
 *
 * @param makeDetector Gives a detector for the fold of this number (from 0). It is fitted, and disposed of
 *   after use.
 * @param rows All rows. What becomes of the columns of a table is learned in each fold, from its training rows.
 * @param labels 1 or true for an anomaly, 0 or false for a normal row.
 */
export function crossValidate<Name extends string = 'rocAuc'>(
  makeDetector: (fold: number) => FittableDetector,
  rows: Rows,
  labels: ArrayLike<number | boolean>,
  options: CrossValidateOptions<Name> = {},
): CrossValidation<Name> {
  const experiment = finish(readExperiment(makeDetector, rows, labels, options, 'crossValidate'));
  const runs = experiment.folds.map((fold, number) =>
    runFold(checkDetector(makeDetector(number)), experiment.rows, fold),
  );
  return finish(summarize<Name>(experiment, runs));
}

function runFold(detector: FittableDetector, rows: PartableRows, fold: Fold): FoldRun {
  try {
    const { train: trainRows, test: testRows } = finish(rows.part(fold));
    const start = performance.now();
    detector.fit(trainRows);
    const fitted = performance.now();
    const testScores = detector.score(testRows);
    const scored = performance.now();
    return {
      train: copyScores(detector.scores, 'scores', fold.train.length),
      test: copyScores(testScores, 'score(rows)', fold.test.length),
      fitSeconds: (fitted - start) / 1000,
      scoreSeconds: (scored - fitted) / 1000,
    };
  } finally {
    detector.dispose?.();
  }
}
