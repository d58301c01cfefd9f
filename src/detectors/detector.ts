// What all detectors share: fit, scores and labels of the training rows, a threshold, scoring new rows.
// A detector defines how it trains, how it scores, and what goes into its model file.
import type { BackendName } from '../core/backend.js';
import { CurvadError, describe } from '../core/errors.js';
import { type MatrixInput, RowReader, type RowSource } from '../core/matrix.js';
import { corrupt, type Model, writeModel } from '../core/model-file.js';
import { number } from '../core/options.js';
import { checkedSection } from './model-parts.js';
import { contaminationThreshold, type Threshold, twoMeansThreshold } from './threshold.js';

/** Options of every detector. */
export interface DetectorOptions {
  /**
   * Share of the training rows to call anomalies, in (0, 0.5]: the threshold is numpy's percentile of their
   * scores, and anomalies are strictly above it, so that ties at the threshold make them fewer. Without it,
   * K-means with two clusters finds the threshold.
   */
  contamination?: number;
}

/** What training gives. `Fitted` is what the detector needs to score. */
export interface Trained<Fitted> {
  readonly fitted: Fitted;
  /** Higher is more anomalous. */
  readonly scores: Float64Array;
}

interface State<Fitted> extends Trained<Fitted> {
  readonly threshold: Threshold;
}

/** A detector of any kind. */
export type AnyDetector = Detector<unknown>;

export abstract class Detector<Fitted> {
  readonly #contamination: number | undefined;
  #state: State<Fitted> | undefined;
  #isDisposed = false;
  readonly #reader = new RowReader();

