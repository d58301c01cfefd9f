// Rows parted into those that are learned from and those that are left out. What becomes of columns, medians for
// missing values among it, is learned from the first alone: whoever knows the others has seen what is asked for.
import type { FlatMatrix, RowSource } from '../core/input/matrix.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { applyRecipe } from './apply.js';
import { learnRecipe } from './learn.js';
import { isNamed, tableOf } from './named.js';
import { checkTableOptions, type TableSettings } from './options.js';
import { allRowsOf, EncodedTable, TableWithOptions } from './reader.js';
import { selectRows } from './select-rows.js';
import type { Table } from './table.js';
import { IN_A_PROGRAM, type Wording } from './wording.js';

/** Which rows are learned from, and which are left out. */
interface Parting {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** The rows of both parts. */
export interface PartedRows {
  readonly train: FlatMatrix;
  readonly test: FlatMatrix;
}

/** Rows that can be parted in several ways. */
export interface PartableRows {
  readonly rows: number;
  part(parting: Parting): Steps<PartedRows>;
}

/** Any input, checked; each row counts. */
export function* partableRows(input: unknown): Steps<PartableRows> {
  const reader = yield* allRowsOf(input);
  const { input: rows, settings } =
    input instanceof TableWithOptions ? input : new TableWithOptions(input, checkTableOptions(undefined));
  if (!isNamed(rows)) return { rows: reader.rows, part: (parting) => partMatrix(reader, parting) };
  const table = yield* tableOf(rows);
  return {
    rows: table.rows,
    part: (parting) => partTable(table, parting, { settings, where: 'the table', wording: IN_A_PROGRAM }),
  };
}

/** Both parts of a table, by the recipe of the first. */
export function* partTable(
  table: Table,
  { train, test }: Parting,
  { settings, where, wording }: { settings: TableSettings; where: string; wording: Wording },
): Steps<PartedRows> {
  const learned = selectRows(table, train);
  yield;
  const { recipe } = yield* learnRecipe(learned, settings, wording);
  const application = { recipe, where, wording };
  const encoded = yield* applyRecipe(learned, application);
  return {
    train: new EncodedTable(recipe, encoded, learned.rows),
    test: yield* applyRecipe(selectRows(table, test), application),
  };
}

function* partMatrix(rows: RowSource, { train, test }: Parting): Steps<PartedRows> {
  return { train: yield* pick(rows, train), test: yield* pick(rows, test) };
}

function* pick(rows: RowSource, which: Uint32Array): Steps<FlatMatrix> {
  const { columns } = rows;
  const data = new Float64Array(which.length * columns);
  yield* inBlocks(which.length, columns, (from, to) => {
    for (let i = from; i < to; i++) rows.read(which[i] as number, data, i * columns);
  });
  return { data, rows: which.length, columns };
}
