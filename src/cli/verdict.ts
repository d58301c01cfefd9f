// The rule for the threshold and what makes verdicts doubtful, in the words of the command line.
import type { AnyDetector } from '../index.js';
import { count } from './errors.js';
import { few, plain, type Terminal } from './terminal.js';

const percent = (share: number): string => `${plain(100 * share)} %`;

/** Where the threshold comes from: goes on after "scores above 3.21". */
export function ruleInWords({ thresholdRule }: AnyDetector): string {
  switch (thresholdRule.name) {
    case 'two-means':
      return ', where two-means parts them';
    case 'capped':
      return `; flags at most about ${percent(thresholdRule.share)} of rows like these`;
    case 'contamination':
      return `, the highest ${percent(thresholdRule.share)} of these rows`;
    case 'native':
      return ', the border of the method itself';
    case 'fixed':
      return ', as asked for';
  }
}

/** What the threshold means, as a sentence. */
export function thresholdInWords({ threshold, thresholdRule }: AnyDetector): string {
  const above = `A row is called an anomaly if its score is above ${few(threshold)}`;
  switch (thresholdRule.name) {
    case 'two-means':
      return `${above}: there the scores part best into a low and a high group.`;
    case 'capped':
      return `${above}: at most about ${percent(thresholdRule.share)} of rows like these come so high.`;
    case 'contamination':
      return `${above}: that is the highest ${percent(thresholdRule.share)} of these rows, as asked for.`;
    case 'native':
      return `${above}: that is the border which the method itself draws around normal rows.`;
    case 'fixed':
      return `${above}, as asked for.`;
  }
}

const SEARCHES = {
  tree: 'by a tree of boxes',
  join: 'by comparing all pairs of rows once',
  plain: 'by a look at all rows for each',
} as const;

/** How neighbours were found, and how many of them where some may be missed. */
export function searchInWords({ search: report }: AnyDetector): string | undefined {
  if (report === undefined) return undefined;
  const { search, storage, epsilon, recall } = report;
  const how = `${SEARCHES[search]}, stored in ${storage} precision`;
  if (epsilon === undefined || recall === undefined) return `exact, ${how}`;
  if (recall.queries === 0) return `exact after all, ${how}`;
  const { low, high, queries } = recall;
  const found = `${percent(recall.recall)} found (${percent(low)} to ${percent(high)}, from ${queries} rows)`;
  return `within ${percent(epsilon)} of the true distances, ${found}, ${how}`;
}

/** Prints what makes the verdicts doubtful. */
export function printWarnings(detector: AnyDetector, terminal: Terminal): void {
  for (const { code, message } of detector.warnings) {
    if (code !== 'MANY_FLAGGED') terminal.warn(message);
    else terminal.warn(manyFlagged(detector));
  }
}

function manyFlagged({ labels, thresholdRule }: AnyDetector): string {
  const share = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  const why = `${Math.round(100 * share)} % of the rows are above the threshold, too many to be anomalies`;
  if (thresholdRule.name === 'capped')
    return `${why}: with ${count(labels.length, 'row')}, take the order as a hint; --contamination flags as many as you say`;
  const others = '--threshold capped flags at most about 5 %, --contamination as many as you say';
  return `${why}: ${others}${thresholdRule.name === 'native' ? ', a smaller --nu leaves fewer outside' : ''}`;
}
