// The column of a name that somebody wrote.
import { closest } from '../core/closest.js';
import { CurvadError } from '../core/errors.js';
import { quote } from '../core/messages.js';
import type { Column, Table } from './table.js';
import { listOf } from './wording.js';

/** Names that are compared with a misspelt one, at most. */
const MOST_COMPARED = 1000;

/** The column, or an error that helps; `option` is what the name was given to. */
export function findColumn({ columns }: Table, name: string, option: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const names = columns.map((candidate) => candidate.name);
  const meant = closest(name, names.slice(0, MOST_COMPARED));
  const list = listOf(
    names.map((known) => quote(known, 30)),
    12,
  );
  const hint = meant === undefined ? '.' : `, did you mean ${quote(meant)}?`;
  throw new CurvadError(
    'COLUMN_UNKNOWN',
    `${option}: there is no column ${quote(name)}${hint} The columns are ${list}`,
  );
}
