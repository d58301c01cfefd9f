// Linear discriminant analysis as scikit-learn's svd solver: rows centred by class and scaled by column are
// whitened through their singular values, class means are then projected onto the space they span.
// Directions without spread (constant columns, fewer rows than columns) drop out, so any data will do.
// (scikit-learn of the paper's time divided the spread within classes by n − C, 1.9 divides by n as here: the
// shares of the classes then weigh a little less.)
import { Matrix, SVD } from 'ml-matrix';
import {
  type Classifier,
  checkRows,
  encodeLabels,
  fitted,
  largestOf,
  rowOf,
  rowsOf,
  selectRows,
  type Table,
} from './model.js';

/** Singular values up to this count as zero: of the scaled rows as they are, of the means relatively. */
const TOLERANCE = 1e-4;

interface Fit {
  readonly classes: readonly number[];
  /** Classes × columns. */
  readonly weights: Matrix;
  readonly intercepts: readonly number[];
}

export class LDA implements Classifier {
  #fit: Fit | undefined;

  fit(X: Table, labels: ArrayLike<number>): this {
    checkRows(X, labels.length);
    const { classes, codes } = encodeLabels(labels);
    if (classes.length < 2) throw new Error(`LDA needs at least 2 classes, got ${classes.length}`);
    if (X.rows <= classes.length) throw new Error(`LDA needs more rows than classes, got ${X.rows}`);
    const { means, priors, rest } = withinClasses(X, codes, classes.length);
    const whitening = whiten(rest);
    // X̄ = Σ prior · mean; the means around it, in whitened space
    const center = Matrix.rowVector(priors).mmul(means);
    const around = Matrix.sub(means, repeated(center, classes.length));
    const weightOf = (c: number) => Math.sqrt((X.rows * (priors[c] as number)) / (classes.length - 1));
    const spread = around.mmul(whitening).mulColumnVector(classes.map((_, c) => weightOf(c)));
    const scalings = whitening.mmul(leadingDirections(spread));
    const projected = around.mmul(scalings);
    const weights = projected.mmul(scalings.transpose());
    const intercepts = priors.map((prior, c) => {
      const norm = projected.getRow(c).reduce((sum, value) => sum + value * value, 0);
      return -0.5 * norm + Math.log(prior) - dot(center.getRow(0), weights.getRow(c));
    });
    this.#fit = { classes, weights, intercepts };
    return this;
  }

  /** A value for each row and class; the largest decides. Differences between classes are log odds. */
  decide(X: Table): Table {
    const { weights, intercepts } = fitted(this.#fit);
    const rows = weights.to2DArray();
    const data = Float64Array.from({ length: X.rows * rows.length }, (_, at) => {
      const c = at % rows.length;
      return dot(rowOf(X, Math.floor(at / rows.length)), rows[c] as number[]) + (intercepts[c] as number);
    });
    return { data, rows: X.rows, columns: rows.length };
  }

  predict(X: Table): number[] {
    const { classes } = fitted(this.#fit);
    return rowsOf(this.decide(X)).map((values) => classes[largestOf(values)] as number);
  }
}

/** The mean and share of each class, and the rows less their class's mean. */
function withinClasses(X: Table, codes: Int32Array, count: number) {
  const members = Array.from({ length: count }, (_, c) => [...codes.keys()].filter((i) => codes[i] === c));
  const groups = members.map((rows) => {
    const { data } = selectRows(X, rows);
    return Matrix.from1DArray(rows.length, X.columns, data);
  });
  const means = new Matrix(groups.map((group) => group.mean('column')));
  const rest = new Matrix(groups.flatMap((group, c) => group.subRowVector(means.getRow(c)).to2DArray()));
  return { means, priors: members.map((rows) => rows.length / X.rows), rest };
}

/** Columns × rank: takes rows to a space in which the classes have spread 1 in every direction. */
function whiten(rest: Matrix): Matrix {
  const scales = rest.standardDeviation('column', { unbiased: false, mean: rest.mean('column') });
  const deviations = scales.map((value) => (value === 0 ? 1 : value));
  const scaled = rest.clone().divRowVector(deviations).div(Math.sqrt(rest.rows));
  const svd = new SVD(scaled, { autoTranspose: true });
  const rank = svd.diagonal.filter((value) => value > TOLERANCE).length;
  if (rank === 0) throw new Error('LDA needs rows that differ within a class');
  const directions = svd.rightSingularVectors.subMatrix(0, rest.columns - 1, 0, rank - 1);
  return directions.divColumnVector(deviations).divRowVector(svd.diagonal.slice(0, rank));
}

/** The directions in which the class means differ. */
function leadingDirections(spread: Matrix): Matrix {
  const svd = new SVD(spread, { autoTranspose: true });
  const rank = svd.diagonal.filter((value) => value > TOLERANCE * (svd.diagonal[0] as number)).length;
  if (rank === 0) return Matrix.zeros(spread.columns, 1); // all means equal: the shares decide
  return svd.rightSingularVectors.subMatrix(0, spread.columns - 1, 0, rank - 1);
}

function repeated(row: Matrix, count: number): Matrix {
  return new Matrix(Array.from({ length: count }, () => row.getRow(0)));
}

function dot(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += (x[j] as number) * (y[j] as number);
  return sum;
}
