// Least squares for several outputs at once, as scikit-learn's LinearRegression: of all solutions the one
// of least norm, by the singular values of the centred inputs; those that are only rounding count as zero.
import { Matrix, SVD } from 'ml-matrix';
import { checkRows, columnMeans, emptyTable, fitted, type Regressor, type Table } from './model.js';

interface Fit {
  /** Inputs × outputs. */
  readonly weights: Matrix;
  readonly intercepts: Float64Array;
}

export class LinearRegression implements Regressor {
  #fit: Fit | undefined;

  fit(X: Table, Y: Table): this {
    checkRows(X, Y.rows);
    const inputMeans = columnMeans(X);
    const outputMeans = columnMeans(Y);
    const weights = leastSquares(centred(X, inputMeans), centred(Y, outputMeans));
    const shift = Matrix.rowVector(inputMeans).mmul(weights);
    this.#fit = { weights, intercepts: outputMeans.map((mean, t) => mean - shift.get(0, t)) };
    return this;
  }

  predict(X: Table): Table {
    const { weights, intercepts } = fitted(this.#fit);
    const predicted = emptyTable(X.rows, intercepts.length);
    for (let i = 0; i < X.rows; i++) {
      for (let t = 0; t < intercepts.length; t++) {
        let sum = intercepts[t] as number;
        for (let j = 0; j < X.columns; j++) sum += (X.data[i * X.columns + j] as number) * weights.get(j, t);
        predicted.data[i * intercepts.length + t] = sum;
      }
    }
    return predicted;
  }
}

function centred({ data, rows, columns }: Table, means: Float64Array): Matrix {
  return Matrix.from1DArray(rows, columns, data).subRowVector(means);
}

/** The W of least norm that minimises ‖A W − B‖. */
function leastSquares(A: Matrix, B: Matrix): Matrix {
  const svd = new SVD(A, { autoTranspose: true });
  const negligible = Math.max(A.rows, A.columns) * Number.EPSILON * (svd.diagonal[0] as number);
  const inverse = svd.diagonal.map((value) => (value > negligible ? 1 / value : 0));
  const projected = svd.leftSingularVectors.transpose().mmul(B).mulColumnVector(inverse);
  return svd.rightSingularVectors.mmul(projected);
}
