// Rows of a problem in one array of doubles, and what most selectors ask of them: some of the rows, their
// mean, and distances.
import { allocate, RowReader, type RowSource } from '../core/matrix.js';
import { Scaling } from '../core/scaling.js';

/** A FlatMatrix of doubles. */
export interface Table {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** A copy of rows as users have them. Checked: finite, and small enough that squares and sums stay so. */
export function readTable(input: unknown): Table {
  const reader = new RowReader().attach(input);
  const { rows, columns } = reader;
  const unscaled = new Scaling(new Float64Array(columns), new Float64Array(columns).fill(1));
  const checked = unscaled.apply(reader, 'double');
  const data = allocate(rows * columns);
  for (let i = 0; i < rows; i++) checked.read(i, data, i * columns);
  return { data, rows, columns };
}

/** Some of the rows, in the order given. */
export function rowsOf({ data, columns }: Table, members: ArrayLike<number>): Table {
  const chosen = allocate(members.length * columns);
  for (let i = 0; i < members.length; i++) {
    const from = (members[i] as number) * columns;
    for (let j = 0; j < columns; j++) chosen[i * columns + j] = data[from + j] as number;
  }
  return { data: chosen, rows: members.length, columns };
}

/** The rows to be read by the core. */
export function sourceOf({ data, rows, columns }: Table): RowSource {
  return {
    rows,
    columns,
    read: (row, into, at) => {
      for (let j = 0; j < columns; j++) into[at + j] = data[row * columns + j] as number;
    },
  };
}

/** The mean of some rows, summed from the first of them, so that an offset costs no digits. */
export function meanOf({ data, columns }: Table, members: ArrayLike<number>): Float64Array {
  const first = (members[0] as number) * columns;
  const mean = new Float64Array(columns);
  for (let i = 1; i < members.length; i++) {
    const from = (members[i] as number) * columns;
    for (let j = 0; j < columns; j++)
      mean[j] = (mean[j] as number) + ((data[from + j] as number) - (data[first + j] as number));
  }
  for (let j = 0; j < columns; j++) mean[j] = (data[first + j] as number) + (mean[j] as number) / members.length;
  return mean;
}

/** The distances of some rows to their mean. */
export function distancesToMean(table: Table, members: Uint32Array): Float64Array {
  const mean = meanOf(table, members);
  return new Float64Array(members.length).map((_, i) => distanceTo(table, members[i] as number, mean));
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
