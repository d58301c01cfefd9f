// The plane on which the rows differ most: the first two principal components of standardized columns, found by
// orthogonal iteration on their correlations.

const ITERATIONS = 200;

export interface Components {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The share of the variance on each. */
  readonly shares: readonly [first: number, second: number];
}

export function principalComponents(columns: readonly Float64Array[], rows: number): Components {
  const scaled = columns.map(standardized).filter((column) => column !== undefined);
  const correlations = scaled.map((a) => scaled.map((b) => dot(a, b) / rows));
  const first = leading(correlations, []);
  const second = leading(correlations, [first.vector]);
  const total = Math.max(1, scaled.length);
  return {
    x: project(scaled, first.vector, rows),
    y: project(scaled, second.vector, rows),
    shares: [first.value / total, second.value / total],
  };
}

/** Mean 0 and variance 1; undefined for a column of equal values. */
function standardized(column: Float64Array): Float64Array | undefined {
  let mean = 0;
  for (const value of column) mean += value / column.length;
  let variance = 0;
  for (const value of column) variance += (value - mean) ** 2 / column.length;
  return variance > 0 ? column.map((value) => (value - mean) / Math.sqrt(variance)) : undefined;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** The eigenvector of the largest eigenvalue that is orthogonal to those found before. */
function leading(matrix: readonly number[][], before: readonly number[][]): { vector: number[]; value: number } {
  let vector = matrix.map((_, i) => 1 / (i + 1 + before.length));
  let value = 0;
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    let next = matrix.map((line) => line.reduce((sum, element, j) => sum + element * (vector[j] as number), 0));
    for (const other of before) {
      const along = next.reduce((sum, element, j) => sum + element * (other[j] as number), 0);
      next = next.map((element, j) => element - along * (other[j] as number));
    }
    value = Math.hypot(...next);
    if (!(value > 1e-12)) return { vector: matrix.map(() => 0), value: 0 };
    vector = next.map((element) => element / value);
  }
  // Of the two directions, the one whose largest part is positive: the picture is the same for the same data.
  const largest = vector.reduce((most, element) => (Math.abs(element) > Math.abs(most) ? element : most), 0);
  return { vector: largest < 0 ? vector.map((element) => -element) : vector, value };
}

function project(columns: readonly Float64Array[], vector: readonly number[], rows: number): Float64Array {
  const result = new Float64Array(rows);
  columns.forEach((column, j) => {
    const weight = vector[j] as number;
    for (let i = 0; i < rows; i++) result[i] = (result[i] as number) + weight * (column[i] as number);
  });
  return result;
}
