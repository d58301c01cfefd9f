// What a run of detect found, told to people and to programs.
import { stdout } from 'node:process';
import type { AnyDetector } from '../../index.js';
import { clean, count, quote } from '../errors.js';
import type { RowExplanation } from '../explanations.js';
import type { Input } from '../input.js';
import type { ChosenMethod } from '../methods.js';
import { momentsOf } from '../moments.js';
import type { Scored } from '../ranking.js';
import { alignedTable, duration, few, paint, type Terminal } from '../terminal.js';
import { ruleInWords, searchInWords } from '../verdict.js';

export interface Detection {
  readonly input: Input;
  readonly chosen: ChosenMethod;
  readonly detector: AnyDetector;
  readonly scored: Scored;
  /** Positions from the highest score down. */
  readonly order: Uint32Array;
  /** Of the fit, and of scoring where it was on a sample. */
  readonly seconds: number;
  /** Rows that it was fitted on: all, or a sample. */
  readonly fittedRows: number;
  /** How well the labels are ranked. */
  readonly quality?: { readonly rocAuc: number; readonly averagePrecision: number };
  /** Why rows are anomalous, by position. */
  readonly explanations: ReadonlyMap<number, RowExplanation>;
}

/** Columns of values in a table on the terminal, at most. */
const MOST_VALUES = 6;
/** Spreads that differ by more than this are worth a word. */
const UNEQUAL = 20;

/** Says so when columns are in very different units: then the widest alone decides. */
export function hintAtScale({ matrix, recipe }: Input, terminal: Terminal): void {
  const { deviation } = momentsOf(matrix);
  const spreads = recipe.features.map((name, j) => ({ name, spread: deviation[j] as number }));
  const varied = spreads.filter(({ spread }) => spread > 0).sort((a, b) => a.spread - b.spread);
  const [least, most] = [varied[0], varied[varied.length - 1]];
  if (least === undefined || most === undefined || most.spread <= UNEQUAL * least.spread) return;
  terminal.note(
    `columns differ in scale (${quote(least.name, 30)} spreads by ${few(least.spread)}, ${quote(most.name, 30)} by ${few(most.spread)}): --standardize gives them equal weight`,
  );
}

/** What ran, in words: "CAD, k = 10, standardized". */
export function methodInWords({ method, options }: ChosenMethod): string {
  const words = Object.entries(options).map(([name, value]) => {
    if (name === 'neighbors') return `k = ${value}`;
    if (name === 'standardize') return method.isScaleFree ? '' : 'standardized';
    if (name === 'approximate') return 'approximate';
    return `${name} ${value}`;
  });
  if (method.options.includes('neighbors') && options.neighbors === undefined) words.unshift('k = 10');
  return [method.title, ...words.filter((word) => word !== '')].join(', ');
}

export function countAnomalies({ scores, threshold }: Scored): number {
  return scores.reduce((sum, score) => sum + Number(score > threshold), 0);
}

/** The table of the highest scores and what there is to know. */
export function printSummary(detection: Detection, top: number, isExplained: boolean): void {
  const { input, scored, order, chosen, detector, seconds, quality } = detection;
  const { matrix, recipe, rowNumbers } = input;
  const shown = recipe.features.slice(0, MOST_VALUES);
  const { id, labels } = scored;
  const head = ['row', ...(id === undefined ? [] : [clean(id.name, 20)]), 'score', ''];
  const rows = Array.from(order.subarray(0, top), (position) => {
    const row = rowNumbers[position] as number;
    const score = scored.scores[position] as number;
    const cells = [String(row), ...(id === undefined ? [] : [clean(id.at(row) ?? '', 24)]), few(score)];
    cells.push(score > scored.threshold ? 'anomaly' : 'normal');
    if (labels !== undefined) cells.push(String(labels[position]));
    return [...cells, ...shown.map((_, j) => few(matrix.data[position * matrix.columns + j] as number))];
  });
  if (labels !== undefined) head.push('label');
  const lines = alignedTable([...head, ...shown.map((name) => clean(name, 16))], rows);
  const more = recipe.features.length - shown.length;
  if (more > 0) lines.push(paint('dim', `and ${count(more, 'more column')}`));
  for (const [i, [position, explanation]] of [...(isExplained ? detection.explanations : [])].entries()) {
    if (i === 0) lines.push('');
    lines.push(`${paint('bold', `row ${rowNumbers[position]}`)} ${explanation.inWords}`);
  }
  const anomalies = countAnomalies(scored);
  const share = ((100 * anomalies) / scored.scores.length).toFixed(anomalies === 0 ? 0 : 1);
  const verdict = detector.isDegenerate
    ? `all ${count(scored.scores.length, 'score')} are equal: nothing stands out`
    : `${count(anomalies, 'anomaly', 'anomalies')} in ${count(scored.scores.length, 'row')} (${share} %): scores above ${few(scored.threshold)}${ruleInWords(detector)}`;
  const sampled =
    detection.fittedRows < scored.scores.length ? `; fitted on ${count(detection.fittedRows, 'row')}` : '';
  const effort = `${methodInWords(chosen)}${sampled}; ${count(matrix.columns, 'column')}; ${duration(seconds)} on ${detector.backend}`;
  const search = searchInWords(detector);
  lines.push('', verdict, paint('dim', effort));
  if (search !== undefined) lines.push(paint('dim', `neighbours: ${search}`));
  if (quality !== undefined)
    lines.push(`AUC ${quality.rocAuc.toFixed(4)}, average precision ${quality.averagePrecision.toFixed(4)}`);
  stdout.write(`${lines.join('\n')}\n`);
}

/** The same for programs. */
export function jsonSummary(detection: Detection, top: number, isExplained: boolean): unknown {
  const { input, scored, order, chosen, detector, seconds, quality, explanations } = detection;
  const { rowNumbers, recipe } = input;
  return {
    file: input.path,
    method: chosen.name,
    options: chosen.options,
    backend: detector.backend,
    search: detector.search,
    rows: scored.scores.length,
    fittedRows: detection.fittedRows,
    columns: recipe.features,
    leftOut: input.table.rows - rowNumbers.length,
    threshold: Number.isFinite(scored.threshold) ? scored.threshold : null,
    thresholdRule: detector.thresholdRule,
    warnings: detector.warnings,
    anomalies: countAnomalies(scored),
    seconds,
    ...(quality !== undefined && { quality }),
    top: Array.from(order.subarray(0, top), (position) => {
      const row = rowNumbers[position] as number;
      const score = scored.scores[position] as number;
      const explanation = explanations.get(position);
      return {
        row,
        ...(scored.id !== undefined && { id: scored.id.at(row) }),
        score,
        anomaly: score > scored.threshold,
        ...(scored.labels !== undefined && { label: scored.labels[position] }),
        ...(isExplained &&
          explanation !== undefined && {
            reasons: explanation.reasons,
            isNormalAfter: explanation.isNormal,
            changes: explanation.changes,
          }),
      };
    }),
  };
}
