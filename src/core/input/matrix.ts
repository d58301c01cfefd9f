// Rows as users have them, read as f64. Everything is checked before the first value is used, so that
// nothing but finite numbers ever reaches a score or the WebAssembly memory.

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

/** What ml-matrix and the like offer. */
export interface MatrixLike {
  readonly rows: number;
  readonly columns: number;
  get(row: number, column: number): number;
}

/** Rows: arrays of numbers, typed arrays, one flat typed array, or an ml-matrix Matrix. */
export type MatrixInput = ReadonlyArray<ArrayLike<number>> | FlatMatrix | MatrixLike;

/** Something that can give its rows as f64. */
export interface RowSource {
  readonly rows: number;
  readonly columns: number;
  /** Writes a row into `into`, from position `at`. */
  read(row: number, into: Float64Array, at: number): void;
  /** All rows, one after the other, where they are kept so. */
  readonly flat?: Float32Array | Float64Array | undefined;
  /** Writes rows from … to − 1 to their places among all rows; false where they must be read one by one. */
  fill?(from: number, to: number, into: Float32Array | Float64Array): boolean;
  /** Columns of 0 and 1 that stand for a word, for true or for a missing value: how rare a mark is, is not how far away. */
  readonly marks?: readonly boolean[] | undefined;
}

/** Some consecutive rows of others. */
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
 * Whether a row is being read that may run the user's code: an element may be an accessor. By now things lie in the
 * WebAssembly memory that no other call must move.
 */
let isReading = false;

/** Refuses to begin anything while a row is being read. */
export function refuseWhileReading(): void {
  if (isReading) throw new CurvadError('CALLED_WHILE_READING', 'a row runs code that calls curvad: pass numbers');
}

/** Reads any MatrixInput. One reader can be attached to one input after another without allocating. */
export class RowReader implements RowSource {
  rows = 0;
  columns = 0;
  flat: Float32Array | Float64Array | undefined;
  #lines: ReadonlyArray<ArrayLike<number>> | undefined;
  /** A matrix that is still to be read into `flat`. */
  #matrix: MatrixLike | undefined;

  /** Checks the shape and every value of an input, and reads from it from now on. */
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

  /** The same with moments to pause. */
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

  /** Lets go of the input. */
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
        const line = this.#lines[row] as ArrayLike<number>;
        for (let j = 0; j < columns; j++) {
          const value = line[j] as number;
          if (value - value !== 0) checkValue(value, row, j); // it is not what it was when it was checked
          into[at + j] = value;
        }
      } finally {
        isReading = false;
      }
    }
  }

  /** Writes rows from … to − 1 to their places in an array of all rows. */
  readTo(into: Float64Array, from: number, to: number): void {
    const { columns } = this;
    if (this.flat !== undefined) into.set(this.flat.subarray(from * columns, to * columns), from * columns);
    else for (let i = from; i < to; i++) this.read(i, into, i * columns);
  }

  /** Finds out what the input is and whether its shape is possible. */
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
    this.columns = checkLine(lines[0], 0).length;
    if (this.columns === 0) throw new CurvadError('NO_COLUMNS', 'row 0 has no columns', { row: 0 });
    this.rows = lines.length;
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

/** Floats of another realm as ours, over the same memory; anything else as it is. */
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

/** Copies a row. Four values a turn: into.set(flat.subarray(…)) takes longer for a row of few columns. */
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
 * Reads a matrix through its own method, once: what that method does, and whether it would answer
 * alike again, is not ours to know.
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

/** Room for numbers, or the error that says there is none. */
export function allocate(length: number): Float64Array {
  try {
    return new Float64Array(length);
  } catch (cause) {
    throw new CurvadError('OUT_OF_MEMORY', `there is no room for ${length} numbers`, { cause });
  }
}
