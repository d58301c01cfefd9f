// Typed arrays that grow with a column.

type Cells = Float64Array | Int32Array | BigInt64Array;

/** The same values with room for a row, and more; the rest is `filler`. */
export function longer<Values extends Cells>(values: Values, row: number, filler: number | bigint): Values {
  const Made = values.constructor as new (length: number) => Values;
  const made = new Made(Math.max(64, 2 * values.length, 2 * row));
  (made as Float64Array).set(values as Float64Array);
  (made as Float64Array).fill(filler as number, values.length);
  return made;
}

/** The values of so many rows, in memory of their own. */
export function cut<Values extends Cells>(values: Values, rows: number, filler: number | bigint): Values {
  const whole = values.length < rows ? longer(values, rows, filler) : values;
  return whole.slice(0, rows) as Values;
}
