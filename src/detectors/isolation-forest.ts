// Isolation Forest (Liu, Ting and Zhou). Random splits of random samples: a row that few splits separate
// from the others is an anomaly. s = 2^(−E[h] / c(n)), with h the length of a row's path in a tree and c(n)
// what it would be on average in a tree of the n rows of a sample.

import { CurvadError } from '../core/errors.js';
import { type Forest, type ForestNodes, type Forests, faultOf } from '../core/forest/forest.js';
import { scoresFromPaths } from '../core/forest/path-length.js';
import type { RowSource } from '../core/input/matrix.js';
import { jsForests } from '../core/js/forest.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { type BackendChoice, implementationFor } from '../core/select.js';
import type { Steps } from '../core/steps.js';
import { wasmForests } from '../core/wasm/forest.js';
import type { ThreadSource } from '../parallel/run.js';
import { Detector } from './detector.js';
import { COMMON_OPTIONS, real, seed, standardize, type ValuesOf, whole, withDefault } from './detector-options.js';
import type { Trained } from './fitted-state.js';
import { checkedCount, checkedSection } from './model-parts.js';
import type { DetectorOptions } from './threshold-rule.js';

export interface IsolationForestOptions extends DetectorOptions {
  /** Trees to grow. Default 100. */
  trees?: number;
  /** Rows each tree is grown from, drawn without replacement: at least 2. Default 256, or all if there are fewer. */
  sampleSize?: number;
  /** Share of the columns each tree may split on, above 0 and at most 1; at least one column. Default 1. */
  features?: number;
  /**
   * The same seed gives the same forest, and the one that scikit-learn grows with it as random_state: a whole
   * number from 0 to 4294967295. Default 0.
   */
  seed?: number;
  /**
   * Accepted for consistency, without effect: split values are drawn between the least and the largest value of a
   * column, so that scores do not depend on units.
   */
  standardize?: boolean;
  /** The backend. Default 'auto', the fastest available; results do not depend on it. */
  backend?: BackendChoice;
}

/** Least number of rows. */
const FEWEST_ROWS = 2;

const OPTIONS = {
  trees: whole(1, 100, 'TREES_INVALID'),
  sampleSize: whole(FEWEST_ROWS, 256, 'SAMPLE_SIZE_INVALID'),
  features: withDefault(
    real('a share above 0 and at most 1', (share) => share > 0 && share <= 1, 'FEATURES_INVALID'),
    1,
  ),
  seed,
  standardize,
  ...COMMON_OPTIONS,
};

interface Grown {
  readonly nodes: ForestNodes;
  readonly forest: Forest;
  readonly columns: number;
  /** Rows each tree was grown from. */
  readonly sampleSize: number;
}

/**
 * Anomaly detection by how few random splits isolate a row. Trees and scores are those of scikit-learn 1.9 for
 * the same seed, with two exceptions. A column that f32, which scikit-learn uses, would reduce to fewer than a thousand
 * values is read in full: Unix times of one day, or a range below 0.0001. And if the random targets that scikit-learn
 * assigns to rows agree to 8 digits within a node, scikit-learn does not split it and continues with other random
 * numbers in that tree, which happens in one of thousands of forests.
 */
export class IsolationForest extends Detector<Grown, ValuesOf<typeof OPTIONS>> {
  /** @internal */
  static readonly kind = 'IsolationForest';
  /** @internal */
  static readonly options = OPTIONS;
  constructor(options?: IsolationForestOptions) {
    super(options);
  }

  protected override get nativeThreshold(): number {
    return 0.5; // the score of a row with the average path length
  }

  protected readonly threadSource: ThreadSource = () => import('curvad-thread:isolation-forest');

  protected override trainingCost({ rows, columns }: RowSource): number {
    return this.options.trees * (20 * this.options.sampleSize + 2 * columns + 30 * rows);
  }

  protected scoringCost(): number {
    return 30 * this.options.trees;
  }

  protected *training(rows: RowSource): Steps<Trained<Grown>> {
    if (rows.rows < FEWEST_ROWS) {
      throw new CurvadError('TOO_FEW_ROWS', `a forest needs at least ${FEWEST_ROWS} rows, got ${rows.rows}`);
    }
    const { columns } = rows;
    const sampleSize = Math.min(this.options.sampleSize, rows.rows);
    const features = Math.max(1, Math.floor(this.options.features * columns));
    const forests = this.#forests();
    const nodes = yield* forests.grow(rows, {
      trees: this.options.trees,
      sampleSize,
      features,
      seed: this.options.seed,
    });
    const fitted = { nodes, forest: forests.hold(nodes, columns), columns, sampleSize };
    const scores = new Float64Array(rows.rows);
    try {
      yield this.scoringWork(fitted, rows, scores, [0.4, 0.98]);
    } catch (error) {
      this.release(fitted);
      throw error;
    }
    return { fitted, scores };
  }

  protected scoreRows({ forest, sampleSize }: Grown, rows: RowSource, scores: Float64Array): void {
    forest.sumPaths(rows, scores);
    scoresFromPaths(scores, rows.rows, this.options.trees, sampleSize);
  }

  protected columnsOf({ columns }: Grown): number {
    return columns;
  }

  protected release({ forest }: Grown): void {
    forest.release();
  }

  protected describeFitted({ nodes, columns }: Grown): Pick<Model, 'fields' | 'sections'> {
    return {
      fields: {
        columns,
      },
      sections: { ...nodes },
    };
  }

  protected restore(model: Model): Grown {
    const columns = checkedCount(model, 'columns');
    const rows = checkedSection(model, 'scores', 'f64').length;
    if (rows < FEWEST_ROWS) throw corrupt(`it has ${rows} rows, at least ${FEWEST_ROWS} are needed`);
    const { length } = checkedSection(model, 'children', 'u32');
    const nodes: ForestNodes = {
      counts: checkedSection(model, 'counts', 'u32', this.options.trees),
      features: checkedSection(model, 'features', 'u32', length),
      thresholds: checkedSection(model, 'thresholds', 'f64', length),
      children: checkedSection(model, 'children', 'u32', length),
      sizes: checkedSection(model, 'sizes', 'u32', length),
    };
    const sampleSize = Math.min(this.options.sampleSize, rows);
    const fault = faultOf(nodes, columns, sampleSize);
    if (fault !== undefined) throw corrupt(fault);
    return { nodes, forest: this.#forests().hold(nodes, columns), columns, sampleSize };
  }

  #forests(): Forests {
    return implementationFor(this.options.backend, { js: jsForests, wasm: wasmForests });
  }
}
