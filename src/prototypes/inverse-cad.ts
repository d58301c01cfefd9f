// Inverse CAD: the rows that curvature finds least anomalous, with neighbours all around, are the
// prototypes. It is CAD on each class by itself, read from the other end.
import type { BackendName } from '../core/backend.js';
import { CurvadError } from '../core/errors.js';
import { checkOptionNames } from '../core/options.js';
import { selectBackend } from '../core/select.js';
import { sortInSteps } from '../core/sorting.js';
import { CAD, type CADOptions } from '../detectors/cad.js';
import type { Steps } from '../parallel/work.js';
import { nameOf, type Problem, type RowClass } from './classes.js';
import { bestFirst, eachClass, type Ranking } from './ranking.js';
import { PrototypeSelector } from './selector.js';
import { rowsOf, type Table } from './table.js';

/** The options of CAD that bear on its scores. */
export type InverseCADOptions = Omit<CADOptions, 'contamination'>;

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
 * row more than `neighbors`. Targets of a regression play no part.
 */
export class InverseCAD extends PrototypeSelector {
  protected readonly kind = 'InverseCAD';
  readonly #options: InverseCADOptions;
  readonly #neighbors: number;

  constructor(options?: InverseCADOptions) {
    super();
    this.#options = { ...checkOptionNames(options, OPTION_NAMES, 'InverseCAD') };
    this.#neighbors = this.#options.neighbors ?? 10;
    new CAD(this.#options); // refuses bad options now
  }

  protected override get runsOn(): BackendName {
    return selectBackend(this.#options.backend ?? 'auto').name;
  }

  protected override readonly threadSource = () => import('curvad-thread:cad');

  protected override rankClasses({ table, classes }: Problem): Steps<readonly Ranking[]> {
    this.#checkSizes(classes);
    // Any contamination will do: it spares K-means, whose threshold a ranking does not need.
    const options = { ...this.#options, contamination: 0.5 };
    return eachClass(classes, function* (own) {
      using cad = yield* fitted(options, table, own);
      return yield* bestFirst(
        own.rows,
        cad.scores.map((score) => -score),
      );
    });
  }

  protected override *retainRows({ table, classes }: Problem): Steps<Uint32Array> {
    this.#checkSizes(classes);
    const options = this.#options;
    const retained = yield* eachClass(classes, function* (own) {
      using cad = yield* fitted(options, table, own);
      const { labels } = cad;
      return own.rows.filter((_, i) => labels[i] === 0);
    });
    const rows = new Uint32Array(retained.reduce((sum, { length }) => sum + length, 0));
    let filled = 0;
    for (const own of retained) {
      rows.set(own, filled);
      filled += own.length;
    }
    return yield* sortInSteps(rows);
  }

  #checkSizes(classes: readonly RowClass[]): void {
    for (const own of classes) {
      if (own.rows.length > this.#neighbors) continue;
      const needed = `${this.#neighbors} neighbors need at least ${this.#neighbors + 1} rows`;
      throw new CurvadError('TOO_FEW_ROWS', `${needed}, ${nameOf(own)} has ${own.rows.length}`);
    }
  }
}

function* fitted(options: CADOptions, table: Table, { rows }: RowClass): Steps<CAD> {
  try {
    return yield* new CAD(options).fitSteps(yield* rowsOf(table, rows));
  } catch (error) {
    if (!(error instanceof CurvadError) || error.row === undefined) throw error;
    // CAD counts the rows of the class, the user those of the table.
    const row = rows[error.row] as number;
    const message = error.message.replace(`row ${error.row}`, `row ${row}`);
    const place = error.column === undefined ? { row } : { row, column: error.column };
    throw new CurvadError(error.code, message, { ...place, cause: error });
  }
}
