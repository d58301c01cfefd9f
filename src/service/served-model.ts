// A model in service. Small requests that arrive together are scored together, as a row's score does not depend on the
// batch.
import { CurvadError } from '../core/errors.js';
import type { FlatMatrix } from '../core/input/matrix.js';
import type { AnyDetector } from '../detectors/detector.js';
import { load } from '../detectors/load.js';
import { TableReader } from '../tables/reader.js';
import { Recipe } from '../tables/recipe.js';
import { HttpError } from './http-error.js';
import { soon } from './soon.js';

/** A model to serve. */
export interface ModelOptions {
  /** A fitted detector, or the bytes of its model file. */
  readonly model: AnyDetector | Uint8Array | ArrayBuffer;
  /** Default '1'. */
  readonly version?: string;
  /**
   * Names of its columns, in their order, for a model that was fitted on rows without names. With them, rows may come as
   * objects, or columns in any order.
   */
  readonly features?: readonly string[];
}

export interface Scored {
  readonly scores: Float64Array;
  readonly threshold: number;
}

interface Waiting {
  readonly data: Float64Array;
  readonly rows: number;
  resolve(scored: Scored): void;
  reject(error: unknown): void;
}

/** Rows that are scored together at most, and rows of a request that does not wait for others. */
const TOGETHER = 256;
const NAME = /^[\w.-]{1,100}$/;

export class ServedModel {
  readonly name: string;
  readonly version: string;
  readonly detector: AnyDetector;
  /** How columns become features. */
  readonly recipe: Recipe;
  /** Numbers of a row as the detector takes it. */
  readonly width: number;
  #waiting: Waiting[] = [];
  #rowsWaiting = 0;

  constructor(name: string, { model, version = '1', features }: ModelOptions) {
    if (!NAME.test(name) || !NAME.test(version))
      throw new CurvadError('NAMES_INVALID', 'names and versions of models have letters, digits, . _ and - only');
    this.name = name;
    this.version = version;
    this.detector = model instanceof Uint8Array || model instanceof ArrayBuffer ? load(model) : model;
    this.width = this.detector.width;
    this.recipe = this.detector.recipe ?? recipeOf(features, this.width);
    if (features !== undefined && this.detector.recipe !== undefined)
      throw new CurvadError('NAMES_INVALID', 'the model knows its columns by name: leave features out');
  }

  /** Names of the columns, if any. */
  get names(): readonly string[] | undefined {
    return this.recipe.isNamed ? this.recipe.columns.map(({ name }) => name) : undefined;
  }

  /** Rows as the detector takes them, of rows that may be anything. */
  read(rows: unknown): FlatMatrix & { readonly data: Float64Array } {
    const reader = new TableReader(this.recipe).attach(rows);
    if (reader.columns !== this.width)
      throw new CurvadError('WRONG_WIDTH', `rows have ${reader.columns} columns, the model has ${this.width}`);
    if (reader.kept !== undefined) {
      const row = reader.kept.findIndex((place, i) => place !== i);
      const first = row < 0 ? reader.rows : row;
      throw new CurvadError('MISSING_VALUE', `row ${first} lacks a value, and the model leaves such rows out`, {
        row: first,
      });
    }
    const data = new Float64Array(reader.rows * reader.columns);
    reader.readTo(data, 0, reader.rows);
    return { data, rows: reader.rows, columns: reader.columns };
  }

  /** Scores of rows that may be anything. */
  async score(rows: unknown, limits: { rows: number; milliseconds: number }): Promise<Scored> {
    const matrix = this.read(rows);
    if (matrix.rows > limits.rows)
      throw new HttpError(413, 'TOO_MANY_ROWS', `${matrix.rows} rows are more than the ${limits.rows} of a request`);
    const { data } = matrix;
    if (matrix.rows > TOGETHER) return this.#scoreMany(data, matrix.rows, limits.milliseconds);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ data, rows: data.length / this.width, resolve, reject });
      this.#rowsWaiting += data.length / this.width;
      if (this.#waiting.length === 1) soon(() => this.#scoreWaiting());
      else if (this.#rowsWaiting >= TOGETHER) this.#scoreWaiting();
    });
  }

  /** In slices, so that other requests are answered meanwhile. */
  async #scoreMany(data: Float64Array, rows: number, milliseconds: number): Promise<Scored> {
    const { threshold } = this.detector;
    const signal = AbortSignal.timeout(milliseconds);
    try {
      const scores = await this.detector.scoreAsync({ data, rows, columns: this.width }, { threads: 0, signal });
      return { scores, threshold };
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new HttpError(
        503,
        'SCORING_TOO_SLOW',
        `${rows} rows were not scored within ${milliseconds} ms: send fewer`,
      );
    }
  }

  #scoreWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#rowsWaiting = 0;
    if (waiting.length === 0) return;
    try {
      this.#scoreTogether(waiting);
    } catch {
      // One of them causes the error: score each by itself.
      for (const one of waiting) {
        try {
          this.#scoreTogether([one]);
        } catch (error) {
          one.reject(error);
        }
      }
    }
  }

  #scoreTogether(waiting: readonly Waiting[]): void {
    const rows = waiting.reduce((sum, one) => sum + one.rows, 0);
    let data = (waiting[0] as Waiting).data;
    if (waiting.length > 1) {
      data = new Float64Array(rows * this.width);
      let at = 0;
      for (const one of waiting) {
        data.set(one.data, at);
        at += one.data.length;
      }
    }
    const scores = this.detector.score({ data, rows, columns: this.width });
    const { threshold } = this.detector;
    let from = 0;
    for (const one of waiting) {
      one.resolve({ scores: scores.slice(from, from + one.rows), threshold });
      from += one.rows;
    }
  }
}

/** The recipe of columns of numbers, which may have names. */
function recipeOf(features: readonly string[] | undefined, width: number): Recipe {
  if (features === undefined) return Recipe.ofNumbers(width);
  if (features.length !== width)
    throw new CurvadError('NAMES_INVALID', `there are ${features.length} names for ${width} columns`);
  const columns = features.map(
    (name, index) => ({ kind: 'number', name, index, fill: Number.NaN, hasIndicator: false }) as const,
  );
  return new Recipe({ columns, width, isNamed: true, missing: 'error' });
}
