// A regressor that sees its inputs with mean 0 and standard deviation 1, by the columns of the rows it is
// fitted to; constant columns are only centred.
import { columnMeans, type Regressor, type Table } from './model.js';

export class Standardized implements Regressor {
  readonly #model: Regressor;
  #means: Float64Array = new Float64Array();
  #deviations: Float64Array = new Float64Array();

  constructor(model: Regressor) {
    this.#model = model;
  }

  fit(X: Table, Y: Table): this {
    const { data, rows, columns } = X;
    const means = columnMeans(X);
    const squares = data.map((value, at) => (value - (means[at % columns] as number)) ** 2);
    this.#means = means;
    this.#deviations = columnMeans({ data: squares, rows, columns }).map((variance, j) => {
      // a constant column may show a variance by the rounding of its mean
      const rounding = rows * Number.EPSILON * (means[j] as number);
      return variance <= rounding ** 2 ? 1 : Math.sqrt(variance);
    });
    this.#model.fit(this.#scale(X), Y);
    return this;
  }

  predict(X: Table): Table {
    return this.#model.predict(this.#scale(X));
  }

  #scale({ data, rows, columns }: Table): Table {
    const scaled = data.map((value, at) => {
      const j = at % columns;
      return (value - (this.#means[j] as number)) / (this.#deviations[j] as number);
    });
    return { data: scaled, rows, columns };
  }
}
