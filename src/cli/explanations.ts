// Why rows are anomalous, as tables, files and the report tell it: the columns that make them stand out, and what would
// have to change for the detector to call them normal.
import { type AnyDetector, type Explanation, explainRowsAsync } from '../index.js';
import type { Recipe } from '../tables/recipe.js';
import { clean, count } from './errors.js';
import type { Input } from './input.js';
import type { Moments } from './moments.js';
import { few, type Terminal } from './terminal.js';

/** A feature that would have to change. */
export interface Change {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly change: number;
  /** In standard deviations of the training rows; null where these are all equal. */
  readonly inDeviations: number | null;
}

/** A feature that makes a row stand out. */
export interface Reason {
  readonly name: string;
  readonly value: number;
  /** What rows like it have. */
  readonly typical: number;
  /** The difference of the two in standard deviations; null where the training rows are all equal. */
  readonly inDeviations: number | null;
  /** Its share of what makes the score, from 0 to 1. */
  readonly share: number;
}

export interface RowExplanation {
  /** The most important first. */
  readonly reasons: readonly Reason[];
  readonly changes: readonly Change[];
  /** Whether the row would then be normal. */
  readonly isNormal: boolean;
  readonly inWords: string;
  /** On one line, for a cell. */
  readonly inShort: string;
}

/** Features told in a line, at most. */
const MOST_TOLD = 3;
/** Reasons kept, at most, and the least share or deviation of one. */
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

function told({ columns, changes: found, counterfactual, label }: Explanation, { features }: Recipe): RowExplanation {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const nameOf = (feature: number): string => features[feature] as string;
  const reasons = columns
    .filter(({ share, value, typical }) => value !== typical && share >= LEAST_SHARE)
    .slice(0, MOST_REASONS)
    .map(({ feature, value, typical, share, inDeviations }) => {
      return { name: nameOf(feature), value, typical, inDeviations: finite(inDeviations), share };
    });
  const changes = found.map(({ feature, from, to, change, inDeviations }) => {
    return { name: nameOf(feature), from, to, change, inDeviations: finite(inDeviations) };
  });
  const { isNormal, why } = counterfactual;
  const standsOut = reasons
    .slice(0, MOST_TOLD)
    .map(({ name, value, typical }) => `${clean(name, 30)} ${few(value)} (usually ${few(typical)})`)
    .join(', ');
  const inShort = standsOut === '' ? listOf(changes) : standsOut;
  const verdict = label === 1 ? 'stands out' : 'is normal';
  const by = standsOut === '' ? '' : label === 1 ? ` by ${standsOut}` : `; unusual are ${standsOut}`;
  return {
    reasons,
    changes,
    isNormal,
    inShort,
    inWords: `${verdict}${by}${label === 1 ? wayOut(changes, isNormal, why) : ''}`,
  };
}

function wayOut(changes: readonly Change[], isNormal: boolean, why: string | undefined): string {
  if (isNormal) return `; would be normal with ${listOf(changes)}`;
  return `; no normal row was found (${why ?? 'no change helps'}); nearest to it: ${listOf(changes) || 'itself'}`;
}

function listOf(changes: readonly Change[]): string {
  const list = changes.slice(0, MOST_TOLD).map(({ name, from, to }) => `${clean(name, 30)} ${few(from)} → ${few(to)}`);
  const more = changes.length > MOST_TOLD ? ` and ${count(changes.length - MOST_TOLD, 'smaller change')}` : '';
  return `${list.join(', ')}${more}`;
}

/** How far features of a row are from the mean of all rows, in standard deviations: the farthest first. */
export function deviationsOf({ matrix, recipe }: Input, moments: Moments, position: number): Change[] {
  const { data, columns } = matrix;
  return recipe.features
    .map((name, j) => {
      const from = data[position * columns + j] as number;
      const to = moments.mean[j] as number;
      const deviation = moments.deviation[j] as number;
      return { name, from, to, change: from - to, inDeviations: deviation > 0 ? (from - to) / deviation : 0 };
    })
    .sort((a, b) => Math.abs(b.inDeviations) - Math.abs(a.inDeviations));
}
