// What a detector defines: how it trains and scores, and what goes into its model file. All else is in detector.ts.

import { CurvadError } from '../core/errors.js';
import type { RowSource } from '../core/input/matrix.js';
import type { Model } from '../core/model-file/model-file.js';
import type { Steps } from '../core/steps.js';
import type { ThreadSource } from '../parallel/run.js';
import type { Trained } from './fitted-state.js';
import type { HeldRows } from './held-rows.js';
import type { SearchReport } from './search-report.js';
import type { Standing } from './standing.js';
import type { ThresholdName } from './threshold-rule.js';
import type { DetectorWarning } from './warnings.js';

export abstract class Method<Fitted> {
  /**
   * Trains on rows that were checked, in steps of a few milliseconds. Must not change the detector, and
   * must free what it took when it is told of an error: a failed fit leaves everything as it was.
   */
  protected abstract training(rows: RowSource): Steps<Trained<Fitted>>;
  /** What training leaves beside scores, where that does not depend on them. */
  protected fittedOn(_rows: RowSource): Steps<Fitted> {
    throw new CurvadError('DETECTOR_UNSUPPORTED', 'this detector learns more from its rows than their scores');
  }
  /** The text that threads of this detector run. */
  protected abstract readonly threadSource: ThreadSource;
  /**
   * Where training yields no work that several threads can share, one thread does all of it: roughly the
   * multiplications it takes, or undefined.
   */
  protected trainingCost(_rows: RowSource): number | undefined {
    return undefined;
  }

  /** Roughly the multiplications it takes to score a row. */
  protected abstract scoringCost(fitted: Fitted): number;
  /** Scores rows of the right width. */
  protected abstract scoreRows(fitted: Fitted, rows: RowSource, scores: Float64Array): void;
  /** Columns of the training rows. */
  protected abstract columnsOf(fitted: Fitted): number;
  /** The rule for the threshold without options. */
  protected get usualThreshold(): ThresholdName {
    return 'capped';
  }
  /** The score at which the method itself has its border, if it has one. */
  protected get nativeThreshold(): number | undefined {
    return undefined;
  }
  /** What makes verdicts doubtful for a reason of the method's own. */
  protected warningsOf(_fitted: Fitted): DetectorWarning[] {
    return [];
  }
  /** The training rows, where they are kept; undefined by default. */
  protected heldRowsOf(_fitted: Fitted): HeldRows | undefined {
    return undefined;
  }
  /** How neighbours among the training rows are found; undefined where none are looked for. */
  protected searchOf(_fitted: Fitted): SearchReport | undefined {
    return undefined;
  }
  /** Where a row stands among the training rows: a training row, or the only one of new ones. */
  protected standingOf(_fitted: Fitted, _row: number | RowSource): Standing | undefined {
    return undefined;
  }
  /** Frees what training took. */
  protected abstract release(fitted: Fitted): void;
  /** What must be kept to score alike after loading. */
  protected abstract describeFitted(fitted: Fitted): Pick<Model, 'fields' | 'sections'>;
  /** The opposite of describeFitted; must check everything it reads. */
  protected abstract restore(model: Model): Fitted;
}
