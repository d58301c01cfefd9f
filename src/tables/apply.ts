// The rows of a table as numbers, by a recipe.
import { CurvadError } from '../core/errors.js';
import { allocate } from '../core/input/matrix.js';
import { count, quote } from '../core/messages.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { CellEncoder, type Outcome } from './encode.js';
import { locate, noteOnUnknown } from './locate.js';
import type { Recipe, UsedColumn } from './recipe.js';
import { type Column, cellAt, isMissing, MISSING, type Table } from './table.js';
import { listOf, type Wording } from './wording.js';

/** Rows as numbers. */
export interface Encoded {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
  /** Which rows of the table they are; undefined where all are. */
  readonly kept: Uint32Array | undefined;
  readonly notes: readonly string[];
}

export interface Application {
  readonly recipe: Recipe;
  /** What the table is called in messages. */
  readonly where: string;
  readonly wording: Wording;
}

/** The rows of a table. */
export function* applyRecipe(table: Table, application: Application): Steps<Encoded> {
  const { recipe, where, wording } = application;
  const names = table.columns.map(({ name }) => name);
  const places = locate(recipe, names, table.isNamed, where);
  const columns = places.map((place) => table.columns[place] as Column);
  for (const [c, used] of recipe.columns.entries()) refuseStrays(used, columns[c] as Column, wording);
  const notes: string[] = [];
  const unused = noteOnUnknown(recipe, names, places);
  if (unused !== undefined) notes.push(unused);
  const kept = rowsToKeep(recipe, columns, table.rows, wording, notes);
  const rows = kept?.length ?? table.rows;
  const width = recipe.features.length;
  const data = allocate(rows * width);
  let unknown = 0;
  const fillers = recipe.columns.map((used, c) => fillerOf(used, columns[c] as Column, wording));
  yield* inBlocks(rows, width, (from, to) => {
    fillers.forEach((fill, c) => {
      unknown += fill({ data, width, at: recipe.offsets[c] as number, from, to, kept });
    });
  });
  if (unknown > 0) notes.push(`${count(unknown, 'cell')} held categories the model does not know`);
  return { data, rows, columns: width, kept, notes };
}

/** Where the numbers of a column go: rows from … to − 1. */
interface Target {
  readonly data: Float64Array;
  readonly width: number;
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly kept: Uint32Array | undefined;
}

/** Fills in the numbers of a column; gives how many cells hold categories that are not known. */
type Filler = (target: Target) => number;

function fillerOf(used: UsedColumn, column: Column, wording: Wording): Filler {
  if (used.kind === 'time' && column.kind === 'time' && column.order !== undefined && column.order !== used.order) {
    const known =
      used.order === undefined ? 'dates that begin with the year' : `dates that begin with the ${used.order}`;
    const message = `the column ${quote(used.name)} has dates that begin with the ${column.order}, the model learned ${known}; ${wording.ignore(used.name)}`;
    throw new CurvadError('CELL_TYPE', message);
  }
  const encoder = new CellEncoder(used);
  if (used.kind === 'number' && column.kind === 'number' && column.missing === 0 && !used.hasIndicator)
    return copyNumbers(used, column.values, wording);
  if (column.kind === 'text' && column.codes !== undefined && (used.kind === 'category' || used.kind === 'frequency'))
    return placeTexts(encoder, column.texts, column.codes);
  const isUnreadable = column.kind === 'other' || (column.kind === 'text' && column.codes === undefined);
  const example = column.kind === 'other' ? column.what : column.kind === 'text' ? (column.texts[0] ?? '') : '';
  return ({ data, width, at, from, to, kept }) => {
    let unknown = 0;
    for (let i = from; i < to; i++) {
      const row = kept?.[i] ?? i;
      const cell = isUnreadable ? example : cellAt(column, row);
      const outcome = encoder.encode(cell, data, i * width + at);
      if (outcome === 'unknown') unknown++;
      else if (typeof outcome === 'object') throw cellError(row, used, outcome.fault, wording);
      else if (outcome === 'missing') checkFilled(row, used, data[i * width + at] as number);
    }
    return unknown;
  };
}

