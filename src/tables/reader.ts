// Reads rows as RowReader does, and tables by a recipe: learned from the table a detector is fitted on, applied to
// those it scores.
import { CurvadError, describe } from '../core/errors.js';
import { type FlatMatrix, type MatrixInput, RowReader, refuseWhileReading } from '../core/input/matrix.js';
import { finish, type Steps } from '../core/steps.js';
import { applyRecipe, type Encoded } from './apply.js';
import { encodeObjects } from './encode-objects.js';
import { learnRecipe } from './learn.js';
import { type Columns, isArray2D, isNamed, type ShapedArray, tableOf } from './named.js';
import { checkTableOptions, type TableOptions, type TableSettings } from './options.js';
import type { Recipe } from './recipe.js';
import type { Table } from './table.js';
import { IN_A_PROGRAM } from './wording.js';

/** Columns that others offer: Arrow tables, data frames of arquero and polars, results of DuckDB. */
export interface DataFrameLike {
  getChildAt?(place: number): unknown;
  getColumn?(name: string): unknown;
  columnNames?(): string[];
}

/** A table with names: objects, columns, or what has columns. */
export type NamedRows = ReadonlyArray<object> | Columns | DataFrameLike | Table;

/** Whatever has rows: matrices, tables, and tables with options. */
export type Rows = MatrixInput | ShapedArray | NamedRows | TableWithOptions | EncodedTable;

/** A table and how its columns are to be used. */
export class TableWithOptions {
  /** @internal */
  readonly input: unknown;
  /** @internal */
  readonly settings: TableSettings;

  constructor(input: unknown, settings: TableSettings) {
    this.input = input;
    this.settings = settings;
  }
}

/** A table to fit on, with what is to become of its columns, missing values and dates. */
export function table(rows: NamedRows, options?: TableOptions): TableWithOptions {
  const settings = checkTableOptions(options);
  if (isNamed(rows)) return new TableWithOptions(rows, settings);
  const wanted = 'an array of objects, { name: column }, an Arrow table or a data frame';
  throw new CurvadError('INPUT_TYPE', `a table must have names: ${wanted}, got ${describe(rows)}`);
}

/** Rows of numbers that were a table, in single precision too. */
type EncodedRows = FlatMatrix & Pick<Encoded, 'kept' | 'notes'>;

/** The command line has a copy of this file beside the library: its tables are known by this, not by their class. */
const IS_ENCODED = Symbol.for('curvad.EncodedTable');

/** A table that was made rows of already, with the recipe that did it. */
export class EncodedTable {
  readonly [IS_ENCODED] = true;
  readonly recipe: Recipe;
  readonly encoded: EncodedRows;
  /** Rows of the table. */
  readonly total: number;

  constructor(recipe: Recipe, encoded: EncodedRows, total: number) {
    this.recipe = recipe;
    this.encoded = encoded;
    this.total = total;
  }

  // It can be read as a matrix, too, by detectors that are not of here.
  get data(): Float32Array | Float64Array {
    return this.encoded.data;
  }

  get rows(): number {
    return this.encoded.rows;
  }

  get columns(): number {
    return this.encoded.columns;
  }
}

function isEncodedTable(input: unknown): input is EncodedTable {
  return typeof input === 'object' && input !== null && IS_ENCODED in input;
}

const DEFAULTS = checkTableOptions(undefined);
const WHERE = 'the table';

export class TableReader extends RowReader {
  /** How columns become numbers; undefined for rows without names. */
  recipe: Recipe | undefined;
  /** What was left out, and why. */
  notes: readonly string[] = [];
  /** Which rows of the input they are; undefined where all are. */
  kept: Uint32Array | undefined;
  /** Rows of the input. */
  total = 0;

  constructor(recipe?: Recipe) {
    super();
    this.recipe = recipe;
  }

  get marks(): readonly boolean[] | undefined {
    return this.recipe?.marks;
  }

  /** Reads from rows to learn from. */
  learn(input: unknown): this {
    return finish(this.learnInSteps(input));
  }

