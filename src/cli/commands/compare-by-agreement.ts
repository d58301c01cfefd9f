// curvad compare without labels: which methods find the same rows. Without labels nobody can say which method is right,
// but rows on which different methods agree are the best place to start.
import { stdout } from 'node:process';
import { compareRankings, type RankingComparison, type RankingPair } from '../../index.js';
import { clean, count, failureOf } from '../errors.js';
import { type Input, placeOf } from '../input.js';
import type { ChosenMethod, MethodName } from '../methods.js';
import { jsonText } from '../output.js';
import { alignedTable, duration, type Terminal } from '../terminal.js';

export interface AgreementOptions {
  /** Number of rows that count as the top. */
  readonly top: number | undefined;
  readonly threads: number | undefined;
  readonly isJson: boolean;
}

interface Fitted {
  readonly name: MethodName;
  readonly title: string;
  readonly seconds: number;
  readonly anomalies: number;
  readonly scores: Float64Array;
}

interface Failed {
  readonly name: MethodName;
  readonly title: string;
  /** Why there are no numbers. */
  readonly failure: string;
}

type Comparison = RankingComparison<MethodName>;

/** Most row numbers printed. */
const MOST_ROWS = 10;
/** Shares of common top rows above which two methods count as agreeing, or agreeing in part. */
const SAME = 0.6;
const IN_PART = 0.25;

export async function compareByAgreement(
  chosen: readonly ChosenMethod[],
  input: Input,
  { top, threads, isJson }: AgreementOptions,
  terminal: Terminal,
): Promise<void> {
  const progress = terminal.progress('Comparing', chosen.length, 'fits');
  const fitted: Fitted[] = [];
  const failed: Failed[] = [];
  for (const [i, { name, method, options }] of chosen.entries()) {
    progress.update(i / chosen.length);
    try {
      using detector = method.make(options);
      const start = performance.now();
      await detector.fitAsync(input.encoded, threads === undefined ? {} : { threads });
      const seconds = (performance.now() - start) / 1000;
      const anomalies = detector.labels.reduce((sum, label) => sum + label, 0);
      fitted.push({ name, title: method.title, seconds, anomalies, scores: detector.scores.slice() });
    } catch (error) {
      failed.push({ name, title: method.title, failure: failureOf(error).message });
    }
  }
  progress.end();
  const comparison = fitted.length < 2 ? undefined : compared(fitted, top);
  if (isJson) stdout.write(jsonText(summaryOf(input, fitted, failed, comparison)));
  else print(input, fitted, failed, comparison);
}

function compared(fitted: readonly Fitted[], top: number | undefined): Comparison {
  const scores = Object.fromEntries(fitted.map(({ name, scores }) => [name, scores])) as Record<
    MethodName,
    Float64Array
  >;
  return compareRankings(scores, top === undefined ? {} : { top });
}

function summaryOf(
  input: Input,
  fitted: readonly Fitted[],
  failed: readonly Failed[],
  comparison: Comparison | undefined,
): unknown {
  const { name, rowNumbers, files } = input;
  return {
    file: name,
    rows: rowNumbers.length,
    methods: [...fitted.map(({ scores: _, ...method }) => method), ...failed],
    ...(comparison !== undefined && {
      top: comparison.top,
      pairs: comparison.pairs,
      agreed: comparison.rows.map(({ row, names }) => {
        const place = placeOf(input, rowNumbers[row] as number);
        return { row: place.row, ...(files.length > 1 && { file: place.path }), methods: names };
      }),
      meaning: meaningOf(comparison),
      apart: apartIn(comparison, fitted),
    }),
  };
}

function print(
  input: Input,
  fitted: readonly Fitted[],
  failed: readonly Failed[],
  comparison: Comparison | undefined,
): void {
  const { rowNumbers } = input;
  const names = fitted.map(({ name }) => name);
  const cells = fitted.map(({ name, title, anomalies, seconds }) => [
    name,
    title,
    ...names.map((other) => (comparison === undefined ? '' : cellOf(comparison, name, other))),
    String(anomalies),
    duration(seconds),
  ]);
  for (const { name, title } of failed) cells.push([name, title, ...names.map(() => '–'), '–', '–']);
  const lines = alignedTable(['method', '', ...names, 'flagged', 'fit'], cells);
  for (const { name, failure } of failed) lines.push(`${name}: ${failure}`);
  if (comparison !== undefined) {
    const { top, rows } = comparison;
    const agreed = rows.filter(({ names: by }) => 2 * by.length > fitted.length);
    const told = agreed.slice(0, MOST_ROWS).map(({ row, names: by }) => `${rowInWords(input, row)} (${by.length})`);
    const more = agreed.length - told.length;
    const apart = apartIn(comparison, fitted);
    lines.push(
      '',
      `above the diagonal: rank correlation of all ${count(rowNumbers.length, 'row')}; below: how many of the top ${top} both have`,
      '',
      meaningOf(comparison),
      ...apart.map((name) => `${name} finds other rows than most methods.`),
      agreed.length === 0
        ? `No row is among the top ${top} of more than half of the methods.`
        : `In the top ${top} of more than half of the methods, by how many: ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    );
  }
  stdout.write(`${lines.join('\n')}\n`);
}

function rowInWords({ files, rowNumbers }: Input, position: number): string {
  const { path, row } = placeOf({ files }, rowNumbers[position] as number);
  return files.length > 1 ? `${row} of ${clean(path, 60)}` : String(row);
}

/** Above the diagonal the rank correlation, below it the number of common top rows. */
function cellOf({ pairs, top }: Comparison, row: MethodName, column: MethodName): string {
  if (row === column) return '·';
  const toRight = pairs.find(({ a, b }) => a === row && b === column);
  if (toRight !== undefined) return Number.isNaN(toRight.rankCorrelation) ? '–' : toRight.rankCorrelation.toFixed(2);
  const toLeft = pairs.find(({ a, b }) => a === column && b === row) as RankingPair;
  return String(Math.round(toLeft.topOverlap * top));
}

/** Methods that share less than half as many top rows with others as two methods do on average. */
function apartIn({ pairs }: Comparison, fitted: readonly Fitted[]): MethodName[] {
  if (fitted.length < 3) return [];
  const usual = meanOverlap(pairs);
  const own = (name: MethodName) => meanOverlap(pairs.filter(({ a, b }) => a === name || b === name));
  return fitted.map(({ name }) => name).filter((name) => own(name) < usual / 2);
}

function meanOverlap(pairs: Comparison['pairs']): number {
  return pairs.reduce((sum, { topOverlap }) => sum + topOverlap, 0) / pairs.length;
}

/** What the numbers mean, in plain words. */
function meaningOf({ pairs, top }: Comparison): string {
  const overlap = meanOverlap(pairs);
  const shared = `Two methods share ${(overlap * top).toFixed(1)} of their top ${top} rows on average`;
  if (overlap >= SAME) return `${shared}: they find the same rows, so the choice matters little.`;
  if (overlap >= IN_PART)
    return `${shared}: they agree in part. Start with the rows that many methods find; labels for a few rows (--label) show which method is right.`;
  return `${shared}: they find different rows, so the choice matters. Labels for a few rows (--label) show which method is right.`;
}
