// The place on a circle after a part of a turn. Engines differ in the last bits of Math.sin, and a score must not
// depend on the engine: these are plain sums and products.

/** Coefficients of x − x³/3! + … and 1 − x²/2! + …, enough for 16 digits up to π/4. */
const SINE = series(1, 9);
const COSINE = series(0, 9);

/** The sine and cosine of `part` of a turn, in [0, 1). */
export function cycle(part: number): readonly [sine: number, cosine: number] {
  const eighth = Math.floor(8 * part);
  const quarter = (eighth + 1) >> 1; // the nearest
  const angle = (part - quarter / 4) * 2 * Math.PI;
  const [sine, cosine] = [angle * sum(SINE, angle * angle), sum(COSINE, angle * angle)];
  switch (quarter % 4) {
    case 0:
      return [sine, cosine];
    case 1:
      return [cosine, -sine];
    case 2:
      return [-sine, -cosine];
    default:
      return [-cosine, sine];
  }
}

function series(first: number, terms: number): number[] {
  let factorial = 1;
  return Array.from({ length: terms }, (_, i) => {
    if (i > 0) factorial *= -(2 * i + first) * (2 * i + first - 1);
    return 1 / factorial;
  });
}

function sum(coefficients: readonly number[], square: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * square + (coefficients[i] as number);
  return value;
}
