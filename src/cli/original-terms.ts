// Explanations in terms of the file's columns: features are mapped back to the columns they were made of, so that a
// category reads "lathe" instead of 0 and 1, and a time reads as a time.
import type { Explanation } from '../index.js';
import type { Recipe, UsedColumn } from '../tables/recipe.js';
import { timeText } from '../tables/table.js';
import { few, plain } from './terminal.js';

const DAY = 86_400_000;
/** Values closer to the typical one, in standard deviations, are not reported as reasons. */
const LEAST_DEVIATION = 0.5;

/** A column that makes a row stand out. */
export interface ColumnReason {
  /** Its index in the recipe. */
  readonly column: number;
  readonly name: string;
  readonly value: string;
  /** The usual value of similar rows; empty if there is no short form. */
  readonly typical: string;
  /** Its share of the score, from 0 to 1. */
  readonly share: number;
  /** The largest difference among its features, in standard deviations. */
  readonly inDeviations: number;
}

/** A column that would have to change. */
export interface ColumnChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** In standard deviations of the training rows; null if these are all equal, or for categories. */
  readonly inDeviations: number | null;
}

/** What makes a row stand out, most important first. */
export function reasonsOf({ columns }: Explanation, recipe: Recipe): ColumnReason[] {
  const byFeature = [...columns].sort((a, b) => a.feature - b.feature);
  const values = byFeature.map(({ value }) => value);
  const typical = byFeature.map((column) => column.typical);
  const shares = new Map<number, number>(); // in the order of the first feature of each
  const distances = new Map<number, number>();
  for (const { feature, share, inDeviations } of columns) {
    const c = recipe.columnOf(feature);
    distances.set(c, Math.max(distances.get(c) ?? 0, Math.abs(inDeviations)));
    shares.set(c, (shares.get(c) ?? 0) + share);
  }
  const reasons = Array.from(shares, ([c, share]) => {
    const used = recipe.columns[c] as UsedColumn;
    const at = recipe.offsets[c] as number;
    return {
      column: c,
      name: used.name,
      value: inWords(used, values, at),
      typical: inWords(used, typical, at),
      share,
      inDeviations: distances.get(c) ?? 0,
    };
  });
  return reasons.filter(({ value, typical, inDeviations }) => value !== typical && inDeviations >= LEAST_DEVIATION);
}

/** What would have to change; changes that round to nothing are omitted. */
export function changesOf({ row, counterfactual, changes }: Explanation, recipe: Recipe): ColumnChange[] {
  const told = new Map<number, ColumnChange>();
  for (const { feature, inDeviations } of changes) {
    const c = recipe.columnOf(feature);
    if (told.has(c)) continue;
    const used = recipe.columns[c] as UsedColumn;
    const at = recipe.offsets[c] as number;
    const isMeasured = used.kind === 'number' && Number.isFinite(inDeviations);
    told.set(c, {
      name: used.name,
      from: inWords(used, row, at),
      to: inWords(used, counterfactual.row, at),
      inDeviations: isMeasured ? inDeviations : null,
    });
  }
  return [...told.values()].filter(({ from, to }) => from !== to);
}

/** The value that the features of a column encode. */
function inWords(used: UsedColumn, features: ArrayLike<number>, at: number): string {
  const value = features[at] as number;
  switch (used.kind) {
    case 'number':
      return plain(value);
    case 'boolean':
      return value === 0 || value === 1 ? String(value === 1) : plain(value);
    case 'category': {
      const place = used.values.findIndex((_, i) => (features[at + i] as number) > 0.5);
      return used.values[place] ?? 'none of these';
    }
    case 'frequency':
      return `in ${few(100 * value)} % of the rows`;
    case 'time':
      return timeInWords(used.parts, features, at);
  }
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function timeInWords(parts: readonly string[], features: ArrayLike<number>, start: number): string {
  let at = start;
  const words = parts.map((part) => {
    if (part === 'epoch') return timeText(Math.round((features[at++] as number) * DAY), 's');
    const turns = Math.atan2(features[at] as number, features[at + 1] as number) / (2 * Math.PI);
    at += 2;
    const share = turns - Math.floor(turns);
    if (part === 'weekday') return WEEKDAYS[Math.floor(share * 7 + 1e-6) % 7] as string;
    const minutes = Math.round(share * 1440) % 1440;
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  });
  return words.join(', ');
}
