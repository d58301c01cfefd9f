// Scored rows: their order, and the columns they are written with. Rows keep the number they have in the file,
// from 0, and the name they have in the --id column.
import { ascendingOrder } from '../core/math/sorting.js';
import { finish } from '../core/steps.js';
import type { OutputColumn } from '../files/output-column.js';

export interface Scored {
  readonly scores: Float64Array;
  readonly threshold: number;
  /** Which row of the file each is. */
  readonly rowNumbers: Uint32Array;
  readonly id: { readonly name: string; at(row: number): string | null } | undefined;
  readonly labels: Uint8Array | undefined;
}

/** Positions from the highest score down; of equal scores the lower row first. */
export function ranked(scores: Float64Array): Uint32Array {
  return finish(ascendingOrder(scores.map((score) => 0 - score)));
}

/** The columns of scored rows, for `positions` of them; `reasons` are why the first of the ranking are anomalous. */
export function scoredColumns(
  scored: Scored,
  positions: Uint32Array | undefined,
  reasons: ReadonlyMap<number, { readonly inShort: string }> | undefined,
): OutputColumn[] {
  const { scores, threshold, rowNumbers, id, labels } = scored;
  const position = (i: number): number => (positions === undefined ? i : (positions[i] as number));
  const columns: OutputColumn[] = [
    { name: 'row', type: 'integer', at: (i) => rowNumbers[position(i)] as number },
    { name: 'score', type: 'number', at: (i) => scores[position(i)] as number },
    { name: 'anomaly', type: 'integer', at: (i) => Number((scores[position(i)] as number) > threshold) },
  ];
  if (id !== undefined)
    columns.splice(1, 0, { name: id.name, type: 'text', at: (i) => id.at(rowNumbers[position(i)] as number) });
  if (labels !== undefined) columns.push({ name: 'label', type: 'integer', at: (i) => labels[position(i)] as number });
  if (reasons !== undefined)
    columns.push({ name: 'reason', type: 'text', at: (i) => reasons.get(position(i))?.inShort ?? null });
  return columns;
}
