// Fits the chosen detector, and says what the page needs to show.
import { levelsOf } from '../ranks.js';
import { Failure } from './failure.js';
import type { FitReply, RequestOf } from './protocol.js';
import type { Context, Fitted, Session } from './session.js';

const FEWEST_ROWS = 3;

export async function fit(session: Session, settings: RequestOf<'fit'>, context: Context): Promise<FitReply> {
  requireRows(session);
  return fitReplyOf(await session.detector(settings, context));
}

export function requireRows({ data }: Session): void {
  const { rows } = data.table;
  if (rows < FEWEST_ROWS)
    throw new Failure(
      'TOO_FEW_ROWS',
      `There are ${rows} points: draw at least ${FEWEST_ROWS}, by clicking on the map.`,
    );
}

/** Warnings in the words of the page. */
const WORDS: Readonly<Record<string, string>> = {
  MANY_FLAGGED: 'Many rows are above the threshold: drag it, or say how many to flag.',
  MOSTLY_TIED: 'Most rows are duplicates, which this detector cannot tell apart: try Isolation Forest.',
  MORE_COLUMNS_THAN_ROWS: 'There are more columns than rows, and scores say little: ignore columns, or take more rows.',
  ONE_COLUMN: 'This detector looks at directions, and one column has none: try LandmarkCAD or KNN.',
};

export function fitReplyOf({ detector, seconds }: Fitted): FitReply {
  const scores = detector.scores.slice();
  return {
    scores,
    sorted: scores.slice().sort(),
    levels: levelsOf(scores),
    threshold: detector.threshold,
    features: detector.recipe?.features ?? [],
    warnings: detector.warnings.map(({ code, message }) => WORDS[code] ?? message),
    notes: detector.notes,
    seconds,
    mode: detector.execution?.mode ?? 'direct',
    threads: detector.execution?.threads ?? 0,
  };
}