  constructor(options: DetectorOptions) {
    this.#contamination = number(
      options.contamination,
      'contamination',
      'a number above 0 and at most 0.5',
      (value) => value > 0 && value <= 0.5,
      'CONTAMINATION_INVALID',
    );
  }

  /** The name in model files and messages. */
  protected abstract readonly kind: string;
  /** What runs: 'js' or one of the WebAssembly builds. */
  abstract readonly backend: BackendName;
  /** Trains on rows that were checked. Must not change the detector: a failed fit leaves it as it was. */
  protected abstract train(rows: RowSource): Trained<Fitted>;
  /** Scores rows of the right width. */
  protected abstract scoreRows(fitted: Fitted, rows: RowSource, scores: Float64Array): void;
  /** Columns of the training rows. */
  protected abstract columnsOf(fitted: Fitted): number;
  /** Frees what training took. */
  protected abstract release(fitted: Fitted): void;
  /** What must be kept to score alike after loading. */
  protected abstract describeFitted(fitted: Fitted): Pick<Model, 'fields' | 'sections'>;
  /** The opposite of describeFitted; must check everything it reads. */
  protected abstract restore(model: Model): Fitted;

  /** Learns from rows. Can be called again: the last fit counts. */
  fit(rows: MatrixInput): this {
    this.#checkUsable();
    const reader = new RowReader().attach(rows);
    const trained = this.train(reader);
    const threshold =
      this.#contamination === undefined
        ? twoMeansThreshold(trained.scores)
        : contaminationThreshold(trained.scores, this.#contamination);
    if (this.#state !== undefined) this.release(this.#state.fitted);
    this.#state = { ...trained, threshold };
    return this;
  }

  /** Scores of the training rows; higher is more anomalous. */
  get scores(): Float64Array {
    return this.#fittedState().scores;
  }

  /** 1 for the training rows that are anomalies, otherwise 0. */
  get labels(): Uint8Array {
    return this.#label(this.scores);
  }

  /** Scores above it are anomalies. Infinite where all training scores are equal: nothing is one. */
  get threshold(): number {
    return this.#fittedState().threshold.value;
  }

  /** All training scores are equal, so that no threshold separates them. */
  get isDegenerate(): boolean {
    return this.#fittedState().threshold.isDegenerate;
  }

  /** Scores of new rows, on the scale of `scores`. A row's score does not depend on the others in the call. */
  score(rows: MatrixInput): Float64Array {
    const { fitted } = this.#fittedState();
    this.#attach(rows, fitted);
    const scores = new Float64Array(this.#reader.rows);
    return this.#scoreAttached(fitted, scores);
  }

  /**
   * As score, into a Float64Array of yours of at least as many elements; allocates nothing. What it holds
   * after an error is undefined.
   */
  scoreInto(rows: MatrixInput, scores: Float64Array): Float64Array {
    const { fitted } = this.#fittedState();
    if (!(scores instanceof Float64Array)) {
      throw new CurvadError('OUTPUT_TYPE', `scores must be a Float64Array, got ${describe(scores)}`);
    }
    this.#attach(rows, fitted);
    if (scores.length < this.#reader.rows) {
      const needed = this.#reader.rows;
      this.#reader.detach();
      throw new CurvadError('OUTPUT_LENGTH', `scores has room for ${scores.length} rows, got ${needed}`);
    }
    return this.#scoreAttached(fitted, scores);
  }

  /** 1 for new rows that are anomalies, otherwise 0. */
  predict(rows: MatrixInput): Uint8Array {
    return this.#label(this.score(rows));
  }

  /** The fitted detector as a model file. `load` gives a detector with bit-identical scores. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const { fitted, scores, threshold } = this.#fittedState();
    const { fields, sections } = this.describeFitted(fitted);
    return writeModel({
      detector: this.kind,
      // JSON has no infinity: a degenerate threshold is null.
      fields: {
        ...fields,
        contamination: this.#contamination,
        threshold: threshold.isDegenerate ? null : threshold.value,
      },
      sections: { ...sections, scores },
    });
  }

  /** Takes over the state in a model file. */
  protected adopt(model: Model): this {
    const fitted = this.restore(model);
    const threshold = model.fields['threshold'];
    const isDegenerate = threshold === null;
    if (!isDegenerate && !(typeof threshold === 'number' && Number.isFinite(threshold)))
      throw corrupt('its threshold is not a number');
    const scores = checkedSection(model, 'scores', 'f64');
    this.#state = {
      fitted,
      scores,
      threshold: { value: isDegenerate ? Infinity : threshold, isDegenerate },
    };
    return this;
  }

  /** Frees the memory now instead of at the next garbage collection. The detector cannot be used after that. */
  dispose(): void {
    if (this.#state !== undefined) this.release(this.#state.fitted);
    this.#state = undefined;
    this.#isDisposed = true;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** What training gave, for a detector's own methods. */
  protected get fitted(): Fitted {
    return this.#fittedState().fitted;
  }

  /** Checks new rows against the fitted width. */
  protected checkedRows(rows: MatrixInput): RowReader {
    const reader = new RowReader().attach(rows);
    checkWidth(reader, this.columnsOf(this.fitted));
    return reader;
  }

  #attach(rows: MatrixInput, fitted: Fitted): void {
    try {
      checkWidth(this.#reader.attach(rows), this.columnsOf(fitted));
    } catch (error) {
      this.#reader.detach();
      throw error;
    }
  }

  #scoreAttached(fitted: Fitted, scores: Float64Array): Float64Array {
    try {
      this.scoreRows(fitted, this.#reader, scores);
      return scores;
    } finally {
      this.#reader.detach();
    }
  }

  #label(scores: Float64Array): Uint8Array {
    const { threshold } = this;
    return Uint8Array.from(scores, (score) => (score > threshold ? 1 : 0));
  }

  #checkUsable(): void {
    if (this.#isDisposed) throw new CurvadError('DISPOSED', `this ${this.kind} was disposed: make a new one`);
  }

  #fittedState(): State<Fitted> {
    this.#checkUsable();
    if (this.#state === undefined)
      throw new CurvadError('NOT_FITTED', `this ${this.kind} was not fitted: call fit(rows) first`);
    return this.#state;
  }
}

function checkWidth(rows: RowSource, columns: number): void {
  if (rows.columns !== columns) {
    throw new CurvadError('WRONG_WIDTH', `rows have ${rows.columns} columns, the detector was fitted on ${columns}`);
  }
}