  *learnInSteps(input: unknown): Steps<this> {
    if (isEncodedTable(input)) {
      this.recipe = input.recipe;
      return yield* this.#takeEncoded(input.encoded, input.total, input.encoded.notes);
    }
    this.recipe = undefined;
    const { input: rows, settings } = input instanceof TableWithOptions ? input : new TableWithOptions(input, DEFAULTS);
    if (!isNamed(rows)) return yield* this.#take(rows);
    refuseWhileReading();
    const columns = yield* tableOf(rows);
    const { recipe, notes } = yield* learnRecipe(columns, settings, IN_A_PROGRAM);
    const encoded = yield* applyRecipe(columns, { recipe, where: WHERE, wording: IN_A_PROGRAM });
    this.recipe = recipe;
    return yield* this.#takeEncoded(encoded, columns.rows, [...notes, ...encoded.notes]);
  }

  override attach(input: unknown): this {
    return isPlain(input) ? this.#attachPlain(input) : finish(this.attachInSteps(input));
  }

  override *attachInSteps(input: unknown): Steps<this> {
    const rows = input instanceof TableWithOptions ? input.input : input;
    if (!isNamed(rows)) return yield* this.#take(rows);
    refuseWhileReading();
    const { recipe } = this;
    if (recipe === undefined)
      throw new CurvadError(
        'INPUT_TYPE',
        'these rows have names, and the model was fitted on rows without: pass arrays',
      );
    const application = { recipe, where: WHERE, wording: IN_A_PROGRAM };
    if (Array.isArray(rows) && recipe.isNamed) {
      const encoded = yield* encodeObjects(rows, application);
      return yield* this.#takeEncoded(encoded, rows.length, encoded.notes);
    }
    const columns = yield* tableOf(
      rows,
      recipe.isNamed ? new Set(recipe.columns.flatMap(({ name }) => [name, name.trim()])) : undefined,
    );
    const encoded = yield* applyRecipe(columns, application);
    return yield* this.#takeEncoded(encoded, columns.rows, encoded.notes);
  }

  override detach(): void {
    super.detach();
    this.kept = undefined;
  }

  /** The scores of all rows of the input, in the memory of those that were scored: NaN for those left out. */
  spread(scores: Float64Array): void {
    const { kept } = this;
    if (kept === undefined) return;
    let k = kept.length - 1;
    for (let row = this.total - 1; row >= 0; row--) {
      if (k >= 0 && kept[k] === row) scores[row] = scores[k--] as number;
      else scores[row] = Number.NaN;
    }
  }

  #attachPlain(input: unknown): this {
    super.attach(input);
    this.notes = [];
    this.total = this.rows;
    return this;
  }

  *#take(input: unknown): Steps<this> {
    yield* super.attachInSteps(isArray2D(input) ? matrixOf(input) : input);
    this.notes = [];
    this.total = this.rows;
    return this;
  }

  *#takeEncoded({ data, rows, columns, kept }: EncodedRows, total: number, notes: readonly string[]): Steps<this> {
    if (rows === 0) throw new CurvadError('MISSING_VALUE', 'every row lacks a value: there is nothing to score');
    yield* super.attachInSteps({ data, rows, columns });
    this.kept = kept;
    this.total = total;
    this.notes = notes;
    return this;
  }
}

/** Rows to learn from where each has a label or a place of its own: none may be left out. */
export function* allRowsOf(input: unknown): Steps<TableReader> {
  const reader = yield* new TableReader().learnInSteps(input);
  if (reader.kept === undefined) return reader;
  throw new CurvadError(
    'MISSING_VALUE',
    "missing: 'drop' is for detectors: here every row counts; drop rows first, or fill them in",
  );
}

/** What RowReader takes as it is. */
function isPlain(input: unknown): boolean {
  if (Array.isArray(input)) return Array.isArray(input[0]) || ArrayBuffer.isView(input[0]);
  return typeof input === 'object' && input !== null && typeof (input as { columns?: unknown }).columns === 'number';
}

/** A matrix of { data, shape }. Of a view on other data only its own method knows the rows. */
function matrixOf(input: ShapedArray & { toArray?(): unknown; flags?: { C_CONTIGUOUS?: boolean } }): unknown {
  const { data, shape } = input;
  if (shape.length !== 2)
    throw new CurvadError('DATA_TYPE', `rows and columns are needed, got an array of ${shape.length} dimensions`);
  const [rows, columns] = shape as [number, number];
  const isPacked = data.length === rows * columns && input.flags?.C_CONTIGUOUS !== false;
  if (!isPacked && typeof input.toArray === 'function') return input.toArray();
  const isFloat = data instanceof Float64Array || data instanceof Float32Array;
  return { data: isFloat ? data : Float64Array.from(data, Number), rows, columns };
}
