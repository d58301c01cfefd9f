// Why rows are anomalous, for tables, files and the report: the columns that make them stand out, and what would have to
// change for the detector to call them normal.
import { type AnyDetector, type Explanation, explainRowsAsync } from '../index.js';
import type { Recipe } from '../tables/recipe.js';
import { clean, count } from './errors.js';
import type { Input } from './input.js';
import { type ColumnChange, type ColumnReason, changesOf, reasonsOf } from './original-terms.js';
import type { Terminal } from './terminal.js';

/** A feature that would have to change. */
export interface Change {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** In standard deviations of the training rows; null if these are all equal. */
  readonly inDeviations: number | null;
}

/** A feature that makes a row stand out. */
export interface Reason {
  readonly feature: number;
  readonly name: string;
  readonly value: number;
  /** The usual value of similar rows. */
  readonly typical: number;
  /** The difference in standard deviations; null if the training rows are all equal. */
  readonly inDeviations: number | null;
  /** Its share of the score, from 0 to 1. */
  readonly share: number;
}

export interface RowExplanation {
  /** By feature, for programs: the most important first. */
  readonly reasons: readonly Reason[];
  readonly changes: readonly Change[];
  /** By column of the file, for people. */
  readonly columnReasons: readonly ColumnReason[];
  readonly columnChanges: readonly ColumnChange[];
  /** Whether the row is above the threshold, and whether it would be normal with the changes. */
  readonly isAnomaly: boolean;
  readonly isNormal: boolean;
  readonly inWords: string;
  /** As one line, for a cell. */
  readonly inShort: string;
}

/** Most features named in a line. */
const MOST_TOLD = 3;
/** Most reasons kept, and the least share or deviation of one. */
const MOST_REASONS = 8;
const LEAST_SHARE = 0.05;

/** Explains rows by their positions, with any detector. */
export async function explainPositions(
  detector: AnyDetector,
  { matrix, recipe }: Input,
  positions: Uint32Array,
  terminal: Terminal,
): Promise<Map<number, RowExplanation>> {
  const { data, columns } = matrix;
  const progress = terminal.progress('Explaining', positions.length, 'rows');
  try {
    const rows = Array.from(positions, (position) => data.subarray(position * columns, (position + 1) * columns));
    const onProgress = ({ done }: { done: number }): void => progress.update(done);
    const explanations = await explainRowsAsync(detector, rows, { groups: recipe.groups }, { onProgress });
    return new Map(Array.from(positions, (position, i) => [position, told(explanations[i] as Explanation, recipe)]));
  } finally {
    progress.end();
  }
}

function told(explanation: Explanation, recipe: Recipe): RowExplanation {
  const { columns, changes: found, counterfactual, label } = explanation;
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const nameOf = (feature: number): string => recipe.features[feature] as string;
  const reasons = columns
    .filter(({ share, value, typical }) => value !== typical && share >= LEAST_SHARE)
    .slice(0, MOST_REASONS)
    .map(({ feature, value, typical, share, inDeviations }) => {
      return { feature, name: nameOf(feature), value, typical, inDeviations: finite(inDeviations), share };
    });
  const changes = found.map(({ feature, from, to, change, inDeviations }) => {
    return { name: nameOf(feature), from, to, change, inDeviations: finite(inDeviations) };
  });
  const { isNormal, why } = counterfactual;
  const all = reasonsOf(explanation, recipe);
  const weighty = all.filter(({ share }) => share >= LEAST_SHARE).slice(0, MOST_REASONS);
  // If many columns contribute a little each, or only categories do, name those that differ most.
  const columnReasons = weighty.length > 0 ? weighty : all.slice(0, MOST_TOLD);
  const columnChanges = changesOf(explanation, recipe);
  const standsOut = columnReasons
    .slice(0, MOST_TOLD)
    .map(({ name, value, typical }) => `${clean(name, 30)} ${clean(value, 30)} (usually ${clean(typical, 30)})`)
    .join(', ');
  const inShort = standsOut === '' ? listOf(columnChanges) : standsOut;
  const verdict = label === 1 ? 'stands out' : 'is normal';
  const by = standsOut === '' ? '' : label === 1 ? ` by ${standsOut}` : `; unusual are ${standsOut}`;
  return {
    reasons,
    changes,
    columnReasons,
    columnChanges,
    isAnomaly: label === 1,
    isNormal,
    inShort,
    inWords: `${verdict}${by}${label === 1 ? wayOut(columnChanges, isNormal, why) : ''}`,
  };
}

function wayOut(changes: readonly ColumnChange[], isNormal: boolean, why: string | undefined): string {
  if (isNormal) return `; would be normal with ${listOf(changes)}`;
  return `; found no change that makes it normal (${why ?? 'no change helps'}); closest: ${listOf(changes) || 'itself'}`;
}

function listOf(changes: readonly ColumnChange[]): string {
  const list = changes
    .slice(0, MOST_TOLD)
    .map(({ name, from, to }) => `${clean(name, 30)} ${clean(from, 30)} → ${clean(to, 30)}`);
  const more = changes.length > MOST_TOLD ? ` and ${count(changes.length - MOST_TOLD, 'smaller change')}` : '';
  return `${list.join(', ')}${more}`;
}
