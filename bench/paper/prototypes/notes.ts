// What stands around Table 3: how to read it, how it was measured, and which printed cells are not what the
// methods do but what the released program made of them.
import { SEED } from './evaluate.js';
import { FOLDS, QUICK_FOLDS, SLOWEST } from './measure.js';

export function howToRead(quick: boolean, asPublished: boolean, missing: readonly string[]): string[] {
  return [
    'How to read it: a model is fitted to the rows a method keeps of a training fold and judged on the test fold: accuracy in percent (1NN, LDA, SVM), mean absolute error over 12 outputs (LR, RF, MLP; less is better), adjusted Rand index (K-means, Birch; 1 is best).',
    `Seconds are those of one call that selects, on one thread (of ranking methods the mean over shares), after one that is not timed; “% kept” is the share of the training rows. NR is no reduction.`,
    `**As defined** is curvad${asPublished ? '; _as published_ imitates the released program where it is known to depart from its definition and this was checked: the right half on pima and segment for iCAD and K-iCAD, and SE there' : ''}. The paper prints no spread, and its folds are not seeded.`,
    '',
    `Protocol: folds as scikit-learn's KFold(${FOLDS}, shuffle=True, random_state=100), split once and shared by all methods; k = 10 for iCAD and K-iCAD in double precision, 3 for ENN and DROP3; seed ${SEED} for PSA, SVM, RF, MLP and K-means. Rows are selected by class for pima and segment, of all rows for facebook and iris. Nothing is scaled, except that regressors see inputs standardized by the selected rows. If the kept rows have another number of classes than the test fold, the first training row of each class in the test fold is added.`,
    ...(quick
      ? [
          `**Quick:** ${SLOWEST} is measured on the first ${QUICK_FOLDS} of the ${FOLDS} folds only; all else on all folds.`,
        ]
      : []),
    ...missing.map((name) => `There is no data for ${name}.`),
    '',
  ];
}

export const ARTEFACTS: readonly string[] = ['TODO'];
