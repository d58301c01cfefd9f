// Shell extraction: a sphere around the mean of the rows that are left grows and strips those inside it; the
// rows stripped last, an outer shell, are the prototypes. What is stripped first does not depend on how many
// rows are to stay, so that one run ranks them all.

import { checkOptionNames, number } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import type { Problem } from './classes.js';
import { eachClass, type Ranking } from './ranking.js';
import { PrototypeSelector } from './selector.js';
import { distancesToMean, type Table } from './table.js';

export interface ShellExtractionOptions {
  /** λ: the radius begins at λ + δ mean distances. At least 0. Default 0.8. */
  lambda?: number;
  /** δ: how much the radius grows with each iteration, in mean distances. At least 0.001. Default 0.1. */
  delta?: number;
}

const OPTION_NAMES: ReadonlyArray<keyof ShellExtractionOptions> = ['lambda', 'delta'];

/**
 * Shell extraction (SE). The score of a row is the iteration in which it is stripped; infinite for rows that
 * never are, because they coincide. In one iteration rows are stripped by row number, so that of equal
 * scores the higher row number ranks first; rows never stripped rank by row number. A share keeps
 * ⌈keep · n_c⌉ rows of a class.
 */
export class ShellExtraction extends PrototypeSelector {
  protected readonly kind = 'ShellExtraction';
  protected override readonly rounding = 'up';
  readonly #lambda: number;
  readonly #delta: number;

  constructor(options?: ShellExtractionOptions) {
    super();
    const given = checkOptionNames(options, OPTION_NAMES, 'ShellExtraction');
    const isLambda = (value: number): boolean => value >= 0;
    const isDelta = (value: number): boolean => value >= 0.001;
    this.#lambda = number(given['lambda'], 'lambda', 'a number of at least 0', isLambda, 'LAMBDA_INVALID') ?? 0.8;
    this.#delta = number(given['delta'], 'delta', 'a number of at least 0.001', isDelta, 'DELTA_INVALID') ?? 0.1;
  }

  protected override rankClasses({ table, classes }: Problem): Steps<readonly Ranking[]> {
    return eachClass(classes, ({ rows }) => this.#strip(table, rows));
  }

  *#strip(table: Table, rows: Uint32Array): Steps<Ranking> {
    const indices = new Uint32Array(rows.length); // filled from the end: first stripped, last ranked
    const scores = new Float64Array(rows.length);
    let left = rows.slice();
    for (let t = 1; ; t++) {
      yield;
      const distances = yield* distancesToMean(table, left);
      const radius = (this.#lambda + this.#delta * t) * averageOf(distances);
      if (radius === 0) break;
      let staying = 0;
      let place = left.length;
      for (let i = 0; i < left.length; i++) {
        // The last row stays: a shell of nothing is none.
        const isStripped = (distances[i] as number) < radius && place > 1;
        if (!isStripped) left[staying++] = left[i] as number;
        else {
          indices[--place] = left[i] as number;
          scores[place] = t;
        }
      }
      left = left.subarray(0, staying);
    }
    indices.set(left);
    scores.fill(Infinity, 0, left.length);
    return { indices, scores };
  }
}

function averageOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
