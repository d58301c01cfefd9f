// The columns of a file as shown to people: original values, the distinctive ones first and marked.
import type { UsedColumn } from '../tables/recipe.js';
import { type Column, textAt } from '../tables/table.js';
import { clean } from './errors.js';
import type { RowExplanation } from './explanations.js';
import type { Input } from './input.js';
import { momentsOf } from './moments.js';
import { plain } from './terminal.js';

/** A column with at least this share of a row's explanation is marked. */
const MARKED_SHARE = 0.15;
/** So is a value this many standard deviations from the usual. */
const MARKED_DEVIATION = 3;

export interface ShownColumn {
  readonly name: string;
  readonly isNumeric: boolean;
  /** The value of a row, by position. */
  valueAt(position: number): string;
  /** Whether it makes the row stand out. */
  isMarkedAt(position: number): boolean;
}

/** All columns that can be shown, most distinctive first, unused ones last. */
export function tellingColumns(
  input: Input,
  positions: ArrayLike<number>,
  explanations: ReadonlyMap<number, RowExplanation>,
): ShownColumn[] {
  const { recipe, table, rowNumbers } = input;
  const all = Array.from(positions);
  const isFlagged = (position: number): boolean => explanations.get(position)?.isAnomaly !== false;
  const telling = all.some(isFlagged) ? all.filter(isFlagged) : all;
  const weights = new Map(telling.map((position) => [position, weightsOf(input, position, explanations)]));
  const sums = recipe.columns.map((_, c) => {
    let sum = 0;
    for (const weight of weights.values()) sum += weight[c] as number;
    return sum;
  });
  const order = recipe.columns.map((_, c) => c).sort((a, b) => (sums[b] as number) - (sums[a] as number) || a - b);
  const columnAt = (used: UsedColumn): Column =>
    (recipe.isNamed ? table.columns.find(({ name }) => name === used.name) : undefined) ??
    (table.columns[used.index] as Column);
  const used = order.map((c) => ({ column: columnAt(recipe.columns[c] as UsedColumn), c }));
  const taken = new Set(used.map(({ column }) => column));
  const others = table.columns.filter((column) => !taken.has(column)).map((column) => ({ column, c: -1 }));
  return [...used, ...others]
    .filter(({ column }) => isShown(column))
    .map(({ column, c }) => ({
      name: clean(column.name, 40),
      isNumeric: column.kind === 'number',
      valueAt: (position) => valueIn(column, rowNumbers[position] as number),
      isMarkedAt: (position) => (weights.get(position)?.[c] ?? 0) >= 1,
    }));
}

/** Text columns that were not kept completely cannot be shown. */
function isShown(column: Column): boolean {
  if (column.kind === 'text') return column.codes !== undefined;
  return column.kind !== 'other' || column.values !== undefined;
}

function valueIn(column: Column, row: number): string {
  if (column.kind === 'number') {
    const value = column.values[row] as number;
    return Number.isNaN(value) ? '–' : plain(value);
  }
  const text = textAt(column, row);
  return text === null ? '–' : clean(text, 40);
}

/** How much each column makes a row stand out: 1 and more is marked. */
function weightsOf(
  { recipe, matrix }: Input,
  position: number,
  explanations: ReadonlyMap<number, RowExplanation>,
): Float64Array {
  const weights = new Float64Array(recipe.columns.length);
  const explanation = explanations.get(position);
  if (explanation !== undefined) {
    for (const { column, share, inDeviations } of explanation.columnReasons)
      weights[column] = Math.max(share / MARKED_SHARE, Math.abs(inDeviations) / MARKED_DEVIATION);
    return weights;
  }
  const { mean, deviation } = momentsIn(matrix);
  for (let j = 0; j < matrix.columns; j++) {
    const spread = deviation[j] as number;
    const distance = Math.abs((matrix.data[position * matrix.columns + j] as number) - (mean[j] as number));
    const c = recipe.columnOf(j);
    if (spread > 0) weights[c] = Math.max(weights[c] as number, distance / spread / MARKED_DEVIATION);
  }
  return weights;
}

const known = new WeakMap<object, ReturnType<typeof momentsOf>>();

/** The same for every row: computed once. */
function momentsIn(matrix: Input['matrix']): ReturnType<typeof momentsOf> {
  const moments = known.get(matrix) ?? momentsOf(matrix);
  known.set(matrix, moments);
  return moments;
}
