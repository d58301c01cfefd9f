// All rows of a stream in one array, for what needs them all: fits, searches, selectors.
import { type Column, Type } from '@uwdata/flechette';
import { CurvadError, type FlatMatrix } from '../../index.js';
import type { ArrowInput } from './input.js';
import type { Request } from './request.js';
import { placesOf, takeNumbers } from './rows.js';

export interface Collected {
  readonly matrix: FlatMatrix;
  /** Rows of each batch. */
  readonly lengths: readonly number[];
  /** The columns that are passed through, batch by batch. */
  readonly ids: readonly Column<unknown>[];
  /** The classes of the rows, where there is a column of them. */
  readonly labels: Float64Array | undefined;
  /** The names of the columns, where each column is one. */
  readonly names: readonly string[] | undefined;
}

export async function collectRows(input: ArrowInput, { columns, id, classes }: Request): Promise<Collected> {
  const places = placesOf(input.fields, { columns, others: [id, classes] });
  const parts: FlatMatrix[] = [];
  const ids: Column<unknown>[] = [];
  const labels: unknown[] = [];
  for await (const table of input.batches()) {
    parts.push(takeNumbers(table, places));
    if (classes !== undefined) for (const label of table.getChild(classes)) labels.push(label);
    if (id !== undefined) ids.push(table.getChild(id) as Column<unknown>);
  }
  const [first] = parts;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  if (first === undefined || rows === 0) throw new CurvadError('EMPTY_INPUT', 'there are no rows');
  const isVector = places.some((place) => input.fields[place]?.type.typeId === Type.FixedSizeList);
  const names = isVector ? undefined : places.map((place) => input.fields[place]?.name as string);
  if (!labels.every((label) => typeof label === 'number'))
    throw new CurvadError('LABEL_INVALID', 'classes must be numbers, without nulls');
  return {
    matrix: joined(parts, rows, first.columns),
    lengths: parts.map((part) => part.rows),
    ids,
    labels: classes === undefined ? undefined : Float64Array.from(labels),
    names,
  };
}

function joined(parts: readonly FlatMatrix[], rows: number, columns: number): FlatMatrix {
  if (parts.length === 1) return parts[0] as FlatMatrix;
  const data = new Float64Array(rows * columns);
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.data.length;
  }
  return { data, rows, columns };
}