/** Numbers as they are, which most columns are. */
function copyNumbers(used: UsedColumn, values: ArrayLike<number>, wording: Wording): Filler {
  return ({ data, width, at, from, to, kept }) => {
    for (let i = from; i < to; i++) {
      const row = kept === undefined ? i : (kept[i] as number);
      const value = values[row] as number;
      if (value - value !== 0) throw cellError(row, used, `is ${value}: values must be finite`, wording);
      data[i * width + at] = value;
    }
    return 0;
  };
}

/** Each distinct text is looked up once. */
function placeTexts(encoder: CellEncoder, texts: readonly string[], codes: Int32Array): Filler {
  const places = texts.map((text) => encoder.placeOf(text));
  return ({ data, width, at, from, to, kept }) => {
    let unknown = 0;
    for (let i = from; i < to; i++) {
      const code = codes[kept?.[i] ?? i] as number;
      let outcome: Outcome;
      if (code === MISSING) outcome = encoder.encode(null, data, i * width + at);
      else outcome = encoder.encodePlace(places[code] as number, data, i * width + at);
      if (outcome === 'unknown') unknown++;
    }
    return unknown;
  };
}

/** In a column of numbers, what is neither a number nor a known word for nothing is an error. */
function refuseStrays({ name, kind }: UsedColumn, column: Column, wording: Wording): void {
  if (column.kind !== 'number' || column.strays === undefined || kind === 'category' || kind === 'frequency') return;
  const { row, text, count: cells } = column.strays;
  const others = cells > 1 ? `, and ${count(cells - 1, 'other cell')} of it hold text too` : '';
  throw new CurvadError(
    'CELL_TYPE',
    `row ${row}, column ${quote(name)} holds ${quote(text, 20)} where the others are numbers${others}; ${wording.stray(text, name)}${row === 0 ? wording.unitsBelowNames : ''}`,
    { row },
  );
}

/** All rows, or those that lack nothing. */
function rowsToKeep(
  { missing, columns: used }: Recipe,
  columns: readonly Column[],
  rows: number,
  wording: Wording,
  notes: string[],
): Uint32Array | undefined {
  const lacking = columns.filter((column) => column.missing > 0);
  if (lacking.length === 0) return undefined;
  const nameOf = (column: Column) => quote(used[columns.indexOf(column)]?.name ?? column.name, 30);
  const cells = lacking.reduce((sum, column) => sum + column.missing, 0);
  const isIncomplete = (row: number) => lacking.some((column) => isMissing(column, row));
  const worst = [...lacking].sort((a, b) => b.missing - a.missing);
  const blamed = listOf(
    worst.map((column) => `${nameOf(column)} lacks ${column.missing}`),
    5,
  );
  if (missing === 'median' || missing === 'indicator') {
    notes.push(`filled in ${count(cells, 'missing value')}: ${blamed}`);
    return undefined;
  }
  if (missing === 'drop') {
    const kept = Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => !isIncomplete(row));
    if (kept.length === 0)
      throw new CurvadError('MISSING_VALUE', `every row lacks a value: ${blamed}; ${wording.missing}`);
    notes.push(`left out ${count(rows - kept.length, 'row')} of ${rows} that lack values: ${blamed}`);
    return kept;
  }
  let row = 0;
  while (row < rows && !isIncomplete(row)) row++;
  const first = lacking.find((column) => isMissing(column, row)) as Column;
  const others = cells > 1 ? `, and ${count(cells - 1, 'other cell')} too (${blamed})` : '';
  const message = `row ${row}, column ${nameOf(first)} is missing${others}: ${wording.missing}`;
  throw new CurvadError('MISSING_VALUE', message, { row });
}

function cellError(row: number, { name }: UsedColumn, fault: string, wording: Wording): CurvadError {
  return new CurvadError('CELL_TYPE', `row ${row}, column ${quote(name)} ${fault}; ${wording.ignore(name)}`, { row });
}

function checkFilled(row: number, { name }: UsedColumn, value: number): void {
  if (!Number.isNaN(value)) return;
  const message = `row ${row}, column ${quote(name)} is missing, and the model knows no median`;
  throw new CurvadError('MISSING_VALUE', message, { row });
}
