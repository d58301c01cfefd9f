// Reads rows in the forms users have as f64. Everything is checked before the first value is used, so that only finite
// numbers reach scores and the WebAssembly memory.

import { CurvadError, describe } from '../errors.js';
import { inBlocks, type Steps } from '../steps.js';
import {
  checkBuffer,
  checkCount,
  checkFlat,
  checkLine,
  checkLines,
  checkValue,
  isLine,
  typedArrayName,
} from './row-checks.js';

/** A matrix in one typed array, row after row. */
export interface FlatMatrix {
  readonly data: Float32Array | Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** The interface of ml-matrix and similar packages. */
export interface MatrixLike {
  readonly rows: number;
  readonly columns: number;
  get(row: number, column: number): number;
}

/** Rows: arrays of numbers, typed arrays, one flat typed array, or an ml-matrix Matrix. */
export type MatrixInput = ReadonlyArray<ArrayLike<number>> | FlatMatrix | MatrixLike;

/** A source of rows as f64. */
export interface RowSource {
  readonly rows: number;
  readonly columns: number;
  /** Writes a row into `into`, from position `at`. */
  read(row: number, into: Float64Array, at: number): void;
  /** All rows in one array, if they are stored that way. */
  readonly flat?: Float32Array | Float64Array | undefined;
  /** Writes rows from … to − 1 to their positions in an array of all rows; false if they must be read one by one. */
  fill?(from: number, to: number, into: Float32Array | Float64Array): boolean;
  /** Indicator columns of 0 and 1 for a category, for true or for a missing value: a rare indicator is not a distant one. */
  readonly marks?: readonly boolean[] | undefined;
}

/** A range of rows of another source. */
export class RowRange implements RowSource {
  readonly #source: RowSource;
  readonly #first: number;
  readonly rows: number;

  constructor(source: RowSource, from: number, to: number) {
    this.#source = source;
    this.#first = from;
    this.rows = to - from;
  }

  get columns(): number {
    return this.#source.columns;
  }

  read(row: number, into: Float64Array, at: number): void {
    this.#source.read(this.#first + row, into, at);
  }
}

/**
 * Whether a row is being read that may run the user's code, as an element may be an accessor. Meanwhile, no other call
 * may move data in the WebAssembly memory.
 */
let isReading = false;

/** Refuses to start anything while a row is being read. */
export function refuseWhileReading(): void {
  if (isReading) throw new CurvadError('CALLED_WHILE_READING', 'a row runs code that calls curvad: pass numbers');
}

/** Reads any MatrixInput. One reader can be attached to one input after another without allocating. */
export class RowReader implements RowSource {
  rows = 0;
  columns = 0;
  flat: Float32Array | Float64Array | undefined;
  #lines: ReadonlyArray<ArrayLike<number>> | undefined;
  /** A matrix not yet read into `flat`. */
  #matrix: MatrixLike | undefined;

  /** Checks the shape and every value of an input, and reads from it from then on. */
  attach(input: unknown): this {
    try {
      this.#open(input);
      this.#check(0, this.rows);
      return this;
    } catch (error) {
      this.detach();
      throw error;
    }
  }

  /** The same in steps. */
  *attachInSteps(input: unknown): Steps<this> {
    try {
      this.#open(input);
      yield* inBlocks(this.rows, this.columns, (from, to) => this.#check(from, to));
      return this;
    } catch (error) {
      this.detach();
      throw error;
    }
  }

  /** Releases the input. */
  detach(): void {
    this.flat = this.#lines = this.#matrix = undefined;
    this.rows = this.columns = 0;
  }

  read(row: number, into: Float64Array, at: number): void {
    const columns = this.columns;
    if (this.flat !== undefined) {
      copy(this.flat, row * columns, columns, into, at);
    } else if (this.#lines !== undefined) {
      isReading = true;
      try {
        const line = (this.#lines[row] ?? checkLine(undefined, row)) as ArrayLike<number>;
        for (let j = 0; j < columns; j++) {
          const value = line[j] as number;
          if (value - value !== 0) checkValue(value, row, j); // it changed since it was checked
          into[at + j] = value;
        }
      } finally {
        isReading = false;
      }
    }
  }

  /** Writes rows from … to − 1 to their positions in an array of all rows. */
  readTo(into: Float64Array, from: number, to: number): void {
    const { columns } = this;
    if (this.flat !== undefined) into.set(this.flat.subarray(from * columns, to * columns), from * columns);
    else for (let i = from; i < to; i++) this.read(i, into, i * columns);
  }

  /** Recognizes the input and checks its shape. */
  #open(input: unknown): void {
    refuseWhileReading();
    this.detach();
    if (Array.isArray(input)) this.#openLines(input);
    else if (typeof input === 'object' && input !== null && 'rows' in input && 'columns' in input)
      this.#openMatrix(input);
    else {
      throw new CurvadError(
        'INPUT_TYPE',
        `rows must be an array of rows, { data, rows, columns } or a matrix, got ${describe(input)}`,
      );
    }
  }

  #openLines(lines: ReadonlyArray<unknown>): void {
    if (lines.length === 0) throw new CurvadError('EMPTY_INPUT', 'there are no rows');
    const columns = checkLine(lines[0], 0).length;
    if (columns === 0) throw new CurvadError('NO_COLUMNS', 'row 0 has no columns', { row: 0 });
    // Proxies answer what they like.
    this.columns = checkCount(columns, 'columns');
    this.rows = checkCount(lines.length, 'rows');
    this.#lines = lines as ReadonlyArray<ArrayLike<number>>;
  }

