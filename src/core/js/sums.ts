// Sums over columns, in the order of assembly/sums.ts: four interleaved lanes, column j in lane j mod 4,
// and (lane 0 + lane 2) + (lane 1 + lane 3) in the end. So every backend rounds alike.

type Vector = Float32Array | Float64Array;

function interleaved(columns: number, term: (j: number) => number): number {
  const lanes: [number, number, number, number] = [0, 0, 0, 0];
  for (let j = 0; j < columns; j++) lanes[(j & 3) as 0 | 1 | 2 | 3] += term(j);
  return lanes[0] + lanes[2] + (lanes[1] + lanes[3]);
}

export function innerProduct(x: Vector, y: Vector): number {
  return interleaved(x.length, (j) => (x[j] as number) * (y[j] as number));
}

export function squaredDistance(x: Vector, y: Vector): number {
  return interleaved(x.length, (j) => ((x[j] as number) - (y[j] as number)) ** 2);
}

export function absoluteDistance(x: Vector, y: Vector): number {
  return interleaved(x.length, (j) => Math.abs((x[j] as number) - (y[j] as number)));
}

/** The inner product in plain column order, as assembly/kernel-search.ts sums it. */
export function plainProduct(x: Vector, y: Vector): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += (x[j] as number) * (y[j] as number);
  return sum;
}
