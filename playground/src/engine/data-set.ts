// The data on the page: a table, and what each of its columns is used for.
import { table } from 'curvad';
import type { Column, Table } from 'curvad/files';
import { convert, numbersOf, summaryOf, usesOf } from './columns.js';
import { Failure } from './failure.js';
import { principalComponents } from './principal-components.js';
import { COMPONENTS, type ColumnUse, type DataSummary } from './protocol.js';

/** The columns as detectors take them. */
export type Input = ReturnType<typeof table>;

interface Plane {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The share of the variance on each. */
  readonly shares: readonly number[];
}

export class DataSet {
  readonly name: string;
  readonly table: Table;
  readonly notes: readonly string[];
  readonly #uses: Map<string, ColumnUse>;
  #plane: Plane | undefined;

  constructor(name: string, data: Table, notes: readonly string[] = []) {
    this.name = name;
    this.table = data;
    this.notes = notes;
    this.#uses = new Map(data.columns.map((column) => [column.name, usesOf(column, data.rows)[0] ?? 'ignore']));
  }

  use(name: string, use: ColumnUse): void {
    // One column orders the rows, and one has their classes.
    if (use === 'time' || use === 'class') this.#release(use);
    this.#uses.set(name, use);
    this.#plane = undefined;
  }

  #release(use: ColumnUse): void {
    for (const [name, current] of this.#uses) if (current === use) this.#uses.set(name, 'ignore');
  }

  useOf(name: string): ColumnUse {
    return this.#uses.get(name) ?? 'ignore';
  }

  named(use: ColumnUse): string | undefined {
    return this.table.columns.find(({ name }) => this.useOf(name) === use)?.name;
  }

  column(name: string): Column {
    const column = this.table.columns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new Failure('COLUMN_UNKNOWN', `There is no column ${name}.`);
    return column;
  }

  /** The columns that are looked at, each of the kind its use needs. */
  get features(): Column[] {
    const isFeature = (use: ColumnUse): boolean => use === 'number' || use === 'category';
    return this.table.columns
      .filter(({ name }) => isFeature(this.useOf(name)))
      .map((column) => convert(column, this.useOf(column.name)));
  }

  get hasGaps(): boolean {
    return this.features.some(({ missing }) => missing > 0);
  }

  /** What detectors are fitted on. */
  get input(): Input {
    const columns = this.features;
    if (columns.length === 0)
      throw new Failure(
        'NO_NUMBERS',
        'None of the columns has numbers to compare rows by. Choose a file with at least one column of numbers, or set a column to “number” in the table of columns.',
      );
    return table({ columns, rows: this.table.rows, isNamed: true }, this.hasGaps ? { missing: 'median' } : {});
  }

  /** Numbers of a column, or of a principal component. */
  along(axis: string): Float64Array {
    const place = COMPONENTS.indexOf(axis as (typeof COMPONENTS)[number]);
    if (place >= 0) return (place === 0 ? this.plane.x : this.plane.y).slice();
    if (axis === ROW) return Float64Array.from({ length: this.table.rows }, (_, row) => row);
    return numbersOf(convert(this.column(axis), this.useOf(axis)), this.table.rows);
  }

  get plane(): Plane {
    this.#plane ??= principalComponents(this.numbers(), this.table.rows);
    return this.#plane;
  }

  /** The columns of numbers, gaps filled with the mean. */
  numbers(): Float64Array[] {
    return this.features
      .filter(({ kind, missing }) => (kind === 'number' || kind === 'boolean') && missing < this.table.rows)
      .map((column) => filled(numbersOf(column, this.table.rows)));
  }

  get summary(): DataSummary {
    const { rows, columns } = this.table;
    const isAxis = ({ name, kind }: Column): boolean =>
      this.useOf(name) === 'number' ||
      this.useOf(name) === 'time' ||
      (kind === 'number' && this.useOf(name) === 'ignore');
    const axes = columns.filter(isAxis).map(({ name }) => name);
    const numbers = columns.filter(({ name }) => this.useOf(name) === 'number').length;
    return {
      name: this.name,
      rows,
      columns: columns.map((column) => summaryOf(column, this.useOf(column.name), rows)),
      axes: [...axes, ROW, ...(numbers > 2 ? COMPONENTS : [])],
      time: this.named('time'),
      notes: this.notes,
    };
  }
}

/** The axis of the places of rows in the file. */
export const ROW = 'row';

function filled(values: Float64Array): Float64Array {
  let [sum, count] = [0, 0];
  for (const value of values)
    if (!Number.isNaN(value)) {
      sum += value;
      count++;
    }
  if (count === values.length) return values;
  const mean = count > 0 ? sum / count : 0;
  return values.map((value) => (Number.isNaN(value) ? mean : value));
}
