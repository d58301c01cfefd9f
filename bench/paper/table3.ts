// Table 3 of the paper: how well models do that are fitted to selected rows only, by selection method.
import type { Job } from './jobs.js';
import { describeAgreement } from './prototypes/agreement.js';
import { tableOf } from './prototypes/layout.js';
import type { Line } from './prototypes/lines.js';
import { rankingLines, retainingLines } from './prototypes/lines.js';
import { measureAll, SLOWEST } from './prototypes/measure.js';
import { ARTEFACTS, howToRead, REASONS } from './prototypes/notes.js';
import { readProblem, SUBJECTS } from './prototypes/problems.js';
import { RANKING, RETAINING } from './prototypes/published.js';

/** Evaluations that are done, so that a run that was stopped goes on. */
const KEPT = new URL('../../build/bench/table3.txt', import.meta.url);

export const table3: Job = {
  title: 'Table 3: models on selected rows',
  hasQuick: true,
  async run(context) {
    const { asPublished, quick, fresh, processes, progress } = context;
    const problems = SUBJECTS.map((subject) => readProblem(subject, context));
    const measured = await measureAll(
      problems.filter((problem) => problem !== undefined),
      {
        asPublished,
        quick,
        processes,
        ...(!fresh && { file: KEPT }),
        onPlan: (steps) => progress.plan(steps),
        onStep: (label) => progress.step(label),
      },
    );
    const ranking = SUBJECTS.flatMap((subject) => rankingLines(subject, measured));
    const retaining = SUBJECTS.flatMap((subject) => retainingLines(subject, measured));
    const missing = SUBJECTS.filter((_, i) => problems[i] === undefined).map(({ name }) => name);
    // Few folds do not stand for all.
    const compared = (lines: readonly Line[]) => lines.filter(({ what }) => !quick || what !== SLOWEST);
    return [
      ...howToRead(quick, asPublished, missing),
      '### Methods that rank, at a share',
      '',
      ...tableOf(ranking, RANKING),
      '### Methods that decide what stays',
      '',
      ...tableOf(retaining, RETAINING),
      ...ARTEFACTS,
      ...describeAgreement([
        { title: 'Ranking', lines: compared(ranking) },
        { title: 'Retaining', lines: compared(retaining) },
      ]),
      ...REASONS,
    ];
  },
};
