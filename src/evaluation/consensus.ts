// Compares rankings of the same rows without labels: over all rows, and over the top rows.
import { CurvadError, describe } from '../core/errors.js';
import { checkOptionNames } from '../core/options.js';
import { checkLengths, readScores } from './lists.js';
import { fromHighest } from './ranking.js';

/** A comparison of two rankings. */
export interface RankingPair<Name extends string = string> {
  readonly a: Name;
  readonly b: Name;
  /** Spearman's rank correlation, from −1 to 1; NaN if all scores of one are equal. */
  readonly rankCorrelation: number;
  /** The share of common top rows. */
  readonly topOverlap: number;
}

/** A comparison of several rankings; `Name` are their names. */
export interface RankingComparison<Name extends string = string> {
  /** Number of rows that count as the top. */
  readonly top: number;
  readonly pairs: ReadonlyArray<RankingPair<Name>>;
  /** The rows in the top of any ranking: those of most rankings first, then those ranked higher. */
  readonly rows: ReadonlyArray<{ readonly row: number; readonly names: readonly Name[] }>;
}

export interface CompareRankingsOptions {
  /** Rows that count as the top. Default 10, or all if there are fewer. */
  top?: number;
}

const TOP = 10;

/**
 * Spearman's rank correlation, as in SciPy's spearmanr: 1 if both order the rows alike, about 0 if they are unrelated.
 * Equal scores share their mean rank. NaN if all scores of one are equal.
 *
 * @param a One score per row. They may be infinite, but not NaN.
 * @param b The scores of the other ranking.
 */
export function rankCorrelation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [first, second] = [readScores(a, 'a'), readScores(b, 'b')];
  checkLengths(first, 'a', second, 'b');
  return correlationOf(ranksOf(first), ranksOf(second));
}

/**
 * Compares rankings of the same rows in pairs, and collects the top rows. Without labels nobody knows which ranking is
 * right; rows on which different methods agree are the best place to start.
 *
 * @param rankings Scores by name, as in `{ landmark: first.scores, forest: second.scores }`; higher is more anomalous.
 */
export function compareRankings<Name extends string>(
  rankings: Readonly<Record<Name, ArrayLike<number>>>,
  options?: CompareRankingsOptions,
): RankingComparison<Name> {
  const given = checkOptionNames(options, ['top'], 'compareRankings');
  const read = readRankings<Name>(rankings);
  const rows = (read[0] as (typeof read)[number])[1].length;
  const top = topOf(given['top'], rows);
  const all = read.map(([name, scores]) => {
    const order = fromHighest(scores);
    return { name, ranks: ranksOf(scores), best: order.subarray(0, top) };
  });
  const pairs = all.flatMap((a, i) =>
    all.slice(i + 1).map((b) => {
      const shared = new Set(a.best);
      const topOverlap = b.best.reduce((sum, row) => sum + Number(shared.has(row)), 0) / top;
      return { a: a.name, b: b.name, rankCorrelation: correlationOf(a.ranks, b.ranks), topOverlap };
    }),
  );
  return { top, pairs, rows: gather(all) };
}

/** The top rows, those with most votes first. */
function gather<Name extends string>(
  all: ReadonlyArray<{ readonly name: Name; readonly best: Uint32Array }>,
): Array<{ row: number; names: Name[] }> {
  const votes = new Map<number, { row: number; names: Name[]; places: number }>();
  for (const { name, best } of all) {
    for (const [place, row] of best.entries()) {
      const vote = votes.get(row) ?? { row, names: [], places: 0 };
      vote.names.push(name);
      vote.places += place;
      votes.set(row, vote);
    }
  }
  const mean = ({ names, places }: { names: Name[]; places: number }): number => places / names.length;
  return [...votes.values()]
    .sort((a, b) => b.names.length - a.names.length || mean(a) - mean(b) || a.row - b.row)
    .map(({ row, names }) => ({ row, names }));
}

function readRankings<Name extends string>(rankings: unknown): Array<[Name, Float64Array]> {
  if (typeof rankings !== 'object' || rankings === null || Array.isArray(rankings) || ArrayBuffer.isView(rankings)) {
    const rule = 'rankings must be an object of scores by name, as in { landmark: a.scores, forest: b.scores }';
    throw new CurvadError('INPUT_TYPE', `${rule}, got ${describe(rankings)}`);
  }
  const read = Object.entries(rankings).map(([name, scores]): [Name, Float64Array] => [
    name as Name,
    readScores(scores, name),
  ]);
  const [first, ...others] = read;
  if (first === undefined || others.length === 0)
    throw new CurvadError('EMPTY_INPUT', `compareRankings needs at least two rankings, got ${read.length}`);
  for (const [name, scores] of others) checkLengths(first[1], first[0], scores, name);
  return read;
}

function topOf(value: unknown, rows: number): number {
  if (value === undefined) return Math.min(TOP, rows);
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= rows) return value as number;
  const rule = `a whole number from 1 to the number of rows, ${rows}`;
  throw new CurvadError('COUNT_INVALID', `top must be ${rule}, got ${describe(value)}`);
}

/** Ranks from 1 for the lowest score; equal scores share their mean rank. */
function ranksOf(scores: Float64Array): Float64Array {
  const order = fromHighest(scores).reverse();
  const ranks = new Float64Array(scores.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const score = scores[order[from] as number];
    while (to < order.length && scores[order[to] as number] === score) to++;
    for (let i = from; i < to; i++) ranks[order[i] as number] = (from + 1 + to) / 2;
  }
  return ranks;
}

/** Pearson's correlation of ranks, whose mean is known. */
function correlationOf(a: Float64Array, b: Float64Array): number {
  const middle = (a.length + 1) / 2;
  let [together, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [(a[i] as number) - middle, (b[i] as number) - middle];
    together += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return together / Math.sqrt(ofA * ofB);
}
