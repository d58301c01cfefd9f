// What a detector makes of scores: labels, how unusual a row is, and what makes that doubtful.
import type { AsyncOptions } from '../parallel/options.js';
import type { Rows } from '../tables/reader.js';
import { labelsOf, type State } from './fitted-state.js';
import { ScoreDistribution } from './probability.js';
import { Summary } from './summary.js';
import { type DetectorOptions, type ThresholdRule, thresholdRuleOf } from './threshold-rule.js';
import { type DetectorWarning, warningsFor } from './warnings.js';

const distributions = new WeakMap<Float64Array, ScoreDistribution>();

export abstract class Verdicts<Fitted> extends Summary<Fitted> {
  /** How the threshold is found. */
  readonly thresholdRule: ThresholdRule;

  constructor(options: Readonly<Partial<Record<keyof DetectorOptions, unknown>>>) {
    super();
    this.thresholdRule = thresholdRuleOf(options, this.usualThreshold, this.nativeThreshold);
  }

  protected abstract readonly state: State<Fitted>;
  abstract score(rows: Rows): Float64Array;
  abstract scoreAsync(rows: Rows, options?: AsyncOptions): Promise<Float64Array>;

  /** Scores of the training rows; higher is more anomalous. */
  get scores(): Float64Array {
    return this.state.scores;
  }

  /** 1 for the training rows that are anomalies, otherwise 0. */
  get labels(): Uint8Array {
    return labelsOf(this.scores, this.threshold);
  }

  /** Scores above it are anomalies. Infinity where all training scores are equal. */
  get threshold(): number {
    return this.state.threshold.value;
  }

  /** All training scores are equal, so that no threshold separates them. */
  get isDegenerate(): boolean {
    return this.state.threshold.isDegenerate;
  }

  /** What makes the verdicts doubtful; empty where nothing does. */
  get warnings(): readonly DetectorWarning[] {
    const { fitted, scores } = this.state;
    return [
      ...this.warningsOf(fitted),
      ...warningsFor({
        columns: this.columnsOf(fitted),
        scores,
        labels: this.labels,
        rule: this.thresholdRule,
        isByNeighbors: this.heldRowsOf(fitted) !== undefined,
      }),
    ];
  }

  /** 1 for new rows that are anomalies, otherwise 0. */
  predict(rows: Rows): Uint8Array {
    return labelsOf(this.score(rows), this.threshold);
  }

  /** Like `predict`, with the same result, without blocking this thread; see `fitAsync`. */
  async predictAsync(rows: Rows, options?: AsyncOptions): Promise<Uint8Array> {
    const { threshold } = this;
    return labelsOf(await this.scoreAsync(rows, options), threshold);
  }

  /** How unusual each training row is, see `probability`. */
  get probabilities(): Float64Array {
    return this.#probabilitiesOf(this.scores, this.scores.slice());
  }

  /**
   * How unusual new rows are, from 0 to 1: the share of training rows with a lower score, by interpolation. It grows
   * with the score, does not depend on the other rows, and is comparable between detectors.
   */
  probability(rows: Rows): Float64Array {
    return this.#probabilitiesOf(this.scores, this.score(rows));
  }

  /** Like `probability`, with the same result, without blocking this thread; see `fitAsync`. */
  async probabilityAsync(rows: Rows, options?: AsyncOptions): Promise<Float64Array> {
    const { scores } = this;
    return this.#probabilitiesOf(scores, await this.scoreAsync(rows, options));
  }

  /** Replaces scores by how unusual they are among training scores. */
  #probabilitiesOf(training: Float64Array, scores: Float64Array): Float64Array {
    const distribution = distributions.get(training) ?? new ScoreDistribution(training);
    distributions.set(training, distribution);
    for (let i = 0; i < scores.length; i++) scores[i] = distribution.of(scores[i] as number);
    return scores;
  }
}
