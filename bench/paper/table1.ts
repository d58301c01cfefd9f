// Table 1 of the paper: AUC and time of the detectors on five data sets, and on a sixth, as the paper's row
// Arrhythmia was computed on letter.
import type { Context, Job } from './jobs.js';
import { agreementOf, type Row, tableOf } from './layout.js';
import { measure, SUBJECTS, type Subject } from './measure.js';
import { METHODS } from './methods.js';
import { METHOD_NAMES, published, TABLE_1 } from './published.js';

const K = 10;

export const table1: Job = {
  title: 'Table 1: AUC and time of the detectors',
  run(context) {
    context.progress.plan(SUBJECTS.length * METHODS.length);
    const rows = SUBJECTS.map((subject) => rowOf(subject, context));
    const missing = rows.filter(({ cells }) => typeof cells === 'string').map(({ about }) => about);
    return [
      `k = ${K}; folds as scikit-learn's KFold(10, shuffle=True, random_state=100), 2 for wine; columns as they are, not scaled.`,
      'Train seconds are those of fit, with scores of the training rows and threshold; test seconds those of score.',
      'Only CAD and K-CAD depart from their definition in the released program: the other columns are the same by both protocols.',
      ...missing.map(
        (name) =>
          `There is no data for ${name}: bench/paper/convert_mat.py makes it from the file of the ODDS library.`,
      ),
      '',
      ...tableOf(rows, METHOD_NAMES),
      ...agreementOf(rows),
    ];
  },
};

function rowOf(subject: Subject, { data, asPublished, progress }: Context): Row {
  const set = data(subject.name);
  const about = subject.isBytes ? `${subject.name} (the paper's “${subject.published}”)` : subject.name;
  const cells = METHODS.map((method) => {
    progress.step(`${subject.name}: ${set ? method.name : 'no data'}`);
    return set && measure(set, subject, method, K, asPublished);
  }).filter((cell) => cell !== undefined);
  return {
    about,
    cells: set ? cells : 'not measured: no data',
    paper: (phase, quantity, method) => published(TABLE_1, subject.published, phase, quantity, method),
  };
}
