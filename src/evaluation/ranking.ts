// How well scores rank anomalies before normal rows. Everything comes from one walk down the scores that
// counts, at each distinct score, the anomalies and normal rows so far: equal scores are one step, so that
// the order of tied rows does not matter (but to precisionAtN, which has to cut somewhere).
import { CurvadError, describe } from '../core/errors.js';
import { checkLengths, readLabels, readScores } from './lists.js';

/** The curve of the receiver operating characteristic, one point per threshold. */
export interface RocCurve {
  /** Share of the normal rows that score at least the threshold; from 0 to 1. */
  readonly falsePositiveRate: Float64Array;
  /** Share of the anomalies that score at least the threshold; from 0 to 1. */
  readonly truePositiveRate: Float64Array;
  /** The distinct scores, highest first, after Infinity for the point at which no row is flagged. */
  readonly thresholds: Float64Array;
}

/**
 * Area under the ROC curve: the chance that an anomaly scores higher than a normal row, where a tie counts
 * half (the Mann-Whitney statistic with midranks). 1 is perfect, 0.5 is chance.
 *
 * @param labels 1 or true for an anomaly, 0 or false for a normal row; both must occur.
 * @param scores One per label, higher for anomalies. They may be infinite, but not NaN.
 */
export function rocAuc(labels: ArrayLike<number | boolean>, scores: ArrayLike<number>): number {
  const { anomalies, normals } = countDown(readRanking(labels, scores, 'rocAuc'));
  const steps = anomalies.length - 1;
  // Twice the pairs won: the normal rows of a step lose to all anomalies above and draw with those beside.
  let twiceWon = 0;
  for (let i = 1; i <= steps; i++) {
    const [above, upTo] = [anomalies[i - 1] as number, anomalies[i] as number];
    twiceWon += ((normals[i] as number) - (normals[i - 1] as number)) * (above + upTo);
  }
  return twiceWon / (2 * (anomalies[steps] as number) * (normals[steps] as number));
}

/**
 * The ROC curve with a point for every distinct score: `roc_curve` of scikit-learn with
 * `drop_intermediate=False`. It begins at (0, 0), threshold Infinity, and ends at (1, 1).
 *
 * @param labels 1 or true for an anomaly, 0 or false for a normal row; both must occur.
 * @param scores One per label, higher for anomalies. They may be infinite, but not NaN.
 */
export function rocCurve(labels: ArrayLike<number | boolean>, scores: ArrayLike<number>): RocCurve {
  const { anomalies, normals, thresholds } = countDown(readRanking(labels, scores, 'rocCurve'));
  return { falsePositiveRate: shares(normals), truePositiveRate: shares(anomalies), thresholds };
}

/**
 * Average precision: Σ (Rᵢ − Rᵢ₋₁) Pᵢ over the distinct scores from the highest, with recall R and
 * precision P of the rows that score at least as much. As in scikit-learn, nothing is interpolated.
 *
 * @param labels 1 or true for an anomaly, 0 or false for a normal row; both must occur.
 * @param scores One per label, higher for anomalies. They may be infinite, but not NaN.
 */
export function averagePrecision(labels: ArrayLike<number | boolean>, scores: ArrayLike<number>): number {
  const { anomalies, normals } = countDown(readRanking(labels, scores, 'averagePrecision'));
  const steps = anomalies.length - 1;
  let sum = 0;
  for (let i = 1; i <= steps; i++) {
    const found = anomalies[i] as number;
    sum += (found - (anomalies[i - 1] as number)) * (found / (found + (normals[i] as number)));
  }
  return sum / (anomalies[steps] as number);
}

/**
 * Share of anomalies among the n rows with the highest scores. Exactly n rows are taken: of rows that tie at
 * the cut, those with the lower row number. (Where there are such ties, the result depends on the order of
 * the rows; PyOD, which cuts at a percentile, may then take fewer rows.)
 *
 * @param labels 1 or true for an anomaly, 0 or false for a normal row.
 * @param scores One per label, higher for anomalies. They may be infinite, but not NaN.
 * @param n From 1 to the number of rows. Default: the number of anomalies, as in PyOD.
 */
export function precisionAtN(labels: ArrayLike<number | boolean>, scores: ArrayLike<number>, n?: number): number {
  const ranking = readPair(labels, scores);
  const rows = ranking.labels.length;
  const count = n === undefined ? countAnomalies(ranking.labels) : n;
  if (n === undefined && count === 0) {
    const rule = 'n is by default the number of anomalies';
    throw new CurvadError('ONE_CLASS', `precisionAtN: ${rule}, but all ${rows} labels are normal (0); give n`);
  }
  if (!Number.isInteger(count) || count < 1 || count > rows) {
    const rule = `a whole number from 1 to the number of rows, ${rows}`;
    throw new CurvadError('COUNT_INVALID', `n must be ${rule}, got ${describe(n)}`);
  }
  let found = 0;
  for (const row of fromHighest(ranking.scores).subarray(0, count)) found += ranking.labels[row] as number;
  return found / count;
}

interface Ranking {
  labels: Uint8Array;
  scores: Float64Array;
}

function readPair(labels: unknown, scores: unknown): Ranking {
  const ranking = { labels: readLabels(labels, 'labels'), scores: readScores(scores, 'scores') };
  checkLengths(ranking.labels, 'labels', ranking.scores, 'scores');
  return ranking;
}

/** As readPair, for what is defined only where there are anomalies as well as normal rows. */
function readRanking(labels: unknown, scores: unknown, what: string): Ranking {
  const ranking = readPair(labels, scores);
  const rows = ranking.labels.length;
  const anomalies = countAnomalies(ranking.labels);
  if (anomalies === 0 || anomalies === rows) {
    const got = anomalies === 0 ? 'normal (0)' : 'anomalies (1)';
    throw new CurvadError('ONE_CLASS', `${what} needs anomalies and normal rows, but all ${rows} labels are ${got}`);
  }
  return ranking;
}

function countAnomalies(labels: Uint8Array): number {
  return labels.reduce((sum, label) => sum + label, 0);
}

/** The rows from the highest score to the lowest; of equal scores, the lower row first. */
export function fromHighest(scores: Float64Array): Uint32Array {
  const order = Uint32Array.from(scores, (_, row) => row);
  return order.sort((a, b) => {
    const [scoreOfA, scoreOfB] = [scores[a] as number, scores[b] as number];
    if (scoreOfA === scoreOfB) return a - b;
    return scoreOfA > scoreOfB ? -1 : 1;
  });
}

/** Point 0 is above all scores; at point i > 0, the counts are those of the rows with at least thresholds[i]. */
interface Counts {
  anomalies: number[];
  normals: number[];
  thresholds: Float64Array;
}

function countDown({ labels, scores }: Ranking): Counts {
  const order = fromHighest(scores);
  const [anomalies, normals, thresholds] = [[0], [0], [Infinity]];
  let found = 0;
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    found += labels[row] as number;
    const isLastOfTies = i + 1 === order.length || scores[order[i + 1] as number] !== scores[row];
    if (!isLastOfTies) continue;
    anomalies.push(found);
    normals.push(i + 1 - found);
    thresholds.push(scores[row] as number);
  }
  return { anomalies, normals, thresholds: Float64Array.from(thresholds) };
}

function shares(counts: readonly number[]): Float64Array {
  const all = counts[counts.length - 1] as number;
  return Float64Array.from(counts, (count) => count / all);
}
