// Describes the threshold rule, and warns when labels are doubtful.
import type { AnyDetector } from '../index.js';
import { count } from './errors.js';
import { few, plain, type Terminal } from './terminal.js';

const percent = (share: number): string => `${plain(100 * share)} %`;

/** The origin of the threshold, as a continuation of "scores above 3.21". */
export function ruleInWords({ thresholdRule }: AnyDetector): string {
  switch (thresholdRule.name) {
    case 'two-means':
      return ', the two-means threshold';
    case 'capped':
      return `; flags at most about ${percent(thresholdRule.share)} of rows like these`;
    case 'contamination':
      return `, the highest ${percent(thresholdRule.share)} of these rows`;
    case 'native':
      return ', the decision boundary of the method';
    case 'fixed':
      return ', as given';
  }
}

/** Explains the threshold in a sentence. */
export function thresholdInWords({ threshold, thresholdRule }: AnyDetector): string {
  const above = `A row is called an anomaly if its score is above ${few(threshold)}`;
  switch (thresholdRule.name) {
    case 'two-means':
      return `${above}: it splits the scores best into a low and a high group.`;
    case 'capped':
      return `${above}: at most about ${percent(thresholdRule.share)} of rows like these exceed it.`;
    case 'contamination':
      return `${above}: that is the highest ${percent(thresholdRule.share)} of these rows, as requested.`;
    case 'native':
      return `${above}: that is the method's own boundary of normal rows.`;
    case 'fixed':
      return `${above}, as given.`;
  }
}

const SEARCHES = {
  tree: 'by a tree of bounding boxes',
  join: 'by comparing all pairs of rows once',
  plain: 'by comparing each row with all others',
} as const;

/** How neighbours were searched, and the share found if the search is approximate. */
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

/** Warns when labels are doubtful. */
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
    return `${why}: with ${count(labels.length, 'row')}, treat the order as a hint; --contamination sets how many to flag`;
  const others = '--threshold capped flags at most about 5 %, --contamination flags the share you choose';
  return `${why}: ${others}${thresholdRule.name === 'native' ? ', a smaller --nu leaves fewer outside' : ''}`;
}
