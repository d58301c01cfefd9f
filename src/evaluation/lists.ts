// The lists an evaluation compares, checked and copied: from here on they are typed arrays of known content.
import { CurvadError, describe } from '../core/errors.js';

/** 1 for an anomaly, 0 for a normal row; of the input only 0, 1, true and false are labels. */
export function readLabels(values: unknown, name: string): Uint8Array {
  const list = checkList(values, name);
  const labels = new Uint8Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (value === 1 || value === true) labels[i] = 1;
    else if (value !== 0 && value !== false) {
      const rule = 'must be 1 or true (anomaly), 0 or false (normal)';
      throw new CurvadError('LABEL_INVALID', `${name}[${i}] ${rule}, got ${describe(value)}`, { row: i });
    }
  }
  return labels;
}

/** Scores of which only the order counts: they may be infinite, but not NaN. */
export function readScores(values: unknown, name: string): Float64Array {
  const list = checkList(values, name);
  const scores = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) scores[i] = checkNumber(list[i], name, i);
  return scores;
}

/** Finite numbers; true and false count as 1 and 0. */
export function readNumbers(values: unknown, name: string): Float64Array {
  const list = checkList(values, name);
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    const number = typeof value === 'boolean' ? Number(value) : checkNumber(value, name, i);
    if (!Number.isFinite(number)) {
      throw new CurvadError('INFINITE_VALUE', `${name}[${i}] is ${number}: values must be finite`, { row: i });
    }
    numbers[i] = number;
  }
  return numbers;
}

/** Two lists speak of the same rows only if they are equally long. */
export function checkLengths(a: ArrayLike<number>, nameOfA: string, b: ArrayLike<number>, nameOfB: string): void {
  if (a.length !== b.length) {
    const lengths = `${nameOfA} has ${a.length} and ${nameOfB} has ${b.length}`;
    throw new CurvadError(
      'LENGTHS_DIFFER',
      `${nameOfA} and ${nameOfB} must have one value per row each, but ${lengths}`,
    );
  }
}

function checkList(values: unknown, name: string): ArrayLike<unknown> {
  const length = typeof values === 'object' && values !== null && 'length' in values ? values.length : undefined;
  if (typeof length !== 'number' || !(Number.isInteger(length) && length >= 0 && length < 2 ** 32)) {
    throw new CurvadError('INPUT_TYPE', `${name} must be an array or a typed array, got ${describe(values)}`);
  }
  if (length === 0) throw new CurvadError('EMPTY_INPUT', `${name} is empty: it must have one value per row`);
  return values as ArrayLike<unknown>;
}

function checkNumber(value: unknown, name: string, row: number): number {
  if (typeof value !== 'number') {
    throw new CurvadError('NOT_A_NUMBER', `${name}[${row}] must be a number, got ${describe(value)}`, { row });
  }
  if (Number.isNaN(value)) {
    throw new CurvadError('NAN_VALUE', `${name}[${row}] is NaN: it must be a number that can be compared`, { row });
  }
  return value;
}
