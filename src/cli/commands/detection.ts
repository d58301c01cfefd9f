// The result of detect, formatted for people and for programs.
import { stdout } from 'node:process';
import type { AnyDetector } from '../../index.js';
import { clean, count, quote } from '../errors.js';
import type { RowExplanation } from '../explanations.js';
import type { Input } from '../input.js';
import type { ChosenMethod } from '../methods.js';
import { momentsOf } from '../moments.js';
import type { Scored } from '../ranking.js';
import { tellingColumns } from '../telling.js';
import { alignedTable, duration, few, paint, type Terminal } from '../terminal.js';
import { ruleInWords, searchInWords } from '../verdict.js';

export interface Detection {
  readonly input: Input;
  readonly chosen: ChosenMethod;
  readonly detector: AnyDetector;
  readonly scored: Scored;
  /** Positions from the highest score down. */
  readonly order: Uint32Array;
  /** Seconds of the fit, including scoring when it was on a sample. */
  readonly seconds: number;
  /** Number of rows it was fitted on: all, or a sample. */
  readonly fittedRows: number;
  /** Quality of the ranking by the labels. */
  readonly quality?: { readonly rocAuc: number; readonly averagePrecision: number };
  /** Why rows are anomalous, by position. */
  readonly explanations: ReadonlyMap<number, RowExplanation>;
}

/** Width of a table that is not shown on a terminal. */
const WIDTH = 80;
/** Ratio of column spreads above which a note is printed. */
const UNEQUAL = 20;

/** Notes columns of very different scale: the widest one alone would decide. */
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

/** What ran, for people: "CAD, k = 10, standardized". */
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

/** The table of the highest scores, and the summary. */
export function printSummary(detection: Detection, top: number, isExplained: boolean): void {
  const { scored, order, chosen, detector, seconds, quality, explanations } = detection;
  const positions = order.subarray(0, top);
  const lines = topTable(detection, positions);
  for (const [i, [position, explanation]] of [...(isExplained ? explanations : [])].entries()) {
    if (i === 0) lines.push('');
    lines.push(`${paint('bold', nameInWords(scored, position))} ${explanation.inWords}`);
  }
  const anomalies = countAnomalies(scored);
  const rows = count(scored.scores.length, 'row');
  const share = ((100 * anomalies) / scored.scores.length).toFixed(anomalies === 0 ? 0 : 1);
  const verdict = detector.isDegenerate
    ? `all ${count(scored.scores.length, 'score')} are equal: there is no anomaly`
    : `${count(anomalies, 'anomaly', 'anomalies')} in ${rows} (${share} %): scores above ${few(scored.threshold)}${ruleInWords(detector)}`;
  const columns = count(detection.input.recipe.columns.length, 'column');
  const sampled =
    detection.fittedRows < scored.scores.length ? `; fitted on ${count(detection.fittedRows, 'row')}` : '';
  const effort = `${methodInWords(chosen)}${sampled}; ${columns}; ${duration(seconds)} on ${detector.backend}`;
  const search = searchInWords(detector);
  lines.push('', verdict, paint('dim', effort));
  if (search !== undefined) lines.push(paint('dim', `neighbours: ${search}`));
  if (quality !== undefined)
    lines.push(`AUC ${quality.rocAuc.toFixed(4)}, average precision ${quality.averagePrecision.toFixed(4)}`);
  stdout.write(`${lines.join('\n')}\n`);
}

function nameInWords({ rowNumbers, placeOf }: Scored, position: number): string {
  const row = rowNumbers[position] as number;
  const place = placeOf?.(row);
  return place === undefined ? `row ${row}` : `row ${place.row} of ${clean(place.path, 60)}`;
}

/** The highest scores with as many columns of the file as fit, most distinctive first. */
function topTable({ input, scored, explanations }: Detection, positions: Uint32Array): string[] {
  const { id, labels, placeOf, rowNumbers } = scored;
  const head = ['row', ...(placeOf === undefined ? [] : ['file']), ...(id === undefined ? [] : [clean(id.name, 20)])];
  head.push('score', '', ...(labels === undefined ? [] : ['label']));
  const told = [id?.name, scored.labelName];
  const all = tellingColumns(input, positions, explanations).filter(
    ({ name }) => !told.some((other) => other !== undefined && clean(other, 40) === name),
  );
  const cellsOf = (position: number): string[] => {
    const row = rowNumbers[position] as number;
    const place = placeOf?.(row);
    const score = scored.scores[position] as number;
    const cells = [String(place?.row ?? row), ...(place === undefined ? [] : [clean(place.path, 30)])];
    if (id !== undefined) cells.push(clean(id.at(row) ?? '', 24));
    cells.push(few(score), score > scored.threshold ? 'anomaly' : 'normal');
    if (labels !== undefined) cells.push(String(labels[position]));
    return cells;
  };
  const rows = Array.from(positions, cellsOf);
  const columns = all.map(({ name, valueAt, isMarkedAt }) => ({
    name: clean(name, 16),
    cells: Array.from(positions, (position) => `${clean(valueAt(position), 20)}${isMarkedAt(position) ? '*' : ' '}`),
  }));
  const isMarked = columns.some(({ cells }) => cells.some((cell) => cell.endsWith('*')));
  let room = (stdout.columns || WIDTH) - widthOf([head, ...rows]);
  const shown = columns.filter(({ name, cells }, j) => {
    room -= widthOf([[name], ...cells.map((cell) => [cell])]) + 2;
    return room >= 0 || j === 0;
  });
  const lines = alignedTable(
    [...head, ...shown.map(({ name }) => `${name} `)],
    rows.map((cells, i) => [...cells, ...shown.map((column) => column.cells[i] as string)]),
  );
  const more = columns.length - shown.length;
  const notes = [
    ...(isMarked ? ['* makes the row stand out; --explain says how'] : []),
    ...(more > 0 ? [`${count(more, 'more column')}, --report shows more`] : []),
  ];
  if (notes.length > 0) lines.push(paint('dim', notes.join('; ')));
  return lines;
}

/** How wide a table is. */
function widthOf(rows: ReadonlyArray<readonly string[]>): number {
  const widthOfColumn = (j: number): number => rows.reduce((most, row) => Math.max(most, (row[j] ?? '').length), 0);
  const widths = (rows[0] ?? []).map((_, j) => widthOfColumn(j));
  return widths.reduce((sum, width) => sum + width + 2, -2);
}

/** The same, for programs. */
export function jsonSummary(detection: Detection, top: number, isExplained: boolean): unknown {
  const { input, scored, order, chosen, detector, seconds, quality, explanations } = detection;
  const { rowNumbers, recipe } = input;
  return {
    file: input.name,
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
      const place = scored.placeOf?.(row);
      return {
        row: place?.row ?? row,
        ...(place !== undefined && { file: place.path }),
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
