// Table 2 of the paper: AUC and time of CAD and kernel CAD by the number of neighbours, on what the paper
// calls Arrhythmia (letter), and on arrhythmia itself.
import type { Context, Job } from './jobs.js';
import { agreementOf, type Row, tableOf } from './layout.js';
import { measure, SUBJECTS, type Subject } from './measure.js';
import { METHODS } from './methods.js';
import { published, TABLE_2 } from './published.js';

const KS = [3, 10, 20] as const;
const CURVATURE = METHODS.filter(({ released }) => released !== undefined);
const STUDIED = SUBJECTS.filter(({ name }) => name === 'letter' || name === 'arrhythmia').reverse();

export const table2: Job = {
  title: 'Table 2: the number of neighbours k',
  run(context) {
    context.progress.plan(STUDIED.length * KS.length * CURVATURE.length);
    const rows = STUDIED.flatMap((subject) => KS.map((k) => rowOf(subject, k, context)));
    return [
      'Folds and times as in Table 1. The paper names arrhythmia, but its numbers are of letter.',
      '',
      ...tableOf(
        rows,
        CURVATURE.map(({ name }) => name),
      ),
      ...agreementOf(rows),
    ];
  },
};

function rowOf(subject: Subject, k: number, { data, asPublished, progress }: Context): Row {
  const set = data(subject.name);
  const cells = CURVATURE.map((method) => {
    progress.step(`${subject.name}, k = ${k}: ${set ? method.name : 'no data'}`);
    return set && measure(set, subject, method, k, asPublished);
  }).filter((cell) => cell !== undefined);
  return {
    about: `${subject.name}, k = ${k}`,
    cells: set ? cells : 'not measured: no data',
    paper: (phase, quantity, method) =>
      subject.published === undefined ? undefined : published(TABLE_2, String(k), phase, quantity, method),
  };
}
