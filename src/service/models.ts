// The models of a service, by name and version. Small requests that arrive together are scored together: a row's score
// does not depend on the batch.
import { CurvadError } from '../core/errors.js';
import { RowReader } from '../core/input/matrix.js';
import type { AnyDetector } from '../detectors/detector.js';
import { load } from '../detectors/load.js';
import { HttpError } from './http-error.js';

/** A model to serve. */
export interface ModelOptions {
  /** A fitted detector, or the bytes of its model file. */
  readonly model: AnyDetector | Uint8Array | ArrayBuffer;
  /** Default '1'. */
  readonly version?: string;
  /** Names of its columns, in their order. With them, rows may come as objects, or columns in any order. */
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
  readonly features: readonly string[] | undefined;
  readonly detector: AnyDetector;
  readonly columns: number;
  #waiting: Waiting[] = [];
  #rowsWaiting = 0;

  constructor(name: string, { model, version = '1', features }: ModelOptions) {
    if (!NAME.test(name) || !NAME.test(version))
      throw new CurvadError('NAMES_INVALID', 'names and versions of models have letters, digits, . _ and - only');
    this.name = name;
    this.version = version;
    this.detector = model instanceof Uint8Array || model instanceof ArrayBuffer ? load(model) : model;
    this.columns = this.detector.width;
    this.features = features;
    if (features !== undefined && features.length !== this.columns)
      throw new CurvadError('NAMES_INVALID', `there are ${features.length} names for ${this.columns} columns`);
  }

  /** Scores of rows that may be anything. */
  async score(rows: unknown, limits: { rows: number; milliseconds: number }): Promise<Scored> {
    const reader = new RowReader().attach(rows);
    if (reader.columns !== this.columns)
      throw new CurvadError('WRONG_WIDTH', `rows have ${reader.columns} columns, the model has ${this.columns}`);
    if (reader.rows > limits.rows)
      throw new HttpError(413, 'TOO_MANY_ROWS', `${reader.rows} rows are more than the ${limits.rows} of a request`);
    const data = new Float64Array(reader.rows * reader.columns);
    reader.readTo(data, 0, reader.rows);
    if (reader.rows > TOGETHER) return this.#scoreMany(data, reader.rows, limits.milliseconds);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ data, rows: data.length / this.columns, resolve, reject });
      this.#rowsWaiting += data.length / this.columns;
      if (this.#waiting.length === 1) soon(() => this.#scoreWaiting());
      else if (this.#rowsWaiting >= TOGETHER) this.#scoreWaiting();
    });
  }

  /** In slices, so that other requests are answered meanwhile. */
  async #scoreMany(data: Float64Array, rows: number, milliseconds: number): Promise<Scored> {
    const { threshold } = this.detector;
    const signal = AbortSignal.timeout(milliseconds);
    try {
      const scores = await this.detector.scoreAsync({ data, rows, columns: this.columns }, { threads: 0, signal });
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
      // One of them is to blame: each gets what it would get alone.
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
      data = new Float64Array(rows * this.columns);
      let at = 0;
      for (const one of waiting) {
        data.set(one.data, at);
        at += one.data.length;
      }
    }
    const scores = this.detector.score({ data, rows, columns: this.columns });
    const { threshold } = this.detector;
    let from = 0;
    for (const one of waiting) {
      one.resolve({ scores: scores.slice(from, from + one.rows), threshold });
      from += one.rows;
    }
  }
}

/** After whatever else has arrived by now. */
const soon: (work: () => void) => void =
  (globalThis as { setImmediate?: (work: () => void) => void }).setImmediate ?? ((work) => setTimeout(work, 0));

export class Models {
  /** By name, and there by version in the order in which they came. */
  readonly #models = new Map<string, Map<string, ServedModel>>();

  /** Serves a model from now on; calls under way finish with the one they began with. */
  put(name: string, options: ModelOptions): ServedModel {
    const model = new ServedModel(name, options);
    const versions = this.#models.get(name) ?? new Map<string, ServedModel>();
    versions.delete(model.version);
    versions.set(model.version, model);
    this.#models.set(name, versions);
    return model;
  }

  delete(name: string, version?: string): boolean {
    const versions = this.#models.get(name);
    if (versions === undefined) return false;
    if (version === undefined) return this.#models.delete(name);
    const had = versions.delete(version);
    if (versions.size === 0) this.#models.delete(name);
    return had;
  }

  get names(): string[] {
    return [...this.#models.keys()];
  }

  versionsOf(name: string): string[] {
    return [...(this.#models.get(name)?.keys() ?? [])];
  }

  /** A model; without a version the one that came last, without a name the only one. */
  get(name: string | undefined, version?: string): ServedModel {
    const named = name ?? (this.#models.size === 1 ? this.names[0] : undefined);
    if (named === undefined)
      throw new HttpError(400, 'MODEL_UNNAMED', `name one of the models: ?model=${this.names[0] ?? 'NAME'}`);
    const versions = this.#models.get(named);
    if (versions === undefined) throw new HttpError(404, 'MODEL_UNKNOWN', `there is no model ${quoted(named)}`);
    const model = versions.get(version ?? ([...versions.keys()].at(-1) as string));
    if (model === undefined)
      throw new HttpError(404, 'VERSION_UNKNOWN', `model ${quoted(named)} has no version ${quoted(version ?? '')}`);
    return model;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
