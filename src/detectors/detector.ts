// The base class of all detectors: fitting and scoring, synchronous and asynchronous, and model files. Labels and
// probabilities are in verdicts.ts. Subclasses define training, scoring and the content of the model file: see method.ts.
/// <reference lib="esnext.disposable" preserve="true" />

import type { BackendName } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import { RowRange, type RowSource, refuseWhileReading } from '../core/input/matrix.js';
import { type LoadOptions, readLoadOptions } from '../core/model-file/limits.js';
import { type Model, writeModel } from '../core/model-file/model-file.js';
import { type BackendChoice, selectBackend } from '../core/select.js';
import { finish, type Steps, type Work } from '../core/steps.js';
import { type AsyncOptions, checkAsyncOptions, type Execution } from '../parallel/options.js';
import { Run } from '../parallel/run.js';
import { type Rows, TableReader } from '../tables/reader.js';
import { CurrentModel } from './current-model.js';
import { type CommonValues, checkOptions, type OptionTable, withOptionFields } from './detector-options.js';
import { FittedMethod } from './fitted-method.js';
import { checkWidth, modelOf, type State, stateFrom, stateOf } from './fitted-state.js';
import { makeFrom, readModelOf } from './model-parts.js';
import type { SearchReport } from './search-report.js';
import { sampleOf } from './training-sample.js';

/** What was found elsewhere of rows that are to be fitted on. */
interface Known {
  readonly scores: Float64Array;
  readonly besides: readonly Float64Array[];
}

/** A detector of any kind. */
export type AnyDetector = Detector<unknown>;

/** The class of a detector: its name in model files and messages, and the table of its options. */
export interface DetectorClass<Made, Options = unknown> {
  new (options: never): Made;
  /** @internal */
  readonly kind: string;
  /** @internal */
  readonly options: OptionTable<Options>;
}

export abstract class Detector<Fitted, Options extends CommonValues = CommonValues> extends FittedMethod<Fitted> {
  protected readonly kind: string;
  /** @internal Options as they were given. */
  protected readonly givenOptions: Readonly<Record<string, unknown>>;
  /** @internal Options with defaults. */
  protected readonly options: Options;
  readonly #model = new CurrentModel<State<Fitted>>({ release: ({ fitted }) => this.release(fitted) });
  #execution: Execution | undefined;
  /** Reused between calls, so that scoring allocates nothing. */
  #reader: TableReader | undefined = new TableReader();

  constructor(options: unknown) {
    const { kind, options: table } = new.target as unknown as DetectorClass<unknown, Options>;
    const { given, values } = checkOptions(options, table, kind);
    super(given);
    this.kind = kind;
    this.givenOptions = given;
    this.options = values;
  }

  /** Loads a model file of this class; `load` loads any detector. */
  static load<Made extends AnyDetector>(
    this: DetectorClass<Made>,
    bytes: Uint8Array | ArrayBuffer,
    options?: LoadOptions,
  ): Made {
    if (typeof this !== 'function')
      throw new CurvadError(
        'DETECTOR_INVALID',
        'load was called without its class: use CAD.load(bytes), or load(bytes) for any detector',
      );
    const { backend, limits } = readLoadOptions(options, `${this.kind}.load`);
    return Detector.#restored(this, readModelOf(bytes, this.kind, limits), backend);
  }

  /** @internal */
  static fromModel<Made extends AnyDetector>(this: DetectorClass<Made>, model: Model, options: LoadOptions): Made {
    return Detector.#restored(this, model, options.backend);
  }

