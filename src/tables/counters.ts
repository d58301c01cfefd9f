// Columns that only count or name the rows, such as the index that pandas writes: a feature nobody means.
import { quote } from '../core/messages.js';
import type { Column } from './table.js';

/** Fewer rows than this may well hold 1, 2, 3, … as measurements. */
const FEWEST_ROWS = 20;
const NAME = /^(|id|index|unnamed: ?\d+|row|rownames?|row_?(number|id)|.*[\s_.-]ids?)$/i;
const CAMEL = /[a-z](Id|ID)$/;

/** A sentence about a column that counts the rows, or names each by a number of its own. */
export function hintAtCounters(column: Column, rows: number): string | undefined {
  if (column.kind !== 'number' || !column.isWhole || column.missing > 0 || rows < FEWEST_ROWS) return undefined;
  const { name, values } = column;
  const step = (values[1] as number) - (values[0] as number);
  if (Math.abs(step) === 1 && values.every((value, i) => i === 0 || value - (values[i - 1] as number) === step))
    return `the column ${quote(name, 30)} counts the rows`;
  const isNamedSo = NAME.test(name.trim()) || CAMEL.test(name.trim());
  if (isNamedSo && new Set(values).size === rows)
    return `the column ${quote(name, 30)} has another number in every row`;
  return undefined;
}
