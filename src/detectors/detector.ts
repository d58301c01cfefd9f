// What all detectors share: fitting and scoring, at once and asynchronously, and model files. Labels and what else is
// made of scores are in verdicts.ts.
// A detector defines how it trains, how it scores, and what goes into its model file: see method.ts.
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
  /** Idle between calls, so that scoring allocates nothing. */
  #reader: TableReader | undefined = new TableReader();

  constructor(options: unknown) {
    const { kind, options: table } = new.target as unknown as DetectorClass<unknown, Options>;
    const { given, values } = checkOptions(options, table, kind);
    super(given);
    this.kind = kind;
    this.givenOptions = given;
    this.options = values;
  }

  /** Loads a model file of this kind of detector; `load` takes those of any. */
  static load<Made extends AnyDetector>(
    this: DetectorClass<Made>,
    bytes: Uint8Array | ArrayBuffer,
    options?: LoadOptions,
  ): Made {
    if (typeof this !== 'function')
      throw new CurvadError('DETECTOR_INVALID', 'load needs its class: CAD.load(bytes), or load(bytes) for every kind');
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

  /** What runs: 'js' or one of the WebAssembly builds. */
  get backend(): BackendName {
    return selectBackend(this.options.backend).name;
  }

  /** Learns from rows. Can be called again: the last fit counts. */
  fit(rows: Rows): this {
    this.#checkUsable();
    const reader = new TableReader().learn(rows);
    return this.#become(finish(this.#fitting(reader)), reader);
  }

  /** @internal Becomes what `fit` would make of it, from rows whose scores were found elsewhere. */
  fitScored(rows: Rows, scores: Float64Array): this {
    this.#checkUsable();
    const reader = new TableReader().learn(rows);
    if (scores.length !== reader.rows)
      throw new CurvadError('LENGTHS_DIFFER', `there are ${scores.length} scores of ${reader.rows} rows`);
    return this.#become(finish(this.#fitting(reader, scores)), reader);
  }

  /**
   * As `fit`, with the same result, without keeping this thread busy: on other threads where the runtime
   * has them, otherwise in slices of a few milliseconds. The rows must not change until it is done.
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

  /** Scores of new rows, each by itself, on the scale of `scores`. A row fitted on has itself for a neighbour here. */
  score(rows: Rows): Float64Array {
    return this.#score(rows, this.state);
  }

  /**
   * As `score`, with the same result, without keeping this thread busy; see `fitAsync`. A call under way when the
   * detector is fitted again finishes on the model it began with.
   */
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
      { key: state.key, model: () => this.#modelOf(state) },
    );
    this.#checkUsable(); // it may have been disposed meanwhile
    this.#execution = run.execution;
    this.noteRows(reader);
    reader.spread(scores);
    return scores;
  }

  /** How the last asynchronous call was run, and how neighbours were searched; undefined before the first. */
  get execution(): (Execution & Partial<Pick<SearchReport, 'search' | 'storage'>>) | undefined {
    const { state } = this.#model;
    const report = state && this.searchOf(state.fitted);
    if (this.#execution === undefined || report === undefined) return this.#execution;
    return { ...this.#execution, search: report.search, storage: report.storage };
  }

  /**
   * As score, into a Float64Array of yours of at least as many elements; allocates nothing. What it holds
   * after an error is undefined.
   */
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

  /** @internal What a model file holds. */
  toModel(): Model {
    return this.#modelOf(this.state);
  }

  #modelOf(state: State<Fitted>): Model {
    const { fields, sections } = this.describeFitted(state.fitted);
    const described = { fields: withOptionFields(fields, this.options), sections };
    return modelOf(this.kind, state, this.thresholdRule, described);
  }

  /** Takes over the state in a model file. */
  protected adopt(model: Model): this {
    refuseWhileReading();
    return this.#become(this.#stateOf(model));
  }

  /**
   * Frees the memory now instead of at the next garbage collection. The detector cannot be used after that, and
   * asynchronous calls under way reject with DISPOSED.
   */
  dispose(): void {
    this.#model.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Scores of rows, the training rows say, as work that can be done in slices. */
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

  /** Checks new rows against the fitted width. */
  protected checkedRows(rows: Rows): TableReader {
    const { fitted, recipe } = this.state;
    const reader = new TableReader(recipe).attach(rows);
    checkWidth(reader, this.columnsOf(fitted));
    this.noteRows(reader);
    return reader;
  }

  /** All of a fit, in steps. */
  *#fitting(rows: RowSource, scores?: Float64Array): Steps<State<Fitted>> {
    const trained = scores ? { fitted: yield* this.fittedOn(rows), scores } : yield* this.training(rows);
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
    this.#reader = undefined; // a matrix may ask this detector for its numbers
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
    if (this.#model.isDisposed) throw new CurvadError('DISPOSED', `this ${this.kind} was disposed: make a new one`);
  }

  /** What the last fit gave. */
  protected get state(): State<Fitted> {
    this.#checkUsable();
    const { state } = this.#model;
    if (state === undefined)
      throw new CurvadError('NOT_FITTED', `this ${this.kind} was not fitted: call fit(rows) first`);
    return state;
  }
}
