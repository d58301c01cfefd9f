// What a detector implements: training, scoring, and the content of its model file. Everything else is in detector.ts.

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import type { Steps } from '../core/steps.js';
import type { ThreadSource } from '../parallel/run.js';
import type { Trained } from './fitted-state.js';
import type { GridScoring } from './grid-scoring.js';
import type { HeldRows } from './held-rows.js';
import type { SearchReport } from './search-report.js';
import type { Standing } from './standing.js';
import type { ThresholdName } from './threshold-rule.js';
import type { DetectorWarning } from './warnings.js';

export abstract class Method<Fitted> {
  /**
   * Trains on checked rows, in steps of a few milliseconds. Must not change the detector, and must free its memory if an
   * error is thrown into it, so that a failed fit leaves everything unchanged.
   */
  protected abstract training(rows: RowSource): Steps<Trained<Fitted>>;
  /** The result of training apart from scores, if it depends on nothing but the rows and the values in `_besides`. */
  protected fittedOn(_rows: RowSource, _besides: readonly Float64Array[]): Steps<Fitted> {
    throw new CurvadError('DETECTOR_UNSUPPORTED', 'this detector learns more from its rows than their scores');
  }
  /** The text that threads of this detector run. */
  protected abstract readonly threadSource: ThreadSource;
  /**
   * Approximate cost in multiplications, if training has no work to share and should run on one other thread; otherwise
   * undefined.
   */
  protected trainingCost(_rows: RowSource): number | undefined {
    return undefined;
  }

  /** Approximate cost of scoring a row, in multiplications. */
  protected abstract scoringCost(fitted: Fitted): number;
  /** Scores rows of the right width. */
  protected abstract scoreRows(fitted: Fitted, rows: RowSource, scores: Float64Array): void;
  /** Number of columns of the training rows. */
  protected abstract columnsOf(fitted: Fitted): number;
  /** The default threshold rule. */
  protected get usualThreshold(): ThresholdName {
    return 'capped';
  }
  /** The native decision boundary, if the method has one. */
  protected get nativeThreshold(): number | undefined {
    return undefined;
  }
  /** Warnings specific to the method. */
  protected warningsOf(_fitted: Fitted): DetectorWarning[] {
    return [];
  }
  /** The stored training rows; undefined by default. */
  protected heldRowsOf(_fitted: Fitted): HeldRows | undefined {
    return undefined;
  }
  /** How neighbours among the training rows are searched; undefined without a search. */
  protected searchOf(_fitted: Fitted): SearchReport | undefined {
    return undefined;
  }
  /** The position of a row among the training rows: a training row, or a single new one. */
  protected standingOf(_fitted: Fitted, _row: number | RowSource): Standing | undefined {
    return undefined;
  }
  /** @internal How the cells of a landscape are scored together; undefined where they are scored like any rows. */
  get gridScoring(): GridScoring | undefined {
    return undefined;
  }
  /** Frees the memory of training. */
  protected abstract release(fitted: Fitted): void;
  /** What a model file needs for the same scores after loading. */
  protected abstract describeFitted(fitted: Fitted, isLent?: boolean): Pick<Model, 'fields' | 'sections'>;
  /** The inverse of describeFitted; must check everything it reads. */
  protected abstract restore(model: Model): Fitted;
}
