// What stands around Table 3: how to read it, how it was measured, and which printed cells are not what the
// methods do but what the released program made of them.
import { SEED } from './evaluate.js';
import { FOLDS, QUICK_FOLDS, SLOWEST } from './measure.js';

export function howToRead(quick: boolean, asPublished: boolean, missing: readonly string[]): string[] {
  return [
    'How to read it: a model is fitted to the rows a method keeps of a training fold and judged on the test fold: accuracy in percent (1NN, LDA, SVM), mean absolute error over 12 outputs (LR, RF, MLP; less is better), adjusted Rand index (K-means, Birch; 1 is best).',
    `Seconds are those of one call that selects, on one thread (of ranking methods the mean over shares), after one that is not timed; “% kept” is the share of the training rows. NR is no reduction.`,
    `**As defined** is curvad${asPublished ? '; _as published_ imitates the released program where it is known to depart from its definition (see “What is not the methods”)' : ''}; _in the paper_ is what is printed there, without a spread, on folds that are not seeded.`,
    '',
    `Protocol: folds as scikit-learn's KFold(${FOLDS}, shuffle=True, random_state=100), split once and shared by all methods; k = 10 for iCAD and K-iCAD in double precision, 3 for ENN and DROP3; seed ${SEED} for PSA, SVM, RF, MLP and K-means. Rows are selected by class for pima and segment, of all rows for facebook and iris. Nothing is scaled, except that regressors see inputs standardized by the selected rows. If the kept rows have another number of classes than the test fold, the first training row of each class in the test fold is added.`,
    ...(quick
      ? [
          `**Quick:** ${SLOWEST} is measured on the first ${QUICK_FOLDS} of the ${FOLDS} folds only, and not compared with the paper: errors differ too much between folds (see the ± of LR) for ${QUICK_FOLDS} to stand for all. All else is measured on all folds.`,
        ]
      : []),
    ...missing.map((name) => `There is no data for ${name}.`),
    '',
  ];
}

export const ARTEFACTS: readonly string[] = [
  '### What is not the methods',
  '',
  'These printed cells are artefacts of the released program, not results of the methods:',
  '',
  '- iCAD and K-iCAD that decide what stays, on pima and segment: shares and accuracies. The program keeps the row numbers of all classes in one shared list, so that every class marks the first training rows, counted class after class; those are mostly of the first class. The models then know the other classes from one row each, which the rule about missing classes adds.',
  '- SE on pima and segment, by the same list: every class strikes out rows of the first class, and most others stay, so that far more than the share is kept.',
  '- PSA: scores are matched to rows in another order, the scatter between classes is taken from the class itself, and the final sort applies the inverse permutation. What is left is about a random choice from each class; `--as-published` draws one.',
  '- DROP3: a variant of the method. Rows that are removed vote on and are replaced by no one, but are no associates any more; and a row is an associate of its own, which loses a friend (its own vote, taken off though it is gone) when it is removed, so that a row with two friends and an enemy can never go. With k = 3 no removal can gain anything, so that the order of the rows makes no difference: what stays are the rows with two friends and an enemy, and the friends they have. All printed cells of DROP3 lie within two standard errors of what the variant gives. Its last detail decides: without it 8.1 % of pima and 4.7 % of segment stay, with removed rows that vote no more 20.8 % and 19.6 %, without ENN before it 53.2 % and 11.0 %.',
  '',
];

/** Why cells differ that are no artefacts, as far as it is known. */
export const REASONS: readonly string[] = [
  'Why other cells differ:',
  '',
  '- SVM: on columns that are not scaled it does not converge in 2000 passes, so that its result is a matter of the order in which rows come up; see its ±. The released program fits it in the same way.',
  '- IRMD: its basis comes from the first rows of the training fold, so that it depends on their order; and the one-hot columns make a basis that is rounding in part.',
  '- Birch and K-means on iris: a test fold has 15 rows, and a single one in the wrong cluster costs about 0.2.',
  '- MLP: a random start (not seeded in the paper), and 10,000 passes without converging.',
  "- LDA on segment after ENN (67.57 % in the paper): probably the number of another model. scikit-learn 1.9.1 has 91.17±2.28 % on these very rows, fold by fold what the LDA here has. It is not the constant column and not those that are sums of others: singular values lie above 0.05 or below 2e-7, far from the tolerance of 1e-4, and other tolerances from 1e-12 to 0.01 give 91 %, too. Nor other rules for what ENN keeps (90.6 to 91.0 %), nor classes that are missing (none is), nor rows and labels that are out of step (1NN would suffer, too, and agrees). But the released program also fits a random forest of 10 trees of depth 2, right after LDA, and scikit-learn's has 69.8±4.4 % after ENN, beside 78.8 % on all rows: the printed number lies within two standard errors of that. This is a guess that fits, not more (`python3 bench/paper/prototypes/lda_after_enn.py`).",
  '',
];
