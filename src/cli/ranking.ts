// Scored rows: their order and the output columns. Rows keep their number in the file, from 0, and their value in the
// --id column.
import { ascendingOrder } from '../core/math/sorting.js';
import { finish } from '../core/steps.js';
import type { OutputCell, OutputColumn } from '../files/output-column.js';

export interface Scored {
  readonly scores: Float64Array;
  /** How unusual each row is, from 0 to 1. */
  readonly probabilities: Float64Array;
  readonly threshold: number;
  /** The table row of each. */
  readonly rowNumbers: Uint32Array;
  /** The file of a table row, and its number in it, if there are several files. */
  readonly placeOf: ((row: number) => { readonly path: string; readonly row: number }) | undefined;
  readonly id: { readonly name: string; at(row: number): string | null } | undefined;
  readonly labels: Uint8Array | undefined;
  /** The column they come from. */
  readonly labelName: string | undefined;
}

/** Positions by descending score; ties by row number. */
export function ranked(scores: Float64Array): Uint32Array {
  return finish(ascendingOrder(scores.map((score) => 0 - score)));
}

/** Why rows are anomalous, by position. */
export type Reasons = ReadonlyMap<number, { readonly inShort: string }>;

/** The columns added to those of the file; `at` takes positions. */
export function verdictColumns(scored: Scored, reasons: Reasons | undefined): OutputColumn[] {
  const { scores, probabilities, threshold, rowNumbers, placeOf } = scored;
  const score = (position: number): number => scores[position] as number;
  const columns: OutputColumn[] = [
    { name: 'score', type: 'number', at: score },
    { name: 'anomaly', type: 'integer', at: (position) => Number(score(position) > threshold) },
    { name: 'probability', type: 'number', at: (position) => probabilities[position] as number },
  ];
  if (reasons !== undefined)
    columns.push({ name: 'reason', type: 'text', at: (position) => reasons.get(position)?.inShort ?? null });
  if (placeOf !== undefined)
    columns.push({ name: 'file', type: 'text', at: (position) => placeOf(rowNumbers[position] as number).path });
  return columns;
}

/** Only the scores, with the number and the id of each row; `at` takes positions. */
export function scoreColumns(scored: Scored, reasons: Reasons | undefined): OutputColumn[] {
  const { rowNumbers, id, labels, placeOf } = scored;
  const rowOf = (position: number): number => rowNumbers[position] as number;
  const columns: OutputColumn[] = [
    { name: 'row', type: 'integer', at: (position) => placeOf?.(rowOf(position)).row ?? rowOf(position) },
  ];
  if (id !== undefined) columns.push({ name: id.name, type: 'text', at: (position) => id.at(rowOf(position)) });
  columns.push(...verdictColumns(scored, reasons));
  if (labels !== undefined)
    columns.push({ name: 'label', type: 'integer', at: (position) => labels[position] as number });
  return columns;
}

/** Columns for some positions, in their order. */
export function atPositions(columns: readonly OutputColumn[], positions: Uint32Array | undefined): OutputColumn[] {
  if (positions === undefined) return [...columns];
  return columns.map((column) => ({ ...column, at: (i): OutputCell => column.at(positions[i] as number) }));
}
