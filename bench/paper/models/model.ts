// What the models of Table 3 have in common: tables of numbers in, labels or tables out. Each follows the
// scikit-learn model of the same name, so that it can be checked against it number by number.

/** A table of numbers, row after row. */
export interface Table {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** Learns labels (whole numbers, in any order) from rows. */
export interface Classifier {
  fit(X: Table, labels: ArrayLike<number>): this;
  predict(X: Table): number[];
}

/** Learns several outputs at once: Y has a row for each row of X. */
export interface Regressor {
  fit(X: Table, Y: Table): this;
  predict(X: Table): Table;
}

/** Groups rows; new rows get the group of those they lie with. */
export interface Clusterer {
  fit(X: Table): this;
  predict(X: Table): number[];
}

/** An empty table. */
export function emptyTable(rows: number, columns: number): Table {
  return { data: new Float64Array(rows * columns), rows, columns };
}

/** A table of rows of one length; the rows are copied. */
export function tableOf(rows: readonly ArrayLike<number>[]): Table {
  const table = emptyTable(rows.length, rows[0]?.length ?? 0);
  rows.forEach((row, i) => {
    if (row.length !== table.columns) throw new Error(`row ${i} has ${row.length} columns, row 0 has ${table.columns}`);
    table.data.set(row, i * table.columns);
  });
  return table;
}

/** One row of a table, not copied. */
export function rowOf({ data, columns }: Table, row: number): Float64Array {
  return data.subarray(row * columns, (row + 1) * columns);
}

/** The rows of a table, not copied. */
export function rowsOf(table: Table): Float64Array[] {
  return Array.from({ length: table.rows }, (_, i) => rowOf(table, i));
}

/** Some rows of a table, in the given order. */
export function selectRows(table: Table, rows: ArrayLike<number>): Table {
  const selected = emptyTable(rows.length, table.columns);
  for (let i = 0; i < rows.length; i++) selected.data.set(rowOf(table, rows[i] as number), i * table.columns);
  return selected;
}

/** The mean of each column. */
export function columnMeans({ data, rows, columns }: Table): Float64Array {
  const means = new Float64Array(columns);
  for (let i = 0; i < data.length; i++) means[i % columns] = (means[i % columns] as number) + (data[i] as number);
  return means.map((sum) => sum / rows);
}

/** The different labels in ascending order, and for each row the position of its label among them. */
export function encodeLabels(labels: ArrayLike<number>): { classes: number[]; codes: Int32Array } {
  const classes = [...new Set(Array.from(labels))].sort((a, b) => a - b);
  const codeOf = new Map(classes.map((label, code) => [label, code]));
  return { classes, codes: Int32Array.from(labels, (label) => codeOf.get(label) as number) };
}

function squaredDistance(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += ((x[j] as number) - (y[j] as number)) ** 2;
  return sum;
}

/** Which of the points lies nearest, of equally near ones the first; and its squared distance. */
export function nearestOf(points: readonly ArrayLike<number>[], x: ArrayLike<number>) {
  const nearest = { index: 0, distance: Number.POSITIVE_INFINITY };
  for (let index = 0; index < points.length; index++) {
    const distance = squaredDistance(points[index] as ArrayLike<number>, x);
    if (distance < nearest.distance) Object.assign(nearest, { index, distance });
  }
  return nearest;
}

/** The position of the largest value; of equal ones the first. */
export function largestOf(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if ((values[i] as number) > (values[best] as number)) best = i;
  return best;
}

/** Throws unless there is a label or a row of outputs for each row. */
export function checkRows(X: Table, count: number): void {
  if (X.rows === 0) throw new Error('there are no rows to fit to');
  if (X.rows !== count) throw new Error(`there are ${X.rows} rows, but labels or outputs for ${count}`);
}

/** The fitted part of a model, or an error that says what is missing. */
export function fitted<T>(state: T | undefined): T {
  if (state === undefined) throw new Error('the model is not fitted: call fit first');
  return state;
}