  static #restored<Made extends AnyDetector>(
    Kind: DetectorClass<Made>,
    model: Model,
    backend: BackendChoice | undefined,
  ): Made {
    const names = Object.keys(Kind.options);
    return makeFrom(model, names, (options) => new Kind({ ...options, backend } as never)).adopt(model);
  }

  /** The backend in use: 'js' or 'wasm-simd'. */
  get backend(): BackendName {
    return selectBackend(this.options.backend).name;
  }

  /** Fits the detector to rows. A second call replaces the first fit. */
  fit(rows: Rows): this {
    this.#checkUsable();
    const reader = new TableReader().learn(rows);
    return this.#become(finish(this.#fitting(reader)), reader);
  }

  /** @internal Fits to rows whose scores, and for LOF k-distances and densities, were computed elsewhere. */
  fitScored(rows: Rows, scores: Float64Array, besides: readonly Float64Array[] = []): this {
    this.#checkUsable();
    const reader = new TableReader().learn(rows);
    if (scores.length !== reader.rows)
      throw new CurvadError('LENGTHS_DIFFER', `there are ${scores.length} scores of ${reader.rows} rows`);
    return this.#become(finish(this.#fitting(reader, { scores, besides })), reader);
  }

  /**
   * Like `fit`, with the same result, without blocking this thread: on other threads if the runtime has them, otherwise in
   * slices of a few milliseconds. The rows must not change until it is done.
   */
  async fitAsync(rows: Rows, options?: AsyncOptions): Promise<this> {
    this.#checkUsable();
    const run = this.#run(options, 'fitAsync');
    const reader = await run.finish(new TableReader().learnInSteps(rows));
    const state = (await this.#fitElsewhere(run, reader)) ?? (await run.finish(this.#fitting(reader)));
    try {
      run.report(1);
      this.#checkUsable(); // it may have been disposed meanwhile
    } catch (error) {
      this.release(state.fitted);
      throw error;
    }
    this.#execution = run.execution;
    return this.#become(state, reader);
  }

  /** Scores new rows, each by itself, on the scale of `scores`. A training row counts as new and is its own neighbour here. */
  score(rows: Rows): Float64Array {
    return this.#score(rows, this.state);
  }

  /** Like `score`, without blocking this thread; see `fitAsync`. Another fit does not affect calls in progress. */
  async scoreAsync(rows: Rows, options?: AsyncOptions): Promise<Float64Array> {
    const { state } = this;
    return this.#model.lease(state, () => this.#scoreOnThreads(rows, state, this.#run(options, 'scoreAsync')));
  }

  async #scoreOnThreads(rows: Rows, state: State<Fitted>, run: Run): Promise<Float64Array> {
    const { fitted, recipe } = state;
    const reader = await run.finish(new TableReader(recipe).attachInSteps(rows));
    checkWidth(reader, this.columnsOf(fitted));
    const scores = new Float64Array(reader.total);
    const work = this.scoringWork(fitted, reader, scores, [0, 1]);
    await run.scoreRows(
      { rows: reader, work, take: (from, part) => scores.set(part, from) },
      { key: state.key, points: this.heldRowsOf(fitted)?.points, model: (isLent) => this.#modelOf(state, isLent) },
    );
    this.#checkUsable(); // it may have been disposed meanwhile
    this.#execution = run.execution;
    this.noteRows(reader);
    reader.spread(scores);
    return scores;
  }

  /** How the last asynchronous call was run and how neighbours were searched; undefined before the first. */
  get execution(): (Execution & Partial<Pick<SearchReport, 'search' | 'storage'>>) | undefined {
    const { state } = this.#model;
    const report = state && this.searchOf(state.fitted);
    if (this.#execution === undefined || report === undefined) return this.#execution;
    return { ...this.#execution, search: report.search, storage: report.storage };
  }

  /** Like `score`, into a given array, without allocating. After an error its content is undefined. */
  scoreInto(rows: Rows, scores: Float64Array): Float64Array {
    const { state } = this;
    if (!(scores instanceof Float64Array)) {
      throw new CurvadError('OUTPUT_TYPE', `scores must be a Float64Array, got ${describe(scores)}`);
    }
    return this.#score(rows, state, scores);
  }

  /** The fitted detector as a model file. `load` gives a detector with bit-identical scores. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return writeModel(this.toModel());
  }

  /** @internal The content of a model file. */
  toModel(): Model {
    return this.#modelOf(this.state);
  }

  #modelOf(state: State<Fitted>, isLent = false): Model {
    const { fields, sections } = this.describeFitted(state.fitted, isLent);
    return modelOf(this.kind, state, this.thresholdRule, { fields: withOptionFields(fields, this.options), sections });
  }

  /** Adopts the state of a model file. */
  protected adopt(model: Model): this {
    refuseWhileReading();
    return this.#become(this.#stateOf(model));
  }

  /**
   * Frees the memory now instead of at the next garbage collection. The detector cannot be used afterwards, and
   * asynchronous calls in progress reject with DISPOSED.
   */
  dispose(): void {
    this.#model.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Scoring of rows as work that can be done in slices. */
  protected scoringWork(
    fitted: Fitted,
    rows: RowSource,
    scores: Float64Array,
    progress: readonly [number, number],
  ): Work {
    refuseWhileReading();
    const run = (from: number, to: number): void =>
      this.scoreRows(fitted, new RowRange(rows, from, to), scores.subarray(from, to));
    return { rows: rows.rows, cost: this.scoringCost(fitted), progress, run };
  }

  /** Reads new rows and checks their width. */
  protected checkedRows(rows: Rows): TableReader {
    const { fitted, recipe } = this.state;
    const reader = new TableReader(recipe).attach(rows);
    checkWidth(reader, this.columnsOf(fitted));
    this.noteRows(reader);
    return reader;
  }

  /** A whole fit, in steps. */
  *#fitting(rows: RowSource, known?: Known): Steps<State<Fitted>> {
    const trained = known
      ? { fitted: yield* this.fittedOn(rows, known.besides), scores: known.scores }
      : yield* this.training(rows);
    try {
      yield;
      const sample = this.heldRowsOf(trained.fitted) ? undefined : yield* sampleOf(rows, trained.scores);
      return { ...(yield* stateOf(trained, this.thresholdRule)), sample };
    } catch (error) {
      this.release(trained.fitted);
      throw error;
    }
  }

  async #fitElsewhere(run: Run, rows: RowSource): Promise<State<Fitted> | undefined> {
    const cost = this.trainingCost(rows);
    if (cost === undefined) return undefined;
    const model = await run.fitElsewhere(rows, cost, this.givenOptions);
    return model && this.#stateOf(model);
  }

  #stateOf(model: Model): State<Fitted> {
    const fitted = this.restore(model);
    return stateFrom(model, fitted, this.columnsOf(fitted));
  }

  #run(options: unknown, what: string): Run {
    return new Run(checkAsyncOptions(options, what), this.backend, this.threadSource);
  }

  #become(state: State<Fitted>, reader?: TableReader): this {
    this.#model.replace(reader === undefined ? state : { ...state, recipe: reader.recipe });
    this.noteTraining(reader);
    return this;
  }

  #score(rows: Rows, { fitted, recipe }: State<Fitted>, room?: Float64Array): Float64Array {
    const reader = this.#reader ?? new TableReader();
    reader.recipe = recipe;
    this.#reader = undefined; // reading a matrix may call this detector
    try {
      checkWidth(reader.attach(rows), this.columnsOf(fitted));
      const scores = room ?? new Float64Array(reader.total);
      if (scores.length < reader.total) {
        throw new CurvadError('OUTPUT_LENGTH', `scores has room for ${scores.length} rows, got ${reader.total}`);
      }
      this.scoreRows(fitted, reader, scores);
      reader.spread(scores);
      this.noteRows(reader);
      return scores;
    } finally {
      reader.detach();
      this.#reader = reader;
    }
  }

  #checkUsable(): void {
    if (this.#model.isDisposed) throw new CurvadError('DISPOSED', `this ${this.kind} was disposed: create a new one`);
  }

  /** The result of the last fit. */
  protected get state(): State<Fitted> {
    this.#checkUsable();
    const { state } = this.#model;
    if (state === undefined)
      throw new CurvadError('NOT_FITTED', `this ${this.kind} is not fitted: call fit(rows) first`);
    return state;
  }
}