  #openMatrix(input: { rows?: unknown; columns?: unknown; data?: unknown; get?: unknown }): void {
    const rows = checkCount(input.rows, 'rows');
    const columns = checkCount(input.columns, 'columns');
    const data = nativeFloats(input.data);
    if (data instanceof Float32Array || data instanceof Float64Array) {
      checkBuffer(data);
      if (data.length !== rows * columns) {
        throw new CurvadError(
          'DATA_LENGTH',
          `data has ${data.length} values, ${rows} rows × ${columns} columns need ${rows * columns}`,
        );
      }
      this.flat = data;
    } else if (Array.isArray(data) && data.length > 0 && data.every(isLine)) {
      this.#openLines(data); // an ml-matrix Matrix
      if (this.rows !== rows || this.columns !== columns) {
        const found = `${this.rows} rows and ${this.columns} columns`;
        throw new CurvadError('DATA_LENGTH', `data has ${found}, expected ${rows} and ${columns}`);
      }
    } else if (typeof input.get === 'function') {
      this.flat = allocate(rows * columns);
      this.#matrix = input as MatrixLike;
    } else {
      throw new CurvadError('DATA_TYPE', `data must be a Float32Array or Float64Array, got ${describe(data)}`);
    }
    this.rows = rows;
    this.columns = columns;
  }

  /** Checks every value of rows from … to − 1. */
  #check(from: number, to: number): void {
    const { columns } = this;
    if (this.#lines !== undefined) checkLines(this.#lines, columns, from, to);
    else if (this.#matrix !== undefined) copyRows(this.#matrix, columns, from, to, this.flat as Float64Array);
    else if (this.flat !== undefined) checkFlat(this.flat, columns, from, to);
  }
}

/** Float arrays of another realm as ours, over the same memory; anything else unchanged. */
function nativeFloats(data: unknown): unknown {
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  const name = typedArrayName(data);
  if (name !== 'Float32Array' && name !== 'Float64Array') return data;
  const view = data as Float32Array | Float64Array;
  checkBuffer(view);
  const buffer = view.buffer as ArrayBuffer; // shared memory was refused
  const Floats = name === 'Float32Array' ? Float32Array : Float64Array;
  return new Floats(buffer, view.byteOffset, view.length);
}

/** Copies a row, four values at a time: into.set(flat.subarray(…)) is slower for rows of few columns. */
export function copy(
  flat: Float32Array | Float64Array,
  from: number,
  count: number,
  into: Float64Array,
  at: number,
): void {
  let j = 0;
  for (; j + 3 < count; j += 4) {
    into[at + j] = flat[from + j] as number;
    into[at + j + 1] = flat[from + j + 1] as number;
    into[at + j + 2] = flat[from + j + 2] as number;
    into[at + j + 3] = flat[from + j + 3] as number;
  }
  for (; j < count; j++) into[at + j] = flat[from + j] as number;
}

/**
 * Reads a matrix through its own method, once, as the method may return something else the next time.
 */
function copyRows(matrix: MatrixLike, columns: number, from: number, to: number, into: Float64Array): void {
  for (let i = from; i < to; i++) {
    for (let j = 0; j < columns; j++) {
      const value: unknown = matrix.get(i, j);
      checkValue(value, i, j);
      into[i * columns + j] = value as number;
    }
  }
}

/** Allocates numbers, or throws OUT_OF_MEMORY. */
export function allocate(length: number): Float64Array {
  try {
    return new Float64Array(length);
  } catch (cause) {
    throw new CurvadError('OUT_OF_MEMORY', `cannot allocate ${length} numbers`, { cause });
  }
}
