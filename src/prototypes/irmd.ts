// Instance ranking by matrix decomposition: rows are scored against an orthonormal basis that QR draws from
// the first of them, and those least aligned with it rank first.

import { allocate } from '../core/input/matrix.js';
import { checkOptionNames, number } from '../core/options.js';
import { inBlocks, type Steps, within } from '../core/steps.js';
import type { Problem, RowClass } from './classes.js';
import { orthonormalBasis } from './orthonormal-basis.js';
import { bestFirst, eachClass, type Ranking } from './ranking.js';
import { PrototypeSelector } from './selector.js';
import { rowsOf, sourceOf, type Table } from './table.js';

export interface IRMDOptions {
  /** ε: the least a cosine counts, above 0 and below 1. Default 0.001. */
  epsilon?: number;
}

/**
 * Instance ranking by matrix decomposition (IRMD), with QR. The score of a row is
 * s = −Σ_j w_j ln max(|x·q_j|/‖x‖, ε), w_j = 2j/(h(h+1)). With class labels it is the product of the score within the
 * class and the score of [x; one-hot class] among all rows, grouped by class; with targets, the product of
 * the scores of x and of its targets.
 *
 * The basis comes from the first rows (of a class): the order of the rows matters.
 */
export class IRMD extends PrototypeSelector {
  protected readonly kind = 'IRMD';
  readonly #epsilon: number;

  constructor(options?: IRMDOptions) {
    super();
    const given = checkOptionNames(options, ['epsilon'], 'IRMD');
    const isEpsilon = (value: number): boolean => value > 0 && value < 1;
    this.#epsilon =
      number(given['epsilon'], 'epsilon', 'a number above 0 and below 1', isEpsilon, 'EPSILON_INVALID') ?? 0.001;
  }

  protected override *rankClasses({ table, classes, targets }: Problem): Steps<readonly Ranking[]> {
    const epsilon = this.#epsilon;
    const factors = targets ? yield* basisScores(targets, epsilon) : yield* jointScores(table, classes, epsilon);
    let before = 0;
    const rankings = eachClass(classes, function* ({ rows }) {
      const scores = yield* basisScores(yield* rowsOf(table, rows), epsilon);
      const joint = factors?.subarray(before, before + rows.length);
      before += rows.length;
      return yield* bestFirst(rows, joint ? scores.map((score, i) => score * (joint[i] as number)) : scores);
    });
    return yield* within(rankings, factors ? 0.5 : 0, 1);
  }
}

/** Scores of [x; one-hot class], class after class. */
function* jointScores(table: Table, classes: readonly RowClass[], epsilon: number): Steps<Float64Array | undefined> {
  if (classes.some(({ label }) => label === undefined)) return undefined;
  const columns = table.columns + classes.length;
  const data = allocate(table.rows * columns);
  let before = 0;
  for (const [number, { rows }] of classes.entries()) {
    const own = sourceOf(table, rows);
    yield* inBlocks(rows.length, columns, (from, to) => {
      for (let i = from; i < to; i++) {
        own.read(i, data, (before + i) * columns);
        data[(before + i) * columns + table.columns + number] = 1;
      }
    });
    before += rows.length;
  }
  return yield* basisScores({ data, rows: table.rows, columns }, epsilon);
}

/** s of each row against the basis of all of them. */
function* basisScores(table: Table, epsilon: number): Steps<Float64Array> {
  const { data, rows, columns } = table;
  const basis = yield* orthonormalBasis(table);
  const h = basis.rows;
  const scores = new Float64Array(rows);
  yield* inBlocks(rows, h * columns, (from, to) => {
    for (let i = from; i < to; i++) {
      const x = i * columns;
      const norm = Math.sqrt(product(data, x, data, x, columns));
      let sum = 0;
      for (let j = 0; j < h; j++) {
        const cosine = norm === 0 ? epsilon : Math.abs(product(data, x, basis.data, j * columns, columns)) / norm;
        sum += (j + 1) * Math.log(Math.max(cosine, epsilon));
      }
      scores[i] = 0 - (2 * sum) / (h * (h + 1));
    }
  });
  return scores;
}

/** The inner product of two rows, each from its place in its table. */
function product(x: Float64Array, fromX: number, y: Float64Array, fromY: number, columns: number): number {
  let sum = 0;
  for (let j = 0; j < columns; j++) sum += (x[fromX + j] as number) * (y[fromY + j] as number);
  return sum;
}
