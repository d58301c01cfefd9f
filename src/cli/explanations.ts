// Why rows are anomalous, as tables, files and the report tell it: what would have to change for CAD to call
// them normal; for other detectors, how far each feature is from the others.
import { type CAD, explain } from '../index.js';
import { clean, count } from './errors.js';
import type { Input } from './input.js';
import type { Moments } from './moments.js';
import { few } from './terminal.js';

/** A feature that would have to change. */
export interface Change {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** In standard deviations of the training rows; null where these are all equal. */
  readonly inDeviations: number | null;
}

export interface RowExplanation {
  /** The most important first. */
  readonly changes: readonly Change[];
  /** Whether the row would then be normal. */
  readonly isNormal: boolean;
  readonly inWords: string;
  /** On one line, for a cell. */
  readonly inShort: string;
}

/** Changes told in a line, at most. */
const MOST_TOLD = 3;

/** Explains rows by a fitted CAD with the linear kernel, by their positions. */
export function explainRows(
  cad: CAD,
  { matrix, preparation }: Input,
  positions: Iterable<number>,
): Map<number, RowExplanation> {
  const { data, columns } = matrix;
  const explanations = new Map<number, RowExplanation>();
  // A category cannot change by a little.
  const frozen = preparation.columns
    .flatMap((column) => (column.kind === 'number' ? [false] : column.values.map(() => true)))
    .flatMap((isCategory, feature) => (isCategory ? [feature] : []));
  for (const position of positions) {
    const row = data.subarray(position * columns, (position + 1) * columns);
    const { changes, counterfactual, label } = explain(cad, row, { frozen });
    const named = changes.map(({ feature, from, to, change, inDeviations }) => ({
      name: preparation.features[feature] as string,
      from,
      to,
      change,
      inDeviations: Number.isFinite(inDeviations) ? inDeviations : null,
    }));
    explanations.set(position, inWords(named, counterfactual.isNormal, label === 1, counterfactual.why));
  }
  return explanations;
}

function inWords(
  changes: readonly Change[],
  isNormal: boolean,
  isAnomaly: boolean,
  why: string | undefined,
): RowExplanation {
  const told = changes.slice(0, MOST_TOLD).map(({ name, from, to }) => `${clean(name, 30)} ${few(from)} → ${few(to)}`);
  const more = changes.length > MOST_TOLD ? ` and ${count(changes.length - MOST_TOLD, 'smaller change')}` : '';
  const list = `${told.join(', ')}${more}`;
  const inShort = changes.length === 0 ? '' : list;
  if (!isAnomaly) return { changes, isNormal, inShort, inWords: 'is normal' };
  if (isNormal) return { changes, isNormal, inShort, inWords: `would be normal with ${list}` };
  return {
    changes,
    isNormal,
    inShort,
    inWords: `no normal row was found (${why ?? 'the path ended'}); nearest to it: ${list || 'itself'}`,
  };
}

/** How far features of a row are from the mean of all rows, in standard deviations: the farthest first. */
export function deviationsOf({ matrix, preparation }: Input, moments: Moments, position: number): Change[] {
  const { data, columns } = matrix;
  return preparation.features
    .map((name, j) => {
      const from = data[position * columns + j] as number;
      const to = moments.mean[j] as number;
      const deviation = moments.deviation[j] as number;
      return { name, from, to, change: from - to, inDeviations: deviation > 0 ? (from - to) / deviation : 0 };
    })
    .sort((a, b) => Math.abs(b.inDeviations) - Math.abs(a.inDeviations));
}
