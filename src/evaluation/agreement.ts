// Agreement of two lists about the same rows: row by row, or by pairs of rows if class names do not correspond.
import { checkLengths, readNumbers } from './lists.js';

/**
 * Share of rows with equal entries; true equals 1, false equals 0.
 *
 * @param truth The true class of each row: finite numbers, or true and false.
 * @param predicted The class found for each row.
 */
export function accuracy(truth: ArrayLike<number | boolean>, predicted: ArrayLike<number | boolean>): number {
  const [a, b] = readPair(truth, predicted);
  let equal = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) equal++;
  return equal / a.length;
}

/**
 * Mean of |truth − predicted| over the rows. For labels of 0 and 1 it is 1 − accuracy.
 *
 * @param truth The true value of each row: finite numbers, or true and false for 1 and 0.
 * @param predicted The value found for each row.
 */
export function meanAbsoluteError(truth: ArrayLike<number | boolean>, predicted: ArrayLike<number | boolean>): number {
  const [a, b] = readPair(truth, predicted);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number));
  return sum / a.length;
}

/**
 * Adjusted Rand index (Hubert and Arabie): agreement on which pairs of rows belong together, whatever the
 * classes are called. 1 if both lists partition the rows alike, about 0 by chance, negative if worse.
 *
 * @param truth The true class of each row: finite numbers, or true and false.
 * @param predicted The class found for each row.
 */
export function adjustedRandIndex(truth: ArrayLike<number | boolean>, predicted: ArrayLike<number | boolean>): number {
  const [a, b] = readPair(truth, predicted);
  const rows = a.length;
  const classesOfA = numberClasses(a);
  const classesOfB = numberClasses(b);
  // The intersection: a pair of classes is one class. Exact up to 2²⁶ rows.
  const both = classesOfA.map((classOfA, i) => classOfA * rows + (classesOfB[i] as number));
  // Sums of squared class sizes are the ordered pairs of rows, with themselves, that belong together.
  const togetherInBoth = sumOfSquaredSizes(both);
  const together = togetherInBoth - rows;
  const onlyInA = sumOfSquaredSizes(classesOfA) - togetherInBoth;
  const onlyInB = sumOfSquaredSizes(classesOfB) - togetherInBoth;
  const apart = rows * rows - togetherInBoth - onlyInA - onlyInB;
  if (onlyInA === 0 && onlyInB === 0) return 1;
  const spread = (together + onlyInA) * (onlyInA + apart) + (together + onlyInB) * (onlyInB + apart);
  return (2 * (together * apart - onlyInA * onlyInB)) / spread;
}

function readPair(truth: unknown, predicted: unknown): [Float64Array, Float64Array] {
  const [a, b] = [readNumbers(truth, 'truth'), readNumbers(predicted, 'predicted')];
  checkLengths(a, 'truth', b, 'predicted');
  return [a, b];
}

/** The classes as 0, 1, 2, … in the order in which they appear. */
function numberClasses(values: Float64Array): Float64Array {
  const numbers = new Map<number, number>();
  return values.map((value) => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, numbers.size);
    return numbers.size - 1;
  });
}

function sumOfSquaredSizes(classes: Float64Array): number {
  const sizes = new Map<number, number>();
  for (const name of classes) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  let sum = 0;
  for (const size of sizes.values()) sum += size * size;
  return sum;
}
