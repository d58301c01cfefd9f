// The rows in one array of doubles, and operations that selectors share: subsets, means and distances, all in steps, as
// there may be many rows.
import { allocate, copy, type RowSource } from '../core/input/matrix.js';
import { checkMagnitudes } from '../core/input/scaling.js';
import { inBlocks, type Steps } from '../core/steps.js';
import { allRowsOf } from '../tables/reader.js';

/** A FlatMatrix of doubles. */
export interface Table {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** Copies the user's rows. Checks that they are finite, and small enough for sums of squares. */
export function* readTable(input: unknown): Steps<Table> {
  const reader = yield* allRowsOf(input);
  const { rows, columns } = reader;
  const data = allocate(rows * columns);
  const isSingle = reader.flat instanceof Float32Array; // whose values cannot be too large
  yield* inBlocks(rows, columns, (from, to) => {
    reader.readTo(data, from, to);
    if (!isSingle) checkMagnitudes(data, columns, from, to);
  });
  return { data, rows, columns };
}

/** A copy of rows. */
export function* tableOf(source: RowSource): Steps<Table> {
  const { rows, columns } = source;
  const data = allocate(rows * columns);
  yield* inBlocks(rows, columns, (from, to) => {
    for (let i = from; i < to; i++) source.read(i, data, i * columns);
  });
  return { data, rows, columns };
}

/** A copy of some of the rows, in the order given; in an array that has room for them if there is one. */
export function* rowsOf({ data, columns }: Table, members: ArrayLike<number>, room?: Float64Array): Steps<Table> {
  const rows = members.length;
  const own = room ?? allocate(rows * columns);
  yield* inBlocks(rows, columns, (from, to) => {
    for (let i = from; i < to; i++) copy(data, (members[i] as number) * columns, columns, own, i * columns);
  });
  return { data: own, rows, columns };
}

/** The rows, or some of them in the order given, to be read by the core. */
export function sourceOf({ data, rows, columns }: Table, members?: ArrayLike<number>): RowSource {
  return {
    rows: members?.length ?? rows,
    columns,
    flat: members === undefined ? data : undefined,
    read: (row, into, at) =>
      copy(data, (members === undefined ? row : (members[row] as number)) * columns, columns, into, at),
  };
}

/** The numbers of all rows. */
export function allOf({ rows }: Table): Uint32Array {
  const all = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) all[row] = row;
  return all;
}

/** The mean of some rows, summed from the first of them, so that an offset costs no digits. */
export function* meanOf({ data, columns }: Table, members: ArrayLike<number>): Steps<Float64Array> {
  const first = (members[0] as number) * columns;
  const mean = new Float64Array(columns);
  yield* inBlocks(members.length, columns, (start, end) => {
    for (let i = start; i < end; i++) {
      const from = (members[i] as number) * columns;
      for (let j = 0; j < columns; j++)
        mean[j] = (mean[j] as number) + ((data[from + j] as number) - (data[first + j] as number));
    }
  });
  for (let j = 0; j < columns; j++) mean[j] = (data[first + j] as number) + (mean[j] as number) / members.length;
  return mean;
}

/** The distances of some rows to their mean. */
export function* distancesToMean(table: Table, members: Uint32Array): Steps<Float64Array> {
  const mean = yield* meanOf(table, members);
  const distances = new Float64Array(members.length);
  yield* inBlocks(members.length, table.columns, (from, to) => {
    for (let i = from; i < to; i++) distances[i] = distanceTo(table, members[i] as number, mean);
  });
  return distances;
}

/** ‖x − y‖ for a row x. */
export function distanceTo({ data, columns }: Table, row: number, y: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) {
    const difference = (data[row * columns + j] as number) - (y[j] as number);
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
