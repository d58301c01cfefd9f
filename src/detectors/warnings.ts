// What makes a fitted detector's verdicts doubtful, in words.
import type { ThresholdRule } from './threshold-rule.js';

export type WarningCode = 'ONE_COLUMN' | 'MORE_COLUMNS_THAN_ROWS' | 'MOSTLY_TIED' | 'MANY_FLAGGED' | 'NOT_CONVERGED';

export interface DetectorWarning {
  readonly code: WarningCode;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Share of flagged training rows above which they are hardly anomalies. */
export const MANY = 0.1;

interface Facts {
  readonly columns: number;
  readonly scores: Float64Array;
  readonly labels: Uint8Array;
  readonly rule: ThresholdRule;
  /** Whether rows are compared with the training rows near them. */
  readonly isByNeighbors: boolean;
}

/** Warnings that any detector can have. */
export function warningsFor({ columns, scores, labels, rule, isByNeighbors }: Facts): DetectorWarning[] {
  const rows = scores.length;
  const warnings: DetectorWarning[] = [];
  if (columns > rows) {
    const message = `there are more columns (${columns}) than rows (${rows}): rows are all about equally far from each other, and scores say little; use fewer columns or more rows`;
    warnings.push({ code: 'MORE_COLUMNS_THAN_ROWS', message });
  }
  const tied = tiedRows(scores);
  if (tied === rows) {
    const message = `all ${rows} training rows have the same score: nothing tells them apart`;
    warnings.push({ code: 'MOSTLY_TIED', message });
  } else if (isByNeighbors && tied > rows / 2) {
    const message = `${tied} of ${rows} training rows have the same score: most rows are duplicates, which this detector cannot tell apart; try IsolationForest, or fit on distinct rows`;
    warnings.push({ code: 'MOSTLY_TIED', message });
  }
  const flagged = labels.reduce((sum, label) => sum + label, 0);
  if (flagged > MANY * rows && rule.name !== 'contamination') {
    const message = `${flagged} of ${rows} training rows are flagged (${Math.round((100 * flagged) / rows)} %): for fewer, use threshold 'capped', or say with contamination how many are wrong${rule.name === 'native' ? ', or leave fewer outside with a smaller nu' : ''}`;
    warnings.push({ code: 'MANY_FLAGGED', message });
  }
  return warnings;
}

/** How many scores equal the one that more than half of them have, if there is such a one (Boyer and Moore's vote). */
function tiedRows(scores: Float64Array): number {
  let candidate = Number.NaN;
  let lead = 0;
  for (const score of scores) {
    if (lead === 0) candidate = score;
    lead += score === candidate ? 1 : -1;
  }
  return scores.reduce((count, score) => count + Number(score === candidate), 0);
}
