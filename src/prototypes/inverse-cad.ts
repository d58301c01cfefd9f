// Inverse CAD: the rows with the lowest curvature score, with neighbours all around, are the prototypes. It is CAD on each
// class by itself, with the ranking reversed.

import type { BackendName } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { allocate } from '../core/input/matrix.js';
import { sortValues } from '../core/math/sorting.js';
import { checkOptionNames } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import { CAD, type CADOptions } from '../detectors/cad.js';
import { labelsOf } from '../detectors/fitted-state.js';
import { twoMeansThreshold } from '../detectors/threshold.js';
import type { DetectorOptions } from '../detectors/threshold-rule.js';
import type { ThreadSource } from '../parallel/run.js';
import { nameOf, type Problem, type RowClass } from './classes.js';
import { eachClass, leastFirst, type Ranking } from './ranking.js';
import { PrototypeSelector } from './selector.js';
import { rowsOf, sourceOf, type Table } from './table.js';

/** The options of CAD that affect its scores. */
export type InverseCADOptions = Omit<CADOptions, keyof DetectorOptions>;

const OPTION_NAMES: ReadonlyArray<keyof InverseCADOptions> = [
  'neighbors',
  'kernel',
  'gamma',
  'degree',
  'coef0',
  'precision',
  'standardize',
  'orientation',
  'backend',
];

/**
 * Inverse CAD (iCAD), or kernel iCAD with a kernel other than linear. The score of a row is minus its anomaly
 * score by CAD among the rows of its class; `retain` keeps, of the two clusters K-means finds in the scores of
 * a class, the one with the higher mean, or the whole class if all its scores are equal. Each class needs one
 * row more than `neighbors`. Targets of a regression are ignored.
 */
export class InverseCAD extends PrototypeSelector {
  protected readonly kind = 'InverseCAD';
  readonly #cad: CAD;
  readonly #neighbors: number;

  constructor(options?: InverseCADOptions) {
    super();
    const given: InverseCADOptions = checkOptionNames(options, OPTION_NAMES, 'InverseCAD');
    this.#cad = new CAD(given);
    this.#neighbors = given.neighbors ?? 10;
  }

  protected override get runsOn(): BackendName {
    return this.#cad.backend;
  }

  protected override readonly threadSource: ThreadSource = () => import('curvad-thread:cad');

  protected override rankClasses({ table, classes }: Problem): Steps<readonly Ranking[]> {
    this.#checkSizes(classes);
    const scoresOf = anomalyScores(this.#cad, table, classes);
    return eachClass(classes, function* (own) {
      return yield* leastFirst(own.rows, yield* scoresOf(own));
    });
  }

  protected override *retainRows({ table, classes }: Problem): Steps<Uint32Array> {
    this.#checkSizes(classes);
    const scoresOf = anomalyScores(this.#cad, table, classes);
    const retained = yield* eachClass(classes, function* (own) {
      const scores = yield* scoresOf(own);
      const labels = labelsOf(scores, (yield* twoMeansThreshold(scores)).value);
      return own.rows.filter((_, i) => labels[i] === 0);
    });
    const rows = new Uint32Array(retained.reduce((sum, { length }) => sum + length, 0));
    let filled = 0;
    for (const own of retained) {
      rows.set(own, filled);
      filled += own.length;
    }
    return yield* sortValues(rows);
  }

  #checkSizes(classes: readonly RowClass[]): void {
    for (const own of classes) {
      if (own.rows.length > this.#neighbors) continue;
      const needed = `${this.#neighbors} neighbors need at least ${this.#neighbors + 1} rows`;
      throw new CurvadError('TOO_FEW_ROWS', `${needed}, ${nameOf(own)} has ${own.rows.length}`);
    }
  }
}

/** CAD scores of the rows of each class, without computing a threshold or keeping a model. */
function anomalyScores(cad: CAD, table: Table, classes: readonly RowClass[]): (own: RowClass) => Steps<Float64Array> {
  // One buffer serves all classes in turn.
  const most = classes.reduce((size, { rows }) => Math.max(size, rows.length), 0);
  const room = most < table.rows ? allocate(most * table.columns) : undefined;
  return function* ({ rows }) {
    try {
      return yield* cad.trainingScores(sourceOf(room === undefined ? table : yield* rowsOf(table, rows, room)));
    } catch (error) {
      if (!(error instanceof CurvadError) || error.row === undefined) throw error;
      // Translates row numbers within the class to those of the table.
      const row = rows[error.row] as number;
      const message = error.message.replace(`row ${error.row}`, `row ${row}`);
      const place = error.column === undefined ? { row } : { row, column: error.column };
      throw new CurvadError(error.code, message, { ...place, cause: error });
    }
  };
}
