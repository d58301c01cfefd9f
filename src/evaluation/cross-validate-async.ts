// Asynchronous cross-validation. Folds run one after the other, so that each uses all threads and only one detector is in
// memory.
import { type AsyncOptions, checkAsyncOptions, type Execution } from '../parallel/options.js';
import { Run } from '../parallel/run.js';
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

/** Progress of a fold when its detector is fitted. */
const FITTED = 0.9;

/**
 * Like `crossValidate`, with the same result (but for the seconds), without blocking this thread, as far as
 * the detectors have `fitAsync` and `scoreAsync`, which those of curvad have: one that only has `fit` and `score`
 * blocks during these. The rows must not change until it is done.
 *
 * @param makeDetector Gives a detector for the fold of this number (from 0). It is fitted, and disposed of
 *   after use, also when the call is aborted.
 * @param rows All rows. What becomes of the columns of a table is learned in each fold, from its training rows.
 * @param labels 1 or true for an anomaly, 0 or false for a normal row.
 */
export async function crossValidateAsync<Name extends string = 'rocAuc'>(
  makeDetector: (fold: number) => FittableDetector,
  rows: Rows,
  labels: ArrayLike<number | boolean>,
  options: CrossValidateOptions<Name> = {},
  asyncOptions: AsyncOptions = {},
): Promise<CrossValidation<Name> & { readonly execution: Execution }> {
  const checked = checkAsyncOptions(asyncOptions, 'crossValidateAsync');
  const run = new Run(checked, 'js', undefined); // what can be shared, the detectors share
  const experiment = await run.finish(readExperiment(makeDetector, rows, labels, options, 'crossValidateAsync'));
  const { folds } = experiment;
  const runs: FoldRun[] = [];
  for (const [number, fold] of folds.entries()) {
    const part = { run, before: number / folds.length, after: (number + 1) / folds.length };
    runs.push(await runFold(checkDetector(makeDetector(number)), experiment.rows, fold, part));
    checked.signal?.throwIfAborted();
  }
  const result = await run.finish(summarize<Name>(experiment, runs));
  run.report(1);
  return { ...result, execution: run.execution };
}

/** A part of the whole, and how far that is before and after. */
interface Part {
  readonly run: Run;
  readonly before: number;
  readonly after: number;
}

async function runFold(detector: FittableDetector, rows: PartableRows, fold: Fold, part: Part): Promise<FoldRun> {
  const { run, before, after } = part;
  const fitted = before + (after - before) * FITTED;
  try {
    const { train: trainRows, test: testRows } = await run.finish(rows.part(fold));
    const start = performance.now();
    if (detector.fitAsync !== undefined) await detector.fitAsync(trainRows, run.optionsOfPart(before, fitted));
    else detector.fit(trainRows);
    const fitSeconds = (performance.now() - start) / 1000;
    await run.turn(fitted);
    const startScoring = performance.now();
    const testScores = await (detector.scoreAsync === undefined
      ? detector.score(testRows)
      : detector.scoreAsync(testRows, run.optionsOfPart(fitted, after)));
    const scoreSeconds = (performance.now() - startScoring) / 1000;
    await run.turn(after);
    return {
      train: copyScores(detector.scores, 'scores', fold.train.length),
      test: copyScores(testScores, 'score(rows)', fold.test.length),
      fitSeconds,
      scoreSeconds,
    };
  } finally {
    detector.dispose?.();
  }
}
